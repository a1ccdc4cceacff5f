// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/ndrange.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

#include "runtime/exec/print.h"
#include "runtime/exec/queue.h"
#include "runtime/exec/scratch_layout.h"
#include "runtime/exec/worker.h"
#include "runtime/kernel/kernel.h"
#include "runtime/launch/device_services.h"
#include "runtime/launch/verify.h"
#include "runtime/object/pool.h"
#include "runtime/tier/late_code.h"
#include "runtime/tier/launch_cost.h"
#include "runtime/tier/private_copies.h"
#include "src/base/clock.h"

namespace lanewise {

namespace {

/// A launch may have this many work-groups; more would run for years.
constexpr std::uint64_t kMostGroups = std::uint64_t{1} << 60;

/// An estimate for the stack of a range function: kFrameBytes for spilled registers and calls, and the private memory
/// of kFrameLanes work-items.
constexpr std::uint64_t kFrameBytes = std::uint64_t{96} * 1024;
constexpr std::uint64_t kFrameLanes = 16;

/// A range function and the scratch memory that it needs.
struct LaunchCode {
  lanewise_range_fn* run = nullptr;
  std::uint64_t item_scratch = 0;  ///< bytes for all work-items of a group
  std::uint64_t group_scratch = 0;

  static LaunchCode of(const SpecialCode& code, std::uint64_t items) {
    return {code.run, saturating_product(code.item_bytes, items), code.group_bytes};
  }
};

/// For a launch whose code exists in two forms: how they are compared. One of `contest` and `few` is set.
struct Rivals {
  Contest* contest = nullptr;  ///< chunks of the launch run either form in turn
  LaunchCode scalar;
  FewItems::Launches* few = nullptr;  ///< the whole launch runs `form`, and its time is stored here
  Form form = Form::lanes;
  double duration = 0;  ///< wall-clock time of the launch as a fraction of its time summed over all threads

  /// Runs a chunk of so many groups, for `contest`: `run` takes the code, `lanes` or the other one.
  template <class Run>
  [[nodiscard]] cl_int run_chunk(const LaunchCode& lanes, std::uint64_t groups, const Run& run) const {
    // A recorded launch may run again after the contest has been decided.
    if (const Contest::Verdict verdict = contest->verdict(); verdict != Contest::Verdict::open)
      return run(verdict == Contest::Verdict::scalar ? scalar : lanes);
    const Form next = contest->next();
    const std::uint64_t start = now_ns();
    const cl_int status = run(next == Form::scalar ? scalar : lanes);
    contest->book(next, groups, now_ns() - start);
    return status;
  }
};

/// Random and not a counter, because launches of several kernels may alternate.
std::uint32_t next_random() {
  constinit thread_local std::uint64_t state = 1;
  state = state * 6364136223846793005U + 1442695040888963407U;
  return static_cast<std::uint32_t>(state >> 33U);
}

std::unique_ptr<Rivals> rivals_of(const SpecialForms& special, Lanes lanes, std::uint64_t groups, std::uint64_t items) {
  auto rivals = std::make_unique<Rivals>();
  SpecialCode::Rivalry& rivalry = *special.scalar->rivalry;
  if (lanes == Lanes::all) {
    rivals->contest = &rivalry.contest;
    rivals->scalar = LaunchCode::of(*special.scalar, items);
  } else {
    rivals->few = &rivalry.few_items.of(groups);
    rivals->form = rivals->few->next(next_random());
  }
  return rivals;
}

/// How many groups the code runs at once, from the work-items of a row (NDRangeShape::row_items).
std::uint64_t groups_of_row(std::uint64_t row_items, const lanewise_launch& launch) {
  if (row_items <= 1) return 1;
  return std::min(row_items / std::gcd(row_items, launch.local_size[0]), launch.group_count[0]);
}

Lanes lanes_of(const lanewise_launch& launch, const abi::KernelInfo& info) {
  if (info.shape.row_items <= 1) return Lanes::fixed;
  return launch.group_count[0] * launch.local_size[0] < info.shape.row_items ? Lanes::few : Lanes::all;
}

/// LaunchClass::team_groups of a launch with so many groups in x.
std::uint32_t team_groups_of(const Kernel& kernel, std::uint64_t groups, std::uint64_t threads) {
  const abi::KernelInfo& info = kernel.info();
  // Groups that run as rows or squares have better, and those of the other kernels may not run together.
  if (info.shape.row_items != 0 || info.shape.any_local_size || info.accumulates || info.uses_print || info.enqueues)
    return 0;
  // Zeroed local memory is that of one group.
  return kernel.context().zeroes_local() ? 0 : groups_of_teams(groups, threads);
}

/// Whether SpecialCode may be used for the launch: no offset, uniform groups, sizes below 2^31.
bool is_plain(const lanewise_launch& launch) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31U;
  for (unsigned i = 0; i < 3; ++i) {
    if (launch.global_offset[i] != 0 || launch.global_size[i] >= kMost ||
        launch.group_count[i] * launch.local_size[i] != launch.global_size[i])
      return false;
  }
  return true;
}

/// Bytes that have been taken from the budget of a queue.
class Charge {
 public:
  Charge() = default;
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  ~Charge() {
    if (bytes_ != 0) [[unlikely]]
      payer_->budget()->give(bytes_);
  }
  /// Once. False: there is not so much left.
  [[nodiscard]] bool take(Queue& payer, std::uint64_t bytes) {
    if (!payer.budget()->take(bytes)) return false;
    payer_ = Ref<Queue>(payer);
    bytes_ = bytes;
    return true;
  }

 private:
  Ref<Queue> payer_;
  std::uint64_t bytes_ = 0;
};

/// How a launch is divided.
struct Shape {
  std::uint64_t groups = 0;
  std::uint64_t items = 0;  ///< of a full group
  std::uint64_t grain = 1;
};

/// What its context asks for.
struct Rules {
  bool zero_local = false;             ///< local memory is zeroed before each work-group
  Termination* termination = nullptr;  ///< if it can be terminated
};

/// The work-groups of a chunk with private copies, which a launch may use if there is code for them; 0: it may not.
std::uint64_t grain_of_copies(const Kernel& kernel, const LaunchArgs& args, const Shape& shape, std::uint64_t threads) {
  if (!kernel.info().accumulates) [[likely]]
    return 0;
  // A kernel that is stopped in the middle would not bring its sums.
  if (kernel.context().termination() != nullptr) return 0;
  return PrivateCopies::grain_of(kernel.info(), {args.block.bytes(), args.memory},
                                 {.groups = shape.groups, .items = shape.items, .threads = threads});
}

class Launch final : public Work {
 public:
  Launch(Kernel& kernel, lanewise_range_fn* code) : kernel_(kernel), code_{.run = code} {}

  static void* operator new(std::size_t, const std::nothrow_t&) noexcept { return BlockPool<Launch>::take(); }
  // NOLINTNEXTLINE(misc-new-delete-overloads): launches are made with std::nothrow only.
  static void operator delete(void* memory) noexcept { BlockPool<Launch>::give(memory); }

  /// CL_SUCCESS, or why the launch cannot be. The arguments have been taken.
  cl_int fill(const Device& device, const CodeRange& range);
  [[nodiscard]] LaunchArgs& arguments() { return args_; }
  [[nodiscard]] Charge& charge() { return charge_; }

  [[nodiscard]] std::uint64_t pieces() const override { return verification_ == nullptr ? shape_.groups : 1; }
  [[nodiscard]] std::uint64_t grain() const override { return shape_.grain; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return cost_.group_ns(); }
  [[nodiscard]] bool ordered() const override { return kernel_->info().waits; }
  void measured(std::uint64_t ns) const noexcept override {
    if (verification_ != nullptr) return;
    if (rivals_ != nullptr) [[unlikely]] {
      if (rivals_->contest != nullptr) return;
      rivals_->few->book(rivals_->form, static_cast<double>(ns) * rivals_->duration);
    }
    cost_.book(ns);
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
  void finish() const noexcept override {
    if (sink_ != nullptr) sink_->flush();
  }

 private:
  cl_int run_code(const LaunchCode& code, Worker& worker, std::uint64_t first, std::uint64_t last) const;
  /// Decides which code runs, and how many groups make a piece.
  void choose_code(const Device& device, const DeviceFacts& facts, const Sizes& local);

  Ref<Kernel> kernel_;  ///< not changed, but its code stays loaded
  LaunchCode code_;
  std::unique_ptr<Rivals> rivals_;
  mutable LateCode late_;
  std::unique_ptr<PrivateCopies> copies_;  ///< that the code works on; null: none
  lanewise_launch launch_{};
  LaunchArgs args_;
  Shape shape_;
  LaunchCost cost_;
  Rules rules_;
  std::unique_ptr<PrintSink> sink_;
  std::unique_ptr<Verification> verification_;  ///< LANEWISE_VERIFY; the launch is then one piece
  Charge charge_;                               ///< of a block
};

cl_int Launch::fill(const Device& device, const CodeRange& range) {
  const std::span<std::byte> variables = kernel_->variables(device);
  if (!variables.empty()) args_.block.set_address(kernel_->info().variables_offset, variables.data());
  // API 5.10: the offset of a sub-buffer must be aligned for the device that uses it.
  const DeviceFacts& facts = device.facts();
  const std::size_t align = facts.mem_base_align_bits / 8;
  for (std::size_t i = 0; i < args_.memory.size(); ++i) {
    const MemObject& object = args_.memory[i];
    if (object.parent() != nullptr && object.origin() % align != 0) return CL_MISALIGNED_SUB_BUFFER_OFFSET;
  }
  if (args_.local_bytes > facts.local_mem_size) return CL_OUT_OF_RESOURCES;

  Sizes counts{};
  for (unsigned i = 0; i < 3; ++i) {
    launch_.global_offset[i] = range.offset[i];
    launch_.global_size[i] = range.global[i];
    launch_.local_size[i] = range.local[i];
    counts[i] = (range.global[i] - 1) / range.local[i] + 1;
    launch_.group_count[i] = counts[i];
  }
  launch_.work_dim = range.dims;
  shape_.groups = product_of(counts);
  if (shape_.groups > kMostGroups) return CL_OUT_OF_RESOURCES;

  shape_.items = product_of(range.local);
  choose_code(device, facts, range.local);
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

void Launch::choose_code(const Device& device, const DeviceFacts& facts, const Sizes& local) {
  const abi::KernelInfo& info = kernel_->info();
  const std::uint64_t threads = facts.compute_units;
  const Lanes lanes = lanes_of(launch_, info);
  cost_.set(kernel_->identity(device), shape_.items, shape_.groups, lanes == Lanes::few);
  SpecialForms special;
  std::uint64_t copies_grain = 0;
  if (is_plain(launch_)) {
    copies_grain = grain_of_copies(*kernel_, args_, shape_, threads);
    const LaunchClass launch_class{.arguments = kernel_->class_of(args_),
                                   .team_groups = team_groups_of(*kernel_, launch_.group_count[0], threads)};
    const Tiers::Place place = kernel_->place(device, local, launch_class);
    special = place.forms(cost_.full_ns(), {.lanes = lanes, .may_use_copies = copies_grain != 0});
    if (special.best == nullptr && special.scalar == nullptr && special.copies == nullptr)
      late_.wait_for(place, cost_.full_ns() != 0);
  }
  if (special.copies != nullptr) [[unlikely]] {
    special.best = special.copies;
    copies_ = std::make_unique<PrivateCopies>(info, PrivateCopies::Arguments{args_.block.bytes(), args_.memory});
    cost_.set_copies();
  }
  if (special.scalar != nullptr) [[unlikely]] {
    rivals_ = rivals_of(special, lanes, shape_.groups, shape_.items);
    if (rivals_->form == Form::scalar) {
      special.best = special.scalar;
      cost_.set_scalar();
    }
  }
  std::uint64_t row_items = info.shape.row_items;
  if (special.best != nullptr) {
    code_ = LaunchCode::of(*special.best, shape_.items);
    row_items = special.best->row_items;
  } else {
    code_ = {code_.run, saturating_product(info.item_bytes, shape_.items), info.group_bytes};
  }
  shape_.grain = cost_.grain(groups_of_row(row_items, launch_), threads);
  if (copies_ != nullptr) [[unlikely]] {
    code_.group_scratch = copies_->lie_behind(code_.group_scratch);
    shape_.grain = (copies_grain + shape_.grain - 1) / shape_.grain * shape_.grain;
  }
  if (rivals_ != nullptr) [[unlikely]] {
    const std::uint64_t pieces = (shape_.groups + shape_.grain - 1) / shape_.grain;
    const std::uint64_t in_turn = (pieces + threads - 1) / threads;  // on the thread that runs most of them
    rivals_->duration = static_cast<double>(in_turn) / static_cast<double>(pieces);
  }
}

cl_int Launch::run(Worker& worker, std::uint64_t first, std::uint64_t last) const noexcept {
  worker.set_sink(sink_.get());
  if (kernel_->info().enqueues) [[unlikely]] {
    worker.enqueueing().kernel = kernel_.get();
    worker.abi().services = &device_services();
  }
  const KernelFloatEnvironment environment;
  const auto run = [&](const LaunchCode& code) { return run_code(code, worker, first, last); };
  if (rivals_ != nullptr && rivals_->contest != nullptr) [[unlikely]]
    return rivals_->run_chunk(code_, last - first, run);
  // A launch that is one chunk is short.
  if (!late_.is_awaited() || last - first == shape_.groups) return run(code_);
  if (const SpecialCode* late = late_.code()) return run(LaunchCode::of(*late, shape_.items));
  const std::uint64_t start = now_ns();
  const cl_int status = run(code_);
  late_.book(now_ns() - start);
  return status;
}

cl_int Launch::run_code(const LaunchCode& code, Worker& worker, std::uint64_t first, std::uint64_t last) const {
  if (!worker.reserve(args_.local_bytes, code.item_scratch, code.group_scratch)) return CL_OUT_OF_RESOURCES;
  if (verification_ != nullptr) [[unlikely]]
    return verification_->run(worker, {launch_, args_, shape_.groups, shape_.items, code.run, code.item_scratch,
                                       code.group_scratch, copies_.get()});
  const std::byte* block = args_.block.data();
  if (copies_ != nullptr) [[unlikely]]
    block = copies_->begin(worker, args_.block.bytes());
  const auto run_groups = [&](std::uint64_t from, std::uint64_t to) -> cl_int {
    if (rules_.termination != nullptr) [[unlikely]]
      return rules_.termination->run(code.run, launch_, block, worker.abi(), from, to) ? CL_SUCCESS
                                                                                       : CL_CONTEXT_TERMINATED_KHR;
    code.run(&launch_, block, &worker.abi(), from, to);
    return CL_SUCCESS;
  };
  cl_int status = CL_SUCCESS;
  if (!rules_.zero_local) [[likely]] {
    status = run_groups(first, last);
  } else {
    for (std::uint64_t group = first; group < last && status == CL_SUCCESS; ++group) {
      std::memset(worker.abi().local_memory, 0, args_.local_bytes);
      status = run_groups(group, group + 1);
    }
  }
  if (copies_ != nullptr) [[unlikely]]
    copies_->end(worker);
  return status;
}

/// The values of a block, whose kernel `info` describes, as the arguments of its launch.
cl_int take_arguments(Launch& launch, const abi::KernelInfo& info, const BlockArguments& arguments) {
  if (info.args.size() != arguments.local.size() + 1) return CL_INVALID_KERNEL_ARGS;
  const std::uint64_t align = std::max<std::uint64_t>(arguments.literal_align, 8);
  const std::uint64_t literal_at = (info.args_bytes + align - 1) / align * align;
  const std::uint64_t bytes = literal_at + arguments.literal.size();
  const std::uint64_t taken = sizeof(Launch) + bytes;
  if (!launch.charge().take(*arguments.queue, taken)) return enqueue_error::device_queue_full;
  LaunchArgs& args = launch.arguments();
  std::byte* block = args.block.reset(bytes, align);
  std::memcpy(block + literal_at, arguments.literal.data(), arguments.literal.size());
  args.block.set_address(info.args.front().offset, block + literal_at);
  std::uint64_t end = info.local_bytes;
  for (std::size_t i = 0; i < arguments.local.size(); ++i) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    if (arguments.local[i] == 0) return CL_INVALID_ARG_SIZE;
    if (arguments.local[i] > kMost) return CL_OUT_OF_RESOURCES;
    const std::uint64_t offset = align_scratch(end);
    std::memcpy(block + info.args[i + 1].offset, &offset, sizeof offset);
    end = offset + arguments.local[i];
  }
  args.local_bytes = end;
  return CL_SUCCESS;
}

/// The common part. `take_arguments` gives a launch its arguments.
template <class TakeArguments>
Result<WorkPtr> make(Kernel& kernel, const Device& device, const CheckedRange& range, TakeArguments&& take_arguments) {
  lanewise_range_fn* code = kernel.code(device);
  if (code == nullptr) return Error{CL_INVALID_PROGRAM_EXECUTABLE, "no executable for the device"};
  std::unique_ptr<Launch> launch(new (std::nothrow) Launch(kernel, code));
  if (launch == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "launch"};
  try {
    cl_int status = take_arguments(*launch);
    if (status == CL_SUCCESS) status = launch->fill(device, range_in_code(kernel, device, range));
    if (status != CL_SUCCESS) return Error{status, "launch"};
  } catch (const std::bad_alloc&) {
    return Error{CL_OUT_OF_HOST_MEMORY, "launch"};
  }
  return WorkPtr(std::move(launch));
}

}  // namespace

Result<WorkPtr> make_launch(Kernel& kernel, const Device& device, const CheckedRange& range) {
  return make(kernel, device, range, [&](Launch& launch) { return kernel.snapshot(launch.arguments()); });
}

Result<WorkPtr> make_block_launch(Kernel& block, const Device& device, const CheckedRange& range,
                                  const BlockArguments& arguments) {
  return make(block, device, range, [&](Launch& launch) { return take_arguments(launch, block.info(), arguments); });
}

}  // namespace lanewise
