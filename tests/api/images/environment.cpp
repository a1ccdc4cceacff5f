// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images are not reported before kernels can use them; these tests ask for them before the driver reads its options.
#include <cstdlib>

namespace {
[[maybe_unused]] const int kImagesOn = setenv("LANEWISE_IMAGES", "on", 1);
}  // namespace
