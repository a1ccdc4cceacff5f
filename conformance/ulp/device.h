// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs one math function on an OpenCL device, in every form that it can have in a kernel.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/ulp/reference.h"

namespace lanewise::ulp {

/// One way to call a function: components of its vector type, and the size of the work-groups, which limits the
/// work-items in a SIMD vector (1: scalar code).
struct Form {
  unsigned width;
  unsigned lanes;
};

class Device {
 public:
  /// The first device of the first platform whose name contains `platform`. Ends the program if there is none.
  explicit Device(const std::string& platform);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  /// Builds the kernels of one function; the last one's are released.
  void build(const Row& row, const std::vector<Form>& forms, const std::string& options);
  /// out[i] = function(a[i], b[i]). All sizes are equal, multiples of 16 x the form's lanes, and at most `capacity`.
  template <class T>
  void run(std::size_t form, const std::vector<T>& a, const std::vector<T>& b, std::vector<T>& out);
  template <class T>
  void run_with_int(std::size_t form, const std::vector<T>& a, const std::vector<cl_int>& n, std::vector<T>& out);
  /// Elements per second: a work-group's arguments and results stay in the first-level cache. This is the speed of one
  /// thread only if the process is bound to one processor.
  double speed(std::size_t form, std::size_t element_bytes, std::size_t second_bytes);

 private:
  void launch(std::size_t form, const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes, void* out,
              std::size_t count);
  void release();
  cl_mem buffer(std::size_t index, std::size_t bytes);

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  std::vector<cl_kernel> kernels_;
  std::vector<Form> forms_;
  cl_mem buffers_[3] = {};
  std::size_t sizes_[3] = {};
};

template <class T>
void Device::run(std::size_t form, const std::vector<T>& a, const std::vector<T>& b, std::vector<T>& out) {
  launch(form, a.data(), sizeof(T) * a.size(), b.data(), sizeof(T) * b.size(), out.data(), a.size());
}

template <class T>
void Device::run_with_int(std::size_t form, const std::vector<T>& a, const std::vector<cl_int>& n,
                          std::vector<T>& out) {
  launch(form, a.data(), sizeof(T) * a.size(), n.data(), sizeof(cl_int) * n.size(), out.data(), a.size());
}

}  // namespace lanewise::ulp
