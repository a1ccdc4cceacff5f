; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A vector of four at a place of each lane's own: every fourth lane side by side, then shuffles within 128 bits. The
; address of the next vector is that of the first one and a constant.
; RUN: %opt --passes=vectorise,lay-out-components --width=8 --isa=x86-64-v3 %s | %filecheck %s
; CHECK: items.vector:
; CHECK: %[[P0:.*]] = getelementptr <4 x float>, ptr %a, i64 %{{.*}}
; CHECK: load <4 x float>, ptr %[[P0]], align 4
; CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> %{{.*}}, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: %[[LOW:.*]] = shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
; CHECK: %[[LOW2:.*]] = shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
; CHECK: shufflevector <8 x float> %[[LOW]], <8 x float> %[[LOW2]], <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
; CHECK: shufflevector <8 x float> %[[LOW]], <8 x float> %[[LOW2]], <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
; CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
; CHECK-NOT: extractelement <8 x ptr>
; CHECK: getelementptr <4 x float>, ptr %{{.*}}, i64 1
; CHECK-NOT: extractelement <8 x ptr>
; CHECK: items.vector.end:
define void @f(ptr %a, ptr %at, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %from = getelementptr i32, ptr %at, i64 %id
  %index = load i32, ptr %from
  %wide = sext i32 %index to i64
  %p = getelementptr <4 x float>, ptr %a, i64 %wide
  %v = load <4 x float>, ptr %p, align 4
  %q = getelementptr <4 x float>, ptr %p, i64 1
  %w = load <4 x float>, ptr %q, align 4
  %sum = fadd <4 x float> %v, %w
  %x = extractelement <4 x float> %sum, i64 0
  %y = extractelement <4 x float> %sum, i64 3
  %xy = fmul float %x, %y
  %r = getelementptr float, ptr %b, i64 %id
  store float %xy, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
