; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A pointer to a function is a number, and a call asks which function of its type is meant. Lists of LLVM keep functions,
; and so do calls that name them, also through a cast.
; RUN: %opt --passes=replace-function-pointers %s | %filecheck %s

; CHECK: @table = addrspace(1) constant [2 x ptr] [ptr inttoptr (i64 [[A:[0-9]+]] to ptr), ptr inttoptr (i64 [[B:[0-9]+]] to ptr)]
@table = addrspace(1) constant [2 x ptr] [ptr @a, ptr @b]
; CHECK: @pure = addrspace(1) constant ptr inttoptr (i64 {{[0-9]+}} to ptr)
@pure = addrspace(1) constant ptr @__cxa_pure_virtual
; CHECK: @llvm.global_ctors = appending global {{.*}} ptr @begin,
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @begin, ptr null }]

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: call spir_func i32 @direct(i32 1)
; CHECK: [[N:%.*]] = ptrtoint ptr %f to i64
; CHECK: switch i64 [[N]], label %none [
; CHECK-DAG: i64 [[A]], label %a
; CHECK-DAG: i64 [[B]], label %b
; CHECK-DAG: i64 {{[0-9]+}}, label %indirect
; CHECK-NEXT: ]
; CHECK: a:
; CHECK-NEXT: [[RA:%.*]] = call spir_func i32 @a(i32 %i)
; CHECK-NOT: @other
; CHECK: none:
; CHECK: called:
; CHECK-NEXT: %r = phi i32
; CHECK-SAME: [ 0, %none ]
define spir_kernel void @k(ptr addrspace(1) %p, i32 %i) {
  %one = call spir_func addrspace(4) i32 addrspacecast (ptr @direct to ptr addrspace(4))(i32 1)
  %slot = getelementptr ptr, ptr addrspace(1) @table, i32 %i
  %f = load ptr, ptr addrspace(1) %slot
  %r = call spir_func i32 %f(i32 %i)
  %s = add i32 %r, %one
  store i32 %s, ptr addrspace(1) %p
  store ptr @other, ptr addrspace(1) %p
  ret void
}

define spir_func i32 @a(i32 %x) {
  ret i32 %x
}

define internal spir_func i32 @b(i32 %x) {
  ret i32 1
}

define spir_func i32 @direct(i32 %x) {
  ret i32 2
}

define spir_func i32 @indirect(i32 %x) #0 {
  ret i32 3
}

define spir_func i32 @other(i64 %x) {
  ret i32 4
}

define internal spir_func void @begin() {
  ret void
}

; CHECK-NOT: @__cxa_pure_virtual
declare spir_func void @__cxa_pure_virtual()

attributes #0 = { "referenced-indirectly" }
