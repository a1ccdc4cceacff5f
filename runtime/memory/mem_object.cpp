// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/mem_object.h"
#include "runtime/check/known_memory.h"

#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/process/fork_guard.h"
#include "runtime/process/imported_memory.h"
#include "src/base/rounding.h"
#include "src/host/topology.h"

namespace lanewise {

namespace {

/// Copies the elements only, because the padding between rows may not be readable.
void copy_rows(const ImageLayout& image, std::byte* to, const std::byte* from) {
  const ImageLevel& level = image.levels.front();
  for (std::size_t z = 0; z < level.extent[2]; ++z)
    for (std::size_t y = 0; y < level.extent[1]; ++y) {
      const std::size_t at = z * level.stride.slice + y * level.stride.row;
      std::memcpy(to + at, from + at, level.extent[0] * image.element);
    }
}

/// Of the mappings of a file.
std::size_t page_bytes_of(int fd) {
  struct statfs facts{};
  // Files of huge pages are mapped, replaced and unmapped in such pages only.
  return fstatfs(fd, &facts) == 0 && std::cmp_equal(facts.f_type, HUGETLBFS_MAGIC)
             ? static_cast<std::size_t>(facts.f_bsize)
             : host::page_bytes();
}

/// Calls `copy`, which reads memory that the application gives and that may be a map of an imported buffer.
template <class Copy>
Result<void> copy_from_host(Copy&& copy) {
  if (!has_imported_memory()) {
    copy();
    return {};
  }
  const MendFaults mend;
  copy();
  if (mend.any()) return Error{kMemoryLost, "the memory of host_ptr is lost"};
  return {};
}

}  // namespace

std::optional<Storage> Storage::allocate(std::size_t size) {
  const Pages pages = take_pages(size);
  if (pages.data == nullptr) return std::nullopt;
  return Storage(pages);
}

Result<Storage> Storage::share(int fd, std::size_t size) {
  struct stat facts{};
  if (fstat(fd, &facts) != 0) return Error{CL_INVALID_PROPERTY, "not a file descriptor"};
  // Other kinds of files cannot be mapped, or an access can fail in the middle.
  if (!S_ISREG(facts.st_mode)) return Error{CL_INVALID_PROPERTY, "not shared memory"};
  if (facts.st_size < 0 || std::cmp_less(facts.st_size, size))
    return Error{CL_INVALID_BUFFER_SIZE, "the buffer would be larger than the memory behind the descriptor"};
  const std::size_t page = page_bytes_of(fd);
  const std::size_t bytes = round_up(size, page);
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (address == MAP_FAILED)
    return errno == ENOMEM ? Error{CL_MEM_OBJECT_ALLOCATION_FAILURE, "no room for the mapping"}
                           : Error{CL_INVALID_PROPERTY, "cannot be mapped for writing"};
  if (add_imported_memory(address, bytes, page)) return Storage({static_cast<std::byte*>(address), bytes}, true);
  munmap(address, bytes);
  return Error{CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory"};
}

Storage::Storage(Storage&& other) noexcept : pages_(std::exchange(other.pages_, {})), shared_(other.shared_) {}

Storage::~Storage() {
  if (pages_.bytes == 0) return;
  if (shared_) {
    remove_imported_memory(pages_.data);
    munmap(pages_.data, pages_.bytes);
  } else {
    give_pages(pages_);
  }
}

Result<Ref<MemObject>> MemObject::create(Context& context, cl_mem_flags flags, std::size_t size, void* host_ptr,
                                         std::vector<cl_mem_properties> properties, std::optional<Storage> storage) {
  const bool written = storage.has_value() || (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  if (storage.has_value()) {
    // given
  } else if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
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
    object->host_.pointer = host_ptr;
    const auto allocation = context.allocations().find(host_ptr);
    object->host_.in_svm = allocation && allocation->kind == AllocationKind::svm;
  }
  if ((flags & CL_MEM_COPY_HOST_PTR) != 0) {
    auto copied = copy_from_host([&] { std::memcpy(object->data_, host_ptr, size); });
    if (!copied.ok()) return copied.error();
  }
  object->properties_ = std::move(properties);
  check::remember(object->data_, size, written);
  return object;
}

Ref<MemObject> MemObject::create_sub_buffer(MemObject& parent, cl_mem_flags flags, std::size_t origin,
                                            std::size_t size) {
  auto object = Ref<MemObject>::adopt(new MemObject(parent.context(), flags, size));
  object->parent_ = Ref<MemObject>(parent);
  object->origin_ = origin;
  object->data_ = parent.data_ + origin;
  if (parent.host_.pointer != nullptr) object->host_.pointer = static_cast<std::byte*>(parent.host_.pointer) + origin;
  return object;
}

Result<Ref<MemObject>> MemObject::create_image(Context& context, cl_mem_flags flags, ImageLayout layout, void* host_ptr,
                                               MemObject* source, std::vector<cl_mem_properties> properties,
                                               std::optional<Storage> storage) {
  auto object = Ref<MemObject>::adopt(new MemObject(context, flags, layout.bytes));
  object->properties_ = std::move(properties);
  if (source != nullptr) {
    object->parent_ = Ref<MemObject>(*source);
    object->data_ = source->data_;
    object->host_.pointer = source->host_.pointer;
    object->image_ = std::make_unique<const PlacedImage>(std::move(layout), object->data_);
    return object;
  }
  if (storage.has_value()) {
    object->storage_.emplace(std::move(*storage));
  } else if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
    object->storage_.emplace(Storage::wrap(host_ptr));
    object->host_.pointer = host_ptr;
  } else {
    auto own = Storage::allocate(object->size_);
    if (!own) return Error{CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for the image"};
    object->storage_.emplace(std::move(*own));
  }
  object->data_ = object->storage_->data();
  object->image_ = std::make_unique<const PlacedImage>(std::move(layout), object->data_);
  check::remember(object->data_, object->size_);
  if ((flags & CL_MEM_COPY_HOST_PTR) != 0) {
    auto copied =
        copy_from_host([&] { copy_rows(*object->image_, object->data_, static_cast<const std::byte*>(host_ptr)); });
    if (!copied.ok()) return copied.error();
  }
  return object;
}

void MemObject::destroy() noexcept {
  // The storage still exists here; a callback may free the application's host_ptr, as the specification allows.
  destructor_callbacks_.run(handle());
  if (in_forked_child()) return;  // a callback has forked
  if (!parent_) check::forget(data_);
  delete this;
}

}  // namespace lanewise
