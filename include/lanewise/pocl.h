// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Three extensions of PoCL, at their version 0.9.0: cl_pocl_svm_rect, cl_pocl_command_buffer_svm and
/// cl_pocl_command_buffer_host_buffer. Their texts are a header (cl_ext_pocl.h) and PoCL's release notes of 6.0. Each
/// function does what the function of the core that it resembles does, where these say nothing.
///
/// Functions that record a command are those of cl_khr_command_buffer, without its list of properties.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#ifndef CL_COMMAND_SVM_MEMCPY_RECT_POCL
#define CL_COMMAND_SVM_MEMCPY_RECT_POCL 0x1210
#endif
#ifndef CL_COMMAND_SVM_MEMFILL_RECT_POCL
#define CL_COMMAND_SVM_MEMFILL_RECT_POCL 0x1211
#endif

namespace lanewise::api {

// The first and the last parameters of all functions that record a command.
#define LANEWISE_POCL_FIRST cl_command_buffer_khr command_buffer, cl_command_queue command_queue
#define LANEWISE_POCL_LAST                                                                                            \
  cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point, \
      cl_mutable_command_khr *mutable_handle

cl_int CL_API_CALL clEnqueueSVMMemcpyRectPOCL(cl_command_queue command_queue, cl_bool blocking, void* dst_ptr,
                                              const void* src_ptr, const size_t* dst_origin, const size_t* src_origin,
                                              const size_t* region, size_t dst_row_pitch, size_t dst_slice_pitch,
                                              size_t src_row_pitch, size_t src_slice_pitch,
                                              cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                              cl_event* event);
/// `size` has no meaning: the region has one.
cl_int CL_API_CALL clEnqueueSVMMemFillRectPOCL(cl_command_queue command_queue, void* svm_ptr, const size_t* origin,
                                               const size_t* region, size_t row_pitch, size_t slice_pitch,
                                               const void* pattern, size_t pattern_size, size_t size,
                                               cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                               cl_event* event);

cl_int CL_API_CALL clCommandSVMMemcpyPOCL(LANEWISE_POCL_FIRST, void* dst_ptr, const void* src_ptr, size_t size,
                                          LANEWISE_POCL_LAST);
cl_int CL_API_CALL clCommandSVMMemcpyRectPOCL(LANEWISE_POCL_FIRST, void* dst_ptr, const void* src_ptr,
                                              const size_t* dst_origin, const size_t* src_origin, const size_t* region,
                                              size_t dst_row_pitch, size_t dst_slice_pitch, size_t src_row_pitch,
                                              size_t src_slice_pitch, LANEWISE_POCL_LAST);
cl_int CL_API_CALL clCommandSVMMemfillPOCL(LANEWISE_POCL_FIRST, void* svm_ptr, size_t size, const void* pattern,
                                           size_t pattern_size, LANEWISE_POCL_LAST);
cl_int CL_API_CALL clCommandSVMMemfillRectPOCL(LANEWISE_POCL_FIRST, void* svm_ptr, const size_t* origin,
                                               const size_t* region, size_t row_pitch, size_t slice_pitch,
                                               const void* pattern, size_t pattern_size, LANEWISE_POCL_LAST);

cl_int CL_API_CALL clCommandReadBufferPOCL(LANEWISE_POCL_FIRST, cl_mem buffer, size_t offset, size_t size, void* ptr,
                                           LANEWISE_POCL_LAST);
cl_int CL_API_CALL clCommandReadBufferRectPOCL(LANEWISE_POCL_FIRST, cl_mem buffer, const size_t* buffer_origin,
                                               const size_t* host_origin, const size_t* region, size_t buffer_row_pitch,
                                               size_t buffer_slice_pitch, size_t host_row_pitch,
                                               size_t host_slice_pitch, void* ptr, LANEWISE_POCL_LAST);
cl_int CL_API_CALL clCommandReadImagePOCL(LANEWISE_POCL_FIRST, cl_mem image, const size_t* origin, const size_t* region,
                                          size_t row_pitch, size_t slice_pitch, void* ptr, LANEWISE_POCL_LAST);
cl_int CL_API_CALL clCommandWriteBufferPOCL(LANEWISE_POCL_FIRST, cl_mem buffer, size_t offset, size_t size,
                                            const void* ptr, LANEWISE_POCL_LAST);
cl_int CL_API_CALL clCommandWriteBufferRectPOCL(LANEWISE_POCL_FIRST, cl_mem buffer, const size_t* buffer_origin,
                                                const size_t* host_origin, const size_t* region,
                                                size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                                size_t host_row_pitch, size_t host_slice_pitch, const void* ptr,
                                                LANEWISE_POCL_LAST);
cl_int CL_API_CALL clCommandWriteImagePOCL(LANEWISE_POCL_FIRST, cl_mem image, const size_t* origin,
                                           const size_t* region, size_t row_pitch, size_t slice_pitch, const void* ptr,
                                           LANEWISE_POCL_LAST);

}  // namespace lanewise::api
