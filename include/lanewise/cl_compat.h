// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Definitions of OpenCL 3.1 and extensions that the system's OpenCL headers (2023.02 on Debian 12) may not have yet.
/// Each definition is guarded, so that newer headers take precedence.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include <cstdint>

// cl_khr_icd_unloadable 1.0.0: whether the loader may close the driver (cl_bool).
#ifndef CL_PLATFORM_UNLOADABLE_KHR
#define CL_PLATFORM_UNLOADABLE_KHR 0x0921
#endif

// OpenCL 3.1: promoted from cl_khr_device_uuid, same values.
#ifndef CL_DEVICE_UUID
#define CL_DEVICE_UUID CL_DEVICE_UUID_KHR
#define CL_DRIVER_UUID CL_DRIVER_UUID_KHR
#define CL_DEVICE_LUID_VALID CL_DEVICE_LUID_VALID_KHR
#define CL_DEVICE_LUID CL_DEVICE_LUID_KHR
#define CL_DEVICE_NODE_MASK CL_DEVICE_NODE_MASK_KHR
#define CL_UUID_SIZE CL_UUID_SIZE_KHR
#define CL_LUID_SIZE CL_LUID_SIZE_KHR
#endif

// cl_khr_terminate_context: the bit that the headers lack.
#ifndef CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR
#define CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR (1 << 0)
#endif

// cl_khr_initialize_memory: the bits that the headers lack.
#ifndef CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
#define CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR (1 << 0)
#define CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR (1 << 1)
#endif

// cl_khr_spirv_queries 1.0.0; OpenCL 3.1 has these queries without the suffix.
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

// cl_ext_immutable_memory_objects 1.0.0
#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6)
#endif

// cl_ext_buffer_device_address 1.0.2
#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
using cl_mem_device_address_ext = cl_ulong;
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
#endif

// cl_ext_float_atomics 1.0.0
#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
using cl_device_fp_atomic_capabilities_ext = cl_bitfield;
#define CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 0)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT (1 << 1)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT (1 << 2)
#define CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 16)
#define CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT (1 << 17)
#define CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT (1 << 18)
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT 0x4233
#endif

// cl_ext_image_unorm_int_2_101010 and cl_ext_image_unsigned_10x6_12x4_14x2.
#ifndef CL_UNORM_INT_2_101010_EXT
#define CL_UNORM_INT_2_101010_EXT 0x10E5
#endif
#ifndef CL_UNORM_INT10X6_EXT
#define CL_UNORM_INT10X6_EXT 0x10E1
#define CL_UNSIGNED_INT10X6_EXT 0x10E6
#define CL_UNSIGNED_INT12X4_EXT 0x10E7
#define CL_UNSIGNED_INT14X2_EXT 0x10E8
#define CL_UNORM_INT12X4_EXT 0x10E9
#define CL_UNORM_INT14X2_EXT 0x10EA
#endif

// cl_intel_global_variable_access 0.9.0
#ifndef CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL
#define CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL 0x418E
#define CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL 0x418F
#endif

extern "C" {

extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadGlobalVariableINTEL(
    cl_command_queue command_queue, cl_program program, const char* name, cl_bool blocking_read, size_t size,
    size_t offset, void* ptr, cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event);
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteGlobalVariableINTEL(
    cl_command_queue command_queue, cl_program program, const char* name, cl_bool blocking_write, size_t size,
    size_t offset, const void* ptr, cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event);
extern CL_API_ENTRY cl_int CL_API_CALL clGetDeviceGlobalVariablePointerINTEL(cl_device_id device, cl_program program,
                                                                             const char* global_variable_name,
                                                                             size_t* global_variable_size_ret,
                                                                             void** global_variable_pointer_ret);
extern CL_API_ENTRY cl_int CL_API_CALL clGetDeviceFunctionPointerINTEL(cl_device_id device, cl_program program,
                                                                       const char* function_name,
                                                                       cl_ulong* function_pointer_ret);

extern CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                                      cl_mem_device_address_ext arg_value);

// cl_khr_icd. Redeclaring a function with the same type is legal, so these declarations need no guard.
extern CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                                              cl_uint* num_platforms);

// OpenCL 3.1, promoted from cl_khr_suggested_local_work_size.
extern CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue,
                                                                         cl_kernel kernel, cl_uint work_dim,
                                                                         const size_t* global_work_offset,
                                                                         const size_t* global_work_size,
                                                                         size_t* suggested_local_work_size);

}  // extern "C"

// cl_khr_kernel_clock 1.0.0; the capabilities are a cl_bitfield.
#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR (1 << 2)
#endif

// cl_arm_import_memory 1.1.0: the type of its function. Naming the same type again is legal.
using clImportMemoryARM_fn = decltype(&clImportMemoryARM);
