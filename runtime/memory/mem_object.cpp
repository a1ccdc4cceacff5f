// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/mem_object.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace lanewise {

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kPage = 4096;

/// Memory of dead objects, linked through its first word, which lies in front of the handle and its tag.
struct DeadMemory {
  std::mutex mutex;  ///< innermost
  void* first = nullptr;
};
DeadMemory& dead_memory() {
  static DeadMemory& memory = *new DeadMemory;  // leaked: objects may die after main()
  return memory;
}

std::size_t round_up(std::size_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

std::optional<Storage> Storage::allocate(std::size_t size) {
  // Anonymous pages come zeroed, so nothing of another object's or process's data can show through; they are touched
  // first by whoever uses them, which places them on that thread's memory node.
  if (size > SIZE_MAX - kHugePage) return std::nullopt;
  const std::size_t bytes = round_up(std::max<std::size_t>(size, 1), kPage);
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return std::nullopt;
  if (bytes >= 2 * kHugePage) madvise(address, bytes, MADV_HUGEPAGE);
  return Storage(static_cast<std::byte*>(address), bytes);
}

Storage::Storage(Storage&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), mapped_bytes_(std::exchange(other.mapped_bytes_, 0)) {}

Storage::~Storage() {
  if (mapped_bytes_ != 0) munmap(data_, mapped_bytes_);
}

void* MemObject::operator new(std::size_t size) {
  static_assert(sizeof(Counted) >= sizeof(void*));
  DeadMemory& dead = dead_memory();
  {
    const std::lock_guard lock(dead.mutex);
    if (void* memory = dead.first; memory != nullptr) {
      std::memcpy(&dead.first, memory, sizeof(void*));
      return memory;
    }
  }
  return ::operator new(size);
}

void MemObject::operator delete(void* memory) noexcept {
  DeadMemory& dead = dead_memory();
  const std::lock_guard lock(dead.mutex);
  std::memcpy(memory, &dead.first, sizeof(void*));
  dead.first = memory;
}

Result<Ref<MemObject>> MemObject::create(Context& context, cl_mem_flags flags, std::size_t size, void* host_ptr,
                                         std::vector<cl_mem_properties> properties) {
  std::optional<Storage> storage;
  if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
    storage.emplace(Storage::wrap(host_ptr));
  } else {
    auto own = Storage::allocate(size);
    if (!own) return Error{CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for the buffer"};
    storage.emplace(std::move(*own));
  }
  auto object = Ref<MemObject>::adopt(new MemObject(context, flags, size));
  object->storage_.emplace(std::move(*storage));
  object->data_ = object->storage_->data();
  if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
    object->host_ptr_ = host_ptr;
    const auto allocation = context.allocations().find(host_ptr);
    object->uses_svm_pointer_ = allocation && allocation->kind == AllocationKind::svm;
  }
  if ((flags & CL_MEM_COPY_HOST_PTR) != 0) std::memcpy(object->data_, host_ptr, size);
  object->properties_ = std::move(properties);
  return object;
}

Ref<MemObject> MemObject::create_sub_buffer(MemObject& parent, cl_mem_flags flags, std::size_t origin,
                                            std::size_t size) {
  auto object = Ref<MemObject>::adopt(new MemObject(parent.context(), flags, size));
  object->parent_ = Ref<MemObject>(parent);
  object->origin_ = origin;
  object->data_ = parent.data_ + origin;
  if (parent.host_ptr_ != nullptr) object->host_ptr_ = static_cast<std::byte*>(parent.host_ptr_) + origin;
  return object;
}

void MemObject::add_destructor_callback(DestructorCallback callback, void* user_data) {
  const std::lock_guard lock(mutex_);
  callbacks_.push_back({callback, user_data});
}

std::byte* MemObject::add_map(std::size_t offset, std::size_t size, cl_map_flags flags) {
  MemObject& owner = root();
  const ByteRange wanted = range(offset, size);
  const bool writes = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  const std::lock_guard lock(owner.mutex_);
  // Only two *write* maps may not overlap; any number of read maps may share a region (spec 5.2.4).
  const bool clash = writes && std::any_of(owner.maps_.begin(), owner.maps_.end(),
                                           [&](const Map& map) { return map.writes && map.range.overlaps(wanted); });
  if (clash) return nullptr;
  owner.maps_.push_back({this, wanted, writes});
  return data_ + offset;
}

bool MemObject::remove_map(const void* address) {
  MemObject& owner = root();
  const std::lock_guard lock(owner.mutex_);
  const auto found = std::find_if(owner.maps_.rbegin(), owner.maps_.rend(), [&](const Map& map) {
    return map.object == this && owner.data_ + map.range.begin == address;
  });
  if (found == owner.maps_.rend()) return false;
  owner.maps_.erase(std::next(found).base());
  return true;
}

cl_uint MemObject::map_count() const {
  const MemObject& owner = root();
  const std::lock_guard lock(owner.mutex_);
  return static_cast<cl_uint>(
      std::count_if(owner.maps_.begin(), owner.maps_.end(), [&](const Map& map) { return map.object == this; }));
}

void MemObject::destroy() noexcept {
  // The storage is still whole here: a callback may free the application's host_ptr, as the specification allows.
  std::vector<Callback> callbacks;
  {
    const std::lock_guard lock(mutex_);
    callbacks.swap(callbacks_);
  }
  for (auto it = callbacks.rbegin(); it != callbacks.rend(); ++it) it->function(handle(), it->user_data);
  delete this;
}

}  // namespace lanewise
