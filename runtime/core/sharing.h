// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lanewise {

/// What the memory objects of a context share their content with outside of OpenCL, which runtime/gl implements.
class Sharing {
 public:
  Sharing() = default;
  Sharing(const Sharing&) = delete;
  Sharing& operator=(const Sharing&) = delete;
  virtual ~Sharing() = default;
};

}  // namespace lanewise
