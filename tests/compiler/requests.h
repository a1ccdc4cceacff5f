// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Short functions that make requests as the runtime does.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/request/run_request.h"

namespace lanewise::test {

inline abi::Source source_of(std::string text, std::vector<std::string> options = {}) {
  abi::Source source;
  source.text = std::move(text);
  source.options = std::move(options);
  source.extensions = {"cl_khr_fp64", "cl_khr_byte_addressable_store", "cl_khr_il_program"};
  source.macros = {"__OPENCL_VERSION__=300", "__opencl_c_fp64=1", "__opencl_c_int64=1"};
  return source;
}

inline abi::Compile compile_of(std::string text, std::vector<std::string> options = {}) {
  return {.source = source_of(std::move(text), std::move(options))};
}

inline abi::Build build_of(std::string text, std::vector<std::string> options = {}) {
  return {.source = source_of(std::move(text), std::move(options)), .code = {}};
}

inline abi::Reply compile_only(std::string source, std::vector<std::string> options = {}) {
  return run_request(compile_of(std::move(source), std::move(options)));
}

/// A build with code. Its errors are also those of a build without.
inline abi::Reply build_program(std::string source, std::vector<std::string> options = {}) {
  abi::Build q = build_of(std::move(source), std::move(options));
  abi::Reply reply = run_request(q);
  if (reply.status == 0) return reply;
  q.code.time = abi::CodeTime::wanted;
  const abi::Reply described = run_request(q);
  EXPECT_EQ(described.status, reply.status);
  EXPECT_EQ(described.log, reply.log);
  return reply;
}

inline abi::Reply link_replies(const std::vector<abi::Reply>& replies, bool library = false) {
  abi::Link q;
  for (const abi::Reply& reply : replies) q.inputs.push_back(reply.ir);
  q.create_library = library;
  return run_request(q);
}

/// Of a kernel of a program that has been built.
inline abi::Specialise specialise(const abi::Reply& program, const char* kernel, std::array<std::uint64_t, 3> local) {
  abi::Specialise q;
  q.program = program.ir;
  q.launches.kernel = kernel;
  q.launches.local_size = local;
  return q;
}

/// One of the intermediate forms of a build (PipelineObserver), of all kernels together.
inline std::string form(const abi::Request& q, const std::string& phase) {
  std::string text;
  const PipelineObserver observer{.wants = [&](std::string_view p) { return p == phase; },
                                  .show = [&](std::string_view, std::string_view, std::string_view t) { text += t; }};
  const abi::Reply reply = run_request(q, &observer);
  EXPECT_EQ(reply.status, 0) << reply.log;
  return text;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace lanewise::test
