// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Built-in functions for which the SPIR-V translator uses other names or other types of arguments than OpenCL C, or an
/// instruction that no processor has.
///
///     call i32 @_Z36work_group_scan_inclusive_bitwise_ori(i32 %x)    ; before
///     call i32 @_Z20work_group_broadcastjj(i32 %x, i32 %id)
///     %r = frem float %a, %b
///     call i32 @_Z18__spirv_ocl_printfPU3AS1ci(ptr addrspace(1) %format, i32 %x)
///
///     call i32 @_Z28work_group_scan_inclusive_ori(i32 %x)            ; after
///     %wide = zext i32 %id to i64
///     call i32 @_Z20work_group_broadcastjm(i32 %x, i64 %wide)
///     %r = call float @_Z4fmodff(float %a, float %b)
///     call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) %cast, i32 %x)
#pragma once

namespace llvm {
class Module;
}

namespace lanewise {

/// Gives such calls the functions that the built-in library has.
void adopt_library_names(llvm::Module& module);

}  // namespace lanewise
