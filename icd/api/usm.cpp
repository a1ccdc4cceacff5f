// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unified shared memory (cl_intel_unified_shared_memory 1.2.0, "New API Functions"). All kinds of allocation are the
/// same host memory; they differ in what their queries say.
#include <CL/cl_ext.h>

#include <bit>

#include "icd/cast.h"
#include "icd/info.h"
#include "icd/memory_flags.h"
#include "icd/pointer_commands.h"
#include "icd/property_list.h"
#include "icd/selection.h"
#include "runtime/core/allocations.h"
#include "runtime/core/context.h"
#include "runtime/kernel/kernel.h"

using namespace lanewise;

namespace {

constexpr cl_mem_alloc_flags_intel kPlacement =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

/// Table 3 of the extension.
constexpr PropertyRow<cl_mem_properties_intel, cl_mem_alloc_flags_intel> kAllocationProperties[] = {
    {CL_MEM_ALLOC_FLAGS_INTEL, [](cl_mem_alloc_flags_intel& flags, cl_mem_properties_intel value) { flags = value; }},
};

cl_mem_alloc_flags_intel read_flags(const cl_mem_properties_intel* properties, AllocationKind kind) {
  cl_mem_alloc_flags_intel flags = 0;
  read_properties(properties, kAllocationProperties, flags, CL_INVALID_PROPERTY);
  const cl_mem_alloc_flags_intel placement = flags & kPlacement;
  require((flags & ~(kPlacement | CL_MEM_ALLOC_WRITE_COMBINED_INTEL)) == 0, CL_INVALID_PROPERTY, "unknown flag");
  require(kind == AllocationKind::usm_shared ? placement != kPlacement : placement == 0, CL_INVALID_PROPERTY,
          "only shared allocations have an initial placement, and only one");
  return flags;
}

void* allocate(Context& context, AllocationKind kind, Device* device, const cl_mem_properties_intel* properties,
               std::size_t size, cl_uint alignment) {
  // The text allows no more than the alignment of the largest type. Programs ask for pages and huge pages, which
  // Intel's driver gives.
  require(alignment == 0 || (std::has_single_bit(alignment) && alignment <= Allocations::kLargestAlignment),
          CL_INVALID_VALUE, "alignment");
  const auto flags = read_flags(properties, kind);
  require(size != 0, CL_INVALID_BUFFER_SIZE, "size is 0");
  for (const auto& member : context.devices())
    require((device != nullptr && device != member.get()) || size <= member->facts().max_alloc_size,
            CL_INVALID_BUFFER_SIZE, "larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE");
  return unwrap(context.allocations().allocate(
      {nullptr, size, kind, flags, device != nullptr ? device->handle() : nullptr}, alignment));
}

void release(cl_context context, void* pointer, bool wait) {
  auto& owner = as<Context>(context);
  if (pointer == nullptr) return;
  const auto found = owner.allocations().find(pointer);
  require(found && found->begin == pointer && found->kind != AllocationKind::svm, CL_INVALID_VALUE,
          "not a value that an allocation returned");
  // A kernel may reach any allocation through pointers in memory, so every enqueued command may use this one.
  if (wait)
    for (const auto& queue : owner.queues()) queue->finish();
  require(owner.allocations().release(pointer, false), CL_INVALID_VALUE, "freed by another thread");
}

cl_unified_shared_memory_type_intel type_of(const Allocation& a) {
  if (a.begin == nullptr) return CL_MEM_TYPE_UNKNOWN_INTEL;
  switch (a.kind) {
    case AllocationKind::usm_host:
      return CL_MEM_TYPE_HOST_INTEL;
    case AllocationKind::usm_device:
      return CL_MEM_TYPE_DEVICE_INTEL;
    case AllocationKind::usm_shared:
      return CL_MEM_TYPE_SHARED_INTEL;
    case AllocationKind::svm:
      break;
  }
  return CL_MEM_TYPE_UNKNOWN_INTEL;
}

constexpr Row<Allocation> kAllocationInfo[] = {
    {CL_MEM_ALLOC_TYPE_INTEL, type<cl_unified_shared_memory_type_intel>,
     [](const Allocation& a) { return type_of(a); }},
    {CL_MEM_ALLOC_BASE_PTR_INTEL, type<void*>, [](const Allocation& a) { return static_cast<void*>(a.begin); }},
    {CL_MEM_ALLOC_SIZE_INTEL, type<std::size_t>, [](const Allocation& a) { return a.size; }},
    {CL_MEM_ALLOC_DEVICE_INTEL, type<cl_device_id>, [](const Allocation& a) { return a.device; }},
    {CL_MEM_ALLOC_FLAGS_INTEL, type<cl_mem_alloc_flags_intel>, [](const Allocation& a) { return a.flags; }},
};

}  // namespace

CL_API_ENTRY void* CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel* properties,
                                                   size_t size, cl_uint alignment, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    return allocate(live_context(context), AllocationKind::usm_host, nullptr, properties, size, alignment);
  });
}

CL_API_ENTRY void* CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                                     const cl_mem_properties_intel* properties, size_t size,
                                                     cl_uint alignment, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    return allocate(owner, AllocationKind::usm_device, &device_in(owner, device), properties, size, alignment);
  });
}

CL_API_ENTRY void* CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                                     const cl_mem_properties_intel* properties, size_t size,
                                                     cl_uint alignment, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    Device* named = device != nullptr ? &device_in(owner, device) : nullptr;
    return allocate(owner, AllocationKind::usm_shared, named, properties, size, alignment);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void* ptr) {
  return entry(__func__, [&] { release(context, ptr, false); });
}

CL_API_ENTRY cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void* ptr) {
  return entry(__func__, [&] { release(context, ptr, true); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void* ptr,
                                                       cl_mem_info_intel param_name, size_t param_value_size,
                                                       void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const auto found = as<Context>(context).allocations().find(ptr);
    const Allocation shown = found && found->kind != AllocationKind::svm ? *found : Allocation{};
    answer(kAllocationInfo, param_name, shown, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                                              const void* arg_value) {
  return entry_quick(__func__, [&] {
    const auto [code, reason] = as<Kernel>(kernel).set_pointer_arg(arg_index, arg_value);
    require(code == CL_SUCCESS, code, reason);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue command_queue, void* dst_ptr,
                                                      const void* pattern, size_t pattern_size, size_t size,
                                                      cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                      cl_event* event) {
  return entry(__func__, [&] {
    enqueue_pointer_fill(as<Queue>(command_queue), CL_COMMAND_MEMFILL_INTEL, dst_ptr, pattern, pattern_size, size,
                         {num_events_in_wait_list, event_wait_list}, event);
  });
}

// The fill function of the extension's first revisions: repeats one byte.
CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemsetINTEL(cl_command_queue command_queue, void* dst_ptr, cl_int value,
                                                     size_t size, cl_uint num_events_in_wait_list,
                                                     const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    const auto byte = static_cast<unsigned char>(value);
    enqueue_pointer_fill(as<Queue>(command_queue), CL_COMMAND_MEMFILL_INTEL, dst_ptr, &byte, 1, size,
                         {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking, void* dst_ptr,
                                                     const void* src_ptr, size_t size, cl_uint num_events_in_wait_list,
                                                     const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    enqueue_pointer_copy(as<Queue>(command_queue), CL_COMMAND_MEMCPY_INTEL, dst_ptr, src_ptr, size,
                         {num_events_in_wait_list, event_wait_list}, event, blocking != CL_FALSE);
  });
}

// Both are hints about where memory should be placed; all of it is host memory.
CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void* /*ptr*/,
                                                         size_t /*size*/, cl_mem_migration_flags flags,
                                                         cl_uint num_events_in_wait_list,
                                                         const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    check_migration_flags(flags);
    enqueue(queue, CL_COMMAND_MIGRATEMEM_INTEL, nullptr, {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void* /*ptr*/,
                                                        size_t /*size*/, cl_mem_advice_intel advice,
                                                        cl_uint num_events_in_wait_list,
                                                        const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    require(advice == 0, CL_INVALID_VALUE, "the only defined advice is the default, 0");
    enqueue(queue, CL_COMMAND_MEMADVISE_INTEL, nullptr, {num_events_in_wait_list, event_wait_list}, event);
  });
}
