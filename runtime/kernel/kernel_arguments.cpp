// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/kernel/kernel_arguments.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "include/lanewise/cl_compat.h"
#include "runtime/check/known_memory.h"
#include "runtime/exec/scratch_layout.h"
#include "runtime/memory/sampler.h"
#include "runtime/program/il.h"

namespace lanewise {

namespace {

bool refers_to_memory(abi::ArgKind kind) {
  return kind == abi::ArgKind::global_pointer || kind == abi::ArgKind::constant_pointer ||
         kind == abi::ArgKind::image || kind == abi::ArgKind::pipe;
}

constexpr ArgOutcome kNoHandle{CL_INVALID_ARG_SIZE, "a handle has the size of a pointer"};

/// The handle that an argument is set to. False: the value has another size, which is the error whatever it is.
template <class Handle>
bool read_handle(std::size_t size, const void* value, Handle& out) {
  static_assert(sizeof out == sizeof(void*));
  if (size == sizeof out && value != nullptr) std::memcpy(&out, value, sizeof out);
  return size == sizeof out;
}

/// An image type by which an argument can be declared. Other names, such as typedefs, are not checked.
struct DeclaredImage {
  std::string_view name;
  cl_mem_object_type type;
  bool depth;
  bool samples = false;
};
constexpr DeclaredImage kDeclaredImages[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D, false},
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, false},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, false},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, false},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, false},
    {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, true},
    {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, true},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D, false},
    {"image2d_msaa_t", CL_MEM_OBJECT_IMAGE2D, false, true},
    {"image2d_array_msaa_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, false, true},
    {"image2d_msaa_depth_t", CL_MEM_OBJECT_IMAGE2D, true, true},
    {"image2d_array_msaa_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, true, true},
};

bool has_declared_type(const abi::ArgInfo& info, const ImageLayout& image) {
  const auto* const declared = std::find_if(std::begin(kDeclaredImages), std::end(kDeclaredImages),
                                            [&](const DeclaredImage& d) { return d.name == info.type_name; });
  if (declared == std::end(kDeclaredImages)) return true;
  const cl_channel_order order = image.format.image_channel_order;
  return declared->type == image.desc.image_type && declared->samples == (image.desc.num_samples != 0) &&
         (!declared->depth || order == CL_DEPTH || order == CL_DEPTH_STENCIL);
}

/// API 5.9.2, and cl_ext_immutable_memory_objects.
bool has_access(const abi::ArgInfo& info, cl_mem_flags flags) {
  const bool reads = info.access_qualifier != CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
  const bool writes = info.access_qualifier == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ||
                      info.access_qualifier == CL_KERNEL_ARG_ACCESS_READ_WRITE;
  return (!reads || (flags & CL_MEM_WRITE_ONLY) == 0) &&
         (!writes || (flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT)) == 0);
}

}  // namespace

KernelArguments::KernelArguments(const abi::KernelInfo& info, const Context& context, const Device& device)
    : info_(info),
      context_(context),
      device_(device),
      block_(info.args_bytes),
      values_(info.args.size()),
      unset_(info.args.size()) {
  for (cl_uint i = 0; i < info.args.size(); ++i) {
    block_align_ = std::max<std::size_t>(block_align_, info.args[i].align);
    if (refers_to_memory(info.args[i].kind)) pointers_.push_back(i);
    if (info.args[i].kind == abi::ArgKind::image || info.args[i].kind == abi::ArgKind::sampler) have_class_ = true;
    if (info.args[i].kind == abi::ArgKind::queue) queues_.push_back(i);
    if (info.args[i].kind == abi::ArgKind::local_pointer) locals_.push_back(i);
  }
}

void KernelArguments::take_values(const KernelArguments& other) {
  block_ = other.block_;
  values_ = other.values_;
  unset_ = other.unset_;
}

ArgOutcome KernelArguments::set(cl_uint index, std::size_t size, const void* value) {
  if (index >= values_.size()) return {CL_INVALID_ARG_INDEX, "the kernel has fewer arguments"};
  const abi::ArgInfo& info = info_.args[index];
  Argument& argument = values_[index];
  ArgOutcome result;
  switch (info.kind) {
    case abi::ArgKind::value:
      result = set_value(info, size, value);
      break;
    case abi::ArgKind::global_pointer:
    case abi::ArgKind::constant_pointer:
      result = set_pointer(info, argument, size, value);
      break;
    case abi::ArgKind::local_pointer:
      result = set_local(argument, size, value);
      break;
    case abi::ArgKind::image:
      result = set_image(info, argument, size, value);
      break;
    case abi::ArgKind::pipe:
      result = set_pipe(info, argument, size, value);
      break;
    case abi::ArgKind::sampler:
      result = set_sampler(info, size, value);
      break;
    case abi::ArgKind::queue:
      result = set_queue(info, size, value);
      break;
  }
  if (result.code == CL_SUCCESS && !std::exchange(argument.set, true)) --unset_;
  return result;
}

ArgOutcome KernelArguments::set_value(const abi::ArgInfo& info, std::size_t size, const void* value) {
  if (size != info.size) return {CL_INVALID_ARG_SIZE, "not the size of the argument's type"};
  if (value == nullptr) return {CL_INVALID_ARG_VALUE, "arg_value is NULL"};
  std::memcpy(block_.data() + info.offset, value, size);
  return {};
}

ArgOutcome KernelArguments::set_pointer(const abi::ArgInfo& info, Argument& argument, std::size_t size,
                                        const void* value) {
  cl_mem handle = nullptr;
  if (!read_handle(size, value, handle)) return kNoHandle;
  if (handle != nullptr) {
    const MemObject* buffer = live_object<MemObject>(handle);
    if (buffer == nullptr) return {CL_INVALID_MEM_OBJECT, "not a memory object"};
    if (&buffer->context() != &context_) return {CL_INVALID_MEM_OBJECT, "a buffer of another context"};
    if (buffer->type() != CL_MEM_OBJECT_BUFFER) return {CL_INVALID_MEM_OBJECT, "not a buffer"};
    if (info.kind == abi::ArgKind::constant_pointer && buffer->size() > device_.facts().max_constant_buffer_size)
      return {CL_MAX_SIZE_RESTRICTION_EXCEEDED, "larger than CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE"};
    // cl_ext_immutable_memory_objects says this for images only; its conformance test expects the same for buffers.
    if ((buffer->flags() & CL_MEM_IMMUTABLE_EXT) != 0 && info.kind == abi::ArgKind::global_pointer &&
        (info.type_qualifier & CL_KERNEL_ARG_TYPE_CONST) == 0)
      return {CL_INVALID_ARG_VALUE, "an immutable buffer as an argument through which the kernel may write"};
  }
  argument.memory = handle;
  std::memset(block_.data() + info.offset, 0, sizeof(void*));  // clears an address that was set before
  return {};
}

ArgOutcome KernelArguments::set_image(const abi::ArgInfo& info, Argument& argument, std::size_t size,
                                      const void* value) {
  cl_mem handle = nullptr;
  if (!read_handle(size, value, handle)) return kNoHandle;
  const MemObject* image = live_object<MemObject>(handle);
  if (image == nullptr || image->image() == nullptr) return {CL_INVALID_MEM_OBJECT, "not an image"};
  if (&image->context() != &context_) return {CL_INVALID_MEM_OBJECT, "an image of another context"};
  if (!has_declared_type(info, *image->image())) return {CL_INVALID_MEM_OBJECT, "an image of another type"};
  if (!has_access(info, image->flags())) return {CL_INVALID_ARG_VALUE, "the image's flags forbid the declared access"};
  argument.memory = handle;
  return {};
}

ArgOutcome KernelArguments::set_sampler(const abi::ArgInfo& info, std::size_t size, const void* value) {
  cl_sampler handle = nullptr;
  if (!read_handle(size, value, handle)) return kNoHandle;
  const Sampler* sampler = live_object<Sampler>(handle);
  if (sampler == nullptr) return {CL_INVALID_SAMPLER, "not a sampler"};
  if (&sampler->context() != &context_) return {CL_INVALID_SAMPLER, "a sampler of another context"};
  // The word holds all of the sampler, so the application may release it before the launch.
  const std::uint64_t word = sampler_word(sampler->traits());
  std::memcpy(block_.data() + info.offset, &word, sizeof word);
  return {};
}

ArgOutcome KernelArguments::set_pipe(const abi::ArgInfo& info, Argument& argument, std::size_t size,
                                     const void* value) {
  cl_mem handle = nullptr;
  if (!read_handle(size, value, handle)) return kNoHandle;
  const MemObject* pipe = live_object<MemObject>(handle);
  if (pipe == nullptr || pipe->pipe() == nullptr) return {CL_INVALID_MEM_OBJECT, "not a pipe"};
  if (&pipe->context() != &context_) return {CL_INVALID_MEM_OBJECT, "a pipe of another context"};
  argument.memory = handle;
  std::memset(block_.data() + info.offset, 0, sizeof(void*));
  return {};
}

ArgOutcome KernelArguments::set_queue(const abi::ArgInfo& info, std::size_t size, const void* value) {
  cl_command_queue handle = nullptr;
  if (!read_handle(size, value, handle)) return kNoHandle;
  const DeviceQueue* queue = live_object<DeviceQueue>(handle);
  if (queue == nullptr || &queue->context() != &context_) return {CL_INVALID_DEVICE_QUEUE, "not a device queue"};
  std::memcpy(block_.data() + info.offset, &handle, sizeof handle);
  return {};
}

ArgOutcome KernelArguments::set_address(cl_uint index, const void* address) {
  if (index >= values_.size()) return {CL_INVALID_ARG_INDEX, "the kernel has fewer arguments"};
  const abi::ArgInfo& info = info_.args[index];
  if (info.kind != abi::ArgKind::global_pointer && info.kind != abi::ArgKind::constant_pointer)
    return {CL_INVALID_ARG_VALUE, "the argument is not a pointer to global or constant memory"};
  Argument& argument = values_[index];
  argument.memory = nullptr;
  std::memcpy(block_.data() + info.offset, &address, sizeof address);
  if (!std::exchange(argument.set, true)) --unset_;
  return {};
}

ArgOutcome KernelArguments::set_local(Argument& argument, std::size_t size, const void* value) {
  if (size == 0 && opencl_minor() == 0) return {CL_INVALID_ARG_SIZE, "local memory of size 0, before OpenCL 3.1"};
  if (value != nullptr) return {CL_INVALID_ARG_VALUE, "local memory has no value"};
  // Whether the device has that much is checked at the launch. Sizes beyond every device could overflow the layout.
  if (size > std::numeric_limits<std::uint32_t>::max())
    return {CL_MAX_SIZE_RESTRICTION_EXCEEDED, "more local memory than any device has"};
  argument.local_bytes = size;
  return {};
}

/// A worker's local memory has the static variables first, then each dynamic argument, aligned for every type. Returns
/// the end, and calls `place(argument, offset)` for each.
template <class Place>
std::uint64_t KernelArguments::lay_out(std::uint64_t statics, Place&& place) const {
  std::uint64_t end = statics;
  for (const cl_uint i : locals_) {
    if (values_[i].local_bytes == 0) continue;
    const std::uint64_t offset = align_scratch(end);
    place(info_.args[i], offset);
    end = offset + values_[i].local_bytes;
  }
  return end;
}

std::uint64_t KernelArguments::local_bytes(std::uint64_t statics) const {
  return lay_out(statics, [](const abi::ArgInfo& /*argument*/, std::uint64_t /*offset*/) {});
}

void KernelArguments::lay_out_local_memory(LaunchArgs& args, std::uint64_t statics) const {
  args.local_bytes = lay_out(statics, [&](const abi::ArgInfo& argument, std::uint64_t offset) {
    args.block.set_address(argument.offset, reinterpret_cast<const void*>(offset));
  });
  if (!check::on()) return;
  args.local_sizes.clear();
  for (const cl_uint i : locals_) args.local_sizes.push_back(values_[i].local_bytes);
}

cl_int KernelArguments::snapshot(LaunchArgs& out, std::uint64_t statics) const {
  if (unset_ != 0) [[unlikely]]
    return CL_INVALID_KERNEL_ARGS;
  std::byte* block = out.block.reset(block_.size(), block_align_);
  if (!block_.empty()) std::memcpy(block, block_.data(), block_.size());
  for (const cl_uint i : pointers_) {
    const cl_mem handle = values_[i].memory;
    if (handle == nullptr) continue;  // the block has 0 there, or an address
    // The kernel does not retain its arguments: the object may have been released since it was set.
    auto* buffer = live_object<MemObject>(handle);
    if (buffer == nullptr) [[unlikely]]
      return CL_INVALID_KERNEL_ARGS;
    if (context_.shares()) [[unlikely]]
      if (const auto* graphics = buffer->graphics(); graphics != nullptr && !graphics->acquired())
        return graphics->error_of_use();
    out.memory.push_back(*buffer);
    const auto address = info_.args[i].kind == abi::ArgKind::image
                             ? reinterpret_cast<std::uintptr_t>(buffer->image()->description.get())
                             : reinterpret_cast<std::uintptr_t>(buffer->data());
    std::memcpy(block + info_.args[i].offset, &address, sizeof address);
  }
  for (const cl_uint i : queues_) {
    std::uint64_t handle = 0;
    std::memcpy(&handle, block + info_.args[i].offset, sizeof handle);
    out.queues.push_back(DeviceQueue::find(handle));
    if (!out.queues.back()) return CL_INVALID_KERNEL_ARGS;
  }
  lay_out_local_memory(out, statics);
  return CL_SUCCESS;
}

}  // namespace lanewise
