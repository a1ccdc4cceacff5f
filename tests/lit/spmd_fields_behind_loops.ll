; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The address of a field that is computed in a loop that work-items leave in different iterations, and used behind it, is
; one for all of them: the call behind the loop is for a vector. It was not valid, and the kernel stayed scalar.
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3 %s | %filecheck %s
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3 %s | %filecheck %s --check-prefix=LOADED
; CHECK-LABEL: define void @f(
; CHECK: %[[FIELD:.*]] = getelementptr inbounds i8, ptr %image, i64 48
; CHECK: br label %items
; CHECK: call void @__lw_lanes_write.8(ptr %[[FIELD]], <8 x i1>
; LOADED-LABEL: define void @loaded(
; LOADED: %[[WHOLE:.*]] = load ptr, ptr %place
; LOADED-NEXT: %[[FIELD:.*]] = getelementptr inbounds i8, ptr %[[WHOLE]], i64 48
; LOADED: call void @__lw_lanes_write.8(ptr %[[FIELD]], <8 x i1>
declare <4 x float> @__lw_lanes_read(ptr, i64, i32) memory(read) nounwind willreturn
declare void @__lw_lanes_write(ptr, i64, <4 x float>)
define void @f(ptr %image, ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  %p = getelementptr i32, ptr %a, i64 %id
  %x = load i32, ptr %p
  br label %loop
loop:
  %n = phi i32 [ 0, %items ], [ %n1, %loop ]
  %field = getelementptr inbounds i8, ptr %image, i64 48
  %c = call <4 x float> @__lw_lanes_read(ptr %field, i64 %id, i32 %n)
  %n1 = add i32 %n, 1
  %again = icmp slt i32 %n1, %x
  br i1 %again, label %loop, label %done
done:
  call void @__lw_lanes_write(ptr %field, i64 %id, <4 x float> %c)
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @loaded(ptr %place, ptr %a, i64 %size) {
entry:
  %image = load ptr, ptr %place
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  %p = getelementptr i32, ptr %a, i64 %id
  %x = load i32, ptr %p
  br label %loop
loop:
  %n = phi i32 [ 0, %items ], [ %n1, %loop ]
  %field = getelementptr inbounds i8, ptr %image, i64 48
  %c = call <4 x float> @__lw_lanes_read(ptr %field, i64 %id, i32 %n)
  %n1 = add i32 %n, 1
  %again = icmp slt i32 %n1, %x
  br i1 %again, label %loop, label %done
done:
  call void @__lw_lanes_write(ptr %field, i64 %id, <4 x float> %c)
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
