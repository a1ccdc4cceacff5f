// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/code_object.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <utility>

#include "runtime/code/code_object_check.h"
#include "runtime/process/fork_guard.h"
#include "runtime/process/fork_lock.h"
#include "src/base/mutex.h"
#include "src/base/survives_fork.h"
#include "src/file/file.h"
#include "src/file/scarce.h"

namespace lanewise {

namespace {

/// glibc keeps what it has opened in a child, so numbers go on from the parent's.
LANEWISE_SURVIVES_FORK constinit std::atomic<std::uint64_t> g_paths{0};

/// A path to the open file that no other code object has or had. glibc recognises an opened library by its path as
/// written, so a reused descriptor number would give the old code object. Keeping every descriptor open would avoid
/// that, but an application has only about a thousand, and may close them all. Instead, redundant "./" in the path
/// spell a counter.
std::string unique_path(int descriptor) {
  std::string path = "/proc/self/fd/";
  for (std::uint64_t number = g_paths.fetch_add(1, std::memory_order_relaxed) + 1; number != 0; number >>= 1)
    path += (number & 1) != 0 ? "./" : "/";
  return path + std::to_string(descriptor);
}

void* open_path(const std::string& path) {
  const ForkHeld no_fork;
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// For systems where no file with a name may be executed. A debugger cannot open such a file, but it must not hang
/// either: in its own process the same descriptor number may be a terminal, so a high number is used.
void* open_in_memory(std::span<const std::uint8_t> elf) {
  const file::Descriptor memory = file::in_memory("lanewise-kernel", elf);
  if (!memory) return nullptr;
  for (const int least : {900, 400, 100}) {
    const file::Descriptor high(fcntl(memory.get(), F_DUPFD_CLOEXEC, least));
    if (high) return open_path(unique_path(high.get()));
  }
  return open_path(unique_path(memory.get()));
}

/// The kept code objects with variables that are open in this process. If such a file were opened again, glibc would
/// give both code objects the same variables.
class Claims {
 public:
  static Claims& instance() {
    static Claims& claims = *new Claims;  // leaked: code objects may be closed while the process exits
    return claims;
  }
  bool take(const Hash128& hash) {
    if (began_anew()) return false;  // the parent may have any of them open, and so has the child then
    if (!lock_unless_forked(mutex_)) return false;
    const MutexLock lock(mutex_, std::adopt_lock);
    return taken_.insert({hash.high, hash.low}).second;
  }
  void give_back(const Hash128& hash) {
    if (!lock_unless_forked(mutex_)) return;
    const MutexLock lock(mutex_, std::adopt_lock);
    taken_.erase({hash.high, hash.low});
  }

 private:
  Mutex mutex_ ACQUIRED_AFTER(file::scarce_mutex);  ///< innermost
  std::set<std::pair<std::uint64_t, std::uint64_t>> taken_ GUARDED_BY(mutex_);
};

/// Opens a code object; removes its file if that fails.
void* open_or_remove(const std::string& path) {
  void* library = open_path(path);
  if (library == nullptr) unlink(path.c_str());
  return library;
}

}  // namespace

bool CodeObject::open_kept(std::span<const std::uint8_t> elf, const CodeObjectTraits& traits, CodeObjectFiles& files) {
  const Hash128 hash = hash_bytes(elf);
  if (traits.has_variables && !Claims::instance().take(hash)) return false;
  if (const auto path = files.keep(elf, hash)) library_ = open_or_remove(*path);
  if (!traits.has_variables) return library_ != nullptr;
  if (library_ != nullptr)
    claim_ = hash;
  else
    Claims::instance().give_back(hash);
  return library_ != nullptr;
}

bool CodeObject::open_private(std::span<const std::uint8_t> elf, CodeObjectFiles& files) {
  const auto path = files.make_private(elf);
  if (!path) return false;
  library_ = open_or_remove(*path);
  if (library_ != nullptr) private_path_ = *path;
  return library_ != nullptr;
}

Result<Ref<CodeObject>> CodeObject::open(std::span<const std::uint8_t> elf, CodeObjectFiles& files) {
  const auto traits = check_code_object(elf);
  if (!traits) return traits.error();
  auto code_object = Ref<CodeObject>::adopt(new CodeObject);
  code_object->code_ = traits.value().code;
  code_object->code_bytes_ = traits.value().code_bytes;
  if (!code_object->open_kept(elf, traits.value(), files) && !code_object->open_private(elf, files))
    code_object->library_ = open_in_memory(elf);
  if (code_object->library_ == nullptr) {
    const char* why = dlerror();
    return Error{CL_INVALID_BINARY, why != nullptr ? why : "the code object can't be opened"};
  }
  return code_object;
}

CodeObject::~CodeObject() {
  if (library_ != nullptr) {
    const ForkHeld no_fork;
    dlclose(library_);
  }
  if (claim_) Claims::instance().give_back(*claim_);
  if (!private_path_.empty() && !in_forked_child()) unlink(private_path_.c_str());  // else the parent's
}

lanewise_range_fn* CodeObject::symbol(const std::string& name) const {
  const ForkHeld no_fork;
  void* const found = dlsym(library_, name.c_str());
  const link_map* map = nullptr;
  if (found == nullptr || dlinfo(library_, RTLD_DI_LINKMAP, &map) != 0) return nullptr;
  const std::uint64_t place = reinterpret_cast<std::uintptr_t>(found) - map->l_addr;
  return place - code_ < code_bytes_ ? reinterpret_cast<lanewise_range_fn*>(found) : nullptr;
}

}  // namespace lanewise
