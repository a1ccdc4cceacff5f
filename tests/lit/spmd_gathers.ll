; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes that load from addresses of their own: a gather where the processor is fast at that, small vectors in units of 32 or
; 64 bits, taken apart by shuffles. One load for each lane elsewhere, for sizes that have no gather, for vectors that are no
; whole units or many of them, for two lanes, and at a known distance without a mask. Uniform and consecutive loads stay what they are.
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v4+fast-gather %s | %filecheck %s --check-prefixes=CHECK,FAST
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3+fast-gather %s | %filecheck %s --check-prefixes=CHECK,FAST
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v4 %s | %filecheck %s --check-prefix=SLOW
; RUN: %opt --passes=vectorise --width=2 --isa=x86-64-v4+fast-gather %s | %filecheck %s --check-prefix=SLOW
; SLOW-NOT: @llvm.masked.gather

; CHECK-LABEL: define void @floats
; FAST: items.vector:
; FAST: load <8 x i32>
; FAST: call <8 x float> @llvm.masked.gather{{.*}}(<8 x ptr> {{.*}}, <8 x i1> splat (i1 true), <8 x float> zeroinitializer)
; FAST: store <8 x float>

; CHECK-LABEL: define void @pairs
; FAST: %[[G:.*]] = call <8 x i64> @llvm.masked.gather
; FAST: %[[F:.*]] = bitcast <8 x i64> %[[G]] to <16 x float>
; FAST: shufflevector <16 x float> %[[F]], <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4,
; FAST: shufflevector <16 x float> %[[F]], <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5,

; CHECK-LABEL: define void @fours
; FAST-COUNT-2: call <8 x i64> @llvm.masked.gather{{.*}} splat (i1 true)
; FAST-COUNT-2: call <8 x i64> @llvm.masked.gather{{.*}} <8 x i1> %live
; FAST-NOT: call <8 x i64> @llvm.masked.gather

; CHECK-LABEL: define void @bytes_of_a_word
; FAST: call <8 x i32> @llvm.masked.gather
; FAST: bitcast <8 x i32> %{{.*}} to <32 x i8>

; Under a mask a lane has no address of its own, so that loads cannot be put together.
; CHECK-LABEL: define void @strided
; CHECK-NOT: @llvm.masked.gather
; CHECK: items.rest:
; FAST: call <8 x float> @llvm.masked.gather{{.*}} <8 x i1> %live
; CHECK-LABEL: define void @threes
; CHECK-NOT: @llvm.masked.gather
; CHECK-LABEL: define void @bytes(
; CHECK-NOT: @llvm.masked.gather
; CHECK: {{^}}}
define void @floats(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load float, ptr %p, align 1
  %s = fadd float %v, 1.0
  %r = getelementptr float, ptr %b, i64 %id
  store float %s, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}
define void @pairs(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load <2 x float>, ptr %p, align 1
  %e0 = extractelement <2 x float> %v, i64 0
  %e1 = extractelement <2 x float> %v, i64 1
  %s = fadd float %e0, %e1
  %r = getelementptr float, ptr %b, i64 %id
  store float %s, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !3
exit:
  ret void
}
define void @fours(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load <4 x float>, ptr %p, align 1
  %e0 = extractelement <4 x float> %v, i64 1
  %e1 = extractelement <4 x float> %v, i64 3
  %s = fadd float %e0, %e1
  %r = getelementptr float, ptr %b, i64 %id
  store float %s, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !4
exit:
  ret void
}
define void @bytes_of_a_word(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = sext i32 %i to i64
  %p = getelementptr i8, ptr %a, i64 %e
  %v = load <4 x i8>, ptr %p, align 1
  %e0 = extractelement <4 x i8> %v, i64 0
  %e1 = extractelement <4 x i8> %v, i64 2
  %s = add i8 %e0, %e1
  %r = getelementptr i8, ptr %b, i64 %id
  store i8 %s, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !5
exit:
  ret void
}
define void @strided(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = mul i64 %id, 5
  %p = getelementptr float, ptr %a, i64 %e
  %v = load float, ptr %p, align 1
  %z = uitofp i32 %i to float
  %s = fadd float %v, %z
  %r = getelementptr float, ptr %b, i64 %id
  store float %s, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !8
exit:
  ret void
}
define void @threes(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %e
  %v = load <3 x float>, ptr %p, align 1
  %e0 = extractelement <3 x float> %v, i64 0
  %e1 = extractelement <3 x float> %v, i64 2
  %s = fadd float %e0, %e1
  %r = getelementptr float, ptr %b, i64 %id
  store float %s, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !6
exit:
  ret void
}
define void @bytes(ptr %a, ptr %b, ptr %index, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %q = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %q
  %e = sext i32 %i to i64
  %p = getelementptr i8, ptr %a, i64 %e
  %v = load i8, ptr %p, align 1
  %s = add i8 %v, 1
  %r = getelementptr i8, ptr %b, i64 %id
  store i8 %s, ptr %r
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !7
exit:
  ret void
}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1}
!5 = distinct !{!5, !1}
!6 = distinct !{!6, !1}
!7 = distinct !{!7, !1}
!8 = distinct !{!8, !1}
