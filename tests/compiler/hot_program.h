// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of OpenCL C as kernels that proved hot: each is compiled for launches of one work-item, and called like a
/// function of C.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/base/isa.h"
#include "tests/kernels/harness.h"

namespace lanewise::abi {
struct Reply;
}  // namespace lanewise::abi

namespace lanewise::test {

/// One kernel of second-tier code.
class HotKernel {
 public:
  HotKernel(std::string name, std::shared_ptr<const abi::Reply> code)
      : name_(std::move(name)), code_(std::move(code)) {}
  void run(const std::vector<Arg>& args) const;

 private:
  std::string name_;
  std::shared_ptr<const abi::Reply> code_;
};

class HotProgram {
 public:
  /// Every `void f(global ...` of the source becomes a kernel.
  HotProgram(const std::string& source, Isa isa);

  /// The code of a kernel; null if there is none of that name, or after a failure.
  [[nodiscard]] std::shared_ptr<const HotKernel> kernel(const std::string& name) const;

 private:
  Isa isa_;
  std::shared_ptr<const abi::Reply> program_;
};

/// Functions of C that run a kernel. There are a few of each type: the one that was made first is made anew in the end.
template <class Function>
class HotCall;

template <class... Args>
class HotCall<void(Args...)> {
 public:
  using Function = void(Args...);

  static Function* of(std::shared_ptr<const HotKernel> kernel) {
    const std::size_t slot = next_++ % kSlots;
    kernels_[slot] = std::move(kernel);
    return functions(std::make_index_sequence<kSlots>())[slot];
  }

 private:
  static constexpr std::size_t kSlots = 16;

  template <std::size_t slot>
  static void call(Args... args) {
    kernels_[slot]->run({value(args)...});
  }
  template <std::size_t... slots>
  static std::array<Function*, kSlots> functions(std::index_sequence<slots...> /*all*/) {
    return {&call<slots>...};
  }

  static inline std::array<std::shared_ptr<const HotKernel>, kSlots> kernels_;
  static inline std::size_t next_ = 0;
};

}  // namespace lanewise::test
