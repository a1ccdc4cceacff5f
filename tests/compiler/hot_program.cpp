// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/compiler/hot_program.h"

#include <algorithm>

#include "tests/compiler/direct_launch.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

std::string with_kernels(std::string source) {
  constexpr std::string_view kHead = "void ";
  for (std::size_t at = source.find(kHead); at != std::string::npos; at = source.find(kHead, at)) {
    const std::size_t list = source.find('(', at);
    const bool kernel = list != std::string::npos && source.compare(list + 1, 7, "global ") == 0;
    if (kernel) source.insert(at, "kernel ");
    at += kHead.size() + (kernel ? 7 : 0);
  }
  return source;
}

}  // namespace

void HotKernel::run(const std::vector<Arg>& args) const {
  EXPECT_EQ(launch_direct(*code_, name_, Range(1, 1), args, nullptr), "") << name_;
}

HotProgram::HotProgram(const std::string& source, Isa isa) : isa_(isa) {
  abi::Compile q = compile_of(with_kernels(source), {"-cl-std=CL3.0", "-w"});
  q.source.extensions = device_extensions();
  q.source.macros = device_macros();
  program_ = std::make_shared<const abi::Reply>(run_request(q));
  EXPECT_EQ(program_->status, 0) << program_->log;
}

std::shared_ptr<const HotKernel> HotProgram::kernel(const std::string& name) const {
  abi::Specialise q = specialise(*program_, name.c_str(), {1, 1, 1});
  q.code.isa = isa_;
  q.launches.iteration_lanes = isa_.usual_lanes();
  auto code = std::make_shared<const abi::Reply>(run_request(q));
  EXPECT_EQ(code->status, 0) << name << ": " << code->log;
  if (code->status != 0) return nullptr;
  return std::make_shared<HotKernel>(name, std::move(code));
}

}  // namespace lanewise::test
