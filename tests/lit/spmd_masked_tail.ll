; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The work-items behind the last full vector run as one vector under a mask; the scalar loop disappears. Where an id may
; wrap, the masked loop runs all of them, one lane at a time.
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3 %s | %filecheck %s
; RUN: %opt --passes=vectorise --isa=x86-64-v3 %s | %filecheck %s --check-prefix=COST
; CHECK: vectorise: f items: width 8, masked tail
; CHECK-LABEL: define void @f
; CHECK: %[[COUNT:.*]] = and i64 %size, -8
; CHECK: br i1 %{{.*}}, label %items.vector.enter, label %items.rest
; CHECK: items.vector:
; CHECK: items.vector.end:
; CHECK: br i1 %{{.*}}, label %exit, label %items.rest
; CHECK: items.rest:
; CHECK: %[[ID:.*]] = phi i64 [ 0, %entry ], [ %[[COUNT]], %items.vector.end ]
; CHECK: %[[LEFT:.*]] = sub nuw i64 %size, %[[ID]]
; CHECK: %[[NARROW:.*]] = trunc i64 %[[LEFT]] to i32
; CHECK: %live = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %{{.*}}, <8 x i1> %live
; CHECK: call void @llvm.masked.store.v8f32.p0(<8 x float> %{{.*}}, ptr align 4 %{{.*}}, <8 x i1> %live)
; CHECK: br label %exit
; CHECK-NOT: load float
define void @f(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr float, ptr %a, i64 %id
  %v = load float, ptr %p
  %w = fadd float %v, 1.0
  store float %w, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @assumes
; CHECK: add i64 %base, %size
; CHECK: %rest.step = select i1 %[[HOLDS:.*]], i64 8, i64 1
; CHECK: items.rest:
; CHECK: %[[REST:.*]] = phi i64 {{.*}} [ %[[NEXT:.*]], %items.rest ]
; CHECK: call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %rest.step)
; CHECK: %[[NEXT]] = add nuw i64 %[[REST]], %rest.step
; CHECK: br i1 %{{.*}}, label %items.rest, label %exit
define void @assumes(ptr %a, i64 %base, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %g = add i64 %base, %id
  %n = trunc i64 %g to i32
  %i = sext i32 %n to i64
  %p = getelementptr float, ptr %a, i64 %i
  store float 1.0, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Bytes have no masked accesses at this level: the tail stays scalar.
; COST-LABEL: define void @bytes
; COST: load <32 x i8>
; COST: items:
; COST: load i8, ptr
define void @bytes(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i8, ptr %a, i64 %id
  %v = load i8, ptr %p
  %w = add i8 %v, 1
  store i8 %w, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
