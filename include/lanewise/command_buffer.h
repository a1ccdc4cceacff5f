// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_command_buffer 0.9.8, _multi_device 0.9.2 and _mutable_dispatch 0.9.5.
///
/// The system's headers (2023.02 on Debian 12) have an older form: most recording functions have no list of properties,
/// and updates are a linked list. The types and functions that differ are therefore in a namespace of their own, where
/// they cannot conflict with the headers. Each constant is guarded, so that newer headers take precedence.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif

// cl_khr_command_buffer_multi_device
#ifndef CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR
#define CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR 0x0908
#define CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR (1 << 0)
#define CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR (1 << 1)
#define CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR (1 << 2)
#define CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR 0x12AB
#define CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR 0x12AC
#define CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR (1 << 4)
#define CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR (1 << 2)
#endif

// cl_khr_command_buffer_mutable_dispatch
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif

namespace lanewise::api {

using cl_command_properties_khr = cl_properties;
using cl_platform_command_buffer_capabilities_khr = cl_bitfield;
using cl_mutable_dispatch_asserts_khr = cl_bitfield;
using cl_command_buffer_update_type_khr = cl_uint;

/// CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR, which was 1 in older versions.
inline constexpr cl_command_buffer_update_type_khr kDispatchConfig = 0;

/// The new values of one recorded launch (cl_khr_command_buffer_mutable_dispatch 0.9.5).
struct cl_mutable_dispatch_config_khr {
  cl_mutable_command_khr command;
  cl_uint num_args;
  cl_uint num_svm_args;
  cl_uint num_exec_infos;
  cl_uint work_dim;
  const cl_mutable_dispatch_arg_khr* arg_list;
  const cl_mutable_dispatch_arg_khr* arg_svm_list;
  const cl_mutable_dispatch_exec_info_khr* exec_info_list;
  const size_t* global_work_offset;
  const size_t* global_work_size;
  const size_t* local_work_size;
};

// The first and the last parameters of every function that records a command.
#define LANEWISE_RECORD_FIRST \
  cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties
#define LANEWISE_RECORD_LAST                                                                                          \
  cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point, \
      cl_mutable_command_khr *mutable_handle

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue* queues,
                                                           const cl_command_buffer_properties_khr* properties,
                                                           cl_int* errcode_ret);
cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues,
                                             cl_command_buffer_khr command_buffer, cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event);
cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer,
                                             cl_command_buffer_info_khr param_name, size_t param_value_size,
                                             void* param_value, size_t* param_value_size_ret);

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(LANEWISE_RECORD_FIRST, LANEWISE_RECORD_LAST);
cl_int CL_API_CALL clCommandCopyBufferKHR(LANEWISE_RECORD_FIRST, cl_mem src_buffer, cl_mem dst_buffer,
                                          size_t src_offset, size_t dst_offset, size_t size, LANEWISE_RECORD_LAST);
cl_int CL_API_CALL clCommandCopyBufferRectKHR(LANEWISE_RECORD_FIRST, cl_mem src_buffer, cl_mem dst_buffer,
                                              const size_t* src_origin, const size_t* dst_origin, const size_t* region,
                                              size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                                              size_t dst_slice_pitch, LANEWISE_RECORD_LAST);
cl_int CL_API_CALL clCommandCopyBufferToImageKHR(LANEWISE_RECORD_FIRST, cl_mem src_buffer, cl_mem dst_image,
                                                 size_t src_offset, const size_t* dst_origin, const size_t* region,
                                                 LANEWISE_RECORD_LAST);
cl_int CL_API_CALL clCommandCopyImageKHR(LANEWISE_RECORD_FIRST, cl_mem src_image, cl_mem dst_image,
                                         const size_t* src_origin, const size_t* dst_origin, const size_t* region,
                                         LANEWISE_RECORD_LAST);
cl_int CL_API_CALL clCommandCopyImageToBufferKHR(LANEWISE_RECORD_FIRST, cl_mem src_image, cl_mem dst_buffer,
                                                 const size_t* src_origin, const size_t* region, size_t dst_offset,
                                                 LANEWISE_RECORD_LAST);
cl_int CL_API_CALL clCommandFillBufferKHR(LANEWISE_RECORD_FIRST, cl_mem buffer, const void* pattern,
                                          size_t pattern_size, size_t offset, size_t size, LANEWISE_RECORD_LAST);
cl_int CL_API_CALL clCommandFillImageKHR(LANEWISE_RECORD_FIRST, cl_mem image, const void* fill_color,
                                         const size_t* origin, const size_t* region, LANEWISE_RECORD_LAST);
cl_int CL_API_CALL clCommandSVMMemcpyKHR(LANEWISE_RECORD_FIRST, void* dst_ptr, const void* src_ptr, size_t size,
                                         LANEWISE_RECORD_LAST);
cl_int CL_API_CALL clCommandSVMMemFillKHR(LANEWISE_RECORD_FIRST, void* svm_ptr, const void* pattern,
                                          size_t pattern_size, size_t size, LANEWISE_RECORD_LAST);
cl_int CL_API_CALL clCommandNDRangeKernelKHR(LANEWISE_RECORD_FIRST, cl_kernel kernel, cl_uint work_dim,
                                             const size_t* global_work_offset, const size_t* global_work_size,
                                             const size_t* local_work_size, LANEWISE_RECORD_LAST);

cl_command_buffer_khr CL_API_CALL clRemapCommandBufferKHR(cl_command_buffer_khr command_buffer, cl_bool automatic,
                                                          cl_uint num_queues, const cl_command_queue* queues,
                                                          cl_uint num_handles, const cl_mutable_command_khr* handles,
                                                          cl_mutable_command_khr* handles_ret, cl_int* errcode_ret);

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                              const cl_command_buffer_update_type_khr* config_types,
                                              const void** configs);
cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
                                              size_t param_value_size, void* param_value, size_t* param_value_size_ret);

}  // namespace lanewise::api
