// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The machine code of a program: an ELF shared object, which the dynamic linker opens under a path that debuggers and
/// profilers can open too.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "include/lanewise/kernel_abi.h"
#include "runtime/code/code_object_check.h"
#include "runtime/code/code_object_files.h"
#include "runtime/object/object.h"
#include "src/base/hash.h"
#include "src/base/result.h"

namespace lanewise {

/// An open code object. The destructor closes it.
class CodeObject final : public Counted {
 public:
  /// Opens a code object whose bytes are in memory: through a kept file of `files`, else a private file, else a file in
  /// memory. Code objects of the same bytes share no variables. Errors: CL_INVALID_BINARY (`check_code_object` or the
  /// dynamic linker refuses the code object; the message says why).
  static Result<Ref<CodeObject>> open(std::span<const std::uint8_t> elf,
                                      CodeObjectFiles& files = CodeObjectFiles::instance());

  /// The range function with this name; null: the code object has none.
  [[nodiscard]] lanewise_range_fn* symbol(const std::string& name) const;

 private:
  CodeObject() = default;
  ~CodeObject() override;
  bool open_kept(std::span<const std::uint8_t> elf, const CodeObjectTraits& traits, CodeObjectFiles& files);
  bool open_private(std::span<const std::uint8_t> elf, CodeObjectFiles& files);

  void* library_ = nullptr;
  std::uint64_t code_ = 0;  ///< CodeObjectTraits::code
  std::uint64_t code_bytes_ = 0;
  std::optional<Hash128> claim_;  ///< hash of a kept code object, which nobody else opens meanwhile
  std::string private_path_;      ///< path of a file that is removed with the code object
};

}  // namespace lanewise
