; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes leave a loop one by one, but until the first one leaves all are there: accesses to consecutive places have a form
; without a mask, which a test in front of them chooses. Masked stores are slow, and masked loads are not prefetched.
; RUN: %opt --passes=vectorise --width=8 %s | %filecheck %s
; Each form has to be compiled, so a mask has at most six of them.
; RUN: %opt --passes=vectorise --width=8 %s | %filecheck %s --check-prefix=MANY

; CHECK-LABEL: define void @fill(
; CHECK: %live = phi <8 x i1>
; CHECK: %[[IN:.*]] = select <8 x i1> %live, <8 x i1> %{{.*}}, <8 x i1> zeroinitializer
; CHECK: %[[FULL:.*]] = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %[[IN]])
; CHECK: br i1 %[[FULL]], label %consecutive, label %scattered
; CHECK: consecutive:
; CHECK: store <8 x i32> %{{.*}}, ptr %{{.*}}
; CHECK: scattered:
; CHECK: call void @llvm.masked.store.v8i32.p0(<8 x i32> %{{.*}}, ptr align 4 %{{.*}}, <8 x i1> %[[IN]])
; The tail is never full, and so are its loops.
; CHECK: top.live{{[0-9]+}}:
; CHECK-NOT: reduce.and
; CHECK: ret void
define void @fill(ptr %a, i64 %size, i64 %step, i64 %end) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  br label %top
top:
  %at = phi i64 [ %id, %items ], [ %at.next, %body ]
  %v = phi i32 [ 1, %items ], [ %v.next, %body ]
  %in = icmp slt i64 %at, %end
  br i1 %in, label %body, label %done
body:
  %p = getelementptr inbounds i32, ptr %a, i64 %at
  store i32 %v, ptr %p, align 4
  %v.next = mul i32 %v, 3
  %at.next = add nsw i64 %at, %step
  br label %top
done:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Behind a condition of its own a mask may be anything: no second form.
; CHECK-LABEL: define void @behind_condition(
; CHECK: items.vector:
; CHECK-NOT: reduce.and
; CHECK: call void @llvm.masked.store.v8i32.p0
; CHECK-NOT: reduce.and
; CHECK: ret void
define void @behind_condition(ptr %a, i64 %size, i64 %step, i64 %end, ptr %flags) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  %f = getelementptr inbounds i32, ptr %flags, i64 %id
  %flag = load i32, ptr %f, align 4
  br label %top
top:
  %at = phi i64 [ %id, %items ], [ %at.next, %latch ]
  %v = phi i32 [ 1, %items ], [ %v.next, %latch ]
  %in = icmp slt i64 %at, %end
  br i1 %in, label %body, label %done
body:
  %wanted = icmp sgt i32 %flag, %v
  br i1 %wanted, label %write, label %latch
write:
  %p = getelementptr inbounds i32, ptr %a, i64 %at
  store i32 %v, ptr %p, align 4
  br label %latch
latch:
  %v.next = mul i32 %v, 3
  %at.next = add nsw i64 %at, %step
  br label %top
done:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; A place that all iterations read is in the cache: a mask costs the load nothing. The fence keeps it in the loop.
; CHECK-LABEL: define void @in_place(
; CHECK: %live = phi <8 x i1>
; CHECK-NOT: reduce.and
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %{{.*}}, <8 x i1> %live
; CHECK: %[[WALKS:.*]] = call i1 @llvm.vector.reduce.and.v8i1
; CHECK: br i1 %[[WALKS]]
; CHECK: ret void
define void @in_place(ptr %counts, ptr %a, ptr %out, i64 %size, i64 %step) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  br label %top
top:
  %at = phi i64 [ %id, %items ], [ %at.next, %body ]
  %n = phi i32 [ 0, %items ], [ %n.next, %body ]
  %sum = phi i32 [ 0, %items ], [ %sum.next, %body ]
  %c = getelementptr inbounds i32, ptr %counts, i64 %id
  %count = load i32, ptr %c, align 4
  %in = icmp slt i32 %n, %count
  br i1 %in, label %body, label %done
body:
  %p = getelementptr inbounds i32, ptr %a, i64 %at
  %x = load i32, ptr %p, align 4
  fence syncscope("singlethread") acq_rel
  %sum.next = add i32 %sum, %x
  %n.next = add i32 %n, 1
  %at.next = add nsw i64 %at, %step
  br label %top
done:
  %q = getelementptr inbounds i32, ptr %out, i64 %id
  store i32 %sum, ptr %q, align 4
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; Where the loop writes nothing, it is loaded before it.
; CHECK-LABEL: define void @moved(
; CHECK: items.vector:
; CHECK: load <8 x i32>
; CHECK: %live = phi <8 x i1>
; CHECK: ret void
define void @moved(ptr %counts, ptr %a, ptr %out, i64 %size, i64 %step) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  br label %top
top:
  %at = phi i64 [ %id, %items ], [ %at.next, %body ]
  %n = phi i32 [ 0, %items ], [ %n.next, %body ]
  %sum = phi i32 [ 0, %items ], [ %sum.next, %body ]
  %c = getelementptr inbounds i32, ptr %counts, i64 %id
  %count = load i32, ptr %c, align 4
  %in = icmp slt i32 %n, %count
  br i1 %in, label %body, label %done
body:
  %p = getelementptr inbounds i32, ptr %a, i64 %at
  %x = load i32, ptr %p, align 4
  %sum.next = add i32 %sum, %x
  %n.next = add i32 %n, 1
  %at.next = add nsw i64 %at, %step
  br label %top
done:
  %q = getelementptr inbounds i32, ptr %out, i64 %id
  store i32 %sum, ptr %q, align 4
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

; MANY-LABEL: define void @eight(
; MANY: items.vector:
; MANY-COUNT-6: call i1 @llvm.vector.reduce.and.v8i1
; MANY-NOT: reduce.and
; MANY: ret void
define void @eight(ptr %a, i64 %size, i64 %step, i64 %end) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  br label %top
top:
  %at = phi i64 [ %id, %items ], [ %at.next, %body ]
  %in = icmp slt i64 %at, %end
  br i1 %in, label %body, label %done
body:
  %p0 = getelementptr inbounds i32, ptr %a, i64 %at
  %p1 = getelementptr inbounds i32, ptr %p0, i64 64
  %p2 = getelementptr inbounds i32, ptr %p0, i64 128
  %p3 = getelementptr inbounds i32, ptr %p0, i64 192
  %p4 = getelementptr inbounds i32, ptr %p0, i64 256
  %p5 = getelementptr inbounds i32, ptr %p0, i64 320
  %p6 = getelementptr inbounds i32, ptr %p0, i64 384
  %p7 = getelementptr inbounds i32, ptr %p0, i64 448
  store i32 0, ptr %p0, align 4
  store i32 1, ptr %p1, align 4
  store i32 2, ptr %p2, align 4
  store i32 3, ptr %p3, align 4
  store i32 4, ptr %p4, align 4
  store i32 5, ptr %p5, align 4
  store i32 6, ptr %p6, align 4
  store i32 7, ptr %p7, align 4
  %at.next = add nsw i64 %at, %step
  br label %top
done:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
