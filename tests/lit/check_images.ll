; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt --passes=check-images --checks=1 %s | %filecheck %s
; Coordinates are compared with what the image's own queries say. Calls with a sampler or a mip level are not tested.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @writes(
; CHECK: %[[X:.*]] = extractelement <2 x i32> %at, i64 0
; CHECK: %[[WIDTH:.*]] = call spir_func i32 @_Z15get_image_width14ocl_image2d_wo(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %a)
; CHECK: icmp uge i32 %[[X]], %[[WIDTH]]
; CHECK: call spir_func i32 @_Z16get_image_height14ocl_image2d_wo(
; CHECK: br i1 %{{.*}}, label %[[FAULT:.*]], label %{{.*}}, !prof !{{.*}}, !lanewise.check
; CHECK: [[FAULT]]:
; CHECK: call i64 @__lw_check(
; CHECK: call {{.*}}void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(
define void @writes(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %a, <2 x i32> %at) {
  call spir_func void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %a, <2 x i32> %at, <4 x float> zeroinitializer)
  ret void
}

; CHECK-LABEL: define void @level(
; CHECK-NEXT: call
; CHECK-NEXT: ret void
define void @level(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %a, <2 x i32> %at) {
  call spir_func void @_Z12write_imagef14ocl_image2d_woDv2_iiDv4_f(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %a, <2 x i32> %at, i32 0, <4 x float> zeroinitializer)
  ret void
}
declare spir_func void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1), <2 x i32>, <4 x float>)
declare spir_func void @_Z12write_imagef14ocl_image2d_woDv2_iiDv4_f(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1), <2 x i32>, i32, <4 x float>)
