// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The request for second-tier code: one kernel of a program's IR, for one local size.
#include <algorithm>

#include "compiler/pipeline/llvm_pipelines.h"
#include "include/lanewise/image_abi.h"
#include "tests/compiler/direct_launch.h"
#include "tests/compiler/isas.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

const char* kTwoKernels = R"(
  float twice(float x) { return x + x; }
  kernel void first(global float* x) { x[get_local_id(0)] = twice(x[get_global_id(0)]); }
  kernel void second(global int* x) { x[get_global_id(0)] = (int)get_local_size(1); })";

TEST(Specialise, GivesOneKernelAndNoIr) {
  const abi::Reply program = build_program(kTwoKernels);
  ASSERT_EQ(program.status, 0) << program.log;
  const abi::Reply special = run_request(specialise(program, "second", {8, 4, 1}));
  ASSERT_EQ(special.status, 0) << special.log;
  ASSERT_EQ(special.kernels.size(), 1U);
  EXPECT_EQ(special.kernels[0].name, "second");
  EXPECT_EQ(special.kernels[0].symbol, program.kernels[1].symbol);
  EXPECT_EQ(special.kernels[0].args_bytes, program.kernels[1].args_bytes);
  EXPECT_FALSE(special.code_object.empty());
  EXPECT_TRUE(special.ir.empty());
}

TEST(Specialise, TheLocalSizeIsAConstant) {
  const abi::Reply program = build_program(kTwoKernels);
  const std::string text = form(specialise(program, "second", {8, 4, 1}), "optimised");
  EXPECT_TRUE(contains(text, "i32 4")) << text;
  EXPECT_FALSE(contains(text, "i64 56")) << "the enqueued local size of y is read: " << text;
}

/// The tail of a row of 33 is one work-item. LLVM wrote its truncated element in full width (lone_lanes.h): past the
/// end of local memory, and over the next element in global memory.
TEST(Specialise, TheLastWorkItemOfARowStoresOneElement) {
  const abi::Reply program = build_program(R"(
    kernel void k(global ulong* x, global uint* narrow) {
      const uint l = get_local_id(0);
      const ulong rest = get_global_id(0) % 97;
      x[l] = rest;
      narrow[l] = (uint)rest;
    })");
  ASSERT_EQ(program.status, 0) << program.log;
  for (const Isa isa : runnable_levels()) {
    abi::Specialise q = specialise(program, "k", {33, 1, 1});
    q.code.isa = isa;
    const abi::Reply special = run_request(q);
    ASSERT_EQ(special.status, 0) << special.log;
    std::vector<std::uint64_t> x(33);
    std::vector<std::uint32_t> narrow(40, 0xEEEEEEEE);
    EXPECT_EQ(launch_direct(special, "k", Range{1, {33, 1, 1}, {33, 1, 1}}, {buffer(x), buffer(narrow)}, nullptr), "");
    EXPECT_EQ(narrow[32], 32U);
    EXPECT_EQ(std::count(narrow.begin(), narrow.end(), 0xEEEEEEEE), 7) << isa.name();
  }
}

/// Large kernels are built with few passes. Where they prove hot they get all of them: here a short loop is unrolled.
TEST(Specialise, LargeKernelsGetEveryPass) {
  std::string source = "kernel void k(global uint* data) { uint x = data[get_global_id(0)];\n";
  for (unsigned n = 0; n < kBriefInstructions / 4 + 100; ++n)
    source += "x = x * " + std::to_string(2 * n + 3) + "u + 1u; x ^= x >> " + std::to_string(n % 13 + 3) + ";\n";
  source += "for (int i = 0; i < 3; ++i) x = x * data[7 * i + 100] + 1;\n data[get_global_id(0)] = x; }\n";
  const auto distant_loads = [](const std::string& text) {
    return contains(text, "i64 400") && contains(text, "i64 428") && contains(text, "i64 456");
  };
  EXPECT_FALSE(distant_loads(form(build_of(source), "optimised")));
  const abi::Reply program = build_program(source);
  ASSERT_EQ(program.status, 0) << program.log;
  EXPECT_TRUE(distant_loads(form(specialise(program, "k", {1, 1, 1}), "optimised")));
}

/// RGBA with 8 bits each, normalised.
Bytes rgba8() {
  lanewise_texel texel{};
  texel.bytes = 4;
  texel.kind = lanewise_texel_narrow;
  for (unsigned c = 0; c < 4; ++c) {
    texel.shift[c] = 8 * c;
    texel.read_mask[c] = texel.write_mask[c] = 255;
    texel.read_scale[c] = 1.0F / 255;
    texel.write_scale[c] = 255;
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&texel);
  return {bytes, bytes + sizeof texel};
}

Bytes word(std::uint64_t value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  return {bytes, bytes + sizeof value};
}

/// Formats that are known leave nothing of the others, nor samplers of other modes: no half, no mirrored coordinates.
TEST(Specialise, FormatsAndSamplersAreConstants) {
  const abi::Reply program = build_program(
      "kernel void k(read_only image2d_t i, sampler_t s, global float4* x, float2 at) {"
      " x[get_global_id(0)] = read_imagef(i, s, at + (float)get_global_id(0)); }");
  ASSERT_EQ(program.status, 0) << program.log;
  abi::Specialise q = specialise(program, "k", {8, 1, 1});
  const auto other_formats = [](const std::string& text) {
    return contains(text, "half") || contains(text, "llvm.rint") || contains(text, "llvm.roundeven");
  };
  EXPECT_TRUE(other_formats(form(q, "optimised")));
  q.launches.known_arguments = {rgba8(), word(LANEWISE_SAMPLER_EDGE | LANEWISE_SAMPLER_LINEAR)};
  const std::string text = form(q, "optimised");
  EXPECT_FALSE(other_formats(text)) << text;
  // What is no image, or damaged, is left alone.
  q.launches.known_arguments = {Bytes(3), {}, rgba8(), word(7), word(7), rgba8()};
  EXPECT_TRUE(other_formats(form(q, "optimised")));
}

TEST(Specialise, OneWorkItemAtATime) {
  const abi::Reply program = build_program("kernel void k(global int* x) { x[get_global_id(0)] += 1; }");
  ASSERT_EQ(program.status, 0) << program.log;
  EXPECT_GT(program.kernels[0].shape.row_items, 1U);
  abi::Specialise q = specialise(program, "k", {1, 1, 1});
  q.code.vector_width = 1;
  const abi::Reply special = run_request(q);
  ASSERT_EQ(special.status, 0) << special.log;
  EXPECT_LE(special.kernels[0].shape.row_items, 1U);
}

/// What the first global pointer of the kernel is used for.
abi::ArgInfo first_argument(const std::string& body, const std::string& parameters = "global int* p") {
  abi::Build q = build_of("kernel void k(" + parameters + ", int v) { size_t i = get_global_id(0); " + body + " }",
                          {"-cl-std=CL3.0"});
  q.source.extensions.emplace_back("cl_khr_int64_base_atomics");
  for (const char* feature : {"order_acq_rel", "order_seq_cst", "scope_device"})
    q.source.macros.push_back(std::string("__opencl_c_atomic_") + feature + "=1");
  const abi::Reply program = run_request(q);
  EXPECT_EQ(program.status, 0) << program.log;
  if (program.kernels.size() != 1) return {};
  const abi::KernelInfo& kernel = program.kernels[0];
  EXPECT_EQ(kernel.accumulates,
            std::ranges::any_of(kernel.args, [](auto& a) { return a.accumulation != abi::Accumulation::none; }));
  return kernel.args[0];
}

TEST(Specialise, KnowsArgumentsThatAreOnlyAddedTo) {
  using abi::Accumulation;
  const std::pair<const char*, Accumulation> kinds[] = {
      {"atomic_inc(p + v); atomic_sub(p + i, v); atomic_dec(p);", Accumulation::sum},
      {"if (v > 3) for (int k = 0; k < v; ++k) atomic_add(&p[k], k);", Accumulation::sum},
      {"atomic_and(p, v);", Accumulation::bit_and},
      {"atomic_or(p, v);", Accumulation::bit_or},
      {"atomic_xor(p, v);", Accumulation::bit_xor},
      {"atomic_min(p, v);", Accumulation::signed_min},
      {"atomic_max(p, v);", Accumulation::signed_max},
      {"atomic_min((global uint*)p, v);", Accumulation::unsigned_min},
      {"atomic_max((global uint*)p, v);", Accumulation::unsigned_max},
      {"atomic_fetch_add_explicit((global atomic_int*)p + i, v, memory_order_relaxed);", Accumulation::sum},
      {"local int l; l = v; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(p, l);", Accumulation::sum},
      {"barrier(CLK_GLOBAL_MEM_FENCE); atomic_add(p, v);", Accumulation::sum},
  };
  for (const auto& [body, what] : kinds) {
    const abi::ArgInfo found = first_argument(body);
    EXPECT_EQ(found.accumulation, what) << body;
    EXPECT_EQ(found.accumulated_bytes, 4) << body;
  }
  const abi::ArgInfo wide = first_argument("atom_add(p, (long)v);", "global long* p");
  EXPECT_EQ(wide.accumulation, Accumulation::sum);
  EXPECT_EQ(wide.accumulated_bytes, 8);
}

TEST(Specialise, OtherUsesOfAnArgumentAreSeen) {
  for (const char* body : {
           "p[i] = v;",
           "atomic_add(p, v); if (p[1]) atomic_add(p, v);",
           "p[i + 1] = atomic_add(p, v);",
           "atomic_add(p, v); atomic_max(p + 1, v);",
           "atomic_add(p, v); atom_add((global long*)p, (long)v);",
           "atomic_xchg(p, v);",
           "atomic_cmpxchg(p, 0, v);",
           "atomic_fetch_add((global atomic_int*)p, v);",
           "atomic_fetch_add_explicit((global atomic_int*)p, v, memory_order_release);",
           "atomic_add(p, v); mem_fence(CLK_GLOBAL_MEM_FENCE);",
           "atomic_add(p, v); atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);",
           "atomic_add(p, v); work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);",
           "atomic_add(p, v); if (p) *(global long*)(ulong)v = 1;",
           "global int* q = v > 3 ? p : (global int*)(ulong)v; atomic_add(q, v);",
       })
    EXPECT_EQ(first_argument(body).accumulation, abi::Accumulation::none) << body;
  EXPECT_EQ(first_argument("atomic_add(p, v); q[i] = (ulong)p;", "global int* p, global ulong* q").accumulation,
            abi::Accumulation::none);
}

TEST(Specialise, PrivateCopiesNeedNoLocks) {
  const abi::Reply program = build_program(
      "kernel void k(global const uint* in, global uint* bins, global uint* places) {"
      " atomic_inc(&bins[in[get_global_id(0)]]); }");
  ASSERT_EQ(program.status, 0) << program.log;
  abi::Specialise q = specialise(program, "k", {64, 1, 1});
  EXPECT_TRUE(contains(form(q, "optimised"), "atomicrmw"));
  q.launches.private_copies = true;
  EXPECT_FALSE(contains(form(q, "optimised"), "atomicrmw"));
}

TEST(Specialise, RefusesWhatItCannotTakeOut) {
  const abi::Reply program = build_program(kTwoKernels);
  EXPECT_NE(run_request(specialise(program, "third", {8, 1, 1})).status, 0);
  EXPECT_NE(run_request(specialise(program, "first", {0, 0, 0})).status, 0);
  abi::Specialise damaged = specialise(program, "first", {8, 1, 1});
  damaged.program.resize(damaged.program.size() / 2);
  EXPECT_NE(run_request(damaged).status, 0);
}

/// Code for one local size finds the variables where the other code of the program has them.
TEST(Specialise, KeepsThePlacesOfVariables) {
  abi::Build q = build_of(
      "global int first = 3; global int counter = 4; constant int* global p = 0;\n"
      "kernel void k(global int* x) { *x = ++counter; }\n"
      "kernel void other(global int* x) { *x = ++first; p = 0; }",
      {"-cl-std=CL3.0"});
  q.source.macros.emplace_back("__opencl_c_program_scope_global_variables=1");
  q.source.macros.emplace_back("__opencl_c_generic_address_space=1");
  const abi::Reply program = run_request(q);
  ASSERT_EQ(program.status, 0) << program.log;
  EXPECT_GE(program.variables.bytes, 16U);
  const abi::Reply special = run_request(specialise(program, "k", {1, 1, 1}));
  ASSERT_EQ(special.status, 0) << special.log;
  EXPECT_EQ(special.variables, program.variables);
  EXPECT_EQ(special.kernels.at(0).variables_offset, program.kernels.at(0).variables_offset);
  std::vector<int> x(1);
  EXPECT_EQ(launch_direct(special, "k", Range{1, {1, 1, 1}, {1, 1, 1}}, {buffer(x)}, nullptr), "");
  EXPECT_EQ(x[0], 5);
}

}  // namespace
}  // namespace lanewise::test
