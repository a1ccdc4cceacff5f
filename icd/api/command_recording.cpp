// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Recording commands into a command-buffer (cl_khr_command_buffer, API 5.17.5).
#include <utility>

#include "icd/cast.h"
#include "icd/commands.h"
#include "icd/property_list.h"
#include "icd/recording.h"
#include "include/lanewise/command_buffer.h"
#include "runtime/kernel/kernel.h"

using namespace lanewise;

#define LANEWISE_RECORD_ARGUMENTS                                                                              \
  RecordArguments {                                                                                            \
    command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list, sync_point, \
        mutable_handle                                                                                         \
  }

namespace {

constexpr cl_mutable_dispatch_fields_khr kAllFields =
    CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR | CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR |
    CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

struct LaunchProperties {
  cl_mutable_dispatch_fields_khr fields = kAllFields;
  bool asserts_groups = false;
};

constexpr PropertyRow<cl_properties, LaunchProperties> kLaunchProperties[] = {
    {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
     [](LaunchProperties& out, cl_properties value) {
       require((value & ~kAllFields) == 0, CL_INVALID_VALUE, "unknown CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR bits");
       out.fields = value;
     }},
    {CL_MUTABLE_DISPATCH_ASSERTS_KHR,
     [](LaunchProperties& out, cl_properties value) {
       require((value & ~cl_properties{CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR}) == 0,
               CL_INVALID_VALUE, "unknown assertion");
       out.asserts_groups = value != 0;
     }},
};

/// The recorded launch; with its work if all arguments are set already.
Recording recording_of(const RecordTarget& target, Kernel& kernel, const NdRange& range,
                       cl_mutable_dispatch_fields_khr fields) {
  const bool updatable = (target.buffer.traits().flags & CL_COMMAND_BUFFER_MUTABLE_KHR) != 0;
  const bool later = updatable && (fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR) != 0;
  require(kernel.all_args_set() || later, CL_INVALID_KERNEL_ARGS, "an argument has not been set");
  Recording recording{.type = CL_COMMAND_NDRANGE_KERNEL, .queue = target.index};
  recording.launch = RecordedLaunch{Ref<Kernel>(kernel), updatable ? kernel.copy() : nullptr, range, fields};
  recording.incomplete = !kernel.all_args_set();
  recording.work = work_of_recorded_launch(target.queue(), kernel, range);
  return recording;
}

}  // namespace

namespace lanewise::api {

cl_int CL_API_CALL clCommandNDRangeKernelKHR(LANEWISE_RECORD_FIRST, cl_kernel kernel, cl_uint work_dim,
                                             const size_t* global_work_offset, const size_t* global_work_size,
                                             const size_t* local_work_size, LANEWISE_RECORD_LAST) {
  return entry(__func__, [&] {
    const auto arguments = LANEWISE_RECORD_ARGUMENTS;
    const RecordTarget target = record_target(arguments);
    auto& function = as<Kernel>(kernel);
    LaunchProperties wanted;
    auto list = read_properties(properties, kLaunchProperties, wanted, CL_INVALID_VALUE);
    check_kernel(target.queue(), function);
    const NdRange range = read_range(work_dim, global_work_offset, global_work_size, local_work_size);
    require(local_work_size != nullptr || !(wanted.asserts_groups || target.buffer.traits().asserts_groups),
            CL_INVALID_VALUE, "a number of work-groups that is left to the driver");
    Recording recording = recording_of(target, function, range, wanted.fields);
    recording.properties = std::move(list);
    record(target, arguments, std::move(recording));
  });
}

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(LANEWISE_RECORD_FIRST, LANEWISE_RECORD_LAST) {
  return entry(__func__, [&] {
    const auto arguments = LANEWISE_RECORD_ARGUMENTS;
    const RecordTarget target = record_target(arguments);
    require(properties == nullptr || *properties == 0, CL_INVALID_VALUE, "unknown property");
    require(mutable_handle == nullptr, CL_INVALID_VALUE, "the command cannot be updated, so it has no handle");
    record(target, arguments, {.type = CL_COMMAND_BARRIER, .queue = target.index, .barrier = true});
  });
}

cl_int CL_API_CALL clCommandCopyBufferKHR(LANEWISE_RECORD_FIRST, cl_mem src_buffer, cl_mem dst_buffer,
                                          size_t src_offset, size_t dst_offset, size_t size, LANEWISE_RECORD_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_COPY_BUFFER, LANEWISE_RECORD_ARGUMENTS, [&](const Queue& queue) {
      return work_of_copy_buffer(queue, src_buffer, dst_buffer, src_offset, dst_offset, size);
    });
  });
}

cl_int CL_API_CALL clCommandCopyBufferRectKHR(LANEWISE_RECORD_FIRST, cl_mem src_buffer, cl_mem dst_buffer,
                                              const size_t* src_origin, const size_t* dst_origin, const size_t* region,
                                              size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                                              size_t dst_slice_pitch, LANEWISE_RECORD_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_COPY_BUFFER_RECT, LANEWISE_RECORD_ARGUMENTS, [&](const Queue& queue) {
      return work_of_copy_buffer_rect(queue, {src_buffer, dst_buffer, src_origin, dst_origin, region, src_row_pitch,
                                              src_slice_pitch, dst_row_pitch, dst_slice_pitch});
    });
  });
}

cl_int CL_API_CALL clCommandCopyBufferToImageKHR(LANEWISE_RECORD_FIRST, cl_mem src_buffer, cl_mem dst_image,
                                                 size_t src_offset, const size_t* dst_origin, const size_t* region,
                                                 LANEWISE_RECORD_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_COPY_BUFFER_TO_IMAGE, LANEWISE_RECORD_ARGUMENTS, [&](const Queue& queue) {
      return work_of_copy_buffer_to_image(queue, src_buffer, dst_image, src_offset, dst_origin, region);
    });
  });
}

cl_int CL_API_CALL clCommandCopyImageKHR(LANEWISE_RECORD_FIRST, cl_mem src_image, cl_mem dst_image,
                                         const size_t* src_origin, const size_t* dst_origin, const size_t* region,
                                         LANEWISE_RECORD_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_COPY_IMAGE, LANEWISE_RECORD_ARGUMENTS, [&](const Queue& queue) {
      return work_of_copy_image(queue, src_image, dst_image, src_origin, dst_origin, region);
    });
  });
}

cl_int CL_API_CALL clCommandCopyImageToBufferKHR(LANEWISE_RECORD_FIRST, cl_mem src_image, cl_mem dst_buffer,
                                                 const size_t* src_origin, const size_t* region, size_t dst_offset,
                                                 LANEWISE_RECORD_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_COPY_IMAGE_TO_BUFFER, LANEWISE_RECORD_ARGUMENTS, [&](const Queue& queue) {
      return work_of_copy_image_to_buffer(queue, src_image, dst_buffer, src_origin, region, dst_offset);
    });
  });
}

cl_int CL_API_CALL clCommandFillBufferKHR(LANEWISE_RECORD_FIRST, cl_mem buffer, const void* pattern,
                                          size_t pattern_size, size_t offset, size_t size, LANEWISE_RECORD_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_FILL_BUFFER, LANEWISE_RECORD_ARGUMENTS, [&](const Queue& queue) {
      return work_of_fill_buffer(queue, buffer, pattern, pattern_size, offset, size);
    });
  });
}

cl_int CL_API_CALL clCommandFillImageKHR(LANEWISE_RECORD_FIRST, cl_mem image, const void* fill_color,
                                         const size_t* origin, const size_t* region, LANEWISE_RECORD_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_FILL_IMAGE, LANEWISE_RECORD_ARGUMENTS,
                 [&](const Queue& queue) { return work_of_fill_image(queue, image, fill_color, origin, region); });
  });
}

cl_int CL_API_CALL clCommandSVMMemcpyKHR(LANEWISE_RECORD_FIRST, void* dst_ptr, const void* src_ptr, size_t size,
                                         LANEWISE_RECORD_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_SVM_MEMCPY, LANEWISE_RECORD_ARGUMENTS,
                 [&](const Queue& queue) { return work_of_pointer_copy(queue, dst_ptr, src_ptr, size); });
  });
}

cl_int CL_API_CALL clCommandSVMMemFillKHR(LANEWISE_RECORD_FIRST, void* svm_ptr, const void* pattern,
                                          size_t pattern_size, size_t size, LANEWISE_RECORD_LAST) {
  return entry(__func__, [&] {
    record_plain(CL_COMMAND_SVM_MEMFILL, LANEWISE_RECORD_ARGUMENTS,
                 [&](const Queue& queue) { return work_of_pointer_fill(queue, svm_ptr, pattern, pattern_size, size); });
  });
}

}  // namespace lanewise::api
