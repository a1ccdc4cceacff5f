// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/request/run_request.h"
#include "tests/fuzz/kernels/compile.h"

namespace lanewise::fuzz {

abi::Reply compile(const abi::Request& request, const PipelineObserver* observer) {
  return run_request(request, observer);
}

}  // namespace lanewise::fuzz
