// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The head of every `cl_*` object, which the ICD loader and the driver's checked cast (icd/cast.h) depend on.
///
/// Source: cl_khr_icd 1.0: each object begins with a pointer to its dispatch table. The rest is the driver's choice.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lanewise {

/// The type of an object. The constructor writes it, and the destructor overwrites it by `dead`, so that the driver
/// refuses a stale or foreign handle with the error of its type.
enum class Tag : std::uint32_t {
  platform = 0x4c570001,
  device,
  context,
  queue,
  memory,
  sampler,
  program,
  kernel,
  event,
  command_buffer,
  mutable_command,
  semaphore,
  device_queue,
  dead = 0x4c57dead,
};

/// The public head of an object: standard layout, no virtual functions, at the address that the application holds.
struct Handle {
  const void* dispatch = nullptr;           ///< the loader's table of functions (`cl_icd_dispatch`); offset 0 by ABI
  std::atomic<Tag> tag{Tag::dead};          ///< atomic, because another thread may be destroying the object
  std::atomic<std::uint32_t> api_count{0};  ///< references that the application holds (`CL_*_REFERENCE_COUNT`)
};

static_assert(offsetof(Handle, dispatch) == 0);

}  // namespace lanewise

struct _cl_platform_id : lanewise::Handle {};
struct _cl_device_id : lanewise::Handle {};
struct _cl_context : lanewise::Handle {};
struct _cl_command_queue : lanewise::Handle {};
struct _cl_mem : lanewise::Handle {};
struct _cl_sampler : lanewise::Handle {};
struct _cl_program : lanewise::Handle {};
struct _cl_kernel : lanewise::Handle {};
struct _cl_event : lanewise::Handle {};
struct _cl_command_buffer_khr : lanewise::Handle {};   // NOLINT(bugprone-reserved-identifier)
struct _cl_mutable_command_khr : lanewise::Handle {};  // NOLINT(bugprone-reserved-identifier)
struct _cl_semaphore_khr : lanewise::Handle {};        // NOLINT(bugprone-reserved-identifier)
