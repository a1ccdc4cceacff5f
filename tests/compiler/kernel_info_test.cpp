// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The descriptions of kernels for clGetKernelArgInfo, clGetKernelInfo and clSetKernelArg.
#include <CL/cl.h>

#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

using abi::ArgInfo;
using abi::ArgKind;
using abi::KernelInfo;

KernelInfo only_kernel(const std::string& source, std::vector<std::string> options = {}) {
  const abi::Reply reply = build_program(source, std::move(options));
  EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
  return reply.kernels.size() == 1 ? reply.kernels[0] : KernelInfo();
}

TEST(KernelInfo, TypesNamesAndQualifiers) {
  const KernelInfo k = only_kernel(R"(
    typedef struct { int a; float3 b; } pair_t;
    struct tagged { int a; };
    kernel void k(global const unsigned int* restrict in, local float4* scratch, constant int* table,
                  global volatile uchar* flags, pair_t pair, struct tagged t, unsigned long n, unsigned   char c,
                  ushort s, global struct tagged* list) {})");
  ASSERT_EQ(k.args.size(), 10U);
  struct Expected {
    const char* type;
    const char* name;
    cl_uint address;
    cl_ulong qualifier;
    ArgKind kind;
  };
  const Expected expected[] = {
      {"uint*", "in", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT,
       ArgKind::global_pointer},
      {"float4*", "scratch", CL_KERNEL_ARG_ADDRESS_LOCAL, 0, ArgKind::local_pointer},
      {"int*", "table", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST, ArgKind::constant_pointer},
      {"uchar*", "flags", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_VOLATILE, ArgKind::global_pointer},
      {"pair_t", "pair", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0, ArgKind::value},
      {"struct tagged", "t", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0, ArgKind::value},
      {"ulong", "n", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0, ArgKind::value},
      {"uchar", "c", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0, ArgKind::value},
      {"ushort", "s", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0, ArgKind::value},
      {"struct tagged*", "list", CL_KERNEL_ARG_ADDRESS_GLOBAL, 0, ArgKind::global_pointer}};
  for (std::size_t i = 0; i < k.args.size(); ++i) {
    EXPECT_EQ(k.args[i].type_name, expected[i].type);
    EXPECT_EQ(k.args[i].name, expected[i].name);
    EXPECT_EQ(k.args[i].address_qualifier, expected[i].address) << expected[i].name;
    EXPECT_EQ(k.args[i].access_qualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ACCESS_NONE));
    EXPECT_EQ(k.args[i].type_qualifier, expected[i].qualifier) << expected[i].name;
    EXPECT_EQ(k.args[i].kind, expected[i].kind) << expected[i].name;
  }
}

TEST(KernelInfo, ArgumentBlock) {
  const KernelInfo k = only_kernel(R"(
    typedef struct { char tag; float3 v; } S;
    typedef struct __attribute__((packed)) { char tag; int v; } P;
    typedef union { int i; double d; } U;
    kernel void k(char c, float3 f3, S s, P p, short2 s2, double16 d16, U u, uchar3 u3, global int* g) {})");
  ASSERT_EQ(k.args.size(), 9U);
  struct Layout {
    std::uint32_t size, align, offset;
  };
  const Layout expected[] = {{1, 1, 0},       {16, 16, 16}, {32, 16, 32}, {5, 1, 64}, {4, 4, 72},
                             {128, 128, 128}, {8, 8, 256},  {4, 4, 264},  {8, 8, 272}};
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(k.args[i].size, expected[i].size) << i;
    EXPECT_EQ(k.args[i].align, expected[i].align) << i;
    EXPECT_EQ(k.args[i].offset, expected[i].offset) << i;
  }
  EXPECT_EQ(k.args_bytes, 280U);
}

TEST(KernelInfo, Attributes) {
  const KernelInfo k = only_kernel(R"(
    kernel __attribute__((reqd_work_group_size(8, 4, 2))) __attribute__((work_group_size_hint(16, 1, 1)))
    __attribute__((vec_type_hint(uint4))) void k(global int* a) { a[get_global_id(0)] = 1; })");
  EXPECT_EQ(k.attributes, "reqd_work_group_size(8,4,2) work_group_size_hint(16,1,1) vec_type_hint(uint4)");
  EXPECT_EQ(k.reqd_work_group_size, (std::array<std::uint64_t, 3>{8, 4, 2}));
  EXPECT_EQ(k.work_group_size_hint, (std::array<std::uint64_t, 3>{16, 1, 1}));
  EXPECT_EQ(only_kernel("kernel __attribute__((vec_type_hint(float))) void k() {}").attributes, "vec_type_hint(float)");
  const KernelInfo plain = only_kernel("kernel void k() {}");
  EXPECT_EQ(plain.attributes, "");
  EXPECT_EQ(plain.reqd_work_group_size, (std::array<std::uint64_t, 3>{0, 0, 0}));
  EXPECT_EQ(plain.args_bytes, 0U);
}

TEST(KernelInfo, Handles) {
  abi::Build q = build_of(R"(
    kernel void k(read_only image2d_t in, write_only image1d_buffer_t out, sampler_t s, int n) {})");
  q.source.macros.insert(q.source.macros.end(), {"__opencl_c_images=1", "__IMAGE_SUPPORT__=1"});
  const abi::Reply reply = run_request(q);
  ASSERT_EQ(reply.status, CL_SUCCESS) << reply.log;
  const KernelInfo& k = reply.kernels.at(0);
  EXPECT_EQ(k.args[0].kind, ArgKind::image);
  EXPECT_EQ(k.args[0].type_name, "image2d_t");
  EXPECT_EQ(k.args[0].access_qualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ACCESS_READ_ONLY));
  EXPECT_EQ(k.args[0].address_qualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ADDRESS_GLOBAL));
  EXPECT_EQ(k.args[1].access_qualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ACCESS_WRITE_ONLY));
  EXPECT_EQ(k.args[2].kind, ArgKind::sampler);
  EXPECT_EQ(k.args[2].address_qualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ADDRESS_PRIVATE));
  EXPECT_EQ(k.args[3].offset, 24U);
}

TEST(KernelInfo, OrderOfDefinition) {
  const abi::Reply reply = build_program("kernel void b() {} kernel void a() {} kernel void c() {}");
  ASSERT_EQ(reply.kernels.size(), 3U);
  EXPECT_EQ(reply.kernels[0].name, "b");
  EXPECT_EQ(reply.kernels[1].name, "a");
  EXPECT_EQ(reply.kernels[2].name, "c");
}

/// Code in one masked form does one row at a time; filters that divide coordinates would gain from several.
TEST(KernelInfo, RowsOfFilters) {
  const auto rows = [](const std::string& coordinate) {
    return only_kernel(
               "constant sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE;"
               "kernel void k(read_only image2d_t in, constant float* w, global float* out, int width, int height, int "
               "n) {"
               "  const int x = get_global_id(0), y = get_global_id(1);"
               "  if (x >= width || y >= height) return;"
               "  float sum = 0.0f;"
               "  for (int i = 0; i < n; ++i) sum += w[i] * read_imagef(in, " +
               coordinate +
               ").x;"
               "  out[y * width + x] = sum;"
               "}")
        .shape.rows;
  };
  EXPECT_GT(rows("s, (float2)((x + 0.5f + i) / width, (y + 0.5f) / height)"), 1U);
  EXPECT_EQ(rows("s, (float2)((x + 0.5f) / width, (y + 0.5f + i) / height)"), 1U) << "the same in all iterations";
  EXPECT_EQ(rows("(int2)(x + i, y)"), 1U);
}

/// The number of work-items by which launches are divided.
TEST(KernelInfo, ItemsOfARow) {
  const KernelInfo merged = only_kernel(R"(
    kernel void k(global float* x) { x[get_global_id(0)] *= 2.0f; })");
  EXPECT_GE(merged.shape.row_items, 4U);
  EXPECT_EQ(merged.shape.row_items & (merged.shape.row_items - 1), 0U);
  EXPECT_EQ(merged.shape.rows, 1U);
  const KernelInfo local = only_kernel(R"(
    kernel void k(global float* x) { x[get_global_id(0)] = (float)get_local_id(0); })");
  EXPECT_EQ(local.shape.row_items, 0U);
  const KernelInfo barrier = only_kernel(R"(
    kernel void k(global float* x) {
      x[get_global_id(0)] = 1.0f;
      barrier(CLK_GLOBAL_MEM_FENCE);
      x[get_global_id(0)] += 1.0f;
    })");
  EXPECT_EQ(barrier.shape.row_items, 0U);
}

/// Whether a launch may have another local size than the application asked for.
TEST(KernelInfo, KernelsThatCannotTellWhereGroupsEnd) {
  const auto any = [](const std::string& body) {
    return only_kernel("kernel void k(global int* out, int n) { const int x = get_global_id(0), y = get_global_id(1);" +
                           body + "}",
                       {"-cl-std=CL3.0"})
        .shape.any_local_size;
  };
  EXPECT_TRUE(any("out[y * n + x] = x + y;"));
  EXPECT_TRUE(any("out[get_global_linear_id()] = get_global_size(1) + get_work_dim();"));
  EXPECT_TRUE(any("out[(get_global_id(2) * n + y) * n + x] = get_global_offset(1);"));
  EXPECT_FALSE(any("out[y * n + x] = get_local_id(1);"));
  EXPECT_FALSE(any("out[y * n + x] = get_local_id(2);"));
  EXPECT_FALSE(any("out[y * n + x] = get_group_id(1);"));
  EXPECT_FALSE(any("out[y * n + x] = get_local_size(1);"));
  EXPECT_FALSE(any("out[y * n + x] = get_enqueued_local_size(0);"));
  EXPECT_FALSE(any("out[y * n + x] = get_num_groups(1);"));
  EXPECT_FALSE(any("out[y * n + x] = get_local_linear_id();"));
  EXPECT_FALSE(any("out[y * n + x] = get_group_id(n);"));
  EXPECT_FALSE(any("out[y * n + x] = 1; barrier(CLK_GLOBAL_MEM_FENCE); out[x * n + y] += 1;"));
}

TEST(KernelInfo, FirstDimensionFollowsMemory) {
  const auto first = [](const std::string& body) {
    return only_kernel(
               "kernel void k(global const float* in, global float* out, int n) {"
               "const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);" +
                   body + "}",
               {"-cl-std=CL3.0"})
        .shape.first_dimension;
  };
  EXPECT_EQ(first("out[y * n + x] = in[y * n + x];"), 0U);
  EXPECT_EQ(first("out[x * n + y] = in[x * n + y];"), 1U);
  EXPECT_EQ(first("out[(x * n + y) * n + z] = 1;"), 2U);
  EXPECT_EQ(first("out[x * n + y] = in[clamp(x - 1, 0, n - 1) * n + y];"), 1U) << "a limited row";
  EXPECT_EQ(first("out[x * n + y] = in[x * n + max(y - 1, 0)];"), 1U) << "a limited column";
  EXPECT_EQ(
      first("float sum = 0; for (int i = 0; i < n; ++i) sum += in[x * n + i] * in[i * n + y]; out[x * n + y] = sum;"),
      1U);
  EXPECT_EQ(first("size_t row = get_global_id(0), column = get_global_id(1); out[row * n + column] = 1;"), 1U);
  EXPECT_EQ(first("uint row = get_global_id(0), column = get_global_id(1); out[row * n + column] = 1;"), 1U);
  EXPECT_EQ(first("vstore4(vload4(x * n + y, in), x * n + y, out);"), 1U);
  // Nothing to gain, or not enough.
  EXPECT_EQ(first("out[x * n + y] = in[y * n + x];"), 0U) << "a transposition";
  EXPECT_EQ(first("out[x * 3 + y] = 1;"), 0U) << "components of pixels";
  EXPECT_EQ(first("out[x] = in[x];"), 0U) << "y is not used";
  EXPECT_EQ(first("out[(int)in[x * n + y]] = 1;"), 0U) << "a scatter either way";
  // In these the order can be seen.
  EXPECT_EQ(first("out[x * n + y] = get_local_id(1);"), 0U);
  EXPECT_EQ(first("out[x * n + y] = get_group_id(0);"), 0U);
  EXPECT_EQ(first("out[x * n + y] = 1; barrier(CLK_GLOBAL_MEM_FENCE); out[x * n + y] += 1;"), 0U);
  EXPECT_EQ(only_kernel("kernel __attribute__((reqd_work_group_size(8, 8, 1))) void k(global float* out, int n) {"
                        "out[get_global_id(0) * n + get_global_id(1)] = 1; }")
                .shape.first_dimension,
            0U);
}

/// Whether groups should be squares.
TEST(KernelInfo, AccessesAlongBothDimensions) {
  const auto crosses = [](const std::string& body) {
    const KernelInfo k = only_kernel(
        "kernel void k(global const float* in, global float* out, int n) {"
        "const int x = get_global_id(0), y = get_global_id(1);" +
            body + "}",
        {"-cl-std=CL3.0"});
    if (k.shape.crosses && k.shape.any_local_size) EXPECT_EQ(k.shape.row_items, 0U) << "squares do not become rows";
    return k.shape.crosses;
  };
  EXPECT_TRUE(crosses("out[x * n + y] = in[y * n + x];"));
  EXPECT_TRUE(crosses("out[y * n + x] = in[x * n + y] + in[y * n + x];"));
  EXPECT_TRUE(crosses("if (x < n && y < n) out[x * 500 + y] = in[y * n + x + 1];"));
  EXPECT_TRUE(crosses("out[x * n + y] = in[y * n + x] + get_local_id(0);"));
  EXPECT_FALSE(crosses("out[y * n + x] = in[y * n + x];"));
  EXPECT_FALSE(crosses("out[x * n + y] = in[x * n + y];"));
  EXPECT_FALSE(crosses("out[y * n + x] = in[y] + in[x];")) << "the same for a row";
  EXPECT_FALSE(crosses("out[y * 3 + x] = in[x * 3 + y];")) << "lines of memory hold both";
  EXPECT_FALSE(
      crosses("float sum = 0; for (int i = 0; i < n; ++i) sum += in[y * n + i] * in[i * n + x];"
              "out[y * n + x] = sum;"));
  EXPECT_FALSE(crosses("out[x] = in[x];"));
}

TEST(KernelInfo, VectorsThatFillRegisters) {
  const auto fills = [](const std::string& type) {
    return only_kernel("#define TEN(s) s s s s s s s s s s\nkernel void k(global " + type +
                       "* a) { size_t i = get_global_id(0); " + type + " x = a[i], y = x; " +
                       "TEN(TEN(TEN(x = x * y + 7; y ^= rotate(x, (" + type + ")3);))) a[i] = x; }")
        .own_vectors;
  };
  EXPECT_TRUE(fills("uint16"));
  EXPECT_FALSE(fills("uint"));
}

TEST(KernelInfo, Resources) {
  const KernelInfo k = only_kernel(R"(
    kernel void k(global int* a) {
      local int tile[64];
      tile[get_local_id(0)] = a[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      a[get_global_id(0)] = tile[63 - get_local_id(0)];
    })");
  EXPECT_EQ(k.local_bytes, 256U);
  EXPECT_TRUE(k.has_barrier);
  EXPECT_FALSE(k.uses_print);
  EXPECT_TRUE(only_kernel("kernel void k() { printf(\"x\"); }").uses_print);
}

}  // namespace
}  // namespace lanewise::test
