// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/kernel_image.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "src/file/file.h"

namespace lanewise {

namespace {

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
#endif

/// What can be told before the dynamic linker believes the file: its kind, its machine, and that no segment reaches
/// beyond the end (which would be a bus error later).
bool is_sane(std::span<const std::uint8_t> elf) {
  Elf64_Ehdr header{};
  if (elf.size() < sizeof header) return false;
  std::memcpy(&header, elf.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return false;
  if (header.e_type != ET_DYN || header.e_machine != kMachine || header.e_phentsize != sizeof(Elf64_Phdr)) return false;
  const std::uint64_t table = std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  if (header.e_phoff > elf.size() || table > elf.size() - header.e_phoff) return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    std::memcpy(&segment, elf.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_offset > elf.size() || segment.p_filesz > elf.size() - segment.p_offset) return false;
  }
  return true;
}

/// A path to the open file that no other image has or had. glibc recognises an opened library by its path as written,
/// so a descriptor number that comes back would give the old image. Keeping every descriptor open would avoid that, but
/// an application has only about a thousand, and may close them all. Instead a counter is spelled in redundant "./".
std::string unique_path(int descriptor) {
  static std::atomic<std::uint64_t> counter{0};
  std::string path = "/proc/self/fd/";
  for (std::uint64_t number = counter.fetch_add(1, std::memory_order_relaxed) + 1; number != 0; number >>= 1)
    path += (number & 1) != 0 ? "./" : "/";
  return path + std::to_string(descriptor);
}

void* open_path(const std::string& path) {
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// Where anonymous memory files are refused or may not be executed: a file that has no name once it is open.
void* open_through_directory(std::span<const std::uint8_t> elf) {
  const char* base = secure_getenv("TMPDIR");
  std::string path = std::string(base != nullptr ? base : "/tmp") + "/lanewise-XXXXXX";
  const file::Descriptor made(mkostemp(path.data(), O_CLOEXEC));
  if (!made) return nullptr;
  void* library = file::write_all(made.get(), elf) ? open_path(path) : nullptr;
  unlink(path.c_str());
  return library;
}

}  // namespace

Result<Ref<KernelImage>> KernelImage::open(std::span<const std::uint8_t> elf) {
  if (!is_sane(elf)) return Error{CL_INVALID_BINARY, "the image is not a shared object for this machine"};
  void* library = nullptr;
  // The mapping keeps the memory file; the descriptor is only needed to open it.
  if (const file::Descriptor memory = file::in_memory("lanewise-kernel", elf))
    library = open_path(unique_path(memory.get()));
  if (library == nullptr) library = open_through_directory(elf);
  if (library == nullptr) {
    const char* why = dlerror();
    return Error{CL_INVALID_BINARY, why != nullptr ? why : "the image can't be opened"};
  }
  return Ref<KernelImage>::adopt(new KernelImage(library));
}

KernelImage::~KernelImage() {
  dlclose(library_);
}

lanewise_range_fn* KernelImage::symbol(const std::string& name) const {
  return reinterpret_cast<lanewise_range_fn*>(dlsym(library_, name.c_str()));
}

}  // namespace lanewise
