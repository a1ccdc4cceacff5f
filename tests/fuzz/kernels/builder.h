// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compiles a program in several forms.
#pragma once

#include <string>

#include "compiler/base/observer.h"
#include "include/lanewise/compiler_abi.h"
#include "tests/fuzz/kernels/runner.h"

namespace lanewise::fuzz {

/// The program as the front end reads it, with all that the device has.
[[nodiscard]] abi::Source source_of(const std::string& text);

/// Compiled once by the front end, then linked in every form.
class Builder {
 public:
  /// @param emulated  without functions of sub-groups and work-groups (Program::has_emulation)
  Builder(const std::string& source, bool emulated);
  [[nodiscard]] const abi::Reply& front() const { return front_; }
  /// `observer` may be null.
  [[nodiscard]] abi::Reply build(const Form& form, const test::Range& range, const Buffers& buffers,
                                 const PipelineObserver* observer = nullptr) const;

 private:
  abi::Source source_;
  abi::Reply front_;
};

}  // namespace lanewise::fuzz
