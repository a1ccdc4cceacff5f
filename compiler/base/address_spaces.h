// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers of OpenCL's address spaces in spir64, which code keeps when it is re-targeted to the host.
#pragma once

namespace lanewise {

enum AddressSpace : unsigned {
  private_space = 0,
  global_space = 1,
  constant_space = 2,
  local_space = 3,
  generic_space = 4,
};

/// Whether the memory is that of buffers and of variables outside of functions.
constexpr bool is_buffer_space(unsigned space) {
  return space == global_space || space == constant_space;
}

}  // namespace lanewise
