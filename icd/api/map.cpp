// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Mapping, unmapping and migrating memory objects (spec 5.2.4, 5.5.3, 5.5.4).
#include "icd/buffer_check.h"
#include "icd/cast.h"
#include "icd/enqueue.h"
#include "icd/memory_flags.h"
#include "runtime/exec/queue.h"
#include "runtime/memory/mem_object.h"
#include "runtime/memory/transfer.h"

using namespace lanewise;

namespace {

/// API 5.2.4: which region may be mapped, and with which flags.
void check_map(const MemObject& buffer, cl_map_flags flags, std::size_t offset, std::size_t size) {
  require(size != 0, CL_INVALID_VALUE, "region is empty");
  check_bounds(buffer, offset, size);
  check_map_flags(flags);
  check_map_access(buffer.flags(), flags);
}

/// All memory is host memory, so nothing moves. Throws CL_INVALID_VALUE, CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
void migrate(Queue& queue, cl_command_type type, cl_uint count, const cl_mem* handles, WaitList waits,
             cl_event* event) {
  require(count != 0 && handles != nullptr, CL_INVALID_VALUE, "no memory objects");
  std::vector<Ref<MemObject>> objects;
  objects.reserve(count);
  for (cl_uint i = 0; i < count; ++i) {
    auto& object = as<MemObject>(handles[i]);
    require(&object.context() == &queue.context(), CL_INVALID_CONTEXT, "queue and memobj are of different contexts");
    require_acquired(object);
    objects.emplace_back(object);
  }
  enqueue(queue, type, make_keep(std::move(objects)), waits, event);
}

}  // namespace

CL_API_ENTRY void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map,
                                                  cl_map_flags map_flags, size_t offset, size_t size,
                                                  cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                  cl_event* event, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&]() -> void* {
    auto& queue = as<Queue>(command_queue);
    const std::uint64_t begun = queue.time_of_call();
    auto& object = buffer_of(queue, buffer);
    check_map(object, map_flags, offset, size);
    std::byte* address = object.maps().add(object, offset, size, map_flags);
    require(address != nullptr, CL_INVALID_OPERATION, "overlaps a region that is mapped for writing");
    try {
      enqueue(queue, CL_COMMAND_MAP_BUFFER, make_keep({Ref<MemObject>(object)}),
              {num_events_in_wait_list, event_wait_list}, event, blocking_map != CL_FALSE, SubmitKind::normal, begun);
    } catch (...) {
      object.maps().remove(object, address);
      throw;
    }
    return address;
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj, void* mapped_ptr,
                                                        cl_uint num_events_in_wait_list,
                                                        const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    const std::uint64_t begun = queue.time_of_call();
    auto& object = as<MemObject>(memobj);
    require(object.pipe() == nullptr, CL_INVALID_MEM_OBJECT, "a pipe is never mapped");
    require(&object.context() == &queue.context(), CL_INVALID_CONTEXT, "queue and memobj are of different contexts");
    check_wait_list(queue.context(), {num_events_in_wait_list, event_wait_list});
    // API 5.5.3: must be a pointer that a map of this object returned. The region counts as mapped only until the unmap
    // is enqueued, so that the next map command in the same queue may map it again.
    require(object.maps().remove(object, mapped_ptr), CL_INVALID_VALUE, "not a mapped pointer of this object");
    enqueue(queue, CL_COMMAND_UNMAP_MEM_OBJECT, make_keep({Ref<MemObject>(object)}),
            {num_events_in_wait_list, event_wait_list}, event, false, SubmitKind::normal, begun);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue command_queue, cl_uint num_mem_objects,
                                                           const cl_mem* mem_objects, cl_mem_migration_flags flags,
                                                           cl_uint num_events_in_wait_list,
                                                           const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    check_migration_flags(flags);
    migrate(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, num_mem_objects, mem_objects,
            {num_events_in_wait_list, event_wait_list}, event);
  });
}

// cl_ext_migrate_memobject, the extension that became the function above in OpenCL 1.2.
CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemObjectEXT(cl_command_queue command_queue, cl_uint num_mem_objects,
                                                             const cl_mem* mem_objects,
                                                             cl_mem_migration_flags_ext flags,
                                                             cl_uint num_events_in_wait_list,
                                                             const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    require((flags & ~cl_mem_migration_flags_ext{CL_MIGRATE_MEM_OBJECT_HOST_EXT}) == 0, CL_INVALID_VALUE,
            "unknown flags");
    migrate(queue, CL_COMMAND_MIGRATE_MEM_OBJECT_EXT, num_mem_objects, mem_objects,
            {num_events_in_wait_list, event_wait_list}, event);
  });
}
