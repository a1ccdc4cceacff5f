; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Pixels of three bytes whose places are clamped, or the end of a row: a test decides whether the lanes are neighbours.
; RUN: %opt --passes=vectorise --width=16 --isa=x86-64-v4 %s | %filecheck %s
; RUN: %opt --passes=vectorise --width=16 --isa=x86-64-v3 %s | %filecheck %s --check-prefix=V3

; CHECK-LABEL: define void @clamped(
; CHECK: items.vector:
; CHECK: icmp eq <16 x i32> %{{.*}}, <i32 0, i32 3, i32 6,
; CHECK: br i1 %{{.*}}, label %together, label %apart
; CHECK: together:
; CHECK: load <48 x i8>
; CHECK: shufflevector <48 x i8> %{{.*}}, <48 x i8> poison, <16 x i32> <i32 0, i32 3, i32 6,
; CHECK: apart:
; CHECK-COUNT-48: load i8
; CHECK: ret void
; V3-LABEL: define void @clamped(
; V3: load <48 x i8>
; V3: ret void
define void @clamped(ptr %a, ptr %b, i32 %last, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %c = call i32 @llvm.smin.i32(i32 %x, i32 %last)
  %i = mul i32 %c, 3
  %e = sext i32 %i to i64
  %p = getelementptr i8, ptr %a, i64 %e
  %r = load i8, ptr %p
  %p.g = getelementptr i8, ptr %p, i64 1
  %g = load i8, ptr %p.g
  %p.b = getelementptr i8, ptr %p, i64 2
  %b.b = load i8, ptr %p.b
  %s = add i8 %r, %g
  %t = add i8 %s, %b.b
  %q = getelementptr i8, ptr %b, i64 %id
  store i8 %t, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @tile(
; CHECK: br i1 %{{.*}}, label %together, label %apart
; CHECK: br i1 %{{.*}}, label %rows, label %apart
; CHECK: rows:
; CHECK: %[[FIRST:.*]] = call <48 x i8> @llvm.masked.load.v48i8.p0(ptr align 1 %{{.*}}, <48 x i1> %{{.*}}, <48 x i8> zeroinitializer)
; CHECK: call <48 x i8> @llvm.masked.load.v48i8.p0(ptr align 1 %{{.*}}, <48 x i1> %{{.*}}, <48 x i8> %[[FIRST]])
; CHECK: ret void
; No masked loads of bytes.
; V3-LABEL: define void @tile(
; V3-NOT: rows:
; V3: ret void
define void @tile(ptr %a, ptr %b, i32 %pitch, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %row = udiv i32 %x, 19
  %column = urem i32 %x, 19
  %begin = mul i32 %row, %pitch
  %three = mul i32 %column, 3
  %i = add i32 %begin, %three
  %e = sext i32 %i to i64
  %p = getelementptr i8, ptr %a, i64 %e
  %r = load i8, ptr %p
  %p.b = getelementptr i8, ptr %p, i64 2
  %b.b = load i8, ptr %p.b
  %s = add i8 %r, %b.b
  %q = getelementptr i8, ptr %b, i64 %id
  store i8 %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Some lanes: each element has the mask of its lane; elements between fields are not read.
; CHECK-LABEL: define void @some(
; CHECK: call <64 x i8> @llvm.masked.load.v64i8.p0(
; CHECK: call void @llvm.masked.store.v32i8.p0(
; CHECK: ret void
define void @some(ptr %a, ptr %b, ptr %m, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %end ]
  %p.m = getelementptr i8, ptr %m, i64 %id
  %k = load i8, ptr %p.m
  %wanted = icmp ugt i8 %k, 3
  br i1 %wanted, label %then, label %end
then:
  %p = getelementptr [4 x i8], ptr %a, i64 %id
  %r = load i8, ptr %p
  %p.w = getelementptr i8, ptr %p, i64 3
  %w = load i8, ptr %p.w
  %q = getelementptr [2 x i8], ptr %b, i64 %id
  store i8 %w, ptr %q
  %q.y = getelementptr i8, ptr %q, i64 1
  store i8 %r, ptr %q.y
  br label %end
end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Near misses: a store between the loads that may change the second one; a stride that is not known.
; CHECK-LABEL: define void @stored_between(
; CHECK-NOT: load <48 x i8>
; CHECK: ret void
define void @stored_between(ptr %a, ptr %b, i32 %last, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %c = call i32 @llvm.smin.i32(i32 %x, i32 %last)
  %i = mul i32 %c, 3
  %e = sext i32 %i to i64
  %p = getelementptr i8, ptr %a, i64 %e
  %r = load i8, ptr %p
  %q = getelementptr i8, ptr %b, i64 %id
  store i8 %r, ptr %q
  %p.b = getelementptr i8, ptr %p, i64 2
  %b.b = load i8, ptr %p.b
  %q.b = getelementptr i8, ptr %q, i64 4096
  store i8 %b.b, ptr %q.b
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @any_stride(
; CHECK-NOT: together:
; CHECK: ret void
define void @any_stride(ptr %a, ptr %b, i32 %last, i32 %stride, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %c = call i32 @llvm.smin.i32(i32 %x, i32 %last)
  %i = mul i32 %c, %stride
  %e = sext i32 %i to i64
  %p = getelementptr i8, ptr %a, i64 %e
  %r = load i8, ptr %p
  %p.b = getelementptr i8, ptr %p, i64 2
  %b.b = load i8, ptr %p.b
  %s = add i8 %r, %b.b
  %q = getelementptr i8, ptr %b, i64 %id
  store i8 %s, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

declare i32 @llvm.smin.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
