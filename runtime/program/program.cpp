// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/program.h"

#include <algorithm>
#include <utility>

#include "include/lanewise/variable_kernels.h"
#include "runtime/exec/worker.h"
#include "runtime/process/fork_guard.h"

namespace lanewise {
namespace {

/// The place of `device` among those of a program; -1: it is none of them.
std::ptrdiff_t slot(std::span<const Ref<Device>> devices, const Device& device) {
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const auto& d) { return d.get() == &device; });
  return found == devices.end() ? -1 : found - devices.begin();
}

}  // namespace

Program::Program(Context& context, ProgramOrigin origin, std::vector<Ref<Device>> devices)
    : context_(context), origin_(origin), devices_(std::move(devices)), slots_(devices_.size()) {}

void Program::destroy() noexcept {
  std::vector<Slot> last;
  {
    const MutexLock lock(mutex_);
    last.swap(slots_);
  }
  last.clear();  // without the lock: it runs the destructors of variables
  release_callbacks_.run(handle());
  if (in_forked_child()) return;  // a callback has forked
  delete this;
  // Its kernels are gone, and with them perhaps what needed large areas.
  give_back_scratch();
}

Ref<Program> Program::from_source(Context& context, std::string source) {
  const auto devices = context.devices();
  auto program = Ref<Program>::adopt(
      new Program(context, ProgramOrigin::source, std::vector<Ref<Device>>(devices.begin(), devices.end())));
  program->source_ = std::move(source);
  return program;
}

Ref<Program> Program::from_il(Context& context, std::unique_ptr<IlSource> il) {
  const auto devices = context.devices();
  auto program = Ref<Program>::adopt(
      new Program(context, ProgramOrigin::il, std::vector<Ref<Device>>(devices.begin(), devices.end())));
  program->il_ = std::move(il);
  return program;
}

Ref<Program> Program::from_binaries(Context& context, std::vector<Ref<Device>> devices,
                                    std::vector<ArtifactPtr> binaries) {
  auto program = Ref<Program>::adopt(new Program(context, ProgramOrigin::binary, std::move(devices)));
  const MutexLock lock(program->mutex_);
  for (std::size_t i = 0; i < program->slots_.size(); ++i) {
    program->slots_[i].state.artifact = binaries[i];
    program->slots_[i].loaded = std::move(binaries[i]);
  }
  return program;
}

Ref<Program> Program::for_link(Context& context, std::vector<Ref<Device>> devices) {
  return Ref<Program>::adopt(new Program(context, ProgramOrigin::link, std::move(devices)));
}

ArtifactPtr Program::loaded(const Device& device) const {
  const auto index = slot(devices_, device);
  const MutexLock lock(mutex_);
  return index < 0 ? nullptr : slots_[index].loaded;
}

const BuildState* Program::effective(const Device& device) const {
  const BuildState* own = nullptr;
  for (const Device* at = &device; at != nullptr; at = at->parent()) {
    const auto index = slot(devices_, *at);
    if (index < 0) continue;
    const BuildState& state = slots_[index].state;
    if (own == nullptr) own = &state;
    if (state.status != CL_BUILD_NONE || state.artifact) return &state;
  }
  return own;
}

BuildState Program::state(const Device& device) const {
  const MutexLock lock(mutex_);
  const BuildState* found = effective(device);
  return found != nullptr ? *found : BuildState{};
}

ExecutablePtr Program::executable(const Device& device) const {
  const MutexLock lock(mutex_);
  const BuildState* state = effective(device);
  return state != nullptr ? state->executable : nullptr;
}

Result<VariablesPtr> Program::variables(const Device& device, const ExecutablePtr& executable) {
  if (executable->artifact->reply.variables.bytes == 0) return VariablesPtr();
  const auto index = slot(devices_, device);
  const auto existing = [&] {
    const MutexLock lock(mutex_);
    return slots_[index].variables;
  };
  VariablesPtr variables = existing();
  if (variables == nullptr) {
    auto made = ProgramVariables::create(executable);
    if (!made) return made;
    // Another thread may have been faster.
    const MutexLock lock(mutex_);
    if (slots_[index].variables == nullptr) slots_[index].variables = made.value();
    variables = slots_[index].variables;
  }
  if (const auto constructed = variables->construct(); !constructed) return constructed.error();
  return variables;
}

bool has_device(const Program& program, const Device& device) {
  const auto devices = program.devices();
  return std::any_of(devices.begin(), devices.end(), [&](const Ref<Device>& one) { return one.get() == &device; });
}

std::optional<bool> has_kernel(const Program& program, const char* name) {
  std::optional<bool> found;
  for (const auto& device : program.devices())
    if (const auto executable = program.executable(*device))
      found = found.value_or(false) || executable->artifact->find(name) >= 0;
  return found;
}

std::optional<std::vector<std::string>> kernel_names(const Program& program) {
  for (const auto& device : program.devices()) {
    const auto found = program.executable(*device);
    if (!found) continue;
    std::vector<std::string> names;
    for (const auto& kernel : found->artifact->reply.kernels)
      if (kernel.block == 0 && !is_variable_kernel(kernel.name)) names.push_back(kernel.name);
    return names;
  }
  return std::nullopt;
}

bool Program::uses_executable_of(const Device& device, std::span<Device* const> built) const {
  for (const Device* at = &device; at != nullptr; at = at->parent()) {
    if (std::find(built.begin(), built.end(), at) != built.end()) return true;
    const auto index = slot(devices_, *at);
    if (index >= 0 && slots_[index].state.artifact) return false;
  }
  return false;
}

Result<void> Program::begin(std::span<Device* const> devices, const std::string& options) {
  std::vector<BuildState> dropped;  // images and variables are unmapped after the lock is released
  dropped.reserve(devices.size());
  std::vector<VariablesPtr> forgotten(devices_.size());
  std::vector<std::string> copies(devices.size(), options);

  const MutexLock lock(mutex_);
  if (attached_kernels_ != 0) return Error{CL_INVALID_OPERATION, "kernels are attached to the program"};
  for (const Device* device : devices) {
    if (slots_[slot(devices_, *device)].state.status == CL_BUILD_IN_PROGRESS)
      return Error{CL_INVALID_OPERATION, "a build of the program has not completed"};
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    auto& state = slots_[slot(devices_, *devices[i])].state;
    dropped.push_back(std::exchange(state, {CL_BUILD_IN_PROGRESS, std::move(copies[i]), {}, nullptr}));
  }
  // This includes sub-devices that use the executable of their parent. No kernel is attached, so nothing uses them.
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (uses_executable_of(*devices_[i], devices)) forgotten[i] = std::move(slots_[i].variables);
  return {};
}

void Program::finish(const Device& device, std::string log, ArtifactPtr artifact, ExecutablePtr executable) {
  const auto index = slot(devices_, device);
  const MutexLock lock(mutex_);
  auto& state = slots_[index].state;
  state.status = artifact ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  state.log = std::move(log);
  state.artifact = std::move(artifact);
  state.executable = std::move(executable);
}

void Program::refuse(std::span<Device* const> devices, const std::string& options, const std::string& log) {
  const MutexLock lock(mutex_);
  for (const Device* device : devices) {
    BuildState& own = slots_[slot(devices_, *device)].state;
    // The state of a sub-device that uses its parent's executable stays untouched, so that it goes on to use it.
    if (effective(*device) != &own || own.status == CL_BUILD_IN_PROGRESS) continue;
    own.log = log;
    if (own.status == CL_BUILD_SUCCESS) continue;
    own.status = CL_BUILD_ERROR;
    own.options = options;
  }
}

Result<void> Program::attach_kernel() {
  const MutexLock lock(mutex_);
  // A build may have replaced the executable that the caller has seen.
  const bool usable =
      std::any_of(slots_.begin(), slots_.end(), [](const Slot& s) { return s.state.executable != nullptr; });
  if (!usable) return Error{CL_INVALID_PROGRAM_EXECUTABLE, "no executable has been built"};
  ++attached_kernels_;
  return {};
}

void Program::detach_kernel() noexcept {
  const MutexLock lock(mutex_);
  --attached_kernels_;
}

}  // namespace lanewise
