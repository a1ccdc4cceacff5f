/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The interface between compiled kernels and the runtime. Plain C: the compiler builds these layouts as LLVM types and
 * checks them against this header with static asserts (compiler/groups/range_function.cpp).
 *
 * A code object is an ELF shared object without undefined symbols. It exports one range function per kernel, which
 * reaches all services of the runtime through its `lanewise_worker`.
 */
#ifndef LANEWISE_KERNEL_ABI_H
#define LANEWISE_KERNEL_ABI_H

#include <stdint.h>

#include "include/lanewise/enqueue_abi.h"
#include "include/lanewise/image_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this interface, raised with each change of a layout or a rule here. Part of every cache key. */
#define LANEWISE_KERNEL_ABI_VERSION 7u

/** Alignment of local memory, item and group scratch in bytes: that of the widest types, double16 and long16. */
#define LANEWISE_SCRATCH_ALIGN 128u

/** One NDRange, constant while it runs. Sizes are in work-items. Unused dimensions have size 1, offset 0, count 1. */
typedef struct lanewise_launch {
  uint64_t global_offset[3];
  uint64_t global_size[3];
  uint64_t local_size[3];  /**< enqueued local size; the last group of a dimension may be smaller */
  uint64_t group_count[3]; /**< ceil(global_size / local_size) */
  uint32_t work_dim;       /**< 1 to 3, as enqueued */
  uint32_t flags;          /**< reserved, 0 */
} lanewise_launch;

struct lanewise_worker;

/** The functions of the runtime that compiled code may call. New functions are added at the end only. */
typedef struct lanewise_services {
  /**
   * One printf call of one work-item. `format` is a NUL-terminated string in constant memory. `args` holds `count`
   * records in `bytes` bytes. A record is: uint8 kind ('i' integer, 'f' floating point, 's' string pointer, 'p'
   * pointer), uint8 element size in bytes, uint8 vector length (1, 2, 3, 4, 8, 16), uint8 zero, the packed elements,
   * padding to a multiple of 4 bytes. `group` is the linear work-group index, which orders the output. Returns 0, or -1
   * if the output was lost (OpenCL C 6.15.14).
   */
  int32_t (*print)(struct lanewise_worker* worker, uint64_t group, const char* format, const void* args, uint32_t bytes,
                   uint32_t count);
  /** Reports a barrier that not all work-items of a group reached (debug mode only). `site` names file and line. */
  void (*divergent_barrier)(struct lanewise_worker* worker, uint64_t group, const char* site);
  /**
   * enqueue_kernel and enqueue_marker. Returns CLK_SUCCESS, or CLK_ENQUEUE_FAILURE; if `reasons` is not 0, the error
   * that names the reason replaces the latter (OpenCL C 6.15.18.3: with -g). Does not block.
   */
  int32_t (*enqueue)(struct lanewise_worker* worker, const lanewise_enqueue* what, uint32_t reasons);
  /** The other functions of device queues; `what` is a lanewise_device_queue_call. */
  uint64_t (*device_queue)(struct lanewise_worker* worker, uint32_t what, uint64_t first, uint64_t second);
  /**
   * A check of a checked build (check_abi.h). `what` is a packed lanewise::check::CheckCall, and `place` the text of
   * the place in the source. `item` is the global linear id of the work-item; for races `item` and `local` are the
   * work-item's records for global and for local memory, without their places. Returns 1 if the access may be made,
   * else 0.
   */
  uint64_t (*check)(struct lanewise_worker* worker, uint64_t what, const char* place, uint64_t address, uint64_t value,
                    uint64_t item, uint64_t local);
} lanewise_services;

/** The memory that an argument points to; zeros for a null pointer, and for arguments that are no pointers. */
typedef struct lanewise_bounds {
  uint64_t begin;    /**< address; of a __local pointer nothing */
  uint64_t readable; /**< bytes from there that the kernel may read */
  uint64_t writable; /**< bytes from there that it may write */
} lanewise_bounds;

/** Where the records of races are (check_abi.h, race_record), 8 bytes each. That of an address is at
    `records` + (address + shift) * 8 / bytes of a cell. */
typedef struct lanewise_records {
  uint64_t records; /**< address of the first plane */
  uint64_t again;   /**< the same, of which the compiler does not know that it is the same */
  uint64_t plane;   /**< bytes from one plane to the next for cells of one byte */
  uint64_t epoch;   /**< epoch of the records, in its bits */
} lanewise_records;

typedef struct lanewise_races {
  lanewise_records global;
  lanewise_records local;
  uint64_t local_shift;
  const uint64_t* shifts; /**< shift of each argument; odd: race_record::kNotWatched, kByCall */
} lanewise_races;

/** The memory and services of one thread. All areas are aligned to LANEWISE_SCRATCH_ALIGN and private to the thread. */
typedef struct lanewise_worker {
  char* local_memory;  /**< static __local variables (KernelInfo::local_bytes), then the dynamic __local arguments */
  char* item_scratch;  /**< values that live across barriers: KernelInfo::item_bytes x work-items of a full group */
  char* group_scratch; /**< large private arrays, used by one work-item at a time: KernelInfo::group_bytes */
  const lanewise_services* services;
  void* runtime;        /**< opaque to compiled code */
  uint64_t local_bytes; /**< size of `local_memory`; by the three sizes code finds a generic pointer's address space */
  uint64_t item_bytes;  /**< size of `item_scratch` */
  uint64_t group_bytes; /**< size of `group_scratch` */
  const lanewise_bounds* bounds; /**< memory of each argument, for the code of checked builds */
  const lanewise_races* races;   /**< records of races, for the code of checked builds */
} lanewise_worker;

/**
 * Runs the work-groups [first, last) of the linearised grid (x fastest, then y, then z), one after the other.
 *
 * `args` is the argument block, with each argument at KernelInfo::args[i].offset:
 *
 *     value                            its bytes
 *     __global or __constant pointer   the address, 8 bytes; 0 for NULL
 *     __local pointer                  bytes from `worker->local_memory`, 8 bytes
 *     image                            the address of a `lanewise_image` that is constant while the range runs, 8 bytes
 *     sampler                          the word of LANEWISE_SAMPLER_* bits, 8 bytes
 *     queue                            the handle, 8 bytes
 *
 * If the program has variables in global memory, the address of their storage on the device (8 bytes) follows at
 * KernelInfo::variables_offset.
 */
typedef void lanewise_range_fn(const lanewise_launch* launch, const void* args, lanewise_worker* worker, uint64_t first,
                               uint64_t last);

#ifdef __cplusplus
}
#endif
#endif
