; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes of four bytes under a mask: where the processor has masks for elements of 32 bits only, each lane is one. Without
; any masks, lanes are accessed one by one.
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3 %s | %filecheck %s
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v4 %s | %filecheck %s --check-prefix=BYTES
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v2 %s | %filecheck %s --check-prefix=NONE
; CHECK-LABEL: define void @bytes
; CHECK: items.vector:
; CHECK: %[[LOADED:.*]] = call <8 x i32> @llvm.masked.load.v8i32{{.*}}<8 x i1>
; CHECK: bitcast <8 x i32> %[[LOADED]] to <32 x i8>
; CHECK: %[[UNITS:.*]] = bitcast <32 x i8> %{{.*}} to <8 x i32>
; CHECK: call void @llvm.masked.store.v8i32{{.*}}(<8 x i32> %[[UNITS]]
; BYTES-LABEL: define void @bytes
; BYTES: call <32 x i8> @llvm.masked.load.v32i8
; BYTES: call void @llvm.masked.store.v32i8
; NONE-LABEL: define void @bytes
; NONE: items.vector:
; NONE-NOT: masked.load.v8i32
; NONE-NOT: masked.store.v8i32
; NONE-LABEL: define void @pairs
define void @bytes(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %latch ]
  %r = getelementptr i64, ptr %c, i64 %id
  %w = load i64, ptr %r
  %chosen = icmp sgt i64 %w, 0
  br i1 %chosen, label %work, label %latch
work:
  %p = getelementptr <4 x i8>, ptr %a, i64 %id
  %v = load <4 x i8>, ptr %p
  %s = add <4 x i8> %v, splat (i8 1)
  %q = getelementptr <4 x i8>, ptr %b, i64 %id
  store <4 x i8> %s, ptr %q
  br label %latch
latch:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Two bytes are no such element.
; CHECK-LABEL: define void @pairs
; CHECK: items.vector:
; CHECK-NOT: masked.load.v8i16
; CHECK-NOT: bitcast <8 x i32>
; CHECK: items.rest:
define void @pairs(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %latch ]
  %r = getelementptr i64, ptr %c, i64 %id
  %w = load i64, ptr %r
  %chosen = icmp sgt i64 %w, 0
  br i1 %chosen, label %work, label %latch
work:
  %p = getelementptr <2 x i8>, ptr %a, i64 %id
  %v = load <2 x i8>, ptr %p
  %s = add <2 x i8> %v, splat (i8 1)
  %q = getelementptr <2 x i8>, ptr %b, i64 %id
  store <2 x i8> %s, ptr %q
  br label %latch
latch:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
