// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The machine code of a program: an ELF shared object, which the dynamic linker opens under a path that debuggers and
/// profilers can open too.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "include/lanewise/kernel_abi.h"
#include "runtime/code/image_check.h"
#include "runtime/code/image_files.h"
#include "runtime/object/object.h"
#include "src/base/hash.h"
#include "src/base/result.h"

namespace lanewise {

/// An open image. The destructor closes it.
class KernelImage final : public Counted {
 public:
  /// Opens an image whose bytes are in memory: through a kept file of `files`, else a private file, else a file in
  /// memory. Images of the same bytes share no variables. Errors: CL_INVALID_BINARY (`check_image` or the dynamic
  /// linker refuses the image; the message says why).
  static Result<Ref<KernelImage>> open(std::span<const std::uint8_t> elf, ImageFiles& files = ImageFiles::instance());

  /// The range function with this name; null: the image has none.
  [[nodiscard]] lanewise_range_fn* symbol(const std::string& name) const;

 private:
  KernelImage() = default;
  ~KernelImage() override;
  bool open_kept(std::span<const std::uint8_t> elf, const ImageTraits& traits, ImageFiles& files);
  bool open_private(std::span<const std::uint8_t> elf, ImageFiles& files);

  void* library_ = nullptr;
  std::uint64_t code_ = 0;  ///< ImageTraits::code
  std::uint64_t code_bytes_ = 0;
  std::optional<Hash128> claim_;  ///< hash of a kept image, which nobody else opens meanwhile
  std::string private_path_;      ///< path of a file that is removed with the image
};

}  // namespace lanewise
