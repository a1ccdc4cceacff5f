; RUN: %opt --passes=store-lone-lanes %s | %filecheck %s
; Masked stores of one known lane become plain stores of that element; others stay.

; CHECK-LABEL: define void @first(
; CHECK: %[[LANE:.*]] = extractelement <4 x i32> %v, i64 0
; CHECK: store i32 %[[LANE]], ptr %{{.*}}, align 4
; CHECK-NOT: masked.store
; CHECK: ret void
define void @first(ptr %p, <4 x i32> %v) {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 4 %p, <4 x i1> <i1 true, i1 false, i1 false, i1 false>)
  ret void
}

; The address of lane 2, and the alignment that is known for it.
; CHECK-LABEL: define void @third(
; CHECK: getelementptr inbounds i64, ptr %p, i64 2
; CHECK: store i64 %{{.*}}, ptr %{{.*}}, align 16
; CHECK-NOT: masked.store
; CHECK: ret void
define void @third(ptr %p, <4 x i64> %v) {
  call void @llvm.masked.store.v4i64.p0(<4 x i64> %v, ptr align 32 %p, <4 x i1> <i1 false, i1 false, i1 true, i1 false>)
  ret void
}

; CHECK-LABEL: define void @two_lanes(
; CHECK-NEXT: call void @llvm.masked.store
define void @two_lanes(ptr %p, <4 x i32> %v) {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 4 %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
  ret void
}

; CHECK-LABEL: define void @unknown(
; CHECK-NEXT: call void @llvm.masked.store
define void @unknown(ptr %p, <4 x i32> %v, <4 x i1> %m) {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 4 %p, <4 x i1> %m)
  ret void
}

declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
declare void @llvm.masked.store.v4i64.p0(<4 x i64>, ptr, <4 x i1>)
