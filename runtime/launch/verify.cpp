// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/verify.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/exec/worker.h"
#include "runtime/printf/sink.h"
#include "runtime/process/callback_thread.h"
#include "runtime/tier/private_copies.h"
#include "src/base/mutex.h"
#include "src/log/log.h"

namespace lanewise {

namespace {

/// Used in place of an argument's number for the program's variables.
constexpr std::size_t kVariables = ~std::size_t{0};

/// The memory of one pointer argument, and copies of it.
struct VerifiedMemory {
  std::size_t argument;
  std::byte* data;
  std::size_t size;
  std::vector<std::byte> before;
  std::vector<std::byte> scalar;  ///< what the scalar form left

  void restore() const {
    // Most of it is usually unchanged; memory that others may be reading is not written needlessly.
    constexpr std::size_t kPart = 4096;
    for (std::size_t at = 0; at < size; at += kPart) {
      const std::size_t part = std::min(kPart, size - at);
      if (std::memcmp(data + at, before.data() + at, part) != 0) std::memcpy(data + at, before.data() + at, part);
    }
  }
};

/// Where a pointer argument points to; size 0 if that is not known.
std::pair<std::byte*, std::size_t> target_of(const Kernel& kernel, const LaunchArgs& args, std::size_t argument) {
  std::byte* address = nullptr;
  std::memcpy(&address, args.block.data() + kernel.info().args[argument].offset, sizeof address);
  if (address == nullptr) return {};
  if (kernel.info().args[argument].kind == abi::ArgKind::image) {
    for (std::size_t i = 0; i < args.memory.size(); ++i) {
      const MemObject& object = args.memory[i];
      if (object.image() != nullptr && static_cast<const void*>(object.image()->description.get()) == address)
        return {object.data(), object.size()};
    }
    return {};
  }
  for (std::size_t i = 0; i < args.memory.size(); ++i)
    if (args.memory[i].data() == address) return {address, args.memory[i].size()};
  const auto allocation = kernel.context().allocations().find(address);
  if (!allocation) return {};
  return {address, allocation->left(address)};
}

std::vector<VerifiedMemory> targets_of(const Kernel& kernel, const LaunchArgs& args, std::span<std::byte> variables) {
  std::vector<VerifiedMemory> targets;
  const auto& infos = kernel.info().args;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].kind != abi::ArgKind::global_pointer && infos[i].kind != abi::ArgKind::constant_pointer &&
        infos[i].kind != abi::ArgKind::image && infos[i].kind != abi::ArgKind::pipe)
      continue;
    const auto [data, size] = target_of(kernel, args, i);
    if (size != 0) targets.push_back({i, data, size, {data, data + size}, {}});
  }
  if (!variables.empty())
    targets.push_back({kVariables, variables.data(), variables.size(), {variables.begin(), variables.end()}, {}});
  return targets;
}

/// Describes the two values that contain a differing byte, with their distance in ULP (counted through zero if their
/// signs differ).
template <class Float, class Bits>
std::string values_at(const VerifiedMemory& target, std::size_t byte) {
  Float values[2];
  Bits bits[2];
  const std::size_t at = byte / sizeof(Float) * sizeof(Float);
  if (at + sizeof(Float) > target.size) return {};
  std::memcpy(&values[0], target.data + at, sizeof(Float));
  std::memcpy(&values[1], target.scalar.data() + at, sizeof(Float));
  std::memcpy(bits, values, sizeof bits);
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  for (Bits& b : bits) b = (b & kSign) != 0 ? kSign - (b & ~kSign) : kSign + b;
  const Bits distance = bits[0] > bits[1] ? bits[0] - bits[1] : bits[1] - bits[0];
  char text[128];
  std::snprintf(text, sizeof text, "; as floating-point %.9g and %.9g, %llu ULP apart", static_cast<double>(values[0]),
                static_cast<double>(values[1]), static_cast<unsigned long long>(distance));
  return text;
}

std::string name_of(const Kernel& kernel, const VerifiedMemory& target) {
  if (target.argument == kVariables) return "program variables";
  const std::string& name = kernel.info().args[target.argument].name;
  return "argument " + std::to_string(target.argument) + (name.empty() ? "" : " ") + name;
}

/// Describes how the results of the two runs differ; empty if they are equal.
std::string difference(const Kernel& kernel, const VerifiedMemory& target) {
  const auto differs = [&](std::size_t i) { return target.data[i] != target.scalar[i]; };
  std::size_t first = 0;
  while (first < target.size && !differs(first)) ++first;
  if (first == target.size) return {};
  std::size_t count = 0;
  for (std::size_t i = first; i < target.size; ++i) count += differs(i) ? 1 : 0;
  char text[320];
  std::snprintf(text, sizeof text,
                "kernel %.100s, %.80s: byte %zu of %zu is 0x%02x, one work-item at a time 0x%02x; %zu bytes differ",
                kernel.info().name.c_str(), name_of(kernel, target).c_str(), first, target.size,
                std::to_integer<unsigned>(target.data[first]), std::to_integer<unsigned>(target.scalar[first]), count);
  std::string result = text;
  if (target.argument == kVariables) return result;
  const abi::ArgInfo& info = kernel.info().args[target.argument];
  if (info.type_name.starts_with("float")) result += values_at<float, std::uint32_t>(target, first);
  if (info.type_name.starts_with("double")) result += values_at<double, std::uint64_t>(target, first);
  return result;
}

/// Calls the context's error callback on the callback thread, where it may call the API.
class Report final : public CallbackJob {
 public:
  Report(Context& context, std::string text) : context_(context), text_(std::move(text)) {}
  void run() noexcept override {
    context_->notify(text_.c_str());
    delete this;
  }

 private:
  Ref<Context> context_;
  std::string text_;
};

/// From the sizes that the application gave to those that code has (NDRangeShape::first_dimension), and back.
void exchange(lanewise_launch& launch, std::uint32_t first) {
  for (auto* sizes : {&launch.global_offset, &launch.global_size, &launch.local_size, &launch.group_count})
    std::swap((*sizes)[0], (*sizes)[first]);
}

void report(const Kernel& kernel, const std::string& text) {
  log_line(Channel::verify, "%s", text.c_str());
  post_callback(*new Report(kernel.context(), "verify: " + text));
}

}  // namespace

bool Verification::run_scalar(Worker& worker, const Run& run, const Kernel::ScalarForm& form) {
  if (!worker.reserve(run.args.local_bytes, form.info->item_bytes * run.items, form.info->group_bytes)) return false;
  lanewise_launch launch = run.launch;
  exchange(launch, kernel_->info().shape.first_dimension);
  exchange(launch, form.info->shape.first_dimension);
  form.code(&launch, run.args.block.data(), &worker.abi(), 0, run.groups);
  return true;
}

bool Verification::run_ordinary(Worker& worker, const Run& run) {
  if (!worker.reserve(run.local_bytes, run.item_scratch, run.group_scratch)) return false;
  const std::byte* block =
      run.copies == nullptr ? run.args.block.data() : run.copies->begin(worker, run.args.block.bytes());
  run.code(&run.launch, block, &worker.abi(), 0, run.groups);
  if (run.copies != nullptr) run.copies->end(worker);
  return true;
}

cl_int Verification::run_both(Worker& worker, const Run& run) {
  std::vector<VerifiedMemory> targets = targets_of(*kernel_, run.args, variables_);
  PrintSink* const sink = worker.sink();
  PrintSink nowhere;
  worker.set_sink(sink == nullptr ? nullptr : &nowhere);
  const bool ran = run_scalar(worker, run, scalar_);
  worker.set_sink(sink);
  if (!ran) return CL_OUT_OF_RESOURCES;
  // All results are saved before any memory is restored, because buffers may overlap.
  for (VerifiedMemory& target : targets) target.scalar.assign(target.data, target.data + target.size);
  for (const VerifiedMemory& target : targets) target.restore();
  if (!run_ordinary(worker, run)) return CL_OUT_OF_RESOURCES;
  for (const VerifiedMemory& target : targets)
    if (const std::string text = difference(*kernel_, target); !text.empty()) report(*kernel_, text);
  return CL_SUCCESS;
}

cl_int Verification::run(Worker& worker, const Run& run) noexcept {
  // One launch at a time, because another launch might write the memory that is compared. Only threads that run
  // launches wait here, each for a launch that makes progress without them.
  static Mutex mutex;
  const MutexLock lock(mutex);
  try {
    return run_both(worker, run);
  } catch (const std::bad_alloc&) {
    log_line(Channel::verify, "kernel %s: no memory to compare with", kernel_->info().name.c_str());
    return run_ordinary(worker, run) ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
  }
}

}  // namespace lanewise
