// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/compiler_client.h"
#include "tests/fuzz/kernels/compile.h"

namespace lanewise::fuzz {

abi::Reply compile(const abi::Request& request, const PipelineObserver* /*observer*/) {
  return CompilerClient::instance().run(request);
}

}  // namespace lanewise::fuzz
