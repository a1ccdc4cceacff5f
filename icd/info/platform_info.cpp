// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of the platform (API 4.1, table 3).
#include "icd/dispatch.h"
#include "icd/extensions.h"
#include "icd/info.h"
#include "icd/selection.h"
#include "include/lanewise/cl_compat.h"
#include "include/lanewise/command_buffer.h"
#include "include/lanewise/version.h"

using namespace lanewise;

namespace {

constexpr Row<Platform> kPlatformInfo[] = {
    {CL_PLATFORM_PROFILE, type<char[]>, [](const Platform&) { return "FULL_PROFILE"; }},
    {CL_PLATFORM_VERSION, type<char[]>, [](const Platform&) { return opencl_version_text(); }},
    {CL_PLATFORM_NUMERIC_VERSION, type<cl_version>, [](const Platform&) { return opencl_version(); }},
    {CL_PLATFORM_NAME, type<char[]>, [](const Platform&) { return "Lanewise"; }},
    {CL_PLATFORM_VENDOR, type<char[]>, [](const Platform&) { return "Lanewise project"; }},
    {CL_PLATFORM_EXTENSIONS, type<char[]>, [](const Platform& p) { return extension_names(p.device().facts(), true); }},
    {CL_PLATFORM_EXTENSIONS_WITH_VERSION, type<cl_name_version[]>,
     [](const Platform& p) { return extension_versions(p.device().facts(), true); }},
    // Nanoseconds; any value but 0 says that clGetDeviceAndHostTimer is supported.
    {CL_PLATFORM_HOST_TIMER_RESOLUTION, type<cl_ulong>, [](const Platform&) -> cl_ulong { return 1; }},
    {CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR, type<cl_bitfield>,
     [](const Platform&) -> cl_bitfield {
       return CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR | CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
              CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR;
     }},
    {CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, type<cl_external_memory_handle_type_khr[]>,
     [](const Platform&) {
       return std::array<cl_external_memory_handle_type_khr, 1>{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR};
     }},
    {CL_PLATFORM_SEMAPHORE_TYPES_KHR, type<cl_semaphore_type_khr[]>,
     [](const Platform&) { return std::array<cl_semaphore_type_khr, 1>{CL_SEMAPHORE_TYPE_BINARY_KHR}; }},
    {CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, type<cl_external_semaphore_handle_type_khr[]>,
     [](const Platform&) {
       return std::array<cl_external_semaphore_handle_type_khr, 1>{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR};
     }},
    {CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, type<cl_external_semaphore_handle_type_khr[]>,
     [](const Platform&) {
       return std::array<cl_external_semaphore_handle_type_khr, 1>{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR};
     }},
    {CL_PLATFORM_ICD_SUFFIX_KHR, type<char[]>, [](const Platform&) { return "LANEWISE"; }},
    // Worker threads are never joined, so that an exit never waits for them; therefore their code must stay mapped.
    {CL_PLATFORM_UNLOADABLE_KHR, type<cl_bool>, [](const Platform&) -> cl_bool { return CL_FALSE; }},
};

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id handle, cl_platform_info param_name,
                                                  size_t param_value_size, void* param_value,
                                                  size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    answer(kPlatformInfo, param_name, platform_of(handle),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}
