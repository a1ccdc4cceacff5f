// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/awaited_launch.h"

#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "runtime/exec/described.h"
#include "runtime/exec/user_event.h"
#include "runtime/kernel/kernel.h"
#include "runtime/launch/ndrange.h"
#include "runtime/object/inner.h"
#include "src/log/log.h"

namespace lanewise {

namespace {

/// Launches with fewer work-items cannot have too many work-groups to be numbered.
constexpr std::uint64_t kMostItems = std::uint64_t{1} << 60;

/// Whether no error of a launch depends on the code: it has bounds in the description.
bool is_certain(const Kernel& kernel, const Device& device, const NdRange& range, const LaunchArgs& args) {
  return saturating_product(saturating_product(range.global[0], range.global[1]), range.global[2]) < kMostItems &&
         kernel.info().reqd_sub_groups == 0 && check_arguments(args, device) == CL_SUCCESS &&
         check_range(kernel, device, range).ok();
}

/// The work of a launch from the enqueue on. It becomes that of `launch_`, for the arguments of the enqueue.
class Awaited final : public LateWork, public Described {
 public:
  /// @param kernel  a copy: its local arguments are those of the enqueue
  Awaited(Ref<Kernel> kernel, Queue& queue, const NdRange& range, LaunchArgs args)
      : kernel_(std::move(kernel)), queue_(queue), range_(range), args_(std::move(args)) {}

  [[nodiscard]] cl_int complete() const noexcept override;

  [[nodiscard]] std::uint64_t pieces() const override { return launch_ ? launch_->pieces() : kPiecesLater; }
  [[nodiscard]] std::uint64_t grain() const override { return launch_ ? launch_->grain() : 1; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return launch_ ? launch_->piece_ns() : 0; }
  [[nodiscard]] bool ordered() const override { return launch_ && launch_->ordered(); }
  [[nodiscard]] std::uint64_t stack_bytes() const override {
    return launch_ ? launch_->stack_bytes() : Work::stack_bytes();
  }
  void measured(std::uint64_t ns) const noexcept override { launch_->measured(ns); }
  cl_int run(Worker& worker, std::uint64_t first, std::uint64_t last) const noexcept override {
    return launch_->run(worker, first, last);
  }
  [[nodiscard]] Imported imported() const noexcept override { return launch_ ? launch_->imported() : Imported::none; }
  [[nodiscard]] bool stoppable() const override { return true; }
  [[nodiscard]] bool has_children() const override { return launch_ && launch_->has_children(); }
  void finish(const Event* command) const noexcept override {
    if (launch_) launch_->finish(command);
  }
  [[nodiscard]] WorkFacts facts() const noexcept override {
    if (const auto* launch = dynamic_cast<const Described*>(launch_.get())) return launch->facts();
    return {.name = kernel_->info().name, .global = range_.global, .local = range_.local.value_or(Sizes())};
  }

 private:
  [[nodiscard]] cl_int complete_launch() const;

  Ref<Kernel> kernel_;
  Queue& queue_;  ///< the command keeps it
  NdRange range_;
  mutable LaunchArgs args_;
  mutable WorkPtr launch_;
};

cl_int Awaited::complete() const noexcept try {
  const cl_int status = complete_launch();
  if (status == CL_SUCCESS) return status;
  queue_.note_late_error(status);
  if (const std::string fault = kernel_->take_code_fault(queue_.device()); !fault.empty())
    queue_.context().report("no code for kernel " + kernel_->info().name + ": " + fault);
  return status;
} catch (const std::exception& error) {
  log_line(Channel::build, "a launch that waited for its code: %s", error.what());
  queue_.note_late_error(CL_OUT_OF_HOST_MEMORY);
  return CL_OUT_OF_HOST_MEMORY;
}

cl_int Awaited::complete_launch() const {
  const Device& device = queue_.device();
  if (kernel_->code(device) == nullptr) return CL_OUT_OF_RESOURCES;
  CheckedRange checked{range_};
  if (range_.local.has_value()) {
    checked.local = *range_.local;
  } else {
    auto chosen = check_range(*kernel_, device, range_);
    if (!chosen) return chosen.error().code;
    checked = chosen.value();
  }
  kernel_->lay_out_local_memory(args_);
  auto launch = make_launch(*kernel_, device, checked, std::move(args_));
  if (!launch) return launch.error().code;
  launch_ = std::move(launch).value();
  return CL_SUCCESS;
}

}  // namespace

Result<std::optional<AwaitedLaunch>> make_awaited_launch(Kernel& kernel, Queue& queue, const NdRange& range) {
  using Made = std::optional<AwaitedLaunch>;
  const Device& device = queue.device();
  LaunchArgs args;
  if (const cl_int status = kernel.snapshot(args); status != CL_SUCCESS) return Error{status, "arguments"};
  if (!is_certain(kernel, device, range, args)) return Made();
  auto event = UserEvent::create(kernel.context(), CL_COMMAND_USER, UserEvent::EndedBy::driver);
  if (!event) return event.error();
  const Ref<UserEvent> code = without_application(std::move(event).value());
  std::unique_ptr<Awaited> work(new (std::nothrow) Awaited(kernel.copy(), queue, range, std::move(args)));
  if (work == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "launch"};
  if (!kernel.tell_of_code(device, code)) return Made();
  return Made(AwaitedLaunch{WorkPtr(std::move(work)), Ref<Event>(*code)});
}

}  // namespace lanewise
