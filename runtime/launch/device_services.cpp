// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/device_services.h"

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "runtime/exec/children.h"
#include "runtime/exec/user_event.h"
#include "runtime/exec/worker.h"
#include "runtime/kernel/kernel.h"
#include "runtime/launch/device_events.h"
#include "runtime/launch/ndrange.h"
#include "runtime/process/interrupt.h"
#include "src/base/rounding.h"

namespace lanewise {

namespace {

/// Literals are the values that blocks capture. Arrays among them make large ones.
constexpr std::uint32_t kLargestLiteral = 1U << 20U;

/// What a kernel that calls a service belongs to.
class Caller {
 public:
  explicit Caller(lanewise_worker* abi) : worker(Worker::from(abi)), running(*worker.running()) {}

  Worker& worker;
  Event& running;

  [[nodiscard]] Device& device() const { return running.queue()->device(); }
  [[nodiscard]] Context& context() const { return running.context(); }
  [[nodiscard]] Kernel* block(std::uint64_t number) const {
    return worker.enqueueing().kernel->block(device(), number);
  }
  /// Null: out of memory.
  [[nodiscard]] DeviceFamily* family() const {
    if (FamilyGoods* there = goods_of(running)) return static_cast<DeviceFamily*>(there);
    auto fresh =
        std::unique_ptr<DeviceFamily>(new (std::nothrow) DeviceFamily(DeviceQueue::default_of(context(), device())));
    return fresh == nullptr ? nullptr : static_cast<DeviceFamily*>(share_goods(running, std::move(fresh)));
  }
};

template <class T>
const T* at(std::uint64_t address) {
  return reinterpret_cast<const T*>(static_cast<std::uintptr_t>(address));
}

/// False: it is none.
bool read_range(const lanewise_ndrange& range, NdRange& out) {
  if (range.work_dim < 1 || range.work_dim > 3) return false;
  out.dims = range.work_dim;
  if (range.local_size[0] != 0) out.local = Sizes{1, 1, 1};
  for (unsigned i = 0; i < out.dims; ++i) {
    out.offset[i] = range.offset[i];
    out.global[i] = range.global_size[i];
    if (out.local) (*out.local)[i] = range.local_size[i];
    if (out.offset[i] + out.global[i] < out.offset[i]) return false;
  }
  return true;
}

bool read_flags(std::int32_t flags, After& out) {
  constexpr std::array kFlags = {After::nothing, After::run, After::pieces};  // CLK_ENQUEUE_FLAGS_
  const auto index = static_cast<std::size_t>(flags);                         // negative ones are large then
  if (index >= kFlags.size()) return false;
  out = kFlags[index];
  return true;
}

/// The events of a wait list; short ones cost no allocation.
class Waits {
 public:
  /// False: one of them is none.
  bool read(DeviceEvents& events, const lanewise_enqueue& what) {
    if (what.wait_count == 0) return true;
    if (what.waits == 0 || what.wait_count > DeviceEvents::kMost) return false;
    kept_.reserve(what.wait_count);
    for (std::uint32_t i = 0; i < what.wait_count; ++i) {
      kept_.push_back(events.find(at<std::uint64_t>(what.waits)[i]));
      if (!kept_.back()) return false;
      events_.push_back(kept_.back().get());
    }
    return true;
  }
  [[nodiscard]] std::span<Event* const> events() const { return events_; }

 private:
  std::vector<Ref<Event>> kept_;
  std::vector<Event*> events_;
};

/// Makes the work of a block. CL_SUCCESS, or an error of OpenCL C.
std::int32_t make_work(const Caller& caller, const lanewise_enqueue& what, Queue& queue, WorkPtr& out) {
  Kernel* block = caller.block(what.block);
  NdRange range;
  if (block == nullptr) return enqueue_error::failure;
  if (!read_range(*at<lanewise_ndrange>(what.range), range)) return enqueue_error::invalid_ndrange;
  const auto checked = check_range(*block, caller.device(), range);
  if (!checked) return enqueue_error::invalid_ndrange;
  if (range.empty()) return CL_SUCCESS;
  // A literal begins with its size and its alignment.
  std::array<std::uint32_t, 2> head{};
  std::memcpy(head.data(), at<std::byte>(what.literal), sizeof head);
  if (head[0] > kLargestLiteral || !std::has_single_bit(head[1]) || head[1] > LANEWISE_SCRATCH_ALIGN)
    return enqueue_error::failure;
  auto work = make_block_launch(*block, caller.device(), checked.value(),
                                {.literal = {at<std::byte>(what.literal), head[0]},
                                 .literal_align = head[1],
                                 .local = {at<std::uint64_t>(what.local_sizes), what.local_count},
                                 .queue = &queue});
  if (work.ok()) {
    out = std::move(work).value();
    return CL_SUCCESS;
  }
  const int code = work.error().code;
  if (code == CL_INVALID_ARG_SIZE || code == enqueue_error::device_queue_full) return code;
  return enqueue_error::out_of_resources;
}

std::int32_t enqueue(const Caller& caller, const lanewise_enqueue& what) {
  DeviceFamily* family = caller.family();
  if (family == nullptr) return enqueue_error::out_of_resources;
  const DeviceQueue* target = family->queue(what.queue);
  if (target == nullptr || &target->device() != &caller.device() || &target->context() != &caller.context())
    return enqueue_error::invalid_queue;
  Queue& queue = target->commands();
  const bool marker = what.block == 0;
  // A marker without an event would be waited for by nobody.
  if (marker && what.event == 0) return CL_SUCCESS;
  Waits waits;
  if (!waits.read(family->events(), what)) return enqueue_error::invalid_event_wait_list;
  constexpr cl_command_type kKernel = CL_COMMAND_NDRANGE_KERNEL;
  ChildCommand child{.type = marker ? cl_command_type{CL_COMMAND_MARKER} : kKernel, .waits = waits.events()};
  if (!marker) {
    if (!read_flags(what.flags, child.after)) return enqueue_error::failure;
    if (const std::int32_t status = make_work(caller, what, queue, child.work); status != CL_SUCCESS) return status;
  }
  const std::uint64_t number = what.event == 0 ? 0 : family->events().reserve();
  if (what.event != 0 && number == 0) return enqueue_error::event_allocation_failure;
  child.has_captures = number != 0 && queue.profiling();
  auto made = queue.submit_child(caller.worker, std::move(child));
  if (!made.ok()) {
    if (number != 0) family->events().give_back(number);
    return made.error().code == CL_OUT_OF_RESOURCES ? enqueue_error::device_queue_full
                                                    : enqueue_error::out_of_resources;
  }
  if (number == 0) return CL_SUCCESS;
  family->events().fill(number, std::move(made).value());
  std::memcpy(reinterpret_cast<void*>(static_cast<std::uintptr_t>(what.event)), &number, sizeof number);
  return CL_SUCCESS;
}

std::uint64_t create_event(const Caller& caller, DeviceEvents& events) {
  auto made = UserEvent::create(caller.context());
  if (!made.ok()) return 0;
  Ref<UserEvent> event = std::move(made).value();
  return events.add(Ref<Event>(*event));
}

void set_event_status(DeviceEvents& events, std::uint64_t number, std::int32_t status) {
  const Ref<Event> event = events.find(number);
  // OpenCL C 6.15.18.6: CL_COMPLETE or a negative error, and once; everything else has no effect.
  UserEvent* user = event ? UserEvent::from(*event) : nullptr;
  if (user != nullptr && status <= CL_COMPLETE) (void)user->set_status(status);
}

/// Queries of a block with a range.
std::uint64_t sub_group_query(const Caller& caller, const Kernel& block, bool count, const lanewise_ndrange& given) {
  NdRange range;
  if (!read_range(given, range) || range.empty()) return 0;
  const auto checked = check_range(block, caller.device(), range);
  if (!checked) return 0;
  const std::uint64_t items = product_of(checked.value().local);
  const std::uint64_t size = block.info().sub_group_size;
  return count ? divide_up(items, size) : std::min(items, size);
}

std::uint64_t query_block(const Caller& caller, std::uint32_t what, std::uint64_t number, std::uint64_t range) {
  const Kernel* block = caller.block(number);
  if (block == nullptr) return 0;
  switch (what) {
    case lanewise_work_group_size:
      return block->max_work_group_size(caller.device());
    case lanewise_work_group_multiple:
      return caller.device().facts().preferred_work_group_multiple;
    case lanewise_sub_group_count:
    case lanewise_sub_group_size:
      return sub_group_query(caller, *block, what == lanewise_sub_group_count, *at<lanewise_ndrange>(range));
    default:
      return 0;
  }
}

std::uint64_t call(const Caller& caller, std::uint32_t what, std::uint64_t first, std::uint64_t second) {
  if (what >= lanewise_work_group_size) return query_block(caller, what, first, second);
  DeviceFamily* family = caller.family();
  if (family == nullptr) return 0;
  DeviceEvents& events = family->events();
  switch (what) {
    case lanewise_default_queue: {
      const DeviceQueue* queue = family->default_queue();
      return queue == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(queue->handle());
    }
    case lanewise_create_event:
      return create_event(caller, events);
    case lanewise_retain_event:
      events.retain(first);
      return 0;
    case lanewise_release_event:
      events.release(first);
      return 0;
    case lanewise_set_event_status:
      set_event_status(events, first, static_cast<std::int32_t>(second));
      return 0;
    case lanewise_is_valid_event:
      return events.find(first) ? 1 : 0;
    case lanewise_capture_profiling:
      if (const Ref<Event> event = events.find(first); event && second != 0)
        capture_times(*event, reinterpret_cast<std::uint64_t*>(static_cast<std::uintptr_t>(second)));
      return 0;
    default:
      return 0;
  }
}

std::int32_t try_enqueue(lanewise_worker* worker, const lanewise_enqueue& what, bool reasons) noexcept {
  std::int32_t status = CL_SUCCESS;
  try {
    status = enqueue(Caller(worker), what);
  } catch (const std::bad_alloc&) {
    status = enqueue_error::out_of_resources;
  }
  return status == CL_SUCCESS || reasons ? status : enqueue_error::failure;
}

/// Services hold locks and allocate, so no thread is taken out of one.
__attribute__((disable_sanitizer_instrumentation)) std::int32_t enqueue_service(lanewise_worker* worker,
                                                                                const lanewise_enqueue* what,
                                                                                std::uint32_t reasons) {
  Uninterruptible service;
  const std::int32_t result = try_enqueue(worker, *what, reasons != 0);
  service.end();
  return result;
}

__attribute__((disable_sanitizer_instrumentation)) std::uint64_t device_queue_service(lanewise_worker* worker,
                                                                                      std::uint32_t what,
                                                                                      std::uint64_t first,
                                                                                      std::uint64_t second) {
  Uninterruptible service;
  const std::uint64_t result = call(Caller(worker), what, first, second);
  service.end();
  return result;
}

}  // namespace

const lanewise_services& device_services() {
  static const lanewise_services services = [] {
    lanewise_services all = kernel_services();
    all.enqueue = &enqueue_service;
    all.device_queue = &device_queue_service;
    return all;
  }();
  return services;
}

}  // namespace lanewise
