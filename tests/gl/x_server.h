// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An X server without a screen, for the time of the test program.
#pragma once

#include <string>

namespace lanewise::test {

/// The name of the display of an Xvfb that this call starts, if no earlier one has. Empty: there is no Xvfb.
const std::string& x_display();

}  // namespace lanewise::test
