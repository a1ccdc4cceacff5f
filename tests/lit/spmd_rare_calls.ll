; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Calls of a service in a block that hardly ever runs are made in a loop over the active lanes, in hot code too. What a
; check calls for a fault is such a block, and there is one behind each access.
; RUN: %opt --passes=vectorise --isa=x86-64-v4 --width=16 %s | %filecheck %s

; CHECK-LABEL: define void @rare(
; CHECK: store <16 x i64> %{{.*}}, ptr %[[X:slot[0-9]*]]
; CHECK: lane.loop{{[0-9]*}}:
; CHECK: %[[LANE:.*]] = zext i32 %{{.*}} to i64
; CHECK-NEXT: getelementptr inbounds i64, ptr %[[X]], i64 %[[LANE]]
; CHECK: call i64 %service(ptr %worker, i64 %{{.*}})
; CHECK: lanes.done{{[0-9]*}}:
; CHECK-NOT: lane{{[0-9]+}}:
; CHECK: ret void
define void @rare(ptr %in, ptr %out, i64 %size, ptr %services, ptr %worker) {
entry:
  %service = load ptr, ptr %services
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i64, ptr %in, i64 %id
  %x = load i64, ptr %p
  %outside = icmp ugt i64 %x, %size
  br i1 %outside, label %fault, label %items.end
fault:
  %unused = call i64 %service(ptr %worker, i64 %x)
  br label %items.end, !lanewise.rare !2
items.end:
  %q = getelementptr i64, ptr %out, i64 %id
  store i64 %x, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; A result that is used comes back through memory.
; CHECK-LABEL: define void @result(
; CHECK: store <16 x i64> zeroinitializer, ptr %[[RESULT:slot[0-9]*]]
; CHECK: lane.loop{{[0-9]*}}:
; CHECK: call i64 %service(ptr %worker, i64 %{{.*}})
; CHECK: lanes.done{{[0-9]*}}:
; CHECK-NEXT: load <16 x i64>, ptr %[[RESULT]]
; CHECK: ret void
define void @result(ptr %in, ptr %out, i64 %size, ptr %services, ptr %worker) {
entry:
  %service = load ptr, ptr %services
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i64, ptr %in, i64 %id
  %x = load i64, ptr %p
  %outside = icmp ugt i64 %x, %size
  br i1 %outside, label %fault, label %items.end
fault:
  %instead = call i64 %service(ptr %worker, i64 %x)
  br label %items.end, !lanewise.rare !2
items.end:
  %y = phi i64 [ %x, %items ], [ %instead, %fault ]
  %q = getelementptr i64, ptr %out, i64 %id
  store i64 %y, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; A block that may run often has a call for each lane.
; CHECK-LABEL: define void @often(
; CHECK-NOT: lane.loop
; CHECK-COUNT-16: call i64 %service(ptr %worker, i64 %{{.*}})
; CHECK-NOT: lane.loop
; CHECK: ret void
define void @often(ptr %in, ptr %out, i64 %size, ptr %services, ptr %worker) {
entry:
  %service = load ptr, ptr %services
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i64, ptr %in, i64 %id
  %x = load i64, ptr %p
  %outside = icmp ugt i64 %x, %size
  br i1 %outside, label %call, label %items.end
call:
  %unused = call i64 %service(ptr %worker, i64 %x)
  br label %items.end
items.end:
  %q = getelementptr i64, ptr %out, i64 %id
  store i64 %x, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = !{}
