// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Updates of recorded launches (cl_khr_command_buffer_mutable_dispatch, API 5.17.7).
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "icd/cast.h"
#include "icd/commands.h"
#include "include/lanewise/command_buffer.h"
#include "runtime/command_buffer/command_buffer.h"
#include "runtime/kernel/kernel.h"

using namespace lanewise;

namespace {

using Config = api::cl_mutable_dispatch_config_khr;

template <class T>
void check_list(const T* list, cl_uint count) {
  require((list == nullptr) == (count == 0), CL_INVALID_VALUE, "a list and its count disagree");
}

/// A configuration may change only those fields that were declared updatable when the command was recorded.
void check_fields(const Config& config, const RecordedLaunch& launch) {
  const auto may = [&](cl_mutable_dispatch_fields_khr field, bool changed) {
    require(!changed || (launch.fields & field) != 0, CL_INVALID_OPERATION, "cannot be updated");
  };
  require(config.work_dim == 0 || config.work_dim == launch.range.dims, CL_INVALID_OPERATION,
          "work_dim differs from that of the recorded command");
  may(CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, config.global_work_offset != nullptr);
  may(CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, config.global_work_size != nullptr);
  may(CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, config.local_work_size != nullptr);
  may(CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, config.num_args != 0 || config.num_svm_args != 0);
  may(CL_MUTABLE_DISPATCH_EXEC_INFO_KHR, config.num_exec_infos != 0);
  check_list(config.arg_list, config.num_args);
  check_list(config.arg_svm_list, config.num_svm_args);
  check_list(config.exec_info_list, config.num_exec_infos);
}

/// Whether all work-groups have the same size. True if the application left the local size to the driver.
bool is_uniform(const NdRange& range) {
  if (!range.local) return true;
  for (unsigned i = 0; i < range.dims; ++i)
    if ((*range.local)[i] != 0 && range.global[i] % (*range.local)[i] != 0) return false;
  return true;
}

NdRange updated_range(const NdRange& before, const Config& config) {
  const auto* offset = config.global_work_offset != nullptr ? config.global_work_offset : before.offset.data();
  const auto* global = config.global_work_size != nullptr ? config.global_work_size : before.global.data();
  const auto* local = config.local_work_size;
  if (local == nullptr && before.local) local = before.local->data();
  const NdRange after = read_range(before.dims, offset, global, local);
  require(!before.local || is_uniform(before) == is_uniform(after), CL_INVALID_OPERATION,
          "the update would change whether the work-groups are uniform");
  return after;
}

void set_arguments(Kernel& kernel, const Config& config) {
  for (const auto& arg : std::span(config.arg_list, config.num_args)) {
    const auto [code, reason] = kernel.set_arg(arg.arg_index, arg.arg_size, arg.arg_value);
    require(code == CL_SUCCESS, code, reason);
  }
  for (const auto& arg : std::span(config.arg_svm_list, config.num_svm_args)) {
    const auto [code, reason] = kernel.set_pointer_arg(arg.arg_index, arg.arg_value);
    require(code == CL_SUCCESS, code, reason);
  }
  for (const auto& info : std::span(config.exec_info_list, config.num_exec_infos))
    check_exec_info(info.param_name, info.param_value_size, info.param_value);
}

/// Adds the changes of `config` to those that the call has collected so far.
void collect(const CommandBuffer& buffer, const Config& config, std::vector<CommandUpdate>& updates) {
  const auto& command = as<MutableCommand>(config.command);
  require(&command.buffer() == &buffer, CL_INVALID_MUTABLE_COMMAND_KHR, "a command of another command-buffer");
  auto at =
      std::find_if(updates.begin(), updates.end(), [&](const auto& update) { return update.command == &command; });
  if (at == updates.end()) {
    auto launch = buffer.launch(command);
    require(launch.has_value(), CL_INVALID_MUTABLE_COMMAND_KHR, "not a launch");
    at = updates.insert(at, {&command, std::move(*launch), nullptr, false});
  }
  RecordedLaunch& launch = at->launch;
  check_fields(config, launch);
  if (config.num_args != 0 || config.num_svm_args != 0) launch.arguments = launch.arguments->copy();
  set_arguments(*launch.arguments, config);
  launch.range = updated_range(launch.range, config);
  at->incomplete = !launch.arguments->all_args_set();
  at->work = work_of_recorded_launch(buffer.queue_of(command), *launch.arguments, launch.range);
}

}  // namespace

namespace lanewise::api {

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                              const cl_command_buffer_update_type_khr* config_types,
                                              const void** configs) {
  return entry(__func__, [&] {
    auto& buffer = as<CommandBuffer>(command_buffer);
    require_live(buffer.context());
    require(buffer.state() != CommandBuffer::State::recording, CL_INVALID_OPERATION,
            "the command-buffer has not been finalised");
    require((buffer.traits().flags & CL_COMMAND_BUFFER_MUTABLE_KHR) != 0, CL_INVALID_OPERATION,
            "the command-buffer is not mutable");
    check_list(config_types, num_configs);
    check_list(configs, num_configs);
    for (cl_uint i = 0; i < num_configs; ++i) {
      require(config_types[i] == kDispatchConfig, CL_INVALID_VALUE, "not a type of configuration");
      require(configs[i] != nullptr, CL_INVALID_VALUE, "a configuration is NULL");
    }
    std::vector<CommandUpdate> updates;
    for (cl_uint i = 0; i < num_configs; ++i) collect(buffer, *static_cast<const Config*>(configs[i]), updates);
    buffer.update(updates);
  });
}

}  // namespace lanewise::api
