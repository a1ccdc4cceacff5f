// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Buffers, sub-buffers and images: a range of host memory, its rules of access, and who has mapped which part of it.
///
/// On a CPU device a memory object *is* host memory: reads and writes are copies, maps hand out the address itself.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "runtime/core/context.h"
#include "runtime/layout/layout.h"
#include "runtime/object/object.h"
#include "runtime/process/pages.h"
#include "src/base/result.h"

namespace lanewise {

/// Byte range [begin, end) in the root buffer's storage.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] bool overlaps(const ByteRange& other) const { return begin < other.end && other.begin < end; }
};

/// A part of one mip level of an image, in elements.
struct ImageBox {
  unsigned level = 0;
  std::array<std::size_t, 3> origin{};
  std::array<std::size_t, 3> region{};
  [[nodiscard]] bool overlaps(const ImageBox& other) const;
};

/// The bytes behind a root buffer: our own allocation or the application's (CL_MEM_USE_HOST_PTR).
class Storage {
 public:
  /// Own memory, aligned for every OpenCL type and for sub-buffer origins. Null if the memory is not to be had.
  static std::optional<Storage> allocate(std::size_t size);
  static Storage wrap(void* host_ptr) { return Storage({static_cast<std::byte*>(host_ptr), 0}); }

  Storage(Storage&& other) noexcept;
  Storage& operator=(Storage&&) = delete;
  ~Storage();
  [[nodiscard]] std::byte* data() const { return pages_.data; }

 private:
  explicit Storage(const Pages& pages) : pages_(pages) {}
  Pages pages_;  ///< no bytes: the application's memory
};

class MemObject final : public Object<_cl_mem, Tag::memory> {
 public:
  using DestructorCallback = void(CL_CALLBACK*)(cl_mem, void*);

  /// A root buffer. Flags and host_ptr have been validated. Errors: CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static Result<Ref<MemObject>> create(Context& context, cl_mem_flags flags, std::size_t size, void* host_ptr,
                                       std::vector<cl_mem_properties> properties);
  /// A view of [origin, origin + size) of a root buffer; the flags are already complete (inherited where unset).
  static Ref<MemObject> create_sub_buffer(MemObject& parent, cl_mem_flags flags, std::size_t origin, std::size_t size);

  /// An image, of its own memory or of host_ptr (flags), or with the data of another memory object (`source`, not null;
  /// the flags are already complete). Errors: CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static Result<Ref<MemObject>> create_image(Context& context, cl_mem_flags flags, ImageLayout layout, void* host_ptr,
                                             MemObject* source, std::vector<cl_mem_properties> properties);

  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] std::byte* data() const { return data_; }  ///< address of byte 0; a sub-buffer includes its origin
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] cl_mem_flags flags() const { return flags_; }
  [[nodiscard]] cl_mem_object_type type() const { return image_ ? image_->desc.image_type : CL_MEM_OBJECT_BUFFER; }
  [[nodiscard]] const ImageLayout* image() const { return image_.get(); }  ///< null: a buffer
  [[nodiscard]] MemObject* parent() const { return parent_.get(); }        ///< null: has its own storage
  [[nodiscard]] const MemObject& root() const { return parent_ ? parent_->root() : *this; }  ///< whose storage it is
  [[nodiscard]] MemObject& root() { return parent_ ? parent_->root() : *this; }
  [[nodiscard]] std::size_t origin() const { return origin_; }  ///< in the parent, bytes
  [[nodiscard]] void* host_ptr() const { return host_ptr_; }    ///< as given; a sub-buffer's includes its origin
  /// CL_MEM_USES_SVM_POINTER: host_ptr pointed into an SVM allocation when the buffer was made.
  [[nodiscard]] bool uses_svm_pointer() const { return root().uses_svm_pointer_; }
  [[nodiscard]] const std::vector<cl_mem_properties>& properties() const { return properties_; }

  /// This object's bytes [offset, offset + size) in terms of the root's storage.
  [[nodiscard]] ByteRange range(std::size_t offset, std::size_t size) const {
    const auto begin = static_cast<std::size_t>(data_ - root().data_) + offset;
    return {begin, begin + size};
  }

  /// Callbacks run in reverse order of registration, before the storage is given back.
  void add_destructor_callback(DestructorCallback callback, void* user_data);

  /// Books a map of `range` and returns its address; null if it would overlap another region mapped for writing
  /// (spec 5.2.4). Bookkeeping is per root buffer, so parents and sub-buffers see each other's maps.
  std::byte* add_map(std::size_t offset, std::size_t size, cl_map_flags flags);
  /// The same for a part of an image. Images of one storage are compared by the bytes that they enclose.
  std::byte* add_image_map(const ImageBox& box, cl_map_flags flags);
  /// Takes back the newest map of this object that returned `address`. False if there is none.
  bool remove_map(const void* address);
  [[nodiscard]] cl_uint map_count() const;

 private:
  struct Map {
    const MemObject* object;
    ByteRange range;
    bool writes;
    ImageBox box;  ///< images only
    [[nodiscard]] bool clashes(const Map& other) const;
  };
  struct Callback {
    DestructorCallback function;
    void* user_data;
  };

  MemObject(Context& context, cl_mem_flags flags, std::size_t size) : context_(context), flags_(flags), size_(size) {}
  ~MemObject() override = default;
  void destroy() noexcept override;
  std::byte* book(const Map& wanted);
  void copy_rows(const std::byte* from);

  Ref<Context> context_;
  Ref<MemObject> parent_;
  std::unique_ptr<const ImageLayout> image_;  ///< images only
  std::optional<Storage> storage_;            ///< roots only
  std::byte* data_ = nullptr;
  void* host_ptr_ = nullptr;
  std::size_t origin_ = 0;
  cl_mem_flags flags_;
  std::size_t size_;
  bool uses_svm_pointer_ = false;
  std::vector<cl_mem_properties> properties_;

  mutable std::mutex mutex_;  ///< guards maps_ and callbacks_; innermost lock, nothing is called under it
  std::vector<Map> maps_;     ///< roots only
  std::vector<Callback> callbacks_;
};

}  // namespace lanewise
