; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Fields of one structure per lane: of small structures whole vectors are loaded and stored, of large ones the 16 bytes of
; each lane that have them.
; RUN: %opt --passes=vectorise --width=4 --isa=x86-64-v3 %s | %filecheck %s
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3 %s | %filecheck %s --check-prefix=WIDE

; The last structure is read up to its last field: the second load begins an element earlier.
; CHECK-LABEL: define void @small(
; CHECK: items.vector:
; CHECK: %[[P:.*]] = getelementptr [3 x float]
; CHECK: %[[LOW:.*]] = load <6 x float>, ptr %{{.*}}, align 4
; CHECK: %[[LAST:.*]] = getelementptr i8, ptr %{{.*}}, i64 20
; CHECK: %[[HIGH:.*]] = load <6 x float>, ptr %[[LAST]], align 4
; CHECK: %[[X:.*]] = shufflevector <6 x float> %[[LOW]], <6 x float> %[[HIGH]], <4 x i32> <i32 0, i32 3, i32 7, i32 10>
; CHECK: %[[Y:.*]] = shufflevector <6 x float> %[[LOW]], <6 x float> %[[HIGH]], <4 x i32> <i32 1, i32 4, i32 8, i32 11>
; CHECK: fadd <4 x float> %[[X]], %[[Y]]
; CHECK-NOT: store
; CHECK: %[[BOTH:.*]] = shufflevector <8 x float> %{{.*}}, <8 x float> poison, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
; CHECK: store <8 x float> %[[BOTH]]
; CHECK-NOT: store
; CHECK: items.vector.end:
define void @small(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr [3 x float], ptr %a, i64 %id
  %x = load float, ptr %p
  %p.y = getelementptr i8, ptr %p, i64 4
  %y = load float, ptr %p.y
  %s = fadd float %x, %y
  %q = getelementptr [2 x float], ptr %b, i64 %id
  %q.y = getelementptr i8, ptr %q, i64 4
  store float %x, ptr %q.y
  store float %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Two of eight fields, two lanes in a register: of the last load, which ends with the last field, nothing behind it is taken.
; WIDE-LABEL: define void @pairs(
; WIDE: items.vector:
; WIDE: shufflevector <8 x i32> %{{.*}}, <8 x i32> %{{.*}}, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 14, i32 15, i32 poison, i32 poison>
; WIDE: items.vector.end:
; CHECK-LABEL: define void @pairs(
define void @pairs(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr [8 x i32], ptr %a, i64 %id
  %x = load i32, ptr %p
  %p.y = getelementptr i8, ptr %p, i64 4
  %y = load i32, ptr %p.y
  %s = add i32 %x, %y
  %q = getelementptr i32, ptr %b, i64 %id
  store i32 %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Sums of indices have constant distances as well. The last lane's 16 bytes end with its last field.
; CHECK-LABEL: define void @large(
; CHECK: items.vector:
; CHECK: %[[A:.*]] = load <4 x i32>
; CHECK: %[[B:.*]] = load <4 x i32>
; CHECK: %[[C:.*]] = load <4 x i32>
; CHECK: getelementptr i8, ptr %{{.*}}, i64 80
; CHECK: %[[LATE:.*]] = load <4 x i32>
; CHECK: %[[D:.*]] = shufflevector <4 x i32> %[[LATE]], <4 x i32> poison, <4 x i32> <i32 1, i32 2, i32 3, i32 poison>
; CHECK: shufflevector <4 x i32> %[[A]], <4 x i32> %[[C]], <4 x i32> <i32 0, i32 4, i32 1, i32 5>
; CHECK: shufflevector <4 x i32> %[[B]], <4 x i32> %[[D]], <4 x i32> <i32 0, i32 4, i32 1, i32 5>
; CHECK-NOT: load
; CHECK: items.vector.end:
define void @large(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %first = mul nuw nsw i64 %id, 7
  %p = getelementptr i32, ptr %a, i64 %first
  %x = load i32, ptr %p
  %second = add nuw nsw i64 %first, 2
  %p.z = getelementptr i32, ptr %a, i64 %second
  %z = load i32, ptr %p.z
  %s = add i32 %x, %z
  %q = getelementptr i32, ptr %b, i64 %id
  store i32 %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; A store through another pointer may change the second field, so it is loaded behind it.
; CHECK-LABEL: define void @ordered(
; CHECK: items.vector:
; CHECK: load <4 x i32>
; CHECK: load <4 x i32>
; CHECK: store
; CHECK: load <4 x i32>
; CHECK: items.vector.end:
define void @ordered(ptr %a, ptr %b, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr [2 x i32], ptr %a, i64 %id
  %x = load i32, ptr %p
  %q = getelementptr i32, ptr %b, i64 %id
  store i32 %x, ptr %q
  %p.y = getelementptr i8, ptr %p, i64 4
  %y = load i32, ptr %p.y
  %s = add i32 %x, %y
  store i32 %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
