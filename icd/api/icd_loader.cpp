// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_icd 2.0: what loaders call.
#include "icd/dispatch.h"
#include "icd/selection.h"

using namespace lanewise;

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                                       cl_uint* num_platforms) {
  return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

// "Loader-managed dispatch": every function that the loader may put into its own table, by name; null for the others.
CL_API_ENTRY void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id handle, const char* name) {
  if (name == nullptr || try_as<Platform>(handle) == nullptr) return nullptr;
  return find_function(name);
}

// The loader's data goes into the platform, its devices, and every object that is made from now on. A loader calls this
// before it gives the platform to the application, so no other object exists yet.
CL_API_ENTRY cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id handle, void* dispatch_data) {
  return entry(__func__, [&] {
    auto& owner = as<Platform>(handle);
    set_loader_data(dispatch_data);
    owner.Handle::loader_data = dispatch_data;
    for (Device* device : owner.devices()) device->Handle::loader_data = dispatch_data;
  });
}
