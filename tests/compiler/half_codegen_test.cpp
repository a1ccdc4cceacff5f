// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The machine code of half arithmetic and of conversions in vectorised kernels: whole vectors, and no call.
#include <gtest/gtest.h>

#include "compiler/request/run_request.h"

namespace lanewise::test {
namespace {

std::string assembly(const std::string& statement, Isa isa) {
  abi::Build request;
  request.source.text =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void k(global half* h, global float* f, global double* d, global int* n, global uchar* c) {"
      " const size_t i = get_global_id(0); " +
      statement + " }";
  request.source.options = {"-cl-std=CL3.0"};
  request.source.extensions = {"cl_khr_fp16", "cl_khr_fp64", "__opencl_c_fp64", "__opencl_c_int64"};
  request.code.isa = isa;
  std::string text;
  const PipelineObserver observer{[](std::string_view phase) { return phase == "asm"; },
                                  [&](std::string_view, std::string_view, std::string_view shown) { text = shown; }};
  const abi::Reply reply = run_request(request, &observer);
  EXPECT_EQ(reply.status, 0) << reply.log;
  return text;
}

constexpr const char* kStatements[] = {"h[i] = h[i] * h[i + 1000] + 1.5h;",
                                       "h[i] = floor(h[i]) + sqrt(h[i + 1000]);",
                                       "h[i] = fma(h[i], h[i + 1000], h[i + 2000]);",
                                       "h[i] = h[i] < 2.0h ? -h[i] : h[i] / 3.0h;",
                                       "h[i] = (half)d[i];",
                                       "h[i] = convert_half_rtz(f[i]);",
                                       "vstore_half_rtp(f[i], i, h);",
                                       "f[i] = vload_half(i, h);",
                                       "h[i] = exp(h[i]);"};

TEST(HalfCode, CallsNothingAtAnyLevel) {
  for (const char* statement : kStatements)
    for (const IsaLevel level : {IsaLevel::x86_64_v2, IsaLevel::x86_64_v3, IsaLevel::x86_64_v4}) {
      const std::string text = assembly(statement, level);
      EXPECT_EQ(text.find("hf2"), std::string::npos) << statement << ", " << Isa(level).name();
      EXPECT_EQ(text.find("hfsf"), std::string::npos) << statement << ", " << Isa(level).name();
    }
}

TEST(HalfCode, ConvertsWholeVectorsWhereTheProcessorCan) {
  for (const char* statement : kStatements)
    for (const IsaLevel level : {IsaLevel::x86_64_v3, IsaLevel::x86_64_v4}) {
      const std::string text = assembly(statement, level), wide = level == IsaLevel::x86_64_v3 ? "%ymm" : "%zmm";
      bool found = false;
      for (auto at = text.find("vcvtp"); at != std::string::npos; at = text.find("vcvtp", at + 1)) {
        const std::string line = text.substr(at, text.find('\n', at) - at);
        found |= line.find("ph") != std::string::npos && line.find(wide) != std::string::npos;
      }
      EXPECT_TRUE(found) << statement << ", " << Isa(level).name();
    }
}

// LLVM's own saturating casts would be one scalar conversion per lane.
TEST(ConversionCode, SaturatesWholeVectors) {
  for (const char* statement : {"c[i] = convert_uchar_sat(f[i]);", "n[i] = convert_int_sat_rte(f[i]);",
                                "((global uchar4*)c)[i] = convert_uchar4_sat_rte(((global float4*)f)[i]);",
                                "((global short*)c)[i] = convert_short_sat(f[i]);", "n[i] = convert_int_sat(d[i]);"})
    for (const IsaLevel level : {IsaLevel::x86_64_v3, IsaLevel::x86_64_v4}) {
      const std::string text = assembly(statement, level);
      std::size_t scalar = 0;
      for (auto at = text.find("vcvtts"); at != std::string::npos; at = text.find("vcvtts", at + 1)) ++scalar;
      EXPECT_LE(scalar, 8U) << statement << ", " << Isa(level).name();
    }
}

TEST(HalfCode, RoundsAnFmaDownAndUpWhereRegistersCan) {
  const char* statement = "h[i] = fma(h[i], h[i + 1000], h[i + 2000]);";
  for (const IsaLevel level : {IsaLevel::x86_64_v3, IsaLevel::x86_64_v4}) {
    const std::string text = assembly(statement, level);
    EXPECT_EQ(text.find("{rd-sae}") != std::string::npos, level == IsaLevel::x86_64_v4);
    EXPECT_EQ(text.find("{ru-sae}") != std::string::npos, level == IsaLevel::x86_64_v4);
  }
}

}  // namespace
}  // namespace lanewise::test
