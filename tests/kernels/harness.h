// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs one kernel of OpenCL C on vectors, for tests that compare with a reference in C++.
///
/// Two implementations: tests/kernels/harness.cpp goes through the OpenCL API of the driver, tests/compiler/
/// direct_harness.cpp calls the range function that the compiler made, without a runtime. The same cases run on both.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace lanewise::test {

struct Arg {
  enum class Kind { buffer, value, local };
  Kind kind = Kind::value;
  void* data = nullptr;          ///< buffer: the vector's storage, input and output
  std::size_t bytes = 0;         ///< buffer, local
  std::vector<std::byte> value;  ///< value
};

/// A __global or __constant pointer; when `run` returns, `v` has what the kernel wrote.
template <class T>
Arg buffer(std::vector<T>& v) {
  return {Arg::Kind::buffer, v.data(), v.size() * sizeof(T), {}};
}

template <class T>
Arg value(const T& v) {
  Arg arg{Arg::Kind::value, nullptr, sizeof(T), std::vector<std::byte>(sizeof(T))};
  std::memcpy(arg.value.data(), &v, sizeof(T));
  return arg;
}

/// A __local pointer to `bytes` bytes.
inline Arg local(std::size_t bytes) {
  return {Arg::Kind::local, nullptr, bytes, {}};
}

/// An NDRange; a local size need not divide the global size.
struct Range {
  unsigned dims = 1;
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> local{1, 1, 1};
  std::array<std::size_t, 3> offset{0, 0, 0};

  Range(std::size_t global_x, std::size_t local_x, std::size_t offset_x = 0)
      : global{global_x, 1, 1}, local{local_x, 1, 1}, offset{offset_x, 0, 0} {}
  Range(unsigned d, std::array<std::size_t, 3> g, std::array<std::size_t, 3> l, std::array<std::size_t, 3> o = {})
      : dims(d), global(g), local(l), offset(o) {}
};

/// Builds `source`, runs `kernel` once and waits. Any failure fails the test with the build log or the error.
void run(const std::string& source, const std::string& kernel, const Range& range, std::vector<Arg> args,
         const std::string& options = "-cl-std=CL3.0");

/// True where `run` also compares vectors of all widths, so that kernels must not write anything that depends on them.
bool compares_widths();

}  // namespace lanewise::test
