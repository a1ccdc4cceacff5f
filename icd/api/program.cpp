// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs: creation, build, compile, link (API 5.8).
#include <algorithm>
#include <string_view>

#include "icd/cast.h"
#include "icd/selection.h"
#include "include/lanewise/variable_kernels.h"
#include "runtime/code/artifact.h"
#include "runtime/core/context.h"
#include "runtime/core/platform.h"
#include "runtime/program/build.h"
#include "runtime/program/program.h"

using namespace lanewise;

namespace {

using ProgramCallback = void(CL_CALLBACK*)(cl_program, void*);

/// API 5.8.1: an element of length 0 ends at its terminator; the concatenation strips nulls.
std::string concatenate(cl_uint count, const char** strings, const size_t* lengths) {
  std::string source;
  for (cl_uint i = 0; i < count; ++i) {
    const bool terminated = lengths == nullptr || lengths[i] == 0;
    source += terminated ? std::string_view(strings[i]) : std::string_view(strings[i], lengths[i]);
  }
  std::erase(source, '\0');
  return source;
}

/// A device list without duplicates; `is_associated` says which devices the call accepts.
template <class IsAssociated>
std::vector<Device*> checked_devices(cl_uint count, const cl_device_id* list, IsAssociated is_associated) {
  std::vector<Device*> devices;
  for (cl_uint i = 0; i < count; ++i) {
    auto& device = as<Device>(list[i]);
    require(is_associated(device), CL_INVALID_DEVICE, "device is not associated with the object");
    if (std::find(devices.begin(), devices.end(), &device) == devices.end()) devices.push_back(&device);
  }
  return devices;
}

std::vector<Device*> all_of(std::span<const Ref<Device>> devices) {
  std::vector<Device*> all;
  for (const auto& device : devices) all.push_back(device.get());
  return all;
}

bool has_device(const Context& context, const Device& device) {
  return context.has_device(device);
}

/// The device list of build, compile and link: NULL means all devices of the program or context.
template <class Owner>
std::vector<Device*> target_devices(const Owner& owner, cl_uint count, const cl_device_id* list) {
  if (list == nullptr) return all_of(owner.devices());
  return checked_devices(count, list, [&](const Device& device) { return has_device(owner, device); });
}

void check_list_and_callback(cl_uint num_devices, const cl_device_id* device_list, ProgramCallback pfn_notify,
                             const void* user_data) {
  require((device_list == nullptr) == (num_devices == 0), CL_INVALID_VALUE, "device_list and num_devices disagree");
  require(pfn_notify != nullptr || user_data == nullptr, CL_INVALID_VALUE, "user_data without pfn_notify");
}

/// The device list of clCreateProgramWithBinary and clCreateProgramWithBuiltInKernels, which is mandatory.
std::vector<Device*> creation_devices(const Context& context, cl_uint count, const cl_device_id* list) {
  require(list != nullptr && count != 0, CL_INVALID_VALUE, "no device list");
  return checked_devices(count, list, [&](const Device& device) { return context.has_device(device); });
}

/// Loads one binary for one device. Returns its status; the first error is also that of the call.
cl_int load_binary(const Device& device, const unsigned char* bytes, size_t size, ArtifactPtr& out) {
  if (bytes == nullptr || size == 0) return CL_INVALID_VALUE;
  auto decoded = decode_artifact({bytes, size}, device.facts().isa);
  if (!decoded) return decoded.error().code;
  out = std::make_shared<const Artifact>(std::move(decoded).value());
  return CL_SUCCESS;
}

cl_program create_with_binaries(Context& context, cl_uint num_devices, const cl_device_id* device_list,
                                const size_t* lengths, const unsigned char** binaries, cl_int* binary_status) {
  const auto unique = creation_devices(context, num_devices, device_list);
  require(lengths != nullptr && binaries != nullptr, CL_INVALID_VALUE, "no binaries or no lengths");

  std::vector<Ref<Device>> devices;
  std::vector<ArtifactPtr> loaded;
  cl_int first_error = CL_SUCCESS;
  for (cl_uint i = 0; i < num_devices; ++i) {
    auto& device = as<Device>(device_list[i]);
    ArtifactPtr artifact;
    const cl_int status = load_binary(device, binaries[i], lengths[i], artifact);
    if (binary_status != nullptr) binary_status[i] = status;
    if (first_error == CL_SUCCESS) first_error = status;
    if (devices.size() < unique.size() && unique[devices.size()] == &device) {
      devices.emplace_back(device);
      loaded.push_back(std::move(artifact));
    }
  }
  require(first_error == CL_SUCCESS, first_error, "a program binary can't be loaded");
  return Program::from_binaries(context, std::move(devices), std::move(loaded)).detach()->handle();
}

/// API 5.8.5: the embedded headers of clCompileProgram.
std::vector<abi::NamedText> embedded_headers(cl_uint count, const cl_program* programs, const char** names) {
  const bool none = count == 0;
  require((programs == nullptr) == none && (names == nullptr) == none, CL_INVALID_VALUE,
          "headers, their names and their number disagree");
  std::vector<abi::NamedText> headers;
  for (cl_uint i = 0; i < count; ++i) {
    const auto& header = as<Program>(programs[i]);
    require(names[i] != nullptr, CL_INVALID_VALUE, "a header name is NULL");
    // "an array of program embedded headers created with clCreateProgramWithSource"
    require(header.origin() == ProgramOrigin::source, CL_INVALID_PROGRAM, "a header program has no source");
    headers.push_back({names[i], header.source()});
  }
  return headers;
}

std::string_view or_empty(const char* options) {
  return options != nullptr ? options : "";
}

}  // namespace

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                                              const size_t* lengths, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    require(count != 0 && strings != nullptr, CL_INVALID_VALUE, "no source");
    require(std::find(strings, strings + count, nullptr) == strings + count, CL_INVALID_VALUE, "a string is NULL");
    return Program::from_source(owner, concatenate(count, strings, lengths)).detach()->handle();
  });
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void* il, size_t length,
                                                          cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    // API 5.8.1: if no device supports intermediate languages (CL_DEVICE_IL_VERSION is empty).
    require(il_available(), CL_INVALID_OPERATION, "no device supports intermediate language programs");
    require(il != nullptr && length != 0, CL_INVALID_VALUE, "no intermediate language");
    const std::span bytes(static_cast<const std::uint8_t*>(il), length);
    auto module = unwrap(checked_il(bytes));
    return Program::from_il(owner, std::make_unique<IlSource>(bytes, std::move(module))).detach()->handle();
  });
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                              const cl_device_id* device_list, const size_t* lengths,
                                                              const unsigned char** binaries, cl_int* binary_status,
                                                              cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    return create_with_binaries(live_context(context), num_devices, device_list, lengths, binaries, binary_status);
  });
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                                      const cl_device_id* device_list,
                                                                      const char* kernel_names, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&]() -> cl_program {
    creation_devices(live_context(context), num_devices, device_list);
    require(kernel_names != nullptr, CL_INVALID_VALUE, "kernel_names is NULL");
    // CL_DEVICE_BUILT_IN_KERNELS is empty, so every name is unknown.
    throw ApiError{CL_INVALID_VALUE, "no device has a built-in kernel of this name"};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainProgram(cl_program program) {
  return entry_quick(__func__, [&] { retain<Program>(program); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  return entry(__func__, [&] { release<Program>(program); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program, ProgramCallback pfn_notify,
                                                            void* user_data) {
  return entry(__func__, [&] {
    auto& object = as<Program>(program);
    require(pfn_notify != nullptr, CL_INVALID_VALUE, "pfn_notify is NULL");
    // API 5.8.2: it tells of destructors that have run. The conformance tests want the error for OpenCL C.
    require(has_kernel(object, kDestructors).value_or(false), CL_INVALID_OPERATION, "the program has no destructors");
    object.release_callbacks().add(pfn_notify, user_data);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                                                   size_t spec_size, const void* spec_value) {
  return entry(__func__, [&] {
    const auto& target = as<Program>(program);
    // API 5.8.3.
    require(il_available(), CL_INVALID_OPERATION, "no device supports intermediate language programs");
    require(target.il() != nullptr, CL_INVALID_PROGRAM, "the program is not from an intermediate language");
    unwrap(target.il()->set_constant(spec_id, spec_size, spec_value));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id* device_list,
                                               const char* options, ProgramCallback pfn_notify, void* user_data) {
  return entry(__func__, [&] {
    auto& target = as<Program>(program);
    check_list_and_callback(num_devices, device_list, pfn_notify, user_data);
    const auto given = options != nullptr ? std::optional<std::string_view>(options) : std::nullopt;
    unwrap(build_program(target, target_devices(target, num_devices, device_list), given, {pfn_notify, user_data}));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices,
                                                 const cl_device_id* device_list, const char* options,
                                                 cl_uint num_input_headers, const cl_program* input_headers,
                                                 const char** header_include_names, ProgramCallback pfn_notify,
                                                 void* user_data) {
  return entry(__func__, [&] {
    auto& target = as<Program>(program);
    check_list_and_callback(num_devices, device_list, pfn_notify, user_data);
    auto headers = embedded_headers(num_input_headers, input_headers, header_include_names);
    unwrap(compile_program(target, target_devices(target, num_devices, device_list), or_empty(options),
                           std::move(headers), {pfn_notify, user_data}));
  });
}

CL_API_ENTRY cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices,
                                                  const cl_device_id* device_list, const char* options,
                                                  cl_uint num_input_programs, const cl_program* input_programs,
                                                  ProgramCallback pfn_notify, void* user_data, cl_int* errcode_ret) {
  cl_int link_code = CL_SUCCESS;
  cl_int code = CL_SUCCESS;
  const cl_program made = entry_create(__func__, &code, [&] {
    auto& owner = live_context(context);
    check_list_and_callback(num_devices, device_list, pfn_notify, user_data);
    require(num_input_programs != 0 && input_programs != nullptr, CL_INVALID_VALUE, "no input programs");
    std::vector<Program*> inputs;
    for (cl_uint i = 0; i < num_input_programs; ++i) {
      inputs.push_back(&as<Program>(input_programs[i]));
      require(&inputs.back()->context() == &owner, CL_INVALID_PROGRAM, "an input program is of another context");
    }
    auto outcome = unwrap(link_programs(owner, target_devices(owner, num_devices, device_list), or_empty(options),
                                        inputs, {pfn_notify, user_data}));
    link_code = outcome.code;
    return outcome.program.detach()->handle();
  });
  // API 5.8.5: a link that has begun returns its program even if it fails.
  if (link_code != CL_SUCCESS) log_refusal(__func__, link_code, "see the build log");
  if (errcode_ret != nullptr) *errcode_ret = code != CL_SUCCESS ? code : link_code;
  return made;
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
  // API 5.8.8: a hint. The compiler is a separate process and takes no memory from the application.
  return entry(__func__, [&] { as<Platform>(platform); });
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadCompiler(void) {
  return CL_SUCCESS;
}
