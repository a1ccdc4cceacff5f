// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Platforms (API 4.1) and the look-up of extension functions (extension specification, chapter 2).
#include "icd/dispatch.h"
#include "icd/selection.h"

using namespace lanewise;

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms,
                                                 cl_uint* num_platforms) {
  return entry(__func__, [&] {
    give_list(std::vector<cl_platform_id>{platform().handle()}, num_entries, platforms, num_platforms);
  });
}

CL_API_ENTRY void* CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id handle, const char* name) {
  return entry_create(__func__, nullptr, [&]() -> void* {
    if (name == nullptr || try_as<Platform>(handle) == nullptr) return nullptr;
    return find_extension_function(name);
  });
}

// Deprecated, but ICD loaders depend on it: they ask it for clIcdGetPlatformIDsKHR before they have a platform.
CL_API_ENTRY void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  return entry_create(__func__, nullptr,
                      [&]() -> void* { return name != nullptr ? find_extension_function(name) : nullptr; });
}
