// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device queues (OpenCL C 6.15.18). The front end calls functions of its own for enqueue_kernel and for queries of a
// block, with the block's number in place of the address of its kernel (compiler/program/blocks.h). All there is to do
// is the runtime's (runtime/device_queue); here what it is told is brought into one form.
//
// At this point queues and events are plain pointers, of which those to private memory have the type.
#include "enqueue.h"

#define HANDLE __private void*
#define RANGE __private lanewise_ndrange*
#define BLOCK __generic void*

// Lowered by the compiler to the services of those names (kernel_abi.h).
int __lw_enqueue(__private const lanewise_enqueue* what);
ulong __lw_device_queue(uint what, ulong first, ulong second);

LW_INLINE lanewise_enqueue kernel_call(HANDLE queue, int flags, RANGE range, BLOCK entry, BLOCK literal) {
  lanewise_enqueue what = {};
  what.queue = (ulong)queue;
  what.block = (uint)(ulong)entry;
  what.flags = flags;
  what.range = (ulong)range;
  what.literal = (ulong)literal;
  return what;
}
LW_INLINE void add_events(__private lanewise_enqueue* what, uint count, __generic void* waits, __generic void* event) {
  what->wait_count = count;
  what->waits = (ulong)waits;
  what->event = (ulong)event;
}
LW_INLINE void add_local(__private lanewise_enqueue* what, uint count, __private ulong* sizes) {
  what->local_count = count;
  what->local_sizes = (ulong)sizes;
}

int __enqueue_kernel_basic(HANDLE queue, int flags, RANGE range, BLOCK entry, BLOCK literal) {
  const lanewise_enqueue what = kernel_call(queue, flags, range, entry, literal);
  return __lw_enqueue(&what);
}
int __enqueue_kernel_basic_events(HANDLE queue, int flags, RANGE range, uint count, __generic void* waits,
                                  __generic void* event, BLOCK entry, BLOCK literal) {
  lanewise_enqueue what = kernel_call(queue, flags, range, entry, literal);
  add_events(&what, count, waits, event);
  return __lw_enqueue(&what);
}
int __enqueue_kernel_varargs(HANDLE queue, int flags, RANGE range, BLOCK entry, BLOCK literal, uint count,
                             __private ulong* sizes) {
  lanewise_enqueue what = kernel_call(queue, flags, range, entry, literal);
  add_local(&what, count, sizes);
  return __lw_enqueue(&what);
}
int __enqueue_kernel_events_varargs(HANDLE queue, int flags, RANGE range, uint wait_count, __generic void* waits,
                                    __generic void* event, BLOCK entry, BLOCK literal, uint count,
                                    __private ulong* sizes) {
  lanewise_enqueue what = kernel_call(queue, flags, range, entry, literal);
  add_events(&what, wait_count, waits, event);
  add_local(&what, count, sizes);
  return __lw_enqueue(&what);
}

int marker(HANDLE queue, uint count, __generic void* waits, __generic void* event) __asm__(
    "_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_");
int marker(HANDLE queue, uint count, __generic void* waits, __generic void* event) {
  lanewise_enqueue what = {};
  what.queue = (ulong)queue;
  add_events(&what, count, waits, event);
  return __lw_enqueue(&what);
}

uint __get_kernel_work_group_size_impl(BLOCK entry, BLOCK literal) {
  return (uint)__lw_device_queue(lanewise_work_group_size, (ulong)entry, 0);
}
uint __get_kernel_preferred_work_group_size_multiple_impl(BLOCK entry, BLOCK literal) {
  return (uint)__lw_device_queue(lanewise_work_group_multiple, (ulong)entry, 0);
}
uint __get_kernel_sub_group_count_for_ndrange_impl(RANGE range, BLOCK entry, BLOCK literal) {
  return (uint)__lw_device_queue(lanewise_sub_group_count, (ulong)entry, (ulong)range);
}
uint __get_kernel_max_sub_group_size_for_ndrange_impl(RANGE range, BLOCK entry, BLOCK literal) {
  return (uint)__lw_device_queue(lanewise_sub_group_size, (ulong)entry, (ulong)range);
}

// Functions whose parameters have types that are not to be had here, under the names that Clang gives them.
#define NAMED(type, name, parameters, mangled) \
  type name parameters __asm__(mangled);       \
  type name parameters

NAMED(HANDLE, default_queue, (void), "_Z17get_default_queuev") {
  return (HANDLE)__lw_device_queue(lanewise_default_queue, 0, 0);
}
NAMED(HANDLE, create_event, (void), "_Z17create_user_eventv") {
  return (HANDLE)__lw_device_queue(lanewise_create_event, 0, 0);
}
NAMED(void, retain, (HANDLE event), "_Z12retain_event12ocl_clkevent") {
  __lw_device_queue(lanewise_retain_event, (ulong)event, 0);
}
NAMED(void, release, (HANDLE event), "_Z13release_event12ocl_clkevent") {
  __lw_device_queue(lanewise_release_event, (ulong)event, 0);
}
NAMED(void, set_status, (HANDLE event, int status), "_Z21set_user_event_status12ocl_clkeventi") {
  __lw_device_queue(lanewise_set_event_status, (ulong)event, (ulong)status);
}
NAMED(bool, is_valid, (HANDLE event), "_Z14is_valid_event12ocl_clkevent") {
  return __lw_device_queue(lanewise_is_valid_event, (ulong)event, 0) != 0;
}
NAMED(void, capture, (HANDLE event, int name, __global void* value),
      "_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v") {
  // CLK_PROFILING_COMMAND_EXEC_TIME is the only name that there is.
  if (name == 1) __lw_device_queue(lanewise_capture_profiling, (ulong)event, (ulong)value);
}
// CLK_NULL_EVENT and CLK_NULL_QUEUE (compiler/frontend/device_queues.clh).
NAMED(HANDLE, null_event, (void), "_Z15__lw_null_eventv") { return 0; }
NAMED(HANDLE, null_queue, (void), "_Z15__lw_null_queuev") { return 0; }
// compiler/frontend/handle_comparisons.h
int __lw_same_queue(HANDLE a, HANDLE b) { return a == b; }
int __lw_same_event(HANDLE a, HANDLE b) { return a == b; }

LW_INLINE lanewise_ndrange range_of(uint dims, __private const size_t* offset, __private const size_t* global_size,
                                    __private const size_t* local_size) {
  lanewise_ndrange range = {dims, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
  for (uint i = 0; i < dims; ++i) {
    range.offset[i] = offset != 0 ? offset[i] : 0;
    range.global_size[i] = global_size[i];
    range.local_size[i] = local_size != 0 ? local_size[i] : 0;
  }
  return range;
}

#define RANGES(D)                                                                                                \
  NAMED(lanewise_ndrange, range_##D, (__private const size_t* global_size), "_Z10ndrange_" #D "DPKm") {                     \
    return range_of(D, 0, global_size, 0);                                                                       \
  }                                                                                                              \
  NAMED(lanewise_ndrange, local_range_##D, (__private const size_t* global_size, __private const size_t* local_size),                 \
        "_Z10ndrange_" #D "DPKmS0_") {                                                                           \
    return range_of(D, 0, global_size, local_size);                                                              \
  }                                                                                                              \
  NAMED(lanewise_ndrange, offset_range_##D,                                                                      \
        (__private const size_t* offset, __private const size_t* global_size, __private const size_t* local_size), "_Z10ndrange_" #D "DPKmS0_S0_") { \
    return range_of(D, offset, global_size, local_size);                                                         \
  }
RANGES(2)
RANGES(3)

NAMED(lanewise_ndrange, range_1, (size_t global_size), "_Z10ndrange_1Dm") { return range_of(1, 0, &global_size, 0); }
NAMED(lanewise_ndrange, local_range_1, (size_t global_size, size_t local_size), "_Z10ndrange_1Dmm") {
  return range_of(1, 0, &global_size, &local_size);
}
NAMED(lanewise_ndrange, offset_range_1, (size_t offset, size_t global_size, size_t local_size), "_Z10ndrange_1Dmmm") {
  return range_of(1, &offset, &global_size, &local_size);
}
