// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A generated kernel with everything that a launch of it needs.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/kernels/tree.h"
#include "tests/kernels/harness.h"

namespace lanewise::fuzz {

/// A possible argument of the kernel. Only those whose name the program mentions become arguments.
struct Parameter {
  enum class Kind { input, output, zeros, local, value, image, sampler };
  Kind kind = Kind::input;
  std::string declaration;  ///< "global const uint* in_u32"
  std::string name;
  std::size_t bytes = 0;    ///< of a buffer or local area; a value has 4
  bool floats = false;      ///< input, output: numbers of `element` bytes that are not NaN
  unsigned element = 4;     ///< bytes
  std::uint32_t value = 0;  ///< of a sampler: LANEWISE_SAMPLER_* bits
  struct Picture {
    cl_image_format format{};
    cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
    std::array<std::size_t, 3> extent{1, 1, 1};  ///< layers are in the first one that the type does not filter
  };
  Picture picture{};  ///< of an image, without padding
};

struct Program {
  std::uint64_t seed = 0;
  Tree globals;  ///< program-scope constants and helper functions
  Tree body;
  std::vector<Parameter> parameters;
  test::Range range{1, 1};
  std::string attributes;       ///< of the kernel
  bool half = true;             ///< has 16-bit floating point numbers
  unsigned sub_group_size = 0;  ///< that the kernel requires; 0: it has no sub-groups
  bool collectives = false;     ///< has functions of the work-group
  bool library_math = false;    ///< results may differ between instruction sets, within the bounds of OpenCL C 7.4

  Program() = default;
  [[nodiscard]] Program copy() const;
  /// Those that the text mentions, in order.
  [[nodiscard]] std::vector<Parameter> used() const;
  /// OpenCL C 3.0; the kernel is `k`.
  [[nodiscard]] std::string source() const;
  /// It can also be built without functions of sub-groups and work-groups (-DEMULATED).
  [[nodiscard]] bool has_emulation() const { return sub_group_size != 0 || collectives; }
  /// A launch for which the second tier has code: whole groups, no offset.
  [[nodiscard]] bool is_plain() const;
  /// One line: sizes of the launch.
  [[nodiscard]] std::string shape() const;
};

/// The features that programs may use.
struct Features {
  bool sub_groups = true;
  bool half = true;
  bool collectives = true;    ///< functions of a whole work-group
  bool generic = true;        ///< generic pointers
  bool variables = true;      ///< in program scope, in global memory
  bool float_atomics = true;  ///< cl_ext_float_atomics for float and double
  bool images = true;
  unsigned most_statements = 45;
};

/// The program of this seed: defined behaviour only, no data race, so that every order of the work-items gives the same
/// bytes. Each work-item writes places of its own; local memory is written and read in phases with barriers between.
Program generate(std::uint64_t seed, const Features& features);

}  // namespace lanewise::fuzz
