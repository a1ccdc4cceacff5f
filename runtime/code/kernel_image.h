// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Machine code of a program: an ELF shared object, opened by the dynamic linker so that debuggers and profilers know
/// it.
#pragma once

#include <span>
#include <string>

#include "include/lanewise/kernel_abi.h"
#include "runtime/core/object.h"
#include "src/base/result.h"

namespace lanewise {

class KernelImage final : public Counted {
 public:
  /// Opens an image held in memory. Errors: CL_INVALID_BINARY (not a shared object for this machine, or the dynamic
  /// linker refuses it; the message says why), CL_OUT_OF_RESOURCES.
  static Result<Ref<KernelImage>> open(std::span<const std::uint8_t> elf);

  /// The range function of that name, or null.
  [[nodiscard]] lanewise_range_fn* symbol(const std::string& name) const;

 private:
  explicit KernelImage(void* library) : library_(library) {}
  ~KernelImage() override;

  void* library_;
};

}  // namespace lanewise
