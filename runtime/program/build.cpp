// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/build.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <exception>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "include/lanewise/build_flags.h"
#include "include/lanewise/check_abi.h"
#include "runtime/code/build_cache.h"
#include "runtime/code/build_tasks.h"
#include "runtime/code/code_object_files.h"
#include "runtime/code/description.h"
#include "runtime/code/missing_capabilities.h"
#include "runtime/process/fork_guard.h"
#include "runtime/trace/programs.h"
#include "runtime/trace/trace.h"
#include "src/base/fields.h"
#include "src/base/hash.h"
#include "src/config/config.h"
#include "src/log/log.h"

namespace lanewise {

namespace {

/// One device's part of an operation, complete before the operation begins.
struct DeviceStep {
  Device* device = nullptr;
  Artifact result;       ///< type, options and traits are set; the reply comes from the request
  abi::Request request;  ///< a ping: there is nothing to be made
  ArtifactPtr loaded;    ///< a binary to open, in place of a request or if that fails
  std::string refusal;   ///< not empty: the step fails with this log, and the compiler does not run
  std::string notes;     ///< the log begins with them
};

struct Outcome {
  cl_int code = CL_SUCCESS;
  std::string log;
  ArtifactPtr artifact;
  ExecutablePtr executable = nullptr;  ///< of the artifact, if it is one
  bool refused = false;  ///< the compiler gave a program that cannot be used; the cache may have changed it
};

/// An operation on one program; shared between the call and its background task.
struct ProgramOperation {
  Ref<Program> program;
  std::vector<DeviceStep> steps;
  cl_int failure_code = CL_BUILD_PROGRAM_FAILURE;
  BuildNotify notify;
};

cl_int failure_code(OptionPhase phase) {
  switch (phase) {
    case OptionPhase::compile:
      return CL_COMPILE_PROGRAM_FAILURE;
    case OptionPhase::link:
      return CL_LINK_PROGRAM_FAILURE;
    case OptionPhase::build:
      break;
  }
  return CL_BUILD_PROGRAM_FAILURE;
}

/// Whether the failure is not the program's fault; such failures keep their own error code.
bool is_own_code(cl_int code) {
  return code == CL_OUT_OF_HOST_MEMORY || code == CL_OUT_OF_RESOURCES || code == CL_COMPILER_NOT_AVAILABLE ||
         code == CL_LINKER_NOT_AVAILABLE;
}

/// Relative include paths refer to the working directory at the time of the call. It is part of the cache key, so it is
/// set only for sources that include files.
std::string working_directory_for(const abi::Source& source, bool include_directories) {
  const auto includes = [](const std::string& text) { return text.find("include") != std::string::npos; };
  const bool needed = include_directories || includes(source.text) ||
                      std::any_of(source.options.begin(), source.options.end(), includes) ||
                      std::any_of(source.headers.begin(), source.headers.end(),
                                  [&](const abi::NamedText& h) { return includes(h.text); });
  char buffer[PATH_MAX];
  return needed && getcwd(buffer, sizeof buffer) != nullptr ? buffer : "";
}

/// When the code of executables is made: at once in modes that look at all of it or wait for it anyway.
abi::CodeTime code_time() {
  const Config& options = config();
  const bool at_once = options.build == CodeMade::all || options.check.kinds != 0 || options.verify ||
                       options.tier == Tier::second || !options.dump.empty() || log_enabled(Channel::barriers) ||
                       log_enabled(Channel::vectorize);
  return at_once ? abi::CodeTime::build : abi::CodeTime::wanted;
}

/// CodeSettings::vector_width.
std::uint32_t wanted_width() {
  return config().vectorize ? config().width.items : 1U;
}

abi::CodeSettings code_for(const Device& device, bool zero_private) {
  return {.isa = device.facts().isa,
          .debug_barriers = log_enabled(Channel::barriers) || (config().check.kinds & check::barrier) != 0,
          .vector_width = wanted_width(),
          .report_vectors = log_enabled(Channel::vectorize) || trace::on(),
          .zero_private = zero_private,
          .time = code_time(),
          .checks = config().check.kinds};
}

}  // namespace

std::string variant_of_builds() {
  const Config& options = config();
  FieldWriter fields;
  const std::uint32_t width = wanted_width();
  const bool reports = log_enabled(Channel::vectorize) || log_enabled(Channel::barriers) || trace::on();
  const bool usual = options.check.kinds == 0 && width == 0 && !reports;
  if (usual && options.build_options.empty() && options.dump.empty()) return {};
  fields(options.check.kinds, width, reports, options.build_options, options.dump);
  constexpr std::size_t kDigits = 8;
  return hash_bytes(fields.bytes()).text().substr(0, kDigits);
}

namespace {

/// LANEWISE_VERIFY: the executable made from its IR a second time, one work-item at a time. Null if that fails; its
/// launches are then not compared.
ExecutablePtr scalar_form(const Artifact& artifact, const Device& device) {
  if (!config().verify || artifact.type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) return nullptr;
  abi::Link link{.inputs = {artifact.reply.ir}, .code = code_for(device, artifact.zero_private)};
  link.code.vector_width = 1;
  link.code.report_vectors = false;
  for (const auto& run : {cached_run, run_anew}) {
    auto answer = run(link, nullptr, nullptr);
    if (!answer || answer.value().status != CL_SUCCESS) break;
    Artifact scalar;
    scalar.type = artifact.type;
    scalar.isa = link.code.isa;
    scalar.reply = std::move(answer).value();
    if (auto opened = Executable::open(std::make_shared<const Artifact>(std::move(scalar))))
      return std::move(opened).value();
  }
  log_line(Channel::verify, "no scalar form of a program: its kernels are not compared");
  return nullptr;
}

/// A line for the log if the device cannot store the program's variables; empty if it can.
std::string refused_variables(const Artifact& artifact, const Device& device) {
  const abi::VariableStorage& variables = artifact.reply.variables;
  const auto line = [](const char* what, std::uint64_t bytes, std::uint64_t limit) {
    return std::string("error: ") + what + " " + std::to_string(bytes) + " bytes; the device's limit is " +
           std::to_string(limit) + "\n";
  };
  const DeviceFacts& facts = device.facts();
  if (variables.largest > facts.max_variable_size)
    return line("a program variable in global memory takes", variables.largest, facts.max_variable_size);
  if (variables.bytes > facts.global_mem_size)
    return line("the program variables in global memory take", variables.bytes, facts.global_mem_size);
  return {};
}

/// Opens the code object of an executable for its device.
/// @param log       of the build so far; errors are appended
/// @param failure   the code if the device cannot store the program's variables
/// @param unopened  the code if the code object cannot be opened
Outcome open_executable(Artifact artifact, const Device& device, std::string log, cl_int failure, cl_int unopened) {
  const auto refuse = [&](const Error& error) {
    return Outcome{unopened, log + "error: " + error.message + "\n", nullptr, nullptr, true};
  };
  if (const auto checked = check_description(artifact.reply); !checked) return refuse(checked.error());
  if (const std::string refusal = refused_variables(artifact, device); !refusal.empty())
    return {failure, log + refusal, nullptr};
  ExecutablePtr scalar = scalar_form(artifact, device);
  auto shared = std::make_shared<const Artifact>(std::move(artifact));
  auto opened = Executable::open(shared, std::move(scalar));
  if (!opened) return refuse(opened.error());
  return {CL_SUCCESS, std::move(log), std::move(shared), std::move(opened).value()};
}

/// The source of a build with what the vectoriser said about it; of a link only that.
void keep_for_trace(const abi::Request& request, const std::vector<abi::LoopReport>& loops) {
  const auto* build = std::get_if<abi::Build>(&request);
  if (build != nullptr || !loops.empty())
    trace::keep_program(build != nullptr ? build->source.text : std::string(), abi::log_text(loops));
}

Outcome outcome_of(const DeviceStep& step, Result<abi::Reply> answer, cl_int failure) {
  if (!answer) {
    const auto& error = answer.error();
    return {is_own_code(error.code) ? error.code : failure, "error: " + error.message + "\n", nullptr};
  }
  abi::Reply& reply = answer.value();
  std::string log = std::exchange(reply.log, {});
  if (trace::on()) [[unlikely]]
    keep_for_trace(step.request, reply.loops);
  show_vectors(std::exchange(reply.loops, {}));
  if (reply.status != CL_SUCCESS) return {is_own_code(reply.status) ? reply.status : failure, std::move(log), nullptr};

  Artifact artifact = step.result;
  artifact.isa = step.device->facts().isa;
  const abi::CodeSettings* code = abi::code_settings(step.request);
  artifact.zero_private = code != nullptr && code->zero_private;
  artifact.reply = std::move(reply);
  artifact.reply.dependencies.clear();
  if (artifact.type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
    return {CL_SUCCESS, std::move(log), std::make_shared<const Artifact>(std::move(artifact))};
  return open_executable(std::move(artifact), *step.device, std::move(log), failure, failure);
}

Outcome run_compiler(const DeviceStep& step, cl_int failure) {
  Outcome outcome = outcome_of(step, cached_run(step.request), failure);
  return outcome.refused ? outcome_of(step, run_anew(step.request), failure) : outcome;
}

Outcome run_step(const DeviceStep& step, cl_int failure) {
  if (!step.refusal.empty()) return {failure, step.refusal, nullptr};
  if (!step.loaded) return run_compiler(step, failure);
  if (!std::holds_alternative<abi::Ping>(step.request)) {
    Outcome made = run_compiler(step, failure);
    if (made.code == CL_SUCCESS) return made;
  }
  Artifact artifact = *step.loaded;
  artifact.options = step.result.options;
  return open_executable(std::move(artifact), *step.device, {}, failure, CL_INVALID_BINARY);
}

/// Whether both steps give the same result. Only compared if one is for a sub-device, which uses the code of its
/// parent.
bool same_request(const DeviceStep& a, const DeviceStep& b) {
  if (a.device->parent() == nullptr && b.device->parent() == nullptr) return false;
  return a.loaded == b.loaded && a.refusal == b.refusal && abi::encode(a.request) == abi::encode(b.request);
}

/// Every device gets a result even if something fails, because its state would otherwise stay in progress forever.
cl_int run(const ProgramOperation& operation) noexcept {
  cl_int code = CL_SUCCESS;
  const DeviceStep* made_for = nullptr;
  Outcome made;
  for (const auto& step : operation.steps) {
    Outcome outcome;
    try {
      if (made_for == nullptr || !same_request(*made_for, step)) {
        made_for = nullptr;
        made = run_step(step, operation.failure_code);
        made_for = &step;
      }
      Outcome noted = made;
      noted.log.insert(0, step.notes);
      outcome = std::move(noted);
    } catch (const std::bad_alloc&) {
      outcome.code = CL_OUT_OF_HOST_MEMORY;
    } catch (const std::exception& error) {
      log_line(Channel::build, "%s", error.what());
      outcome.code = CL_OUT_OF_RESOURCES;
    }
    if (code == CL_SUCCESS) code = outcome.code;
    operation.program->finish(*step.device, std::move(outcome.log), std::move(outcome.artifact),
                              std::move(outcome.executable));
  }
  return code;
}

void run_and_notify(const ProgramOperation& operation) noexcept {
  run(operation);
  operation.notify.function(operation.program->handle(), operation.notify.user_data);
}

/// Begins an operation and runs it to its end. Returns its code; CL_SUCCESS if there is a callback. Nothing that can
/// fail is done between the beginning and the run.
Result<cl_int> execute(ProgramOperation operation, const std::vector<Device*>& devices, const std::string& options) {
  const auto shared = std::make_shared<const ProgramOperation>(std::move(operation));
  if (auto begun = shared->program->begin(devices, options); !begun) return begun.error();
  if (shared->notify.function == nullptr) return run(*shared);
  bool started = false;
  try {
    started = !in_forked_child() && run_in_background([shared] { run_and_notify(*shared); });
  } catch (const std::bad_alloc&) {
    started = false;
  }
  // The callback may be called before this call returns, so without another thread the calling thread runs the build.
  if (!started) run_and_notify(*shared);
  return CL_SUCCESS;
}

Result<void> as_error(const Result<cl_int>& executed) {
  if (!executed) return executed.error();
  if (executed.value() != CL_SUCCESS) return Error{executed.value(), "see the build log"};
  return {};
}

std::vector<Device*> devices_of(const std::vector<DeviceStep>& steps) {
  std::vector<Device*> devices;
  devices.reserve(steps.size());
  for (const auto& step : steps) devices.push_back(step.device);
  return devices;
}

/// The source text or the module of a program, for a device.
abi::Source source_of(const Program& program, const Device& device) {
  abi::Source source;
  if (const IlSource* il = program.il(); il != nullptr) {
    source.il = il->words();
    source.constants = il->constants();
  } else {
    source.text = program.source();
  }
  const auto extensions = device.compiler_extensions();
  const auto macros = device.compiler_macros();
  source.extensions.assign(extensions.begin(), extensions.end());
  source.macros.assign(macros.begin(), macros.end());
  return source;
}

/// The application's options, and behind them those of LANEWISE_BUILD_OPTIONS, which count where the two contradict.
Result<BuildOptions> all_options(std::string_view given, OptionPhase phase) {
  auto parsed = parse_options(given, phase, option_rules());
  if (!parsed || config().build_options.empty()) return parsed;
  auto extended = parse_options(std::string(given) + " " + config().build_options, phase, option_rules());
  if (!extended) return Error{extended.error().code, "LANEWISE_BUILD_OPTIONS: " + extended.error().message};
  return extended;
}

/// A compile or build of source text or SPIR-V for one device. Errors: the options are not valid.
Result<DeviceStep> source_step(const Program& program, Device& device, std::string_view options, OptionPhase phase,
                               const std::vector<abi::NamedText>& headers) {
  auto parsed = all_options(options, phase);
  if (!parsed) return parsed.error();
  BuildOptions& canonical = parsed.value();
  DeviceStep step;
  step.device = &device;
  step.refusal = std::move(canonical.refusal);
  step.notes = std::move(canonical.notes);
  step.result.type =
      phase == OptionPhase::build ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  step.result.options = options;
  step.result.traits = {canonical.kernel_arg_info, canonical.uniform_work_groups};
  abi::Source source = source_of(program, device);
  source.headers = headers;
  source.options = std::move(canonical.tokens);
  // Reports name lines.
  if (config().check.kinds != 0 && !has_flag(source.options, BuildFlag::debug_info))
    source.options.emplace_back(text_of(BuildFlag::debug_info));
  source.working_directory = working_directory_for(source, canonical.include_directories);
  if (program.il() != nullptr) {
    // -cl-std does not apply to SPIR-V: no language version is refused, and none makes work-groups uniform.
    const std::string missing = missing_capability(program.il()->words());
    step.refusal = missing.empty() ? "" : "error: SPIR-V: " + missing + "\n";
    step.result.traits.uniform_work_groups = has_flag(source.options, BuildFlag::uniform_work_group_size);
  } else if (has_flag(source.options, BuildFlag::debug_info)) {
    source.folder = CodeObjectFiles::instance().publish_sources(source);
  }
  if (phase == OptionPhase::build)
    step.request = abi::Build{std::move(source), code_for(device, program.context().zeroes_private())};
  else
    step.request = abi::Compile{std::move(source), log_enabled(Channel::vectorize) || trace::on()};
  return step;
}

/// API 5.8.5: if a name is given twice, its first header is used.
std::vector<abi::NamedText> first_of_each_name(std::vector<abi::NamedText> headers) {
  std::vector<abi::NamedText> unique;
  for (auto& header : headers) {
    const auto same = [&](const abi::NamedText& other) { return other.name == header.name; };
    if (std::none_of(unique.begin(), unique.end(), same)) unique.push_back(std::move(header));
  }
  return unique;
}

/// The error of a call whose options are not valid; the log says the same.
Error refused_options(Program& program, const std::vector<Device*>& devices, std::string_view options,
                      const Error& error) {
  program.refuse(devices, std::string(options), "error: " + error.message + "\n");
  return error;
}

Result<void> from_source(Program& program, const std::vector<Device*>& devices, std::string_view options,
                         OptionPhase phase, std::vector<abi::NamedText> headers, BuildNotify notify) {
  const auto unique = first_of_each_name(std::move(headers));
  ProgramOperation operation{Ref<Program>(program), {}, failure_code(phase), notify};
  for (Device* device : devices) {
    auto step = source_step(program, *device, options, phase, unique);
    if (!step) return refused_options(program, devices, options, step.error());
    operation.steps.push_back(std::move(step).value());
  }
  return as_error(execute(std::move(operation), devices, std::string(options)));
}

/// Whether the code of a binary has to be made again from its IR, and if that is impossible, runs all the same.
enum class Code { fits, slow, unfit };

/// A binary does not store whether its code zeroes private memory, nor the options of the process that made it: where
/// this one has some, its code is made as they ask. Code for a lower level runs, in shorter vectors.
Code code_of(const Artifact& loaded, const Device& device, bool zero_private) {
  const abi::CodeSettings wanted = code_for(device, zero_private);
  if (!loaded.foreign.empty() || zero_private || loaded.reply.checks != wanted.checks) return Code::unfit;
  if (!loaded.reply.lacks_code) {
    if (wanted.vector_width != 0 || wanted.debug_barriers) return Code::unfit;
    if (wanted.report_vectors || !config().dump.empty()) return Code::slow;
  }
  if (loaded.reply.lacks_code && wanted.time == abi::CodeTime::build) return Code::slow;
  return loaded.isa.number() < device.facts().isa.number() ? Code::slow : Code::fits;
}

/// Makes the code of a binary again where that is better.
void adapt(DeviceStep& step, bool zero_private) {
  const Artifact& loaded = *step.loaded;
  const Code code = code_of(loaded, *step.device, zero_private);
  if (code == Code::fits) return;
  step.result.type = loaded.type;
  step.result.traits = loaded.traits;
  step.request = abi::Link{.inputs = {loaded.reply.ir}, .code = code_for(*step.device, zero_private)};
  if (code == Code::unfit) step.loaded = nullptr;
}

/// API 5.8.4: opens the binary again. Options other than the original ones have no effect, but must be valid.
Result<void> from_binary(Program& program, const std::vector<Device*>& devices, std::optional<std::string_view> options,
                         BuildNotify notify) {
  ProgramOperation operation{Ref<Program>(program), {}, CL_BUILD_PROGRAM_FAILURE, notify};
  std::string shown;
  for (Device* device : devices) {
    DeviceStep step;
    step.device = device;
    step.loaded = program.loaded(*device);
    if (!step.loaded || step.loaded->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
      return Error{CL_INVALID_BINARY, "the program has no executable binary for the device"};
    if (options) {
      if (auto parsed = parse_options(*options, OptionPhase::build, option_rules()); !parsed)
        return refused_options(program, devices, *options, parsed.error());
    }
    step.result.options = shown = options ? std::string(*options) : step.loaded->options;
    adapt(step, program.context().zeroes_private());
    operation.steps.push_back(std::move(step));
  }
  return as_error(execute(std::move(operation), devices, shown));
}

bool is_linkable(const BuildState& state) {
  return state.status != CL_BUILD_IN_PROGRESS && state.artifact &&
         (state.artifact->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
          state.artifact->type == CL_PROGRAM_BINARY_TYPE_LIBRARY);
}

/// The link for one device; nothing if no input has been compiled for it (API 5.8.5, `input_programs`).
Result<std::optional<DeviceStep>> link_step(Device& device, const BuildOptions& options, std::string_view text,
                                            const std::vector<Program*>& inputs, bool zero_private) {
  DeviceStep step;
  step.device = &device;
  step.result.type = options.create_library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  step.result.options = text;
  step.notes = options.notes;
  abi::Link link{.options = options.tokens,
                 .create_library = options.create_library,
                 .code = code_for(device, zero_private && !options.create_library)};
  for (const Program* input : inputs) {
    const BuildState state = input->state(device);
    if (state.status == CL_BUILD_IN_PROGRESS) return Error{CL_INVALID_OPERATION, "a compile has not completed"};
    if (!is_linkable(state)) continue;
    link.inputs.push_back(state.artifact->reply.ir);
    step.result.traits.kernel_arg_info |= state.artifact->traits.kernel_arg_info;
    step.result.traits.uniform_work_groups |= state.artifact->traits.uniform_work_groups;
  }
  if (link.inputs.empty()) return std::optional<DeviceStep>{};
  if (link.inputs.size() != inputs.size())
    return Error{CL_INVALID_OPERATION, "only some of the programs are compiled for the device"};
  step.request = std::move(link);
  return std::optional<DeviceStep>(std::move(step));
}

}  // namespace

OptionRules option_rules() {
  // API table 5: "the list must contain 3.0, 1.2, 1.1 and 1.0"; 2.0 promises all of its features, which the device has
  // (tests/api/opencl_c_20_test.cpp).
  static constexpr LanguageVersion versions[] = {{1, 0}, {1, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 1}};
  return {std::span(versions).first(opencl_minor() == 0 ? 5 : 6), true};
}

Result<void> build_program(Program& program, const std::vector<Device*>& devices,
                           std::optional<std::string_view> options, BuildNotify notify) {
  switch (program.origin()) {
    case ProgramOrigin::source:
    case ProgramOrigin::il:
      return from_source(program, devices, options.value_or(""), OptionPhase::build, {}, notify);
    case ProgramOrigin::binary:
      return from_binary(program, devices, options, notify);
    case ProgramOrigin::link:
      break;
  }
  return Error{CL_INVALID_OPERATION, "the program has neither source nor a loaded binary"};
}

Result<void> compile_program(Program& program, const std::vector<Device*>& devices, std::string_view options,
                             std::vector<abi::NamedText> headers, BuildNotify notify) {
  if (program.origin() == ProgramOrigin::il)
    headers.clear();  // API 5.8.6: ignored
  else if (program.origin() != ProgramOrigin::source)
    return Error{CL_INVALID_OPERATION, "the program has neither source nor SPIR-V"};
  return from_source(program, devices, options, OptionPhase::compile, std::move(headers), notify);
}

Result<LinkOutcome> link_programs(Context& context, const std::vector<Device*>& devices, std::string_view options,
                                  const std::vector<Program*>& inputs, BuildNotify notify) {
  ProgramOperation operation{nullptr, {}, CL_LINK_PROGRAM_FAILURE, notify};
  std::vector<Ref<Device>> associated;
  for (Device* device : devices) {
    auto parsed = parse_options(options, OptionPhase::link, option_rules());
    if (!parsed) return parsed.error();
    auto step = link_step(*device, parsed.value(), options, inputs, context.zeroes_private());
    if (!step) return step.error();
    if (step.value()) operation.steps.push_back(std::move(*step.value()));
    associated.emplace_back(*device);
  }
  // If there is nothing to link for any device, the program would be empty.
  if (operation.steps.empty()) return Error{CL_INVALID_OPERATION, "no program is compiled for any of the devices"};

  LinkOutcome outcome{Program::for_link(context, std::move(associated)), CL_SUCCESS};
  operation.program = outcome.program;
  const auto linked = devices_of(operation.steps);
  auto executed = execute(std::move(operation), linked, std::string(options));
  if (!executed) return executed.error();
  outcome.code = executed.value();
  return outcome;
}

}  // namespace lanewise
