// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of the application as a buffer (cl_arm_import_memory 1.1.0, its form for host memory). Kernels use the
/// application's pages themselves and nothing is mapped a second time, so imports may share a page, whatever their
/// flags.
#include <utility>

#include "icd/buffer_check.h"
#include "icd/cast.h"
#include "icd/memory_flags.h"
#include "icd/property_list.h"
#include "icd/selection.h"
#include "runtime/memory/mem_object.h"
#include "src/host/commit.h"

using namespace lanewise;

namespace {

/// Host memory is the default, and the only type that there is.
struct Import {};

void take_type(Import&, cl_import_properties_arm type) {
  require(type == CL_IMPORT_TYPE_HOST_ARM, CL_INVALID_PROPERTY, "only host memory can be imported");
}

constexpr PropertyRow<cl_import_properties_arm, Import> kProperties[] = {{CL_IMPORT_TYPE_ARM, take_type}};

cl_mem import_host_memory(Context& owner, cl_mem_flags flags, void* memory, std::size_t size) {
  // "CL_MEM_USE_HOST_PTR - this flag has no effect, it is ignored."
  flags &= ~cl_mem_flags{CL_MEM_USE_HOST_PTR};
  require((flags & ~(kKernelAccess | kHostAccess)) == 0, CL_INVALID_VALUE, "not a flag of imported memory");
  check_memory_flags(flags);
  flags = with_default_access(flags);
  require(memory != nullptr, CL_INVALID_VALUE, "memory is NULL");
  check_buffer_size(owner, size);
  const auto allocation = owner.allocations().find(memory);
  require(!allocation || size <= allocation->left(memory), CL_INVALID_BUFFER_SIZE, "larger than the allocation");
  // "this function will commit and pin physical pages for the VA range": a processor needs no pages pinned.
  require(host::commit(memory, size, (flags & CL_MEM_READ_ONLY) == 0), CL_INVALID_OPERATION,
          "not all of the memory is mapped with the access that the flags allow");
  return unwrap(MemObject::create(owner, flags, size, nullptr, {}, Storage::wrap(memory))).detach()->handle();
}

}  // namespace

CL_API_ENTRY cl_mem CL_API_CALL clImportMemoryARM(cl_context context, cl_mem_flags flags,
                                                  const cl_import_properties_arm* properties, void* memory, size_t size,
                                                  cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    Import import;
    static_cast<void>(read_properties(properties, kProperties, import, CL_INVALID_PROPERTY));
    return import_host_memory(owner, flags, memory, size);
  });
}
