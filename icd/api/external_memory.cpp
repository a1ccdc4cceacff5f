// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Acquiring and releasing external memory (cl_khr_external_memory, API 5.5.1.1). All caches are coherent, so these
/// commands move no data; only their order among other commands matters.
#include <vector>

#include "icd/cast.h"
#include "icd/enqueue.h"
#include "icd/memory_properties.h"
#include "runtime/memory/transfer.h"

using namespace lanewise;

namespace {

void hand_over(cl_command_queue queue_handle, cl_command_type type, cl_uint count, const cl_mem* handles,
               WaitList waits, cl_event* event) {
  auto& queue = as<Queue>(queue_handle);
  require((count == 0) == (handles == nullptr), CL_INVALID_VALUE, "mem_objects and num_mem_objects disagree");
  std::vector<Ref<MemObject>> objects;
  objects.reserve(count);
  for (cl_uint i = 0; i < count; ++i) {
    auto& object = as<MemObject>(handles[i]);
    const auto device = external_device(object);
    require(device.has_value(), CL_INVALID_MEM_OBJECT, "the memory of the object is not imported");
    require(&object.context() == &queue.context() && (*device == nullptr || *device == &queue.device()),
            CL_INVALID_COMMAND_QUEUE, "the object is for another device");
    objects.emplace_back(object);
  }
  check_wait_list(queue.context(), waits);
  check_none_failed(waits);
  enqueue(queue, type, make_keep(std::move(objects)), waits, event);
}

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clEnqueueAcquireExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    hand_over(command_queue, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, num_mem_objects, mem_objects,
              {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReleaseExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    hand_over(command_queue, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, num_mem_objects, mem_objects,
              {num_events_in_wait_list, event_wait_list}, event);
  });
}
