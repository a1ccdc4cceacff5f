// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The objects of the transfer benchmarks: two memory objects of the same size, and as much host memory for each.
#pragma once

#include "tests/bench/bench.h"

namespace lanewise::bench {

class Pair {
 public:
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  /// Reports what has been added to `turns_`.
  void run(int rounds) { turns_.run(rounds); }

 protected:
  /// @param make  a memory object of `bytes` in the context
  Pair(const std::string& platform, std::size_t bytes, const std::function<cl_mem(cl_context, cl_int*)>& make)
      : session_(platform), queue_(session_.queue(0)), host_(bytes, 1), other_(bytes, 2) {
    for (cl_mem* object : {&first_, &second_}) {
      cl_int code = CL_SUCCESS;
      *object = make(session_.context, &code);
      check(code, "creation of a memory object");
    }
  }
  ~Pair() {
    clReleaseMemObject(first_);
    clReleaseMemObject(second_);
    clReleaseCommandQueue(queue_);
  }

  Session session_;
  cl_command_queue queue_;
  std::vector<char> host_;
  std::vector<char> other_;
  cl_mem first_ = nullptr;
  cl_mem second_ = nullptr;
  InTurn turns_;
};

}  // namespace lanewise::bench
