// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The flags of memory objects (API 5.2.1, table 19): legal flags, exclusions and inheritance.
#pragma once

#include "icd/boundary.h"
#include "include/lanewise/cl_compat.h"

namespace lanewise {

inline constexpr cl_mem_flags kKernelAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
inline constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
inline constexpr cl_mem_flags kHostPointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
inline constexpr cl_mem_flags kHostMayNotRead = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
/// The host may not write immutable memory (cl_ext_immutable_memory_objects).
inline constexpr cl_mem_flags kHostMayNotWrite = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_IMMUTABLE_EXT;

/// Checks that the flags exist and do not exclude each other. Throws CL_INVALID_VALUE.
void check_memory_flags(cl_mem_flags flags);

/// The flags of an object with its own memory: the given ones, with the default of API table 19 if no kernel access is
/// given.
cl_mem_flags with_default_access(cl_mem_flags flags);

/// The flags of a sub-buffer, or of an image made from another memory object, completed by its parent's flags (API
/// 5.2.1, 5.3.1). Throws CL_INVALID_VALUE on contradictions.
cl_mem_flags inherited_flags(cl_mem_flags parent, cl_mem_flags flags);

/// Checks a host_ptr. Throws CL_INVALID_HOST_PTR for a `host_ptr` without a flag that uses it and for such a flag
/// without a `host_ptr`, and CL_INVALID_VALUE if an immutable object would have no content.
void check_host_pointer(cl_mem_flags flags, const void* host_ptr);

/// Checks that a memory object has none of the flags `forbidden` (kHostMayNot...). Throws CL_INVALID_OPERATION.
void check_host_access(cl_mem_flags flags, cl_mem_flags forbidden);

/// Checks that the destination of a copy or fill is not immutable. Throws CL_INVALID_OPERATION.
void check_mutable(cl_mem_flags flags);

/// Checks that map flags exist and do not exclude each other (API table 21). Throws CL_INVALID_VALUE.
void check_map_flags(cl_map_flags flags);
/// Checks that the host may map a memory object of `flags` with `map_flags`. Throws CL_INVALID_OPERATION.
void check_map_access(cl_mem_flags flags, cl_map_flags map_flags);

/// Checks the flags of clEnqueueMigrateMemObjects. Throws CL_INVALID_VALUE.
void check_migration_flags(cl_mem_migration_flags flags);

}  // namespace lanewise
