// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions of PoCL's extensions (include/lanewise/pocl.h).
#include "include/lanewise/pocl.h"

#include "icd/cast.h"
#include "icd/commands.h"
#include "icd/enqueue.h"
#include "icd/recording.h"

using namespace lanewise;

#define LANEWISE_POCL_ARGUMENTS                                                                             \
  RecordArguments {                                                                                         \
    command_buffer, command_queue, nullptr, num_sync_points_in_wait_list, sync_point_wait_list, sync_point, \
        mutable_handle                                                                                      \
  }

namespace lanewise::api {

cl_int CL_API_CALL clEnqueueSVMMemcpyRectPOCL(cl_command_queue command_queue, cl_bool blocking, void* dst_ptr,
                                              const void* src_ptr, const size_t* dst_origin, const size_t* src_origin,
                                              const size_t* region, size_t dst_row_pitch, size_t dst_slice_pitch,
                                              size_t src_row_pitch, size_t src_slice_pitch,
                                              cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                              cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    enqueue(queue, CL_COMMAND_SVM_MEMCPY_RECT_POCL,
            work_of_pointer_rect_copy(queue, {dst_ptr, src_ptr, dst_origin, src_origin, region, dst_row_pitch,
                                              dst_slice_pitch, src_row_pitch, src_slice_pitch}),
            {num_events_in_wait_list, event_wait_list}, event, blocking != CL_FALSE);
  });
}

cl_int CL_API_CALL clEnqueueSVMMemFillRectPOCL(cl_command_queue command_queue, void* svm_ptr, const size_t* origin,
                                               const size_t* region, size_t row_pitch, size_t slice_pitch,
                                               const void* pattern, size_t pattern_size, size_t /*size*/,
                                               cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                               cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    enqueue(queue, CL_COMMAND_SVM_MEMFILL_RECT_POCL,
            work_of_pointer_rect_fill(queue, {svm_ptr, origin, region, row_pitch, slice_pitch, pattern, pattern_size}),
            {num_events_in_wait_list, event_wait_list}, event);
  });
}

cl_int CL_API_CALL clCommandSVMMemcpyPOCL(LANEWISE_POCL_FIRST, void* dst_ptr, const void* src_ptr, size_t size,
                                          LANEWISE_POCL_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_SVM_MEMCPY, LANEWISE_POCL_ARGUMENTS,
                 [&](const Queue& queue) { return work_of_pointer_copy(queue, dst_ptr, src_ptr, size); });
  });
}

cl_int CL_API_CALL clCommandSVMMemcpyRectPOCL(LANEWISE_POCL_FIRST, void* dst_ptr, const void* src_ptr,
                                              const size_t* dst_origin, const size_t* src_origin, const size_t* region,
                                              size_t dst_row_pitch, size_t dst_slice_pitch, size_t src_row_pitch,
                                              size_t src_slice_pitch, LANEWISE_POCL_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_SVM_MEMCPY_RECT_POCL, LANEWISE_POCL_ARGUMENTS, [&](const Queue& queue) {
      return work_of_pointer_rect_copy(queue, {dst_ptr, src_ptr, dst_origin, src_origin, region, dst_row_pitch,
                                               dst_slice_pitch, src_row_pitch, src_slice_pitch});
    });
  });
}

cl_int CL_API_CALL clCommandSVMMemfillPOCL(LANEWISE_POCL_FIRST, void* svm_ptr, size_t size, const void* pattern,
                                           size_t pattern_size, LANEWISE_POCL_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_SVM_MEMFILL, LANEWISE_POCL_ARGUMENTS,
                 [&](const Queue& queue) { return work_of_pointer_fill(queue, svm_ptr, pattern, pattern_size, size); });
  });
}

cl_int CL_API_CALL clCommandSVMMemfillRectPOCL(LANEWISE_POCL_FIRST, void* svm_ptr, const size_t* origin,
                                               const size_t* region, size_t row_pitch, size_t slice_pitch,
                                               const void* pattern, size_t pattern_size, LANEWISE_POCL_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_SVM_MEMFILL_RECT_POCL, LANEWISE_POCL_ARGUMENTS, [&](const Queue& queue) {
      return work_of_pointer_rect_fill(queue, {svm_ptr, origin, region, row_pitch, slice_pitch, pattern, pattern_size});
    });
  });
}

cl_int CL_API_CALL clCommandReadBufferPOCL(LANEWISE_POCL_FIRST, cl_mem buffer, size_t offset, size_t size, void* ptr,
                                           LANEWISE_POCL_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_READ_BUFFER, LANEWISE_POCL_ARGUMENTS,
                 [&](const Queue& queue) { return work_of_read_buffer(queue, buffer, offset, size, ptr); });
  });
}

cl_int CL_API_CALL clCommandReadBufferRectPOCL(LANEWISE_POCL_FIRST, cl_mem buffer, const size_t* buffer_origin,
                                               const size_t* host_origin, const size_t* region, size_t buffer_row_pitch,
                                               size_t buffer_slice_pitch, size_t host_row_pitch,
                                               size_t host_slice_pitch, void* ptr, LANEWISE_POCL_LAST) {
  return entry(__func__, [&] {
    const HostRect rect{buffer,           buffer_origin,      host_origin,    region,
                        buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch};
    record_plain(CL_COMMAND_READ_BUFFER_RECT, LANEWISE_POCL_ARGUMENTS,
                 [&](const Queue& queue) { return work_of_read_buffer_rect(queue, rect, ptr); });
  });
}

cl_int CL_API_CALL clCommandReadImagePOCL(LANEWISE_POCL_FIRST, cl_mem image, const size_t* origin, const size_t* region,
                                          size_t row_pitch, size_t slice_pitch, void* ptr, LANEWISE_POCL_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_READ_IMAGE, LANEWISE_POCL_ARGUMENTS, [&](const Queue& queue) {
      return work_of_read_image(queue, {image, origin, region, row_pitch, slice_pitch}, ptr);
    });
  });
}

cl_int CL_API_CALL clCommandWriteBufferPOCL(LANEWISE_POCL_FIRST, cl_mem buffer, size_t offset, size_t size,
                                            const void* ptr, LANEWISE_POCL_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_WRITE_BUFFER, LANEWISE_POCL_ARGUMENTS,
                 [&](const Queue& queue) { return work_of_write_buffer(queue, buffer, offset, size, ptr); });
  });
}

cl_int CL_API_CALL clCommandWriteBufferRectPOCL(LANEWISE_POCL_FIRST, cl_mem buffer, const size_t* buffer_origin,
                                                const size_t* host_origin, const size_t* region,
                                                size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                                size_t host_row_pitch, size_t host_slice_pitch, const void* ptr,
                                                LANEWISE_POCL_LAST) {
  return entry(__func__, [&] {
    const HostRect rect{buffer,           buffer_origin,      host_origin,    region,
                        buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch};
    record_plain(CL_COMMAND_WRITE_BUFFER_RECT, LANEWISE_POCL_ARGUMENTS,
                 [&](const Queue& queue) { return work_of_write_buffer_rect(queue, rect, ptr); });
  });
}

cl_int CL_API_CALL clCommandWriteImagePOCL(LANEWISE_POCL_FIRST, cl_mem image, const size_t* origin,
                                           const size_t* region, size_t row_pitch, size_t slice_pitch, const void* ptr,
                                           LANEWISE_POCL_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_WRITE_IMAGE, LANEWISE_POCL_ARGUMENTS, [&](const Queue& queue) {
      return work_of_write_image(queue, {image, origin, region, row_pitch, slice_pitch}, ptr);
    });
  });
}

}  // namespace lanewise::api
