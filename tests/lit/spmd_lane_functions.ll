; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function that exists as machine code for a register's lanes: one call for a vector, with the mask of the lanes that
; are active, and operands in memory by component. Vectors of more lanes make several calls; scalar code makes a call for
; one lane.
; RUN: %opt --passes=vectorise --width=8 --isa=x86-64-v3 %s | %filecheck %s --check-prefix=WIDE
; RUN: %opt --passes=vectorise,lower-lane-functions --width=8 --isa=x86-64-v3 %s | %filecheck %s
; RUN: %opt --passes=vectorise,lower-lane-functions --width=16 --isa=x86-64-v3 %s | %filecheck %s --check-prefix=TWICE
; RUN: %opt --passes=vectorise,lower-lane-functions --width=4 --isa=x86-64-v3 %s | %filecheck %s --check-prefix=HALF
; RUN: %opt --passes=lower-lane-functions --isa=x86-64-v3 %s | %filecheck %s --check-prefix=ONE
; WIDE: vectorise: f items: width 8
; WIDE: %[[C:.*]] = call { <8 x float>, <8 x float>, <8 x float>, <8 x float> } @__lw_lanes_read.8(ptr %t, <8 x i1> {{.*}}, <8 x i64> %{{.*}}, <8 x i32> %{{.*}})
; WIDE: extractvalue {{.*}} %[[C]], 3
; WIDE: call void @__lw_lanes_write.8(ptr %t, <8 x i1> %{{.*}}, <8 x i64> %{{.*}}, <8 x float> %{{.*}}, <8 x float>

; CHECK: store <8 x i64> %{{.*}}, ptr %[[ROWS:.*]], align 32
; CHECK: store <8 x i32> %{{.*}}, ptr %[[X:.*]], align 32
; CHECK: call void @__lw_lanes_read_all(ptr %t, i64 %{{.*}}, ptr %{{.*}}, ptr %{{.*}}, ptr %[[OUT:.*]])
; CHECK-COUNT-4: load <8 x float>, ptr %{{.*}}, align 32
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %{{.*}} to i8
; CHECK: zext i8 %[[BITS]] to i64
; CHECK-COUNT-4: store <8 x float>
; CHECK: call void @__lw_lanes_write_all(ptr %t, i64 %{{.*}}, ptr %{{.*}}, ptr %{{.*}})
; CHECK: declare {{.*}}void @__lw_lanes_read_all(ptr readonly captures(none), i64, ptr readonly captures(none), ptr readonly captures(none), ptr captures(none))

; TWICE-COUNT-2: call void @__lw_lanes_read_all(
; TWICE-COUNT-2: call void @__lw_lanes_write_all(

; HALF: bitcast <4 x i1> %{{.*}} to i4
; HALF: call void @__lw_lanes_write_all(

; ONE: call void @__lw_lanes_read_all(ptr %t, i64 1, ptr
; ONE: call void @__lw_lanes_write_all(ptr %t, i64 1, ptr
; ONE-NOT: @__lw_lanes_read(
declare <4 x float> @__lw_lanes_read(ptr, i64, i32) memory(read) nounwind willreturn
declare void @__lw_lanes_write(ptr, i64, <4 x float>)
define void @f(ptr %t, ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %done ]
  %p = getelementptr i32, ptr %a, i64 %id
  %x = load i32, ptr %p
  %row = mul i64 %id, %id
  %c = call <4 x float> @__lw_lanes_read(ptr %t, i64 %row, i32 %x)
  %some = icmp sgt i32 %x, 0
  br i1 %some, label %then, label %done
then:
  call void @__lw_lanes_write(ptr %t, i64 %row, <4 x float> %c)
  br label %done
done:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
