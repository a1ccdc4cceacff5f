// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// -g describes code and does not change it.
#include <CL/cl.h>
#include <elf.h>

#include <cstring>

#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

constexpr const char* kSource = R"(
  float weigh(float v, float by) { float product = v * by; return product; }
  kernel void scale(global float* x, float by, int n) {
    size_t i = get_global_id(0);
    float before = x[i];
    float after = weigh(before, by);
    if ((int)i < n) x[i] = after;
  }
  kernel void reverse(global int* x, local int* tile, int rounds) {
    int id = (int)get_local_id(0), last = (int)get_local_size(0) - 1, sum = 0;
    int history[8];
    for (int i = 0; i < rounds; ++i) {
      int mine = x[get_global_id(0)] + i;
      tile[id] = mine;
      barrier(CLK_LOCAL_MEM_FENCE);
      sum += tile[last - id] * mine;
      history[i & 7] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[get_global_id(0)] = sum + history[id & 7];
  })";

/// The bytes of an image that are loaded and executed.
std::string code_of(const Bytes& image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image.data(), sizeof header);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, image.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
      return {reinterpret_cast<const char*>(image.data() + segment.p_offset), segment.p_filesz};
  }
  return {};
}

TEST(DebugInfo, OptimisedCodeStaysTheSame) {
  for (const IsaLevel level : {IsaLevel::x86_64_v2, IsaLevel::x86_64_v3, IsaLevel::x86_64_v4}) {
    for (const std::uint32_t width : {0U, 1U}) {
      abi::Build q = build_of(kSource, {"-cl-std=CL3.0"});
      q.code.isa = level;
      q.code.vector_width = width;
      const abi::Reply plain = run_request(q);
      q.source.options.emplace_back("-g");
      const abi::Reply described = run_request(q);
      ASSERT_EQ(plain.status, CL_SUCCESS) << plain.log;
      ASSERT_EQ(described.status, CL_SUCCESS) << described.log;
      EXPECT_EQ(code_of(plain.code_object), code_of(described.code_object))
          << Isa(level).processor() << ", width " << width;
    }
  }
}

TEST(DebugInfo, ArgumentsOfOptimisedKernelsAreDescribed) {
  const std::string ir = form(build_of(kSource, {"-g"}), "optimised");
  for (const char* name : {"\"by\"", "\"n\"", "\"x\""}) EXPECT_TRUE(contains(ir, std::string("name: ") + name)) << name;
  EXPECT_TRUE(contains(ir, "#dbg_value(ptr addrspace(1)"));
}

TEST(DebugInfo, EveryVariableIsDeclaredOnceWithoutOptimiser) {
  const std::string ir = form(build_of(kSource, {"-g", "-cl-opt-disable"}), "optimised");
  const auto count = [&](const std::string& what) {
    int found = 0;
    for (std::size_t at = ir.find(what); at != std::string::npos; at = ir.find(what, at + 1)) ++found;
    return found;
  };
  // scale: 3 arguments, 3 variables, 3 of the function; reverse: 3 arguments, 6 variables; 5 ids in each.
  EXPECT_EQ(count("#dbg_declare("), 3 + 3 + 3 + 3 + 6 + 2 * 5) << ir;
  EXPECT_EQ(count("#dbg_value("), 0);
}

TEST(DebugInfo, SourcesHaveTheNameThatTheRuntimeGivesThem) {
  abi::Build q = build_of(kSource, {"-g"});
  q.source.folder = "/some/where";
  const std::string ir = form(q, "canonical");
  EXPECT_TRUE(contains(ir, "/some/where")) << ir;
  EXPECT_FALSE(contains(ir, "/lanewise/program"));
  q.source.options.clear();
  EXPECT_FALSE(contains(form(q, "canonical"), "/some/where"));
}

}  // namespace
}  // namespace lanewise::test
