// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of programs (API 5.8.9).
#include <cstring>

#include "icd/cast.h"
#include "icd/info/program_info.h"
#include "include/lanewise/variable_kernels.h"
#include "runtime/core/context.h"

using namespace lanewise;

namespace lanewise {

namespace {

std::vector<std::string> names_of_kernels(const Program& program) {
  auto names = kernel_names(program);
  require(names.has_value(), CL_INVALID_PROGRAM_EXECUTABLE, "no executable has been built");
  return std::move(*names);
}

bool any_has(const Program& program, const char* kernel) {
  const auto found = has_kernel(program, kernel);
  require(found.has_value(), CL_INVALID_PROGRAM_EXECUTABLE, "no executable has been built");
  return *found;
}

std::string joined_names(const Program& program) {
  std::string joined;
  for (const auto& name : names_of_kernels(program)) {
    if (!joined.empty()) joined += ';';
    joined += name;
  }
  return joined;
}

std::vector<cl_device_id> handles(std::span<const Ref<Device>> devices) {
  std::vector<cl_device_id> list;
  for (const auto& device : devices) list.push_back(device->handle());
  return list;
}

/// A binary for each device of the program; empty where there is none.
std::vector<Bytes> binaries(const Program& program) {
  std::vector<Bytes> list;
  for (const auto& device : program.devices()) {
    const auto artifact = program.state(*device).artifact;
    list.push_back(artifact ? encode_artifact(*artifact) : Bytes{});
  }
  return list;
}

std::vector<size_t> binary_sizes(const Program& program) {
  std::vector<size_t> sizes;
  for (const auto& binary : binaries(program)) sizes.push_back(binary.size());
  return sizes;
}

/// CL_PROGRAM_BINARIES is the one query that writes through pointers inside `param_value`; a null entry is skipped.
void write_binaries(const Program& program, size_t size, void* value, size_t* size_ret) {
  const size_t bytes = program.devices().size() * sizeof(unsigned char*);
  if (size_ret != nullptr) *size_ret = bytes;
  if (value == nullptr) return;
  require(size >= bytes, CL_INVALID_VALUE, "param_value_size is too small");
  auto* const* targets = static_cast<unsigned char* const*>(value);
  const auto list = binaries(program);
  for (size_t i = 0; i < list.size(); ++i) {
    if (targets[i] != nullptr && !list[i].empty()) std::memcpy(targets[i], list[i].data(), list[i].size());
  }
}

}  // namespace

std::span<const Row<Program>> program_info_table() {
  static constexpr Row<Program> rows[] = {
      {CL_PROGRAM_REFERENCE_COUNT, type<cl_uint>, [](const Program& p) { return p.reference_count(); }},
      {CL_PROGRAM_CONTEXT, type<cl_context>, [](const Program& p) { return p.context().handle(); }},
      {CL_PROGRAM_NUM_DEVICES, type<cl_uint>,
       [](const Program& p) { return static_cast<cl_uint>(p.devices().size()); }},
      {CL_PROGRAM_DEVICES, type<cl_device_id[]>, [](const Program& p) { return handles(p.devices()); }},
      {CL_PROGRAM_SOURCE, type<char[]>, [](const Program& p) { return p.source(); }},
      {CL_PROGRAM_IL, type<unsigned char[]>,
       [](const Program& p) { return p.il() != nullptr ? p.il()->given() : Bytes{}; }},
      {CL_PROGRAM_BINARY_SIZES, type<std::size_t[]>, [](const Program& p) { return binary_sizes(p); }},
      {CL_PROGRAM_NUM_KERNELS, type<std::size_t>, [](const Program& p) { return names_of_kernels(p).size(); }},
      {CL_PROGRAM_KERNEL_NAMES, type<char[]>, [](const Program& p) { return joined_names(p); }},
      {CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, type<cl_bool>,
       [](const Program& p) -> cl_bool { return any_has(p, kConstructors); }},
      {CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, type<cl_bool>,
       [](const Program& p) -> cl_bool { return any_has(p, kDestructors); }},
  };
  return rows;
}

std::span<const Row<BuildState>> program_build_info_table() {
  static constexpr Row<BuildState> rows[] = {
      {CL_PROGRAM_BUILD_STATUS, type<cl_build_status>, [](const BuildState& b) { return b.status; }},
      {CL_PROGRAM_BUILD_OPTIONS, type<char[]>, [](const BuildState& b) { return b.options; }},
      {CL_PROGRAM_BUILD_LOG, type<char[]>, [](const BuildState& b) { return b.log; }},
      {CL_PROGRAM_BINARY_TYPE, type<cl_program_binary_type>,
       [](const BuildState& b) -> cl_program_binary_type {
         return b.artifact ? b.artifact->type : CL_PROGRAM_BINARY_TYPE_NONE;
       }},
      {CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, type<std::size_t>,
       [](const BuildState& b) -> size_t { return b.artifact ? b.artifact->reply.variables.bytes : 0; }},
  };
  return rows;
}

}  // namespace lanewise

CL_API_ENTRY cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name,
                                                 size_t param_value_size, void* param_value,
                                                 size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const auto& object = as<Program>(program);
    if (param_name == CL_PROGRAM_BINARIES)
      return write_binaries(object, param_value_size, param_value, param_value_size_ret);
    answer(program_info_table(), param_name, object, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                      cl_program_build_info param_name, size_t param_value_size,
                                                      void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const auto& object = as<Program>(program);
    const auto& target = as<Device>(device);
    require(has_device(object, target), CL_INVALID_DEVICE, "device is not associated with the program");
    answer(program_build_info_table(), param_name, object.state(target),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}
