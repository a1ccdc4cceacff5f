; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Reads and writes of images in the first tier call the forms that are less to compile, on machines that have the lane
; functions; other functions on images, which have no such form, do not.
; RUN: %opt --passes=call-first-tier-forms --isa=x86-64-v3 %s | %filecheck %s
; RUN: %opt --passes=call-first-tier-forms --isa=x86-64-v2 %s | %filecheck %s --check-prefix=V2
; RUN: %opt --passes=call-first-tier-forms --isa=x86-64-v3 --width=1 %s | %filecheck %s --check-prefix=V2

; CHECK-LABEL: define void @f(
; CHECK: %width = call i32 @_Z15get_image_width14ocl_image2d_ro(
; CHECK: %c = call <4 x float> @_Z22__lw_first_read_imagef14ocl_image2d_roDv2_i(
; CHECK: call void @_Z23__lw_first_write_imagef14ocl_image2d_woDv2_iDv4_f(
; V2-NOT: __lw_first_
define void @f(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %in, target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %out, <2 x i32> %at) {
  %width = call i32 @_Z15get_image_width14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %in)
  %c = call <4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %in, <2 x i32> %at)
  call void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %out, <2 x i32> %at, <4 x float> %c)
  ret void
}

declare i32 @_Z15get_image_width14ocl_image2d_ro(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0))
declare <4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), <2 x i32>)
declare void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1), <2 x i32>, <4 x float>)
