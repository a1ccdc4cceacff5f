/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The interface between compiled kernels and the runtime. Plain C: the compiler builds these layouts as LLVM types and
 * checks them against this header with static asserts (compiler/groups/range_function.cpp).
 *
 * A kernel image is an ELF shared object without undefined symbols. It exports one range function per kernel; all
 * services of the runtime are reached through `lanewise_worker`.
 */
#ifndef LANEWISE_KERNEL_ABI_H
#define LANEWISE_KERNEL_ABI_H

#include <stdint.h>

#include "include/lanewise/enqueue_abi.h"
#include "include/lanewise/image_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Part of every cache key: raise it with each change of a layout or of a rule in this file. */
#define LANEWISE_KERNEL_ABI_VERSION 5u

/** Alignment of local memory, item and group scratch: that of the widest OpenCL type (double16, long16). */
#define LANEWISE_SCRATCH_ALIGN 128u

/** One NDRange, constant while it runs. Unused dimensions have size 1, offset 0, count 1. */
typedef struct lanewise_launch {
  uint64_t global_offset[3];
  uint64_t global_size[3];
  uint64_t local_size[3];  /**< enqueued local size; the last group of a dimension may be smaller */
  uint64_t group_count[3]; /**< ceil(global_size / local_size) */
  uint32_t work_dim;       /**< 1 to 3, as enqueued */
  uint32_t flags;          /**< reserved, 0 */
} lanewise_launch;

struct lanewise_worker;

/** The functions of the runtime that compiled code may call. New ones are only added at the end. */
typedef struct lanewise_services {
  /**
   * One printf call of one work-item. `format` is the NUL-terminated string in constant memory; `args` holds `count`
   * records back to back, each: uint8 kind ('i' integer, 'f' floating point, 's' string pointer, 'p' pointer),
   * uint8 element size in bytes, uint8 vector length (1, 2, 3, 4, 8, 16), uint8 zero, then the elements, packed, and
   * padding to a multiple of 4 bytes. `group` is the linear work-group index, which orders the output.
   * Returns 0, or -1 if the output was lost (OpenCL C 6.15.14).
   */
  int32_t (*print)(struct lanewise_worker* worker, uint64_t group, const char* format, const void* args, uint32_t bytes,
                   uint32_t count);
  /** A barrier that not all work-items of a group reached (debug mode only); `site` names file and line. */
  void (*divergent_barrier)(struct lanewise_worker* worker, uint64_t group, const char* site);
  /**
   * enqueue_kernel and enqueue_marker: CLK_SUCCESS, or CLK_ENQUEUE_FAILURE, in place of which the reason is given where
   * `reasons` is not 0 (OpenCL C 6.15.18.3: with -g). The kernel waits for nothing here.
   */
  int32_t (*enqueue)(struct lanewise_worker* worker, const lanewise_enqueue* what, uint32_t reasons);
  /** The other functions of device queues; `what` is a lanewise_device_queue_call. */
  uint64_t (*device_queue)(struct lanewise_worker* worker, uint32_t what, uint64_t first, uint64_t second);
} lanewise_services;

/** What one thread provides for a range. All areas are aligned to LANEWISE_SCRATCH_ALIGN and private to the thread. */
typedef struct lanewise_worker {
  char* local_memory;  /**< KernelInfo::local_bytes of static __local variables, then the dynamic __local arguments */
  char* item_scratch;  /**< KernelInfo::item_bytes x work-items of a full group: values that live across barriers */
  char* group_scratch; /**< KernelInfo::group_bytes: large private arrays (one work-item at a time uses them) */
  const lanewise_services* services;
  void* runtime; /**< opaque to compiled code */
  /** Bytes of the areas, at least those above. Code uses them to find the address space of a generic pointer. */
  uint64_t local_bytes;
  uint64_t item_bytes;
  uint64_t group_bytes;
} lanewise_worker;

/**
 * Runs the work-groups [first, last) of the linearised grid (x fastest, then y, then z), one after the other.
 *
 * `args` is the argument block: each argument at KernelInfo::args[i].offset. By value: its bytes. __global and
 * __constant pointers: the address (8 bytes, 0 for NULL). __local pointers: the byte offset from
 * `worker->local_memory` (8 bytes). Images: the address of a `lanewise_image`, which is constant while the range runs (8
 * bytes). Samplers: the word of LANEWISE_SAMPLER_* (8 bytes). Queues: the handle (8 bytes). Behind the arguments of a
 * program with variables in global memory, at KernelInfo::variables_offset: the address of their storage on the device.
 */
typedef void lanewise_range_fn(const lanewise_launch* launch, const void* args, lanewise_worker* worker, uint64_t first,
                               uint64_t last);

#ifdef __cplusplus
}
#endif
#endif
