// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Mapping, unmapping and migrating memory objects (spec 5.2.4, 5.5.3, 5.5.4).
#include "icd/cast.h"
#include "icd/enqueue.h"
#include "runtime/exec/queue.h"
#include "runtime/memory/mem_object.h"
#include "runtime/memory/transfer.h"

using namespace lanewise;

namespace {

constexpr cl_map_flags kMapWrite = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

/// API 5.2.4: what may be mapped how.
void check_map(const MemObject& buffer, cl_map_flags flags, std::size_t offset, std::size_t size) {
  require(size != 0 && offset <= buffer.size() && size <= buffer.size() - offset, CL_INVALID_VALUE,
          "region is empty or out of bounds");
  require((flags & ~(CL_MAP_READ | kMapWrite)) == 0, CL_INVALID_VALUE, "unknown map flag");
  // API table 21: CL_MAP_WRITE_INVALIDATE_REGION stands alone.
  require((flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0 || (flags & (CL_MAP_READ | CL_MAP_WRITE)) == 0,
          CL_INVALID_VALUE, "CL_MAP_WRITE_INVALIDATE_REGION excludes the others");
  require((flags & CL_MAP_READ) == 0 || (buffer.flags() & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0,
          CL_INVALID_OPERATION, "the host may not read this buffer");
  require((flags & kMapWrite) == 0 || (buffer.flags() & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0,
          CL_INVALID_OPERATION, "the host may not write this buffer");
}

}  // namespace

CL_API_ENTRY void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map,
                                                  cl_map_flags map_flags, size_t offset, size_t size,
                                                  cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                  cl_event* event, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&]() -> void* {
    auto& queue = as<Queue>(command_queue);
    auto& object = as<MemObject>(buffer);
    require(object.image() == nullptr, CL_INVALID_MEM_OBJECT, "not a buffer");
    require(&object.context() == &queue.context(), CL_INVALID_CONTEXT, "queue and buffer are of different contexts");
    check_map(object, map_flags, offset, size);
    std::byte* address = object.add_map(offset, size, map_flags);
    require(address != nullptr, CL_INVALID_OPERATION, "overlaps a region that is mapped for writing");
    try {
      enqueue(queue, CL_COMMAND_MAP_BUFFER, make_keep({Ref<MemObject>(object)}),
              {num_events_in_wait_list, event_wait_list}, event, blocking_map != CL_FALSE);
    } catch (...) {
      object.remove_map(address);
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
    auto& object = as<MemObject>(memobj);
    require(&object.context() == &queue.context(), CL_INVALID_CONTEXT, "queue and memobj are of different contexts");
    check_wait_list(queue.context(), {num_events_in_wait_list, event_wait_list});
    // API 5.5.3: must be a pointer that a map of this object returned. The booking ends with the enqueue, so that the
    // next map command in the same queue may use the region again.
    require(object.remove_map(mapped_ptr), CL_INVALID_VALUE, "not a mapped pointer of this object");
    enqueue(queue, CL_COMMAND_UNMAP_MEM_OBJECT, make_keep({Ref<MemObject>(object)}),
            {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue command_queue, cl_uint num_mem_objects,
                                                           const cl_mem* mem_objects, cl_mem_migration_flags flags,
                                                           cl_uint num_events_in_wait_list,
                                                           const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    require(num_mem_objects != 0 && mem_objects != nullptr, CL_INVALID_VALUE, "no memory objects");
    constexpr cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    require((flags & ~known) == 0, CL_INVALID_VALUE, "unknown migration flag");
    std::vector<Ref<MemObject>> objects;
    objects.reserve(num_mem_objects);
    for (cl_uint i = 0; i < num_mem_objects; ++i) {
      auto& object = as<MemObject>(mem_objects[i]);
      require(&object.context() == &queue.context(), CL_INVALID_CONTEXT, "queue and memobj are of different contexts");
      objects.emplace_back(object);
    }
    enqueue(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, make_keep(std::move(objects)),
            {num_events_in_wait_list, event_wait_list}, event);
  });
}
