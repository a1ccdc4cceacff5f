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

; Each lane has a private variable of its own: an address in it is that of its copy, also where it is used in a loop and
; behind it. It was the address of the variable itself in all lanes, so that each got what the last one had stored.
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3 %s | %filecheck %s --check-prefix=PRIVATE
; PRIVATE-LABEL: define void @private(
; PRIVATE: %v.lanes = alloca [384 x i8], align 64
; PRIVATE: items.vector:
; PRIVATE: %[[FIELD:.*]] = getelementptr i8, ptr %v.lanes, i64 256
; PRIVATE: loop.uniform:
; PRIVATE: %[[PLACE:.*]] = getelementptr i8, ptr %[[FIELD]], i64
; PRIVATE: store <8 x float> %{{.*}}, ptr %[[PLACE]]
; PRIVATE: done.vector:
; PRIVATE: load <8 x float>, ptr %[[FIELD]]
; PRIVATE-LABEL: define void @divergent(
; PRIVATE: %v.lanes = alloca [384 x i8], align 64
; PRIVATE: items.vector:
; PRIVATE: %[[FIELD:.*]] = getelementptr i8, ptr %v.lanes, i64 256
; PRIVATE: loop.live:
; PRIVATE: %[[PLACE:.*]] = getelementptr i8, ptr %[[FIELD]], i64
; PRIVATE: store <8 x float> %{{.*}}, ptr %[[PLACE]]
; PRIVATE: done.vector:
; PRIVATE: load <8 x float>, ptr %[[FIELD]]
; What the lanes share is one variable, wherever its address is computed.
; PRIVATE-LABEL: define void @shared(
; PRIVATE-NOT: %v.lanes
; PRIVATE: items.vector:
; PRIVATE: %[[FIELD:.*]] = getelementptr i8, ptr %v, i64 32
; PRIVATE: loop.uniform:
; PRIVATE: %[[PLACE:.*]] = getelementptr float, ptr %[[FIELD]], i64
; PRIVATE: store float %{{.*}}, ptr %[[PLACE]]
; PRIVATE: done.vector:
; PRIVATE: load float, ptr %[[FIELD]]
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
define void @private(ptr %a, i64 %n, i64 %size) {
entry:
  %v = alloca [12 x float], align 4, !lanewise.private !3
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  %p = getelementptr float, ptr %a, i64 %id
  %x = load float, ptr %p
  %own = fptoui float %x to i64
  %n.float = uitofp i64 %n to float
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k1, %loop ]
  %field = getelementptr i8, ptr %v, i64 32
  %place = getelementptr float, ptr %field, i64 %k
  store float %x, ptr %place
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, 4
  br i1 %again, label %loop, label %done
done:
  %y = load float, ptr %field
  store float %y, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @divergent(ptr %a, i64 %n, i64 %size) {
entry:
  %v = alloca [12 x float], align 4, !lanewise.private !3
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  %p = getelementptr float, ptr %a, i64 %id
  %x = load float, ptr %p
  %own = fptoui float %x to i64
  %n.float = uitofp i64 %n to float
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k1, %loop ]
  %field = getelementptr i8, ptr %v, i64 32
  %place = getelementptr float, ptr %field, i64 %k
  store float %x, ptr %place
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %own
  br i1 %again, label %loop, label %done
done:
  %y = load float, ptr %field
  store float %y, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @shared(ptr %a, i64 %n, i64 %size) {
entry:
  %v = alloca [12 x float], align 4, !lanewise.private !3
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  %p = getelementptr float, ptr %a, i64 %id
  %x = load float, ptr %p
  %own = fptoui float %x to i64
  %n.float = uitofp i64 %n to float
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k1, %loop ]
  %field = getelementptr i8, ptr %v, i64 32
  %place = getelementptr float, ptr %field, i64 %k
  store float %n.float, ptr %place
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, 4
  br i1 %again, label %loop, label %done
done:
  %y = load float, ptr %field
  store float %y, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!3 = !{}
