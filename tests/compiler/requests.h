// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Short functions that make requests as the runtime does.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/request/pipeline.h"

namespace lanewise::test {

inline abi::Request request(abi::Job job, std::string source, std::vector<std::string> options = {}) {
  abi::Request q;
  q.job = job;
  q.source = std::move(source);
  q.options = std::move(options);
  q.extensions = {"cl_khr_fp64", "cl_khr_byte_addressable_store", "cl_khr_il_program"};
  q.macros = {"__OPENCL_VERSION__=300", "__opencl_c_fp64=1", "__opencl_c_int64=1"};
  return q;
}

inline abi::Reply compile_only(std::string source, std::vector<std::string> options = {}) {
  return run_request(request(abi::Job::compile, std::move(source), std::move(options)));
}

inline abi::Reply build_program(std::string source, std::vector<std::string> options = {}) {
  return run_request(request(abi::Job::build, std::move(source), std::move(options)));
}

inline abi::Reply link_replies(const std::vector<abi::Reply>& replies, bool library = false) {
  abi::Request q = request(abi::Job::link, "");
  for (const abi::Reply& reply : replies) q.inputs.push_back(reply.ir);
  q.create_library = library;
  return run_request(q);
}

/// Of a kernel of a program that has been built.
inline abi::Request specialise(const abi::Reply& program, const char* kernel, std::array<std::uint64_t, 3> local) {
  abi::Request q = request(abi::Job::specialise, "");
  q.inputs.push_back(program.ir);
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
