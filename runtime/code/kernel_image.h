// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A loaded kernel image: an ELF shared object in the process.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "include/lanewise/kernel_abi.h"
#include "runtime/core/object.h"
#include "src/base/result.h"

namespace lanewise {

/// Machine code of one program. Every image is a mapping of its own, so that two programs made from the same source
/// never share program-scope variables. Unmapped with the last reference.
class KernelImage final : public Counted {
 public:
  /// Loads an image from memory, or from `path` (absolute; must be a file that no other image was opened from).
  /// Refuses what is not a self-contained shared object for this machine (`check_elf`).
  /// Errors: CL_INVALID_BINARY; CL_OUT_OF_RESOURCES if neither an anonymous nor a temporary file can be mapped.
  static Result<Ref<KernelImage>> open(std::span<const std::uint8_t> elf, std::optional<std::string> path = {});

  /// Address of a range function, or nullptr. Thread-safe.
  [[nodiscard]] lanewise_range_fn* symbol(const std::string& name) const;

 private:
  explicit KernelImage(void* handle, int descriptor) : handle_(handle), descriptor_(descriptor) {}
  ~KernelImage() override;

  void* handle_;
  int descriptor_;  ///< kept only for debuggers, else -1
};

/// True for a 64-bit little-endian shared object for this machine whose headers and segments lie inside the file and
/// which needs no other library, no interpreter and no constructor. Otherwise `reason` says what is wrong.
bool check_elf(std::span<const std::uint8_t> elf, std::string& reason);

}  // namespace lanewise
