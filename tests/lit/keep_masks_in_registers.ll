; RUN: %opt --passes=keep-masks-in-registers --isa=x86-64-v3 %s | %filecheck %s
; RUN: %opt --passes=keep-masks-in-registers --isa=x86-64-v4 %s | %filecheck %s --check-prefix=V4
; A mask that leaves its block does so as a vector of integers of the compared size; with mask registers it stays i1.

; CHECK-LABEL: define void @loop(
; CHECK: %[[WIDE:live.wide]] = phi <8 x i32>
; CHECK: %[[LIVE:.*]] = icmp slt <8 x i32> %[[WIDE]], zeroinitializer
; CHECK: %next = and <8 x i1> %[[LIVE]], %c
; CHECK: sext <8 x i1> %next to <8 x i32>
; CHECK-NOT: phi <8 x i1>
; V4-LABEL: define void @loop(
; V4: %live = phi <8 x i1>
; V4-NOT: sext
define void @loop(<8 x i32> %x, <8 x i1> %first, ptr %p) {
entry:
  br label %loop

loop:
  %live = phi <8 x i1> [ %first, %entry ], [ %next, %loop ]
  %v = phi <8 x i32> [ %x, %entry ], [ %less, %loop ]
  %less = sub <8 x i32> %v, splat (i32 1)
  %c = icmp sgt <8 x i32> %less, zeroinitializer
  %next = and <8 x i1> %live, %c
  %bits = bitcast <8 x i1> %next to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %loop, label %done

done:
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %less, ptr align 4 %p, <8 x i1> %next)
  ret void
}

; A select between masks works on their bits, because it could become a branch that they would cross.
; CHECK-LABEL: define <8 x i1> @choice(
; CHECK-NOT: select
; CHECK: ret <8 x i1>
define <8 x i1> @choice(i1 %c, <8 x i1> %a, <8 x i1> %b) {
  %m = select i1 %c, <8 x i1> %a, <8 x i1> %b
  ret <8 x i1> %m
}

declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, <8 x i1>)
