; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Elements of a tile by their number: a vector that comes to the end of a row has two runs of consecutive lanes, which two
; masked accesses take. Other lanes are accessed one by one.
; RUN: %opt --passes=vectorise --width=16 --isa=x86-64-v4 %s | %filecheck %s
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3 %s | %filecheck %s --check-prefix=V3

; CHECK-LABEL: define void @load_tile(
; CHECK: items.vector:
; CHECK: scattered:
; CHECK: %[[ORIGINS:.*]] = sub <16 x i32> %[[I:.*]], <i32 0, i32 1, i32 2,
; CHECK: %[[FIRST:.*]] = icmp eq <16 x i32> %[[ORIGINS]],
; CHECK: %[[LAST:.*]] = icmp eq <16 x i32> %[[ORIGINS]],
; CHECK: getelementptr i8, ptr %{{.*}}, i64 -15
; CHECK: %[[BOTH:.*]] = or <16 x i1> %[[FIRST]], %[[LAST]]
; CHECK: call i1 @llvm.vector.reduce.and.v16i1
; CHECK: br i1 %{{.*}}, label %rows, label %apart
; CHECK: rows:
; CHECK: %[[V:.*]] = call <16 x i8> @llvm.masked.load.v16i8.p0(ptr align 1 %{{.*}}, <16 x i1> %[[FIRST]], <16 x i8> zeroinitializer)
; CHECK: call <16 x i8> @llvm.masked.load.v16i8.p0(ptr align 1 %{{.*}}, <16 x i1> %[[LAST]], <16 x i8> %[[V]])
; CHECK: apart:
; CHECK-COUNT-16: load i8
; CHECK: ret void
; No masked loads of bytes.
; V3-LABEL: define void @load_tile(
; V3-NOT: rows:
; V3: ret void
define void @load_tile(ptr %a, ptr %b, i32 %pitch, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %row = udiv i32 %x, 18
  %column = urem i32 %x, 18
  %begin = mul i32 %row, %pitch
  %i = add i32 %begin, %column
  %e = sext i32 %i to i64
  %p = getelementptr i8, ptr %a, i64 %e
  %v = load i8, ptr %p
  %q = getelementptr i8, ptr %b, i64 %id
  store i8 %v, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Lanes of the first run must come before the others: where the rows meet, the last lane's value stays.
; CHECK-LABEL: define void @store_tile(
; CHECK: items.vector:
; CHECK: %[[BITS:.*]] = bitcast <16 x i1> %[[FIRST:.*]] to i16
; CHECK: %[[FIXED:.*]] = freeze i16 %[[BITS]]
; CHECK: %[[MORE:.*]] = add i16 %[[FIXED]], 1
; CHECK: %[[SPLIT:.*]] = and i16 %[[FIXED]], %[[MORE]]
; CHECK: icmp eq i16 %[[SPLIT]], 0
; CHECK: br i1 %{{.*}}, label %rows
; CHECK: call void @llvm.masked.store.v16i32.p0(<16 x i32> %[[W:.*]], ptr align 4 %{{.*}}, <16 x i1> %[[FIRST]])
; CHECK: call void @llvm.masked.store.v16i32.p0(<16 x i32> %[[W]], ptr align 4
; CHECK: ret void
; V3-LABEL: define void @store_tile(
; V3: rows:
; V3: call void @llvm.masked.store.v8i32
; V3: call void @llvm.masked.store.v8i32
; V3: ret void
define void @store_tile(ptr %a, ptr %b, i32 %pitch, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %row = udiv i32 %x, 18
  %column = urem i32 %x, 18
  %begin = mul i32 %row, %pitch
  %i = add i32 %begin, %column
  %e = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %e
  %q = getelementptr i32, ptr %b, i64 %id
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Where lanes leap over elements no two of them are neighbours.
; CHECK-LABEL: define void @columns(
; CHECK-NOT: {{consecutive|rows}}:
; CHECK: ret void
define void @columns(ptr %a, ptr %b, i32 %y, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %x = trunc i64 %id to i32
  %leaps = mul i32 %x, 16
  %number = add i32 %leaps, %y
  %row = udiv i32 %number, 18
  %column = urem i32 %number, 18
  %begin = mul i32 %row, 99
  %i = add i32 %begin, %column
  %e = sext i32 %i to i64
  %p = getelementptr i8, ptr %a, i64 %e
  %v = load i8, ptr %p
  %q = getelementptr i8, ptr %b, i64 %id
  store i8 %v, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
