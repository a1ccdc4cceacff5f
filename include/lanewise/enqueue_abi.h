/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The data that a kernel passes to the runtime when it enqueues a kernel: the part of the interface of kernel_abi.h
 * that the built-in library (kernels-builtin/enqueue) uses. Plain C and OpenCL C.
 *
 * A `queue_t` is the handle of a queue; 0: none. A `clk_event_t` is a number of the runtime, valid while the
 * application's command runs that the kernel is a part of; 0: none.
 */
#ifndef LANEWISE_ENQUEUE_ABI_H
#define LANEWISE_ENQUEUE_ABI_H

/* NOLINTBEGIN(modernize-use-using, modernize-macro-to-enum): this is C. */

#ifdef __OPENCL_C_VERSION__
typedef ulong lanewise_enqueue_u64;
typedef uint lanewise_enqueue_u32;
typedef int lanewise_enqueue_i32;
#else
#include <stdint.h>
typedef uint64_t lanewise_enqueue_u64;
typedef uint32_t lanewise_enqueue_u32;
typedef int32_t lanewise_enqueue_i32;
#endif

/** `ndrange_t`, as Clang's header has it. */
typedef struct lanewise_ndrange {
  lanewise_enqueue_u32 work_dim;       /**< 1 to 3 */
  lanewise_enqueue_u64 offset[3];      /**< work-items */
  lanewise_enqueue_u64 global_size[3]; /**< work-items */
  lanewise_enqueue_u64 local_size[3];  /**< work-items; local_size[0] == 0: the runtime chooses */
} lanewise_ndrange;

/** One call of `enqueue_kernel` or `enqueue_marker`. All addresses are valid during the call only. */
typedef struct lanewise_enqueue {
  lanewise_enqueue_u64 queue;       /**< handle of the queue */
  lanewise_enqueue_u32 block;       /**< KernelInfo::block; 0: a marker, which uses only `queue` and the events */
  lanewise_enqueue_i32 flags;       /**< CLK_ENQUEUE_FLAGS_* */
  lanewise_enqueue_u64 range;       /**< address of a lanewise_ndrange */
  lanewise_enqueue_u64 literal;     /**< address of the block's literal, whose first word is its size in bytes */
  lanewise_enqueue_u64 waits;       /**< address of `wait_count` events, 8 bytes each */
  lanewise_enqueue_u64 event;       /**< address at which to store the new event, 8 bytes; 0: none is wanted */
  lanewise_enqueue_u64 local_sizes; /**< address of `local_count` sizes of local memory in bytes, 8 bytes each */
  lanewise_enqueue_u32 wait_count;
  lanewise_enqueue_u32 local_count;
} lanewise_enqueue;

/** The calls of lanewise_services::device_queue, with the operands `first` and `second` in parentheses. */
enum lanewise_device_queue_call {
  lanewise_default_queue = 0,       /**< get_default_queue */
  lanewise_create_event = 1,        /**< create_user_event; result 0: there are too many */
  lanewise_retain_event = 2,        /**< retain_event (event) */
  lanewise_release_event = 3,       /**< release_event (event) */
  lanewise_set_event_status = 4,    /**< set_user_event_status (event, status) */
  lanewise_is_valid_event = 5,      /**< is_valid_event (event) */
  lanewise_capture_profiling = 6,   /**< capture_event_profiling_info (event, address of two numbers of 8 bytes) */
  lanewise_work_group_size = 7,     /**< get_kernel_work_group_size (block) */
  lanewise_work_group_multiple = 8, /**< get_kernel_preferred_work_group_size_multiple (block) */
  lanewise_sub_group_count = 9,     /**< get_kernel_sub_group_count_for_ndrange (block, address of the range) */
  lanewise_sub_group_size = 10      /**< get_kernel_max_sub_group_size_for_ndrange (block, address of the range) */
};

/* NOLINTEND(modernize-use-using, modernize-macro-to-enum) */

#endif
