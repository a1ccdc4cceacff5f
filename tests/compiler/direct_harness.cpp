// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/kernels/harness.h without a runtime: compiles in this process and launches as direct_launch.h does.
#include "tests/compiler/direct_harness.h"

#include <sstream>
#include <utility>

#include "compiler/pipeline.h"

namespace lanewise::test {
namespace {

std::vector<std::string> tokens(const std::string& options) {
  std::istringstream stream(options);
  std::vector<std::string> list;
  for (std::string token; stream >> token;) list.push_back(token);
  return list;
}

}  // namespace

abi::Reply build(const std::string& source, const std::string& options, bool debug_barriers) {
  abi::Request request;
  request.job = abi::Job::build;
  request.source = source;
  request.options = tokens(options);
  request.extensions = {"cl_khr_fp16", "cl_khr_fp64", "__opencl_c_fp64", "__opencl_c_int64"};
  request.debug_barriers = debug_barriers;
  return run_request(request);
}

abi::Reply build_vectors(const std::string& source, unsigned width, unsigned isa_level, const std::string& options) {
  abi::Request request;
  request.job = abi::Job::build;
  request.source = source;
  request.options = tokens(options);
  request.extensions = {"cl_khr_fp16", "cl_khr_fp64", "__opencl_c_fp64", "__opencl_c_int64"};
  request.isa_level = isa_level;
  request.vector_width = width;
  request.report_vectors = true;
  return run_request(request);
}

void run_direct(const abi::Reply& reply, const std::string& kernel, const Range& range, const std::vector<Arg>& args,
                Observed* observed) {
  EXPECT_EQ(launch_direct(reply, kernel, range, args, observed), "");
}

void run(const std::string& source, const std::string& kernel, const Range& range, std::vector<Arg> args,
         const std::string& options) {
  std::vector<std::string> before;
  for (const Arg& a : args)
    if (a.kind == Arg::Kind::buffer) before.emplace_back(static_cast<const char*>(a.data), a.bytes);
  const auto restore = [&] {
    std::size_t i = 0;
    for (const Arg& a : args)
      if (a.kind == Arg::Kind::buffer) std::memcpy(a.data, before[i++].data(), a.bytes);
  };
  // The test looks at what the last of these left.
  for (const auto& [width, isa_level] : {std::pair{1U, 2U}, {4U, 2U}, {8U, 3U}, {0U, 3U}}) {
    restore();
    const abi::Reply reply = build_vectors(source, width, isa_level, options);
    ASSERT_EQ(reply.status, 0) << reply.log;
    run_direct(reply, kernel, range, args, nullptr);
    if (::testing::Test::HasFailure()) FAIL() << "width " << width << ", level " << isa_level;
  }
}

}  // namespace lanewise::test
