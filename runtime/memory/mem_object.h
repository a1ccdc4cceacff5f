// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Buffers, sub-buffers, images and pipes: a range of host memory and its access rules.
///
/// On a CPU device a memory object is host memory: reads and writes are copies, and maps return the address itself.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/core/context.h"
#include "runtime/layout/description.h"
#include "runtime/layout/layout.h"
#include "runtime/memory/graphics_object.h"
#include "runtime/memory/maps.h"
#include "runtime/object/destructor_callbacks.h"
#include "runtime/object/object.h"
#include "runtime/process/pages.h"
#include "src/base/result.h"

namespace lanewise {

/// The sizes given to clCreatePipe.
struct PipeShape {
  cl_uint packet_size = 0;  ///< bytes
  cl_uint max_packets = 0;
};

/// The memory of a root object: the driver's, the application's (CL_MEM_USE_HOST_PTR), or external memory.
class Storage {
 public:
  /// Allocates `size` bytes, aligned for every OpenCL type and for sub-buffer origins. Nothing: out of memory.
  static std::optional<Storage> allocate(std::size_t size);
  static Storage wrap(void* host_ptr) { return Storage({static_cast<std::byte*>(host_ptr), 0}); }
  /// Maps the file of a descriptor, shared with all other owners. The caller keeps the descriptor. Errors:
  /// CL_INVALID_PROPERTY (the file cannot be mapped for writing), CL_INVALID_BUFFER_SIZE (it has fewer than `size`
  /// bytes), CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static Result<Storage> share(int fd, std::size_t size);

  Storage(Storage&& other) noexcept;
  Storage& operator=(Storage&&) = delete;
  ~Storage();
  [[nodiscard]] std::byte* data() const { return pages_.data; }
  /// Whether the driver has allocated the memory for this object, so that nobody else knows its address.
  [[nodiscard]] bool is_own() const { return pages_.bytes != 0 && !shared_; }

 private:
  explicit Storage(const Pages& pages, bool shared = false) : pages_(pages), shared_(shared) {}
  Pages pages_;          ///< Pages::bytes == 0: the application's memory
  bool shared_ = false;  ///< a mapping made by `share`, which the destructor removes
};

/// A buffer, sub-buffer, image or pipe.
class MemObject final : public Object<_cl_mem, Tag::memory> {
 public:
  /// Creates a root buffer of `size` bytes. Flags and host_ptr have been validated. Errors:
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  /// @param storage  the memory, if it exists already; otherwise it is allocated
  static Result<Ref<MemObject>> create(Context& context, cl_mem_flags flags, std::size_t size, void* host_ptr,
                                       std::vector<cl_mem_properties> properties,
                                       std::optional<Storage> storage = std::nullopt);
  /// Creates a view of the bytes [origin, origin + size) of a root buffer. The flags are complete (inherited where
  /// unset).
  static Ref<MemObject> create_sub_buffer(MemObject& parent, cl_mem_flags flags, std::size_t origin, std::size_t size);

  /// Creates an image in its own memory, at host_ptr (by the flags), in `storage` if given, or in the memory of
  /// `source` if that is not null (the flags are then complete). Errors: CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static Result<Ref<MemObject>> create_image(Context& context, cl_mem_flags flags, ImageLayout layout, void* host_ptr,
                                             MemObject* source, std::vector<cl_mem_properties> properties,
                                             std::optional<Storage> storage = std::nullopt);

  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] std::byte* data() const { return data_; }   ///< address of byte 0 of this object
  [[nodiscard]] std::size_t size() const { return size_; }  ///< bytes
  [[nodiscard]] cl_mem_flags flags() const { return flags_; }
  [[nodiscard]] cl_mem_object_type type() const {
    if (pipe_) return CL_MEM_OBJECT_PIPE;
    return image_ ? image_->desc.image_type : CL_MEM_OBJECT_BUFFER;
  }
  [[nodiscard]] const PlacedImage* image() const { return image_.get(); }  ///< null: not an image
  [[nodiscard]] const PipeShape* pipe() const { return pipe_.get(); }      ///< null: not a pipe
  [[nodiscard]] MemObject* parent() const { return parent_.get(); }        ///< null: the object has its own storage
  [[nodiscard]] const MemObject& root() const { return parent_ ? parent_->root() : *this; }  ///< owner of the storage
  [[nodiscard]] MemObject& root() { return parent_ ? parent_->root() : *this; }
  [[nodiscard]] std::size_t origin() const { return origin_; }    ///< bytes from the start of the parent
  [[nodiscard]] void* host_ptr() const { return host_.pointer; }  ///< the given pointer, plus a sub-buffer's origin
  [[nodiscard]] bool is_own_memory() const { return root().storage_.has_value() && root().storage_->is_own(); }
  /// CL_MEM_USES_SVM_POINTER: host_ptr pointed into an SVM allocation when the buffer was created.
  [[nodiscard]] bool uses_svm_pointer() const { return root().host_.in_svm; }
  [[nodiscard]] const std::vector<cl_mem_properties>& properties() const { return properties_; }

  /// The range of this object's bytes [offset, offset + size) in the root's storage.
  [[nodiscard]] ByteRange range(std::size_t offset, std::size_t size) const {
    const auto begin = static_cast<std::size_t>(data_ - root().data_) + offset;
    return {begin, begin + size};
  }

  /// The object of OpenGL or EGL that the storage is shared with. Null: there is none.
  [[nodiscard]] GraphicsObject* graphics() const { return root().graphics_.get(); }
  /// Called before the application gets the object.
  void set_graphics(std::unique_ptr<GraphicsObject> graphics) { graphics_ = std::move(graphics); }

  /// The callbacks that run before the storage is freed.
  [[nodiscard]] DestructorCallbacks<cl_mem>& destructor_callbacks() { return destructor_callbacks_; }
  /// The maps of the root's storage.
  [[nodiscard]] Maps& maps() { return root().maps_; }
  [[nodiscard]] const Maps& maps() const { return root().maps_; }

 private:
  friend Result<Ref<MemObject>> create_pipe(Context& context, cl_mem_flags flags, PipeShape shape);

  /// The application's memory (CL_MEM_USE_HOST_PTR).
  struct HostMemory {
    void* pointer = nullptr;
    bool in_svm = false;  ///< the pointer was in an SVM allocation when the buffer was created
  };

  MemObject(Context& context, cl_mem_flags flags, std::size_t size) : context_(context), flags_(flags), size_(size) {}
  ~MemObject() override = default;
  void destroy() noexcept override;

  Ref<Context> context_;
  Ref<MemObject> parent_;
  std::unique_ptr<const PlacedImage> image_;  ///< images only
  std::unique_ptr<const PipeShape> pipe_;     ///< pipes only
  std::optional<Storage> storage_;            ///< roots only
  std::byte* data_ = nullptr;
  HostMemory host_;
  std::size_t origin_ = 0;
  cl_mem_flags flags_;
  std::size_t size_;
  std::vector<cl_mem_properties> properties_;
  Maps maps_;                                 ///< roots only
  std::unique_ptr<GraphicsObject> graphics_;  ///< roots only
  DestructorCallbacks<cl_mem> destructor_callbacks_;
};

/// Whether the object is neither an image nor a pipe.
inline bool is_buffer(const MemObject& object) {
  return object.type() == CL_MEM_OBJECT_BUFFER;
}

}  // namespace lanewise
