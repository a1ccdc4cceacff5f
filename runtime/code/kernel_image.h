// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Machine code of a program: an ELF shared object, opened by the dynamic linker so that debuggers and profilers know it.
#pragma once

#include <span>
#include <string>

#include "include/lanewise/kernel_abi.h"
#include "runtime/core/object.h"
#include "src/base/result.h"
#include "src/file/file.h"

namespace lanewise {

class KernelImage final : public Counted {
 public:
  /// Opens an image held in memory. Errors: CL_INVALID_BINARY (not a shared object for this machine, or the dynamic
  /// linker refuses it; the message says why), CL_OUT_OF_RESOURCES.
  static Result<Ref<KernelImage>> open(std::span<const std::uint8_t> elf);

  /// The range function of that name, or null.
  [[nodiscard]] lanewise_range_fn* symbol(const std::string& name) const;

 private:
  KernelImage(void* library, file::Descriptor descriptor) : library_(library), descriptor_(std::move(descriptor)) {}
  ~KernelImage() override;

  void* library_;
  /// glibc recognises an opened library by its path, and ours is /proc/self/fd/<number>: the number must not be used
  /// again while the image lives, or the next image would be mistaken for this one.
  file::Descriptor descriptor_;
};

}  // namespace lanewise
