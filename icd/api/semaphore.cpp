// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Semaphores (cl_khr_semaphore and cl_khr_external_semaphore, API 5.13).
#include <unistd.h>

#include <memory>
#include <utility>
#include <vector>

#include "icd/cast.h"
#include "icd/enqueue.h"
#include "icd/info.h"
#include "icd/selection.h"
#include "icd/semaphore_properties.h"
#include "include/lanewise/semaphore.h"
#include "runtime/semaphore/semaphore.h"

using namespace lanewise;

namespace {

Ref<Semaphore> create(Context& owner, SemaphoreProperties properties) {
  std::shared_ptr<SharedPayload> shared;
  if (properties.handle.has_value())
    shared = unwrap(SharedPayload::import(*properties.handle));
  else if (properties.exportable)
    shared = unwrap(SharedPayload::create());
  auto made = Ref<Semaphore>::adopt(
      new Semaphore(owner, properties.device, std::move(properties.list), std::move(shared), properties.exportable));
  if (properties.handle.has_value()) close(*properties.handle);  // it belongs to the driver now
  return made;
}

/// The semaphores of a command. Throws CL_INVALID_VALUE, CL_INVALID_SEMAPHORE_KHR, CL_INVALID_CONTEXT,
/// CL_INVALID_COMMAND_QUEUE, what is wrong with the wait list, and CL_CONTEXT_TERMINATED_KHR.
std::vector<Ref<Semaphore>> semaphores_of(const Queue& queue, cl_uint count, const cl_semaphore_khr* handles,
                                          WaitList waits) {
  require(count != 0 && handles != nullptr, CL_INVALID_VALUE, "no semaphores");
  std::vector<Ref<Semaphore>> out;
  out.reserve(count);
  for (cl_uint i = 0; i < count; ++i) {
    auto& semaphore = as<Semaphore>(handles[i]);
    require(&semaphore.context() == &queue.context(), CL_INVALID_CONTEXT, "a semaphore of another context");
    require(semaphore.device() == nullptr || semaphore.device() == &queue.device(), CL_INVALID_COMMAND_QUEUE,
            "the semaphore is for another device");
    out.emplace_back(semaphore);
  }
  require_live(queue.context());
  check_wait_list(queue.context(), waits);
  check_none_failed(waits);
  return out;
}

using S = const Semaphore&;

std::vector<cl_device_id> devices_of(S semaphore) {
  if (semaphore.device() != nullptr) return {semaphore.device()->handle()};
  std::vector<cl_device_id> all;
  for (const auto& device : semaphore.context().devices()) all.push_back(device->handle());
  return all;
}

std::vector<cl_external_semaphore_handle_type_khr> exports_of(S semaphore) {
  if (!semaphore.exportable()) return {};
  return {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR};
}

constexpr Row<Semaphore> kSemaphoreInfo[] = {
    {CL_SEMAPHORE_CONTEXT_KHR, type<cl_context>, [](S s) { return s.context().handle(); }},
    {CL_SEMAPHORE_REFERENCE_COUNT_KHR, type<cl_uint>, [](S s) { return s.reference_count(); }},
    {CL_SEMAPHORE_PROPERTIES_KHR, type<cl_semaphore_properties_khr[]>, [](S s) { return s.properties(); }},
    {CL_SEMAPHORE_TYPE_KHR, type<cl_semaphore_type_khr>,
     [](S) -> cl_semaphore_type_khr { return CL_SEMAPHORE_TYPE_BINARY_KHR; }},
    {CL_SEMAPHORE_PAYLOAD_KHR, type<cl_semaphore_payload_khr>,
     [](S s) -> cl_semaphore_payload_khr { return s.payload().signalled() ? 1 : 0; }},
    {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, type<cl_device_id[]>, [](S s) { return devices_of(s); }},
    {CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, type<cl_external_semaphore_handle_type_khr[]>,
     [](S s) { return exports_of(s); }},
    {CL_SEMAPHORE_EXPORTABLE_KHR, type<cl_bool>, [](S s) -> cl_bool { return s.exportable() ? CL_TRUE : CL_FALSE; }},
};

}  // namespace

CL_API_ENTRY cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr* sema_props, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    return create(owner, read_semaphore_properties(owner, sema_props)).detach()->handle();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr sema_object) {
  return entry_quick(__func__, [&] { retain<Semaphore>(sema_object); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr sema_object) {
  return entry(__func__, [&] { release<Semaphore>(sema_object); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object, cl_semaphore_info_khr param_name,
                                                      size_t param_value_size, void* param_value,
                                                      size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    answer(kSemaphoreInfo, param_name, as<Semaphore>(sema_object),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

// Binary semaphores have no payload values, so the lists of such values are ignored.
CL_API_ENTRY cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                                             const cl_semaphore_khr* sema_objects,
                                                             const cl_semaphore_payload_khr* /*sema_payload_list*/,
                                                             cl_uint num_events_in_wait_list,
                                                             const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    const WaitList waits{num_events_in_wait_list, event_wait_list};
    enqueue(queue, CL_COMMAND_SEMAPHORE_SIGNAL_KHR,
            make_signal(semaphores_of(queue, num_sema_objects, sema_objects, waits)), waits, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                                           const cl_semaphore_khr* sema_objects,
                                                           const cl_semaphore_payload_khr* /*sema_payload_list*/,
                                                           cl_uint num_events_in_wait_list,
                                                           const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    const WaitList waits{num_events_in_wait_list, event_wait_list};
    auto wait = unwrap(make_semaphore_wait(semaphores_of(queue, num_sema_objects, sema_objects, waits)));
    std::vector<cl_event> all(waits.events, waits.events + waits.count);
    for (const auto& signal : wait.signals) all.push_back(signal->handle());
    enqueue(queue, CL_COMMAND_SEMAPHORE_WAIT_KHR, std::move(wait.work), {static_cast<cl_uint>(all.size()), all.data()},
            event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
                                                               cl_external_semaphore_handle_type_khr handle_type,
                                                               size_t handle_size, void* handle_ptr,
                                                               size_t* handle_size_ret) {
  return entry(__func__, [&] {
    const auto& semaphore = as<Semaphore>(sema_object);
    require(semaphore.exportable(), CL_INVALID_SEMAPHORE_KHR, "the semaphore was not made to be exported");
    const auto& target = device_in(semaphore.context(), device);
    require(semaphore.device() == nullptr || semaphore.device() == &target, CL_INVALID_DEVICE,
            "the semaphore is for another device");
    require(handle_type == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_INVALID_VALUE, "not the kind that it was made for");
    require(handle_ptr == nullptr || handle_size >= sizeof(int), CL_INVALID_VALUE, "handle_size is too small");
    if (handle_ptr != nullptr) *static_cast<int*>(handle_ptr) = unwrap(semaphore.handle_for_others());
    if (handle_size_ret != nullptr) *handle_size_ret = sizeof(int);
  });
}
