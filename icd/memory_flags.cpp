// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/memory_flags.h"

#include <bit>

namespace lanewise {

namespace {

constexpr cl_mem_flags kWriting = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;
constexpr cl_map_flags kMapWrite = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

bool at_most_one(cl_mem_flags flags) {
  return std::popcount(flags) <= 1;
}

}  // namespace

void check_memory_flags(cl_mem_flags flags) {
  require((flags & ~(kKernelAccess | kHostAccess | kHostPointer | CL_MEM_IMMUTABLE_EXT)) == 0, CL_INVALID_VALUE,
          "unknown memory flag");
  require(at_most_one(flags & kKernelAccess), CL_INVALID_VALUE, "kernel access flags exclude each other");
  require(at_most_one(flags & kHostAccess), CL_INVALID_VALUE, "host access flags exclude each other");
  require((flags & CL_MEM_USE_HOST_PTR) == 0 || (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0,
          CL_INVALID_VALUE, "CL_MEM_USE_HOST_PTR excludes ALLOC and COPY");
  require((flags & CL_MEM_IMMUTABLE_EXT) == 0 || (flags & kWriting) == 0, CL_INVALID_VALUE,
          "CL_MEM_IMMUTABLE_EXT excludes all access that writes");
}

cl_mem_flags with_default_access(cl_mem_flags flags) {
  // API 5.2.1: READ_WRITE is the default, and CL_MEM_FLAGS reports it.
  return (flags & (kKernelAccess | CL_MEM_IMMUTABLE_EXT)) == 0 ? flags | CL_MEM_READ_WRITE : flags;
}

cl_mem_flags inherited_flags(cl_mem_flags parent, cl_mem_flags flags) {
  require((flags & kHostPointer) == 0, CL_INVALID_VALUE, "host pointer flags are inherited, not given");
  check_memory_flags(flags);
  const auto forbids = [&](cl_mem_flags of_parent, cl_mem_flags of_child) {
    return (parent & of_parent) != 0 && (flags & of_child) != 0;
  };
  require(!forbids(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY), CL_INVALID_VALUE, "parent is write-only");
  require(!forbids(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE, "parent is read-only");
  require(!forbids(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY), CL_INVALID_VALUE, "host may only write the parent");
  require(!forbids(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE, "host may only read the parent");
  require(!forbids(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE,
          "host may not access the parent");
  require(!forbids(CL_MEM_IMMUTABLE_EXT, kWriting), CL_INVALID_VALUE, "parent is immutable");
  if ((flags & (kKernelAccess | CL_MEM_IMMUTABLE_EXT)) == 0) flags |= parent & kKernelAccess;
  if ((flags & kHostAccess) == 0) flags |= parent & kHostAccess;
  return flags | (parent & (kHostPointer | CL_MEM_IMMUTABLE_EXT));
}

void check_host_pointer(cl_mem_flags flags, const void* host_ptr) {
  const bool wants_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  require(wants_pointer || (flags & CL_MEM_IMMUTABLE_EXT) == 0, CL_INVALID_VALUE, "immutable, and without content");
  require(wants_pointer == (host_ptr != nullptr), CL_INVALID_HOST_PTR, "host_ptr and flags disagree");
}

void check_mutable(cl_mem_flags flags) {
  require((flags & CL_MEM_IMMUTABLE_EXT) == 0, CL_INVALID_OPERATION, "the destination is immutable");
}

void check_host_access(cl_mem_flags flags, cl_mem_flags forbidden) {
  require((flags & forbidden) == 0, CL_INVALID_OPERATION, "the object's flags forbid this host access");
}

void check_map_flags(cl_map_flags flags) {
  require((flags & ~(CL_MAP_READ | kMapWrite)) == 0, CL_INVALID_VALUE, "unknown map flag");
  require((flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0 || (flags & (CL_MAP_READ | CL_MAP_WRITE)) == 0,
          CL_INVALID_VALUE, "CL_MAP_WRITE_INVALIDATE_REGION excludes the others");
}

void check_map_access(cl_mem_flags flags, cl_map_flags map_flags) {
  if ((map_flags & CL_MAP_READ) != 0) check_host_access(flags, kHostMayNotRead);
  if ((map_flags & kMapWrite) != 0) check_host_access(flags, kHostMayNotWrite);
}

void check_migration_flags(cl_mem_migration_flags flags) {
  constexpr cl_mem_migration_flags kKnown = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  require((flags & ~kKnown) == 0, CL_INVALID_VALUE, "unknown migration flag");
}

}  // namespace lanewise
