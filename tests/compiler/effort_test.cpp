// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a kernel's size decides its build: by instructions, so that the same source always gives the same code.
#include "compiler/codegen/pipelines.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

TEST(Effort, FollowsTheNumberOfInstructions) {
  EXPECT_EQ(effort_for(0), Effort::normal);
  EXPECT_EQ(effort_for(kNormalInstructions), Effort::normal);
  EXPECT_EQ(effort_for(kNormalInstructions + 1), Effort::brief);
  EXPECT_EQ(effort_for(kBriefInstructions), Effort::brief);
  EXPECT_EQ(effort_for(kBriefInstructions + 1), Effort::reduced);
  EXPECT_EQ(effort_for(kReducedInstructions), Effort::reduced);
  EXPECT_EQ(effort_for(kReducedInstructions + 1), Effort::least);
}

std::string steps(unsigned count) {
  std::string text = "kernel void k(global uint* data) { uint x = data[get_global_id(0)];\n";
  for (unsigned n = 0; n < count; ++n)
    text += "x = x * " + std::to_string(2 * n + 3) + "u + 1u; x ^= x >> " + std::to_string(n % 13 + 3) + ";\n";
  return text + "data[get_global_id(0)] = x; }\n";
}

TEST(Effort, HugeKernelsSayThatTheyAreScalar) {
  abi::Request q = request(abi::Job::build, steps(kReducedInstructions / 4 + 100));
  q.report_vectors = true;
  const abi::Reply reply = run_request(q);
  ASSERT_EQ(reply.status, 0) << reply.log;
  ASSERT_EQ(reply.loops.size(), 1u);
  EXPECT_EQ(reply.loops[0].width, 1u);
  EXPECT_EQ(reply.loops[0].reason, "a huge kernel");
  EXPECT_EQ(reply.log, "");
}

TEST(Effort, TheSameSourceGivesTheSameImage) {
  const std::string source = steps(kBriefInstructions / 4 + 100);
  const abi::Reply first = build_program(source);
  ASSERT_EQ(first.status, 0) << first.log;
  EXPECT_EQ(first.image, build_program(source).image);
}

}  // namespace
}  // namespace lanewise::test
