; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes that are left in a loop access the same element of their private arrays. Those that are not have one too, so all read
; it, and the others store what is there: masked stores are slow, and a load that follows has to wait until they are done.
; RUN: %opt --passes=vectorise --isa=x86-64-v3 --width=8 %s | %filecheck %s
; RUN: %opt --passes=vectorise --isa=x86-64-v2 --width=4 %s | %filecheck %s --check-prefix=V2
; RUN: %opt --passes=vectorise --isa=x86-64-v4 --width=16 %s | %filecheck %s --check-prefix=V4

; CHECK-LABEL: define void @insert(
; CHECK: search.live:
; CHECK-NOT: br
; CHECK-NOT: masked.load
; CHECK: %[[OLD:.*]] = load <8 x float>
; CHECK: move.any:
; CHECK: %[[THERE:.*]] = load <8 x float>
; CHECK: %[[OTHERS:.*]] = freeze <8 x float> %[[THERE]]
; CHECK: %[[ALL:.*]] = select <8 x i1> %{{.*}}, <8 x float> %[[OLD]], <8 x float> %[[OTHERS]]
; CHECK: store <8 x float> %[[ALL]]
; V2-LABEL: define void @insert(
; V2: search.live:
; V2-NOT: masked.
; V2: select <4 x i1> %{{.*}}, <4 x float> %{{.*}}, <4 x float> %{{.*}}
; V2: store <4 x float>
; V4-LABEL: define void @insert(
; V4: search.live:
; V4-NOT: masked.load
; V4: load <16 x float>
; V4-NOT: masked.store
; V4: freeze <16 x float>
; V4: store <16 x float>
define void @insert(ptr %in, ptr %out, i64 %size) {
entry:
  %v = alloca [16 x float], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %in, i64 %id
  %x = load float, ptr %p
  br label %search
search:
  %j = phi i32 [ 15, %items ], [ %j.next, %move ]
  %j.next = add i32 %j, -1
  %from = getelementptr float, ptr %v, i32 %j.next
  %y = load float, ptr %from
  %larger = fcmp ogt float %y, %x
  br i1 %larger, label %move, label %items.end
move:
  %to = getelementptr float, ptr %v, i32 %j
  store float %y, ptr %to
  %more.left = icmp sgt i32 %j.next, 0
  br i1 %more.left, label %search, label %items.end
items.end:
  %first = load float, ptr %v
  %q = getelementptr float, ptr %out, i64 %id
  store float %first, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Near misses: others may not touch memory of lanes that are not active, ...
; CHECK-LABEL: define void @not_private(
; CHECK: call {{.*}}@llvm.masked.load.v8f32
; CHECK: call void @llvm.masked.store.v8f32
define void @not_private(ptr %in, ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr float, ptr %in, i64 %id
  %x = load float, ptr %p
  br label %search
search:
  %j = phi i64 [ %size, %items ], [ %j.next, %move ]
  %j.next = add i64 %j, -1
  %from.row = mul i64 %j.next, %size
  %from.at = add i64 %from.row, %id
  %from = getelementptr float, ptr %out, i64 %from.at
  %y = load float, ptr %from
  %larger = fcmp ogt float %y, %x
  br i1 %larger, label %move, label %items.end
move:
  %row = mul i64 %j, %size
  %at = add i64 %row, %id
  %to = getelementptr float, ptr %out, i64 %at
  store float %y, ptr %to
  br label %search
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; ... and each lane has an element of its own here.
; CHECK-LABEL: define void @own_element(
; CHECK-NOT: freeze <8 x float>
; CHECK: items.vector.end:
define void @own_element(ptr %in, ptr %out, i64 %size) {
entry:
  %v = alloca [16 x float], !lanewise.private !2
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]
  %p = getelementptr i32, ptr %in, i64 %id
  %n = load i32, ptr %p
  %set = icmp sgt i32 %n, 4
  br i1 %set, label %move, label %items.end
move:
  %to = getelementptr float, ptr %v, i32 %n
  store float 1.0, ptr %to
  br label %items.end
items.end:
  %first = load float, ptr %v
  %q = getelementptr float, ptr %out, i64 %id
  store float %first, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = !{}
