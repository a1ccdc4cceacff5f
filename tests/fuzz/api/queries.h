// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The name, size and destination of a query, drawn before the object.
#pragma once

#include <algorithm>
#include <cstring>

#include "tests/fuzz/api/check.h"
#include "tests/fuzz/api/world.h"

namespace lanewise::fuzz {

class Query {
 public:
  Query(World& world, Draw& draw) : value_(world.scratch()) {
    // The first names of each kind of object (cl.h, cl_ext.h).
    const cl_uint bases[] = {0x0900, 0x1000, 0x1040, 0x1080, 0x1090, 0x1100, 0x1110, 0x1120, 0x1130, 0x1150,
                             0x1160, 0x1180, 0x1190, 0x11B0, 0x11D0, 0x1280, 0x2030, 0x4100, 0x4190, 0x1290};
    name_ = draw.among(bases) + draw.below(64);
    const std::size_t sizes[] = {0, 1, 4, 8, 64, World::kScratchBytes};
    size_ = draw.among(sizes);
    // CL_PROGRAM_BINARIES writes through the pointers in this memory.
    std::memset(value_, 0, World::kScratchBytes);
    if (draw.one_in(8)) value_ = nullptr;
    wants_size_ = !draw.one_in(4);
  }

  /// The size that the query reports must not exceed what it was allowed to write.
  template <class Function, class... Objects>
  void ask(Function function, Objects... objects) {
    std::size_t told = 0;
    const cl_int code = function(objects..., name_, size_, value_, wants_size_ ? &told : nullptr);
    if (code == CL_SUCCESS && value_ != nullptr) expect(told <= size_, "size of a query's value");
  }

 private:
  cl_uint name_ = 0;
  std::size_t size_ = 0;
  void* value_;
  bool wants_size_ = false;
};

}  // namespace lanewise::fuzz
