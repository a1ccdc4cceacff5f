// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/ndrange.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "runtime/check/known_memory.h"
#include "runtime/check/launch_checks.h"
#include "runtime/exec/described.h"
#include "runtime/exec/queue.h"
#include "runtime/exec/worker.h"
#include "runtime/kernel/kernel.h"
#include "runtime/launch/bounds.h"
#include "runtime/launch/code_choice.h"
#include "runtime/launch/device_services.h"
#include "runtime/launch/launch_text.h"
#include "runtime/launch/verify.h"
#include "runtime/object/pool.h"
#include "runtime/printf/sink.h"
#include "runtime/process/crash_report.h"
#include "runtime/trace/trace.h"
#include "src/base/rounding.h"
#include "src/config/config.h"

namespace lanewise {

namespace {

/// A launch may have this many work-groups; more would run for years.
constexpr std::uint64_t kMostGroups = std::uint64_t{1} << 60;

/// An estimate for the stack of a range function: kFrameBytes for spilled registers and calls, and the private memory
/// of kFrameLanes work-items.
constexpr std::uint64_t kFrameBytes = std::uint64_t{96} * 1024;
constexpr std::uint64_t kFrameLanes = 16;

/// What the context of a launch asks for.
struct Rules {
  bool zero_local = false;             ///< local memory is zeroed before each work-group
  Termination* termination = nullptr;  ///< if it can be terminated
};

/// Runs ranges of work-groups with the code that was chosen, and reports their end.
class Launch final : public Work, public Described {
 public:
  explicit Launch(Kernel& kernel) : kernel_(kernel) {}
  Launch(Kernel& kernel, LaunchArgs args) : kernel_(kernel), args_(std::move(args)) {}

  static void* operator new(std::size_t, const std::nothrow_t&) noexcept { return BlockPool<Launch>::take(); }
  // NOLINTNEXTLINE(misc-new-delete-overloads): launches are made with std::nothrow only.
  static void operator delete(void* memory) noexcept { BlockPool<Launch>::give(memory); }

  /// CL_SUCCESS, or why the launch cannot be. The arguments have been taken.
  cl_int fill(const Device& device, const CodeRange& range);
  [[nodiscard]] LaunchArgs& arguments() { return args_; }
  [[nodiscard]] Charge& charge() { return charge_; }

  [[nodiscard]] std::uint64_t pieces() const override { return verification_ == nullptr ? groups_ : 1; }
  [[nodiscard]] std::uint64_t grain() const override { return code_.grain(); }
  [[nodiscard]] std::uint64_t piece_ns() const override { return code_.group_ns(); }
  [[nodiscard]] bool ordered() const override { return kernel_->info().waits; }
  void measured(std::uint64_t ns) const noexcept override {
    if (verification_ == nullptr) code_.measured(ns);
  }
  [[nodiscard]] std::uint64_t stack_bytes() const override {
    return kFrameBytes + kFrameLanes * kernel_->info().private_bytes;
  }
  cl_int run(Worker& worker, std::uint64_t first, std::uint64_t last) const noexcept override;
  /// Kernels reach more than their arguments, by pointers to the application's memory.
  [[nodiscard]] Imported imported() const noexcept override {
    Imported worst = Imported::unknown;
    for (std::size_t i = 0; i < args_.memory.size(); ++i) worst = worse(worst, imported_at(args_.memory[i].data()));
    return worst;
  }
  [[nodiscard]] bool stoppable() const override { return true; }
  [[nodiscard]] bool has_children() const override { return kernel_->info().enqueues; }
  void finish(const Event* command) const noexcept override {
    if (sink_ != nullptr) sink_->flush();
    if (checks_ != nullptr) [[unlikely]]
      checks_->finish(command);
  }
  [[nodiscard]] WorkFacts facts() const noexcept override;

 private:
  cl_int run_code(const LaunchCode& code, Worker& worker, std::uint64_t first, std::uint64_t last) const;
  /// LANEWISE_CHECK=init: what is written to local memory is noted for each group.
  [[nodiscard]] bool watches_local() const {
    return checks_ != nullptr && (config().check.kinds & check::init) != 0 && args_.local_bytes != 0;
  }
  [[nodiscard]] check::LaunchChecks::CheckedLaunch launch_checks(std::span<std::byte> variables) const {
    return {.info = kernel_->info(),
            .sizes = launch_,
            .local_bytes = args_.local_bytes,
            .bounds = bounds_of(*kernel_, args_),
            .variables = {{reinterpret_cast<std::uintptr_t>(variables.data()), variables.size(), variables.size()}}};
  }
  /// Runs groups in small steps: each with zeroed local memory, or noted for reports of crashes.
  template <class RunGroups>
  cl_int run_in_steps(const LaunchCode& code, Worker& worker, std::uint64_t first, std::uint64_t last,
                      const RunGroups& run_groups) const;

  Ref<Kernel> kernel_;  ///< not changed, but its code stays loaded
  lanewise_launch launch_{};
  LaunchArgs args_;
  std::uint64_t groups_ = 0;
  std::uint64_t items_ = 0;  ///< of a full group
  CodeChoice code_;
  Rules rules_;
  std::unique_ptr<PrintSink> sink_;
  std::unique_ptr<Verification> verification_;   ///< LANEWISE_VERIFY; the launch is then one piece
  Charge charge_;                                ///< of a block
  std::unique_ptr<check::LaunchChecks> checks_;  ///< LANEWISE_CHECK
};

cl_int Launch::fill(const Device& device, const CodeRange& range) {
  const std::span<std::byte> variables = kernel_->variables(device);
  if (!variables.empty()) args_.block.set_address(kernel_->info().variables_offset, variables.data());
  if (const cl_int status = check_arguments(args_, device); status != CL_SUCCESS) return status;

  Sizes counts{};
  for (unsigned i = 0; i < 3; ++i) {
    launch_.global_offset[i] = range.offset[i];
    launch_.global_size[i] = range.global[i];
    launch_.local_size[i] = range.local[i];
    counts[i] = divide_up(range.global[i], range.local[i]);
    launch_.group_count[i] = counts[i];
  }
  launch_.work_dim = range.dims;
  groups_ = product_of(counts);
  if (groups_ > kMostGroups) return CL_OUT_OF_RESOURCES;

  items_ = product_of(range.local);
  code_.make({*kernel_, device, launch_, args_, groups_, items_});
  if (check::on()) [[unlikely]]
    checks_ = std::make_unique<check::LaunchChecks>(launch_checks(variables));
  if (kernel_->info().uses_print) sink_ = std::make_unique<PrintSink>();
  rules_.termination = kernel_->context().termination();
  // The results of kernels that may be stopped in the middle cannot be compared.
  rules_.zero_local = kernel_->context().zeroes_local() && args_.local_bytes != 0;
  // What is enqueued twice is not the same, and what a block may write is not known.
  const bool twice = !kernel_->info().enqueues && kernel_->info().block == 0;
  if (const auto scalar = kernel_->scalar_form(device);
      scalar && twice && rules_.termination == nullptr && !rules_.zero_local)
    verification_ = std::make_unique<Verification>(*kernel_, *scalar, variables);
  return CL_SUCCESS;
}

cl_int Launch::run(Worker& worker, std::uint64_t first, std::uint64_t last) const noexcept {
  worker.set_sink(sink_.get());
  if (kernel_->info().enqueues) [[unlikely]] {
    worker.enqueueing().kernel = kernel_.get();
    worker.abi().services = &device_services();
  }
  if (checks_ != nullptr || worker.checks() != nullptr) [[unlikely]] {
    worker.set_checks(checks_.get());
    worker.records().use(checks_ == nullptr ? nullptr : checks_->records_of(worker.running()));
  }
  const KernelFloatEnvironment environment;
  const cl_int status =
      code_.run_chunk(last - first, [&](const LaunchCode& code) { return run_code(code, worker, first, last); });
  const bool fails = checks_ != nullptr && config().check.fatal && checks_->found();
  if (!fails || status != CL_SUCCESS) return status;
  if (Queue* queue = worker.running()->queue()) queue->note_late_error(CL_OUT_OF_RESOURCES);
  return CL_OUT_OF_RESOURCES;
}

WorkFacts Launch::facts() const noexcept {
  WorkFacts facts{.name = kernel_->info().name};
  for (unsigned i = 0; i < 3; ++i) {
    facts.global[i] = launch_.global_size[i];
    facts.local[i] = launch_.local_size[i];
  }
  for (std::size_t i = 0; i < args_.memory.size(); ++i) facts.bytes += args_.memory[i].size();
  facts.operations = saturating_product(kernel_->info().instructions.item, product_of(facts.global));
  return facts;
}

template <class RunGroups>
cl_int Launch::run_in_steps(const LaunchCode& code, Worker& worker, std::uint64_t first, std::uint64_t last,
                            const RunGroups& run_groups) const {
  const std::string text = reports_crashes() ? launch_text(*kernel_, launch_, args_) : std::string();
  std::optional<RunsKernel> running;
  if (reports_crashes()) running.emplace(text.c_str(), reinterpret_cast<const void*>(code.run));
  // Code may be for whole rows or teams of groups, which the grain respects.
  const std::uint64_t step = rules_.zero_local || watches_local() ? 1 : grain();
  for (std::uint64_t group = first; group < last; group += step) {
    const std::uint64_t end = std::min(group + step, last);
    if (rules_.zero_local) std::memset(worker.abi().local_memory, 0, args_.local_bytes);
    if (watches_local()) worker.forget_local_memory();
    if (running) running->at(group, end);
    if (const cl_int status = run_groups(group, end); status != CL_SUCCESS) return status;
  }
  return CL_SUCCESS;
}

cl_int Launch::run_code(const LaunchCode& code, Worker& worker, std::uint64_t first, std::uint64_t last) const {
  const std::uint64_t local_bytes = args_.local_bytes * code.local_copies;
  if (!worker.reserve(local_bytes, code.item_scratch, code.group_scratch)) return CL_OUT_OF_RESOURCES;
  if (checks_ != nullptr && !worker.begin_checks(local_bytes)) [[unlikely]]
    return CL_OUT_OF_RESOURCES;
  if (verification_ != nullptr) [[unlikely]]
    return verification_->run(worker, {launch_, args_, groups_, items_, code.run, local_bytes, code.item_scratch,
                                       code.group_scratch, code_.copies()});
  const std::byte* block = args_.block.data();
  const PrivateCopies* copies = code_.copies();
  if (copies != nullptr) [[unlikely]]
    block = copies->begin(worker, args_.block.bytes());
  const auto run_groups = [&](std::uint64_t from, std::uint64_t to) -> cl_int {
    if (rules_.termination != nullptr) [[unlikely]]
      return rules_.termination->run(code.run, launch_, block, worker.abi(), from, to) ? CL_SUCCESS
                                                                                       : CL_CONTEXT_TERMINATED_KHR;
    code.run(&launch_, block, &worker.abi(), from, to);
    return CL_SUCCESS;
  };
  if (trace::on()) [[unlikely]]
    trace::set_code(code_.name_of(code));
  const bool in_steps = rules_.zero_local || reports_crashes() || watches_local();
  const cl_int status = in_steps ? run_in_steps(code, worker, first, last, run_groups) : run_groups(first, last);
  if (copies != nullptr) [[unlikely]]
    copies->end(worker);
  return status;
}

/// The common part: completes a launch, to which `take_arguments` gives its arguments.
template <class TakeArguments>
Result<WorkPtr> complete(std::unique_ptr<Launch> launch, Kernel& kernel, const Device& device,
                         const CheckedRange& range, TakeArguments&& take_arguments) {
  if (launch == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "launch"};
  if (kernel.code(device) == nullptr) return Error{CL_INVALID_PROGRAM_EXECUTABLE, "no executable for the device"};
  try {
    cl_int status = take_arguments(*launch);
    if (status == CL_SUCCESS) status = launch->fill(device, range_in_code(kernel, device, range));
    if (status != CL_SUCCESS) return Error{status, "launch"};
  } catch (const std::bad_alloc&) {
    return Error{CL_OUT_OF_HOST_MEMORY, "launch"};
  }
  return WorkPtr(std::move(launch));
}

template <class... Args>
std::unique_ptr<Launch> new_launch(Args&&... args) {
  return std::unique_ptr<Launch>(new (std::nothrow) Launch(std::forward<Args>(args)...));
}

}  // namespace

cl_int check_arguments(const LaunchArgs& args, const Device& device) {
  // API 5.10: the offset of a sub-buffer must be aligned for the device that uses it.
  const DeviceFacts& facts = device.facts();
  const std::size_t align = facts.mem_base_align_bits / 8;
  for (std::size_t i = 0; i < args.memory.size(); ++i) {
    const MemObject& object = args.memory[i];
    if (object.parent() != nullptr && object.origin() % align != 0) return CL_MISALIGNED_SUB_BUFFER_OFFSET;
  }
  return args.local_bytes > facts.local_mem_size ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

Result<WorkPtr> make_launch(Kernel& kernel, const Device& device, const CheckedRange& range) {
  return complete(new_launch(kernel), kernel, device, range,
                  [&](Launch& launch) { return kernel.snapshot(launch.arguments()); });
}

Result<WorkPtr> make_launch(Kernel& kernel, const Device& device, const CheckedRange& range, LaunchArgs args) {
  return complete(new_launch(kernel, std::move(args)), kernel, device, range,
                  [](const Launch& /*launch*/) { return CL_SUCCESS; });
}

Result<WorkPtr> make_block_launch(Kernel& block, const Device& device, const CheckedRange& range,
                                  const BlockArguments& arguments) {
  return complete(new_launch(block), block, device, range, [&](Launch& launch) {
    return take_arguments(block.info(), arguments, sizeof(Launch), launch.charge(), launch.arguments());
  });
}

}  // namespace lanewise
