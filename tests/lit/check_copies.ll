; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt --passes=check-copies --checks=8 %s | %filecheck %s
; Work-items tell the runtime what they copy and wait for, and meet before they do. Copies get numbers as events.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @copies(
; CHECK: %[[TO:.*]] = ptrtoint ptr addrspace(3) %to to i64
; CHECK: call i64 @__lw_check(i64 8, ptr @check.place, i64 %{{.*}}, i64 0)
; CHECK: call void @_Z7barrierj(i32 0)
; CHECK: %[[NONE:.*]] = icmp eq ptr %given, null
; CHECK: %[[EVENT:.*]] = select i1 %[[NONE]], ptr inttoptr (i64 1 to ptr), ptr %given
; CHECK: call ptr @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %n, ptr %[[EVENT]])
; CHECK: call i64 @__lw_check(i64 9, ptr @check.place{{.*}}, i64 %{{.*}}, i64 1)
; CHECK: call void @_Z7barrierj(i32 0)
; CHECK: call void @_Z17wait_group_eventsiPU9CLprivate9ocl_event(i32 1, ptr %events)
define void @copies(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %n, ptr %given, ptr %events) !dbg !4 {
  %e = call ptr @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %n, ptr %given), !dbg !6
  store ptr %e, ptr %events, !dbg !6
  call void @_Z17wait_group_eventsiPU9CLprivate9ocl_event(i32 1, ptr %events), !dbg !7
  ret void
}

; A function of the library, which has no lines.
; CHECK-LABEL: define ptr @of_the_library(
; CHECK-NEXT: call ptr @_Z21async
define ptr @of_the_library(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %n, ptr %given) {
  %e = call ptr @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %n, ptr %given)
  ret ptr %e
}
; A program's function of such a name, whose last argument is no event.
; CHECK-LABEL: define void @of_the_program(
; CHECK-NEXT: call ptr @my_async_work_group_copy(ptr addrspace(3) %to, i32 1)
define void @of_the_program(ptr addrspace(3) %to) !dbg !8 {
  %e = call ptr @my_async_work_group_copy(ptr addrspace(3) %to, i32 1), !dbg !9
  ret void
}
declare ptr @my_async_work_group_copy(ptr addrspace(3), i32)
declare ptr @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(ptr addrspace(3), ptr addrspace(1), i64, ptr)
declare void @_Z17wait_group_eventsiPU9CLprivate9ocl_event(i32, ptr)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "program.cl", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "copies", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 3, column: 2, scope: !4)
!7 = !DILocation(line: 4, column: 2, scope: !4)
!8 = distinct !DISubprogram(name: "of_the_program", file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!9 = !DILocation(line: 7, column: 2, scope: !8)
