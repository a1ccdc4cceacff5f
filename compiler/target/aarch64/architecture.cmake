# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LLVM's back end, the architecture in a triple, and its lowest level (compiler/frontend/embed.cmake). No level of it has
# masked accesses, so none has lane functions.
set(back_end AArch64)
set(architecture aarch64)
set(lowest_level armv8-a)
