// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// OpenCL C 2.0, and with it what OpenCL 2.0 demands of a device beside the language: its queries (API table 5) and, in
/// programs built as 2.0, each of the features that became optional in 3.0. The suites of pipes, device queues, kernels
/// and images run once more as 2.0 (`*.opencl_c_20`, LANEWISE_BUILD_OPTIONS).
#include <algorithm>
#include <cstring>
#include <numeric>

#include "include/lanewise/cl_compat.h"
#include "tests/api/device_queue_fixture.h"

namespace lanewise::test {
namespace {

class OpenCLC20 : public DeviceQueueFixture {
 protected:
  template <class T>
  [[nodiscard]] T ask(cl_device_info what) const {
    T value{};
    EXPECT_EQ(clGetDeviceInfo(device_, what, sizeof value, &value, nullptr), CL_SUCCESS) << what;
    return value;
  }
  template <class T>
  [[nodiscard]] std::vector<T> list(cl_device_info what) const {
    std::size_t size = 0;
    EXPECT_EQ(clGetDeviceInfo(device_, what, 0, nullptr, &size), CL_SUCCESS);
    std::vector<T> values(size / sizeof(T));
    EXPECT_EQ(clGetDeviceInfo(device_, what, size, values.data(), nullptr), CL_SUCCESS);
    return values;
  }
  [[nodiscard]] std::vector<cl_int> results(const std::string& text, std::size_t count, std::size_t items = 1,
                                            std::size_t local = 0) const {
    return result_of("#if __OPENCL_C_VERSION__ != 200\n#error version\n#endif\n" + text, count, items, local,
                     "-cl-std=CL2.0");
  }
};

TEST_F(OpenCLC20, IsInTheListAndNewestIsTheVersion) {
  const auto versions = list<cl_name_version>(CL_DEVICE_OPENCL_C_ALL_VERSIONS);
  const auto has = [&](cl_version wanted) {
    return std::any_of(versions.begin(), versions.end(), [&](const auto& v) { return v.version == wanted; });
  };
  EXPECT_TRUE(has(CL_MAKE_VERSION(2, 0, 0)));
  cl_version newest = 0;
  for (const auto& version : versions) newest = std::max(newest, version.version);
  EXPECT_GE(newest, CL_MAKE_VERSION(3, 0, 0));
  EXPECT_EQ(ask<cl_version>(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR), newest);
  const auto text = list<char>(CL_DEVICE_OPENCL_C_VERSION);
  const std::string begin =
      "OpenCL C " + std::to_string(CL_VERSION_MAJOR(newest)) + "." + std::to_string(CL_VERSION_MINOR(newest)) + " ";
  EXPECT_EQ(std::string(text.data()).rfind(begin, 0), 0U) << text.data();
}

/// API table 5: what a version above 1.2 promises.
TEST_F(OpenCLC20, EveryFeatureThatBecameOptionalIsReported) {
  const auto features = list<cl_name_version>(CL_DEVICE_OPENCL_C_FEATURES);
  for (const char* wanted :
       {"__opencl_c_3d_image_writes", "__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_order_seq_cst",
        "__opencl_c_atomic_scope_device", "__opencl_c_atomic_scope_all_devices", "__opencl_c_device_enqueue",
        "__opencl_c_fp64", "__opencl_c_generic_address_space", "__opencl_c_images", "__opencl_c_int64",
        "__opencl_c_pipes", "__opencl_c_program_scope_global_variables", "__opencl_c_read_write_images",
        "__opencl_c_subgroups", "__opencl_c_work_group_collective_functions"}) {
    EXPECT_TRUE(std::any_of(features.begin(), features.end(), [&](const auto& feature) {
      return std::strcmp(feature.name, wanted) == 0;
    })) << wanted;
  }
}

/// The least values of OpenCL 2.0, full profile.
TEST_F(OpenCLC20, QueriesHaveTheLeastValuesOfOpenCL20) {
  EXPECT_NE(ask<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, 0U);
  EXPECT_GE(ask<cl_uint>(CL_DEVICE_MAX_PIPE_ARGS), 16U);
  EXPECT_GE(ask<cl_uint>(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), 1U);
  EXPECT_GE(ask<cl_uint>(CL_DEVICE_PIPE_MAX_PACKET_SIZE), 1024U);
  EXPECT_GE(ask<std::size_t>(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE), std::size_t{64} << 10U);
  const auto on_device = ask<cl_command_queue_properties>(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES);
  EXPECT_NE(on_device & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0U);
  EXPECT_NE(on_device & CL_QUEUE_PROFILING_ENABLE, 0U);
  EXPECT_GE(ask<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE), 16U << 10U);
  EXPECT_GE(ask<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), 256U << 10U);
  EXPECT_GE(ask<cl_uint>(CL_DEVICE_MAX_ON_DEVICE_QUEUES), 1U);
  EXPECT_GE(ask<cl_uint>(CL_DEVICE_MAX_ON_DEVICE_EVENTS), 1024U);
  EXPECT_EQ(ask<cl_bool>(CL_DEVICE_IMAGE_SUPPORT), cl_bool{CL_TRUE});
  EXPECT_GE(ask<cl_uint>(CL_DEVICE_MAX_READ_IMAGE_ARGS), 128U);
  EXPECT_GE(ask<cl_uint>(CL_DEVICE_MAX_WRITE_IMAGE_ARGS), 64U);
  EXPECT_GE(ask<cl_uint>(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS), 64U);
  EXPECT_GE(ask<std::size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH), 16384U);
  EXPECT_GE(ask<std::size_t>(CL_DEVICE_IMAGE3D_MAX_DEPTH), 2048U);
  EXPECT_GE(ask<std::size_t>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), 2048U);
  EXPECT_GE(ask<cl_uint>(CL_DEVICE_MAX_SAMPLERS), 16U);
  EXPECT_GT(ask<cl_uint>(CL_DEVICE_IMAGE_PITCH_ALIGNMENT), 0U);
  EXPECT_GT(ask<cl_uint>(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT), 0U);
  EXPECT_EQ(ask<cl_bool>(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT), cl_bool{CL_TRUE});
  constexpr cl_device_atomic_capabilities kAtomics =
      CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
      CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  EXPECT_EQ(ask<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES) & kAtomics, kAtomics);
  constexpr auto kFences = kAtomics | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM;
  EXPECT_EQ(ask<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES) & kFences, kFences);
}

/// OpenCL 2.0 demands reads of sRGB, which 1.2 did not, and images that a kernel both reads and writes.
TEST_F(OpenCLC20, ImageFormats) {
  const auto formats = [&](cl_mem_flags flags) {
    cl_uint count = 0;
    EXPECT_EQ(clGetSupportedImageFormats(context_.get(), flags, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count), CL_SUCCESS);
    std::vector<cl_image_format> all(count);
    EXPECT_EQ(clGetSupportedImageFormats(context_.get(), flags, CL_MEM_OBJECT_IMAGE2D, count, all.data(), nullptr),
              CL_SUCCESS);
    return all;
  };
  const auto has = [](const std::vector<cl_image_format>& all, cl_channel_order order, cl_channel_type type) {
    return std::any_of(all.begin(), all.end(), [&](const cl_image_format& format) {
      return format.image_channel_order == order && format.image_channel_data_type == type;
    });
  };
  EXPECT_TRUE(has(formats(CL_MEM_READ_ONLY), CL_sRGBA, CL_UNORM_INT8));
  const auto both = formats(CL_MEM_KERNEL_READ_AND_WRITE);
  for (const cl_channel_order order : {CL_R, CL_RGBA})
    for (const cl_channel_type type : {CL_UNORM_INT8, CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32,
                                       CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT})
      EXPECT_TRUE(has(both, order, type)) << order << ' ' << type;
}

TEST_F(OpenCLC20, GenericPointers) {
  const auto got = results(
      "int read(int* p) { return *p; }\n"
      "kernel void k(global int* o) {\n"
      "  local int l; int q = 3; if (get_local_id(0) == 0) l = 2; barrier(CLK_LOCAL_MEM_FENCE); o[0] = 1;\n"
      "  int* any = o; int sum = read(any); any = &l; sum += 10 * read(any); any = &q; sum += 100 * read(any);\n"
      "  o[1] = sum; o[2] = to_global((int*)o) == o; o[3] = to_local((int*)o) == 0; o[4] = to_private(any) == &q;\n"
      "  o[5] = (get_fence((int*)o) & CLK_GLOBAL_MEM_FENCE) != 0;\n}",
      6);
  EXPECT_EQ(got, (std::vector<cl_int>{1, 321, 1, 1, 1, 1}));
}

TEST_F(OpenCLC20, ProgramVariables) {
  const auto got = results(
      "global int counter = 5; static global int own[2] = {7, 8}; constant int fixed = 9; global atomic_int a = "
      "ATOMIC_VAR_INIT(4);\n"
      "kernel void k(global int* o) { static global int seen = 3; counter += 1; own[1] += counter; seen += 1;\n"
      "  o[0] = counter; o[1] = own[0]; o[2] = own[1]; o[3] = fixed; o[4] = seen; o[5] = atomic_load(&a); }",
      6);
  EXPECT_EQ(got, (std::vector<cl_int>{6, 7, 14, 9, 4, 4}));
}

TEST_F(OpenCLC20, Atomics) {
  const auto got = results(
      "kernel void k(global int* o) {\n"
      "  volatile global atomic_int* a = (volatile global atomic_int*)o; local atomic_int l; atomic_flag f;\n"
      "  if (get_local_id(0) == 0) atomic_init(&l, 0);\n"
      "  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);\n"
      "  atomic_fetch_add(a, 1); atomic_fetch_add_explicit(&l, 2, memory_order_relaxed, memory_scope_work_group);\n"
      "  int expected = -1;\n"
      "  atomic_compare_exchange_strong_explicit(a + 1, &expected, 5, memory_order_seq_cst, memory_order_acquire,\n"
      "                                          memory_scope_all_svm_devices);\n"
      "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);\n"
      "  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (get_global_id(0) == 0) { o[2] = atomic_load(&l); atomic_exchange(a + 3, 8 + expected); }\n}",
      4, 32, 32);
  EXPECT_EQ(got, (std::vector<cl_int>{32, 0, 64, 8}));
}

TEST_F(OpenCLC20, WorkGroupFunctions) {
  const auto got = results(
      "kernel void k(global int* o) {\n"
      "  const int i = get_local_id(0);\n"
      "  const int sum = work_group_reduce_add(i), largest = work_group_reduce_max(i), before = "
      "work_group_scan_exclusive_add(i);\n"
      "  const int some = work_group_any(i == 3), all = work_group_all(i < 3), from = work_group_broadcast(i, 5);\n"
      "  if (i == 7) { o[0] = sum; o[1] = largest; o[2] = before; o[3] = some; o[4] = all; o[5] = from; "
      "o[6] = get_local_linear_id() + get_enqueued_local_size(0); }\n}",
      7, 8, 8);
  EXPECT_EQ(got, (std::vector<cl_int>{28, 7, 21, 1, 0, 5, 15}));
}

/// 20 work-items in groups of 8: the last is smaller. OpenCL C 1.2 has no such groups.
TEST_F(OpenCLC20, NonUniformWorkGroups) {
  const auto got = results("kernel void k(global int* o) { o[get_global_id(0)] = get_local_size(0); }", 20, 20, 8);
  EXPECT_EQ(std::count(got.begin(), got.end(), 8), 16);
  EXPECT_EQ(std::count(got.begin(), got.end(), 4), 4);
}

TEST_F(OpenCLC20, DeviceQueues) {
  const auto enqueuer = device_queue(kDefault);
  const auto got = results(
      "kernel void k(global int* o) {\n"
      "  queue_t q = get_default_queue(); ndrange_t range = ndrange_1D(4); clk_event_t first, second;\n"
      "  int r = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range, 0, 0, &first, ^{ o[get_global_id(0)] = 3; });\n"
      "  r |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range, 1, &first, &second,\n"
      "                      ^(local void* m) { local int* l = m; l[0] = 2; o[4 + get_global_id(0)] = 2 * l[0]; }, "
      "16);\n"
      "  release_event(first); release_event(second); o[8] = r; }",
      9);
  EXPECT_EQ(got, (std::vector<cl_int>{3, 3, 3, 3, 4, 4, 4, 4, 0}));
}

TEST_F(OpenCLC20, Pipes) {
  const auto p = program(
      "kernel void put(write_only pipe int out) {\n"
      "  reserve_id_t id = work_group_reserve_write_pipe(out, get_local_size(0)); int v = get_global_id(0);\n"
      "  if (is_valid_reserve_id(id)) { write_pipe(out, id, get_local_id(0), &v); work_group_commit_write_pipe(out, "
      "id); }\n"
      "}\nkernel void get(read_only pipe int in, global int* o) { read_pipe(in, &o[get_global_id(0)]); }",
      "-cl-std=CL2.0");
  cl_int code = 1;
  const MemPtr ring(clCreatePipe(context_.get(), 0, sizeof(cl_int), 16, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const auto out = buffer(16 * sizeof(cl_int));
  cl_mem pipe = ring.get(), numbers = out.get();
  const auto put = kernel(p, "put"), get = kernel(p, "get");
  ASSERT_EQ(clSetKernelArg(put.get(), 0, sizeof pipe, &pipe), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(get.get(), 0, sizeof pipe, &pipe), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(get.get(), 1, sizeof numbers, &numbers), CL_SUCCESS);
  run(put, 16);
  run(get, 16);
  auto got = read<cl_int>(out, 16);
  std::sort(got.begin(), got.end());
  std::vector<cl_int> expected(16);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(got, expected);
}

TEST_F(OpenCLC20, ImagesThatAKernelReadsAndWrites) {
  const auto p = program(
      "kernel void k(read_write image2d_t i, write_only image3d_t v, global int* o) {\n"
      "  write_imagei(i, (int2)(0), (int4)(6)); atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel,\n"
      "                                                                 memory_scope_work_item);\n"
      "  o[0] = read_imagei(i, (int2)(0)).x; write_imagei(v, (int4)(0), (int4)(1));\n"
      "  o[1] = get_image_channel_order(i) == CLK_R; o[2] = CLK_sRGBA; }",
      "-cl-std=CL2.0");
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  const auto image = [&](cl_mem_object_type type) {
    cl_image_desc desc{};
    desc.image_type = type;
    desc.image_width = desc.image_height = desc.image_depth = 4;
    cl_int code = 1;
    MemPtr made(clCreateImage(context_.get(), CL_MEM_READ_WRITE, &format, &desc, nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  };
  const auto flat = image(CL_MEM_OBJECT_IMAGE2D), deep = image(CL_MEM_OBJECT_IMAGE3D);
  const auto out = buffer(3 * sizeof(cl_int));
  const auto k = kernel(p, "k");
  cl_uint index = 0;
  for (cl_mem object : {flat.get(), deep.get(), out.get()})
    ASSERT_EQ(clSetKernelArg(k.get(), index++, sizeof object, &object), CL_SUCCESS);
  run(k, 1);
  EXPECT_EQ(read<cl_int>(out, 3), (std::vector<cl_int>{6, 1, CL_sRGBA}));
}

/// What 3.0 added is not there, and neither are its names.
TEST_F(OpenCLC20, IsNotThreePointZero) {
  const auto p = source("kernel void k(global int* o) { o[0] = memory_scope_all_devices; }");
  EXPECT_EQ(clBuildProgram(p.get(), 0, nullptr, "-cl-std=CL2.0", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(clBuildProgram(p.get(), 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS) << log(p);
}

/// Programs of several versions are linked.
TEST_F(OpenCLC20, LinksWithOtherVersions) {
  const auto two = compiled("int twice(int* x) { return 2 * *x; }", "-cl-std=CL2.0");
  const auto three =
      compiled("int twice(int* x); kernel void k(global int* o) { o[0] = twice(o + 1); }", "-cl-std=CL3.0");
  const auto program = linked({two.get(), three.get()});
  EXPECT_NE(kernel(program, "k"), nullptr);
}

}  // namespace
}  // namespace lanewise::test
