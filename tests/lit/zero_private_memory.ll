; RUN: %opt --passes=zero-private-memory --zero-private %s | %filecheck %s
; RUN: %opt --passes=zero-private-memory %s | %filecheck %s --check-prefix=OFF
; Private variables begin as zeros where their lifetime begins, or with the function.

; OFF-NOT: {{memset|store}}
; CHECK-LABEL: define void @marked(
; CHECK: call void @llvm.lifetime.start.p0(ptr %x)
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr {{.*}}%x, i8 0, i64 32, i1 false)
; CHECK: load
define void @marked(i32 %i) {
entry:
  %x = alloca [8 x i32], align 4
  br label %use

use:
  call void @llvm.lifetime.start.p0(ptr %x)
  %p = getelementptr [8 x i32], ptr %x, i32 0, i32 %i
  %v = load i32, ptr %p
  call void @llvm.lifetime.end.p0(ptr %x)
  ret void
}

; CHECK-LABEL: define void @unmarked(
; CHECK: %x = alloca i64, align 8
; CHECK-NEXT: store i64 0, ptr %x, align 8
; CHECK-NEXT: br label %use
define void @unmarked() {
entry:
  %x = alloca i64, align 8
  br label %use

use:
  %v = load i64, ptr %x
  ret void
}

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
