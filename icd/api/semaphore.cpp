// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Semaphores (cl_khr_semaphore, API 5.13).
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "icd/cast.h"
#include "icd/enqueue.h"
#include "icd/info.h"
#include "icd/selection.h"
#include "include/lanewise/semaphore.h"
#include "runtime/semaphore/semaphore.h"

using namespace lanewise;

namespace {

/// What clCreateSemaphoreWithPropertiesKHR is given.
struct SemaphoreProperties {
  bool has_type = false;
  Device* device = nullptr;
  std::vector<cl_semaphore_properties_khr> list;  ///< with the closing 0
};

/// Reads the devices of a list up to its end, behind which `at` is then.
Device& read_device(const Context& context, const cl_semaphore_properties_khr*& at) {
  std::vector<Device*> devices;
  for (; *at != CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR; ++at) {
    auto& device = as<Device>(reinterpret_cast<cl_device_id>(*at));
    require(context.has_device(device), CL_INVALID_DEVICE, "the device is not in the context");
    devices.push_back(&device);
  }
  ++at;
  require(devices.size() == 1, CL_INVALID_DEVICE, "a semaphore is for exactly one device");
  return *devices.front();
}

/// The list has values of different lengths, so it is not one of those that `read_properties` reads.
SemaphoreProperties read(const Context& context, const cl_semaphore_properties_khr* list) {
  require(list != nullptr, CL_INVALID_VALUE, "sema_props is NULL");
  SemaphoreProperties out;
  const auto* at = list;
  while (*at != 0) {
    const auto name = *at++;
    if (name == CL_SEMAPHORE_TYPE_KHR) {
      require(!std::exchange(out.has_type, true), CL_INVALID_PROPERTY, "the same property twice");
      require(*at++ == CL_SEMAPHORE_TYPE_BINARY_KHR, CL_INVALID_PROPERTY, "not a type of semaphore");
    } else if (name == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) {
      require(out.device == nullptr, CL_INVALID_PROPERTY, "the same property twice");
      out.device = &read_device(context, at);
    } else {
      throw ApiError{CL_INVALID_PROPERTY, "unknown property"};
    }
  }
  require(out.has_type, CL_INVALID_VALUE, "no type");
  require(out.device != nullptr || context.devices().size() == 1, CL_INVALID_PROPERTY,
          "a context of several devices, and none is named");
  out.list = {list, at + 1};
  return out;
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

constexpr Row<Semaphore> kSemaphoreInfo[] = {
    {CL_SEMAPHORE_CONTEXT_KHR, type<cl_context>, [](S s) { return s.context().handle(); }},
    {CL_SEMAPHORE_REFERENCE_COUNT_KHR, type<cl_uint>, [](S s) { return s.reference_count(); }},
    {CL_SEMAPHORE_PROPERTIES_KHR, type<cl_semaphore_properties_khr[]>, [](S s) { return s.properties(); }},
    {CL_SEMAPHORE_TYPE_KHR, type<cl_semaphore_type_khr>,
     [](S) -> cl_semaphore_type_khr { return CL_SEMAPHORE_TYPE_BINARY_KHR; }},
    {CL_SEMAPHORE_PAYLOAD_KHR, type<cl_semaphore_payload_khr>,
     [](S s) -> cl_semaphore_payload_khr { return s.signalled() ? 1 : 0; }},
    {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, type<cl_device_id[]>, [](S s) { return devices_of(s); }},
};

}  // namespace

CL_API_ENTRY cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr* sema_props, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    auto properties = read(owner, sema_props);
    auto made = Ref<Semaphore>::adopt(new Semaphore(owner, properties.device, std::move(properties.list)));
    return made.detach()->handle();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr sema_object) {
  return entry_quick(__func__, [&] { as<Semaphore>(sema_object).retain_api(); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr sema_object) {
  return entry(__func__, [&] { release<Semaphore>(sema_object); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object, cl_semaphore_info_khr param_name,
                                                      size_t param_value_size, void* param_value,
                                                      size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    answer(std::span<const Row<Semaphore>>(kSemaphoreInfo), param_name, as<Semaphore>(sema_object),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

// Binary semaphores have no payload values, so the lists of them are ignored.
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

// Of cl_khr_external_semaphore. The conformance suite of cl_khr_semaphore does not begin without this name.
CL_API_ENTRY cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
                                                               cl_external_semaphore_handle_type_khr /*handle_type*/,
                                                               size_t /*handle_size*/, void* /*handle_ptr*/,
                                                               size_t* /*handle_size_ret*/) {
  return entry(__func__, [&] {
    const auto& semaphore = as<Semaphore>(sema_object);
    const auto& target = device_in(semaphore.context(), device);
    require(semaphore.device() == nullptr || semaphore.device() == &target, CL_INVALID_DEVICE,
            "the semaphore is for another device");
    throw ApiError{CL_INVALID_VALUE, "no semaphore is made to be exported"};
  });
}
