// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/mem_object.h"

#include <algorithm>
#include <cstring>

#include "runtime/process/fork_guard.h"

namespace lanewise {

std::optional<Storage> Storage::allocate(std::size_t size) {
  const Pages pages = take_pages(size);
  if (pages.data == nullptr) return std::nullopt;
  return Storage(pages);
}

Storage::Storage(Storage&& other) noexcept : pages_(std::exchange(other.pages_, {})) {}

Storage::~Storage() {
  if (pages_.bytes != 0) give_pages(pages_);
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

Result<Ref<MemObject>> MemObject::create_image(Context& context, cl_mem_flags flags, ImageLayout layout, void* host_ptr,
                                               MemObject* source, std::vector<cl_mem_properties> properties) {
  auto object = Ref<MemObject>::adopt(new MemObject(context, flags, layout.bytes));
  object->image_ = std::make_unique<const ImageLayout>(std::move(layout));
  object->properties_ = std::move(properties);
  if (source != nullptr) {
    object->parent_ = Ref<MemObject>(*source);
    object->data_ = source->data_;
    object->host_ptr_ = source->host_ptr_;
    return object;
  }
  if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
    object->storage_.emplace(Storage::wrap(host_ptr));
    object->host_ptr_ = host_ptr;
  } else {
    auto own = Storage::allocate(object->size_);
    if (!own) return Error{CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for the image"};
    object->storage_.emplace(std::move(*own));
  }
  object->data_ = object->storage_->data();
  if ((flags & CL_MEM_COPY_HOST_PTR) != 0) object->copy_rows(static_cast<const std::byte*>(host_ptr));
  return object;
}

/// The padding between rows need not be readable, so only the elements are copied.
void MemObject::copy_rows(const std::byte* from) {
  const ImageLevel& level = image_->levels.front();
  for (std::size_t z = 0; z < level.extent[2]; ++z)
    for (std::size_t y = 0; y < level.extent[1]; ++y) {
      const std::size_t at = z * level.stride.slice + y * level.stride.row;
      std::memcpy(data_ + at, from + at, level.extent[0] * image_->element);
    }
}

void MemObject::add_destructor_callback(DestructorCallback callback, void* user_data) {
  const std::lock_guard lock(mutex_);
  callbacks_.push_back({callback, user_data});
}

bool ImageBox::overlaps(const ImageBox& other) const {
  if (level != other.level) return false;
  for (std::size_t i = 0; i < 3; ++i)
    if (origin[i] >= other.origin[i] + other.region[i] || other.origin[i] >= origin[i] + region[i]) return false;
  return true;
}

bool MemObject::Map::clashes(const Map& other) const {
  // Only two *write* maps may not overlap; any number of read maps may share a region (spec 5.2.4).
  if (!writes || !other.writes || !range.overlaps(other.range)) return false;
  return object != other.object || object->image_ == nullptr || box.overlaps(other.box);
}

std::byte* MemObject::book(const Map& wanted) {
  MemObject& owner = root();
  const std::lock_guard lock(owner.mutex_);
  if (std::any_of(owner.maps_.begin(), owner.maps_.end(), [&](const Map& map) { return map.clashes(wanted); }))
    return nullptr;
  owner.maps_.push_back(wanted);
  return owner.data_ + wanted.range.begin;
}

namespace {

bool writes(cl_map_flags flags) {
  return (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
}

}  // namespace

std::byte* MemObject::add_map(std::size_t offset, std::size_t size, cl_map_flags flags) {
  return book({this, range(offset, size), writes(flags), {}});
}

std::byte* MemObject::add_image_map(const ImageBox& box, cl_map_flags flags) {
  const ImageLevel& level = image_->levels[box.level];
  std::size_t begin = 0;
  std::size_t extent = 0;
  rect_begin({box.origin[0] * image_->element, box.origin[1], box.origin[2]}, level.stride, begin);
  rect_extent({box.region[0] * image_->element, box.region[1], box.region[2]}, level.stride, extent);
  return book({this, range(level.offset + begin, extent), writes(flags), box});
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
  if (in_forked_child()) return;  // a callback has forked
  delete this;
}

}  // namespace lanewise
