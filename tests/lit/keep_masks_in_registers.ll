; RUN: %opt --passes=keep-masks-in-registers --isa=x86-64-v3 %s | %filecheck %s
; RUN: %opt --passes=keep-masks-in-registers --isa=x86-64-v4 %s | %filecheck %s --check-prefix=V4
; A mask that leaves its block does so as a vector of integers of the compared size; with mask registers it stays i1.

; CHECK-LABEL: define void @loop(
; CHECK: %[[WIDE:live.wide]] = phi <8 x i32>
; CHECK-NOT: phi <8 x i1>
; CHECK: %[[C:.*]] = sext <8 x i1> %c to <8 x i32>
; CHECK: %[[NEXT:.*]] = and <8 x i32> %[[WIDE]], %[[C]]
; CHECK: icmp slt <8 x i32> %[[NEXT]], zeroinitializer
; CHECK: done:
; CHECK: icmp slt <8 x i32> %[[NEXT]], zeroinitializer
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

; A mask of two registers is tested by the signs of its joined halves, and is never packed.
; CHECK-LABEL: define i1 @any_of_two(
; CHECK: %[[A:.*]] = sext <16 x i1> %a to <16 x i32>
; CHECK: %[[B:.*]] = sext <16 x i1> %b to <16 x i32>
; CHECK: %[[BOTH:.*]] = or <16 x i32> %[[A]], %[[B]]
; CHECK: %[[LOW:.*]] = shufflevector <16 x i32> %[[BOTH]], <16 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: %[[HIGH:.*]] = shufflevector <16 x i32> %[[BOTH]], <16 x i32> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; CHECK: %[[JOINED:.*]] = or <8 x i32> %[[LOW]], %[[HIGH]]
; CHECK: %[[SIGNS:.*]] = icmp slt <8 x i32> %[[JOINED]], zeroinitializer
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %[[SIGNS]] to i8
; CHECK: icmp ne i8 %[[BITS]], 0
; V4-LABEL: define i1 @any_of_two(
; V4-NOT: shufflevector
; V4: ret
define i1 @any_of_two(<16 x float> %x, <16 x float> %y) {
  %a = fcmp olt <16 x float> %x, %y
  %b = fcmp ogt <16 x float> %x, splat (float 4.0)
  %m = or <16 x i1> %a, %b
  %bits = bitcast <16 x i1> %m to i16
  %any = icmp ne i16 %bits, 0
  ret i1 %any
}
; CHECK-LABEL: define i1 @all_of_two(
; CHECK: and <4 x i64>
; CHECK: icmp eq i4 %{{.*}}, -1
define i1 @all_of_two(<8 x double> %x, <8 x double> %y) {
  %m = fcmp olt <8 x double> %x, %y
  %bits = bitcast <8 x i1> %m to i8
  %all = icmp eq i8 %bits, -1
  ret i1 %all
}
; Bits that are counted, a mask of one register, and one of bytes.
; CHECK-LABEL: define i1 @not_by_registers(
; CHECK-NOT: shufflevector
; CHECK: ret
define i1 @not_by_registers(<16 x float> %x, <8 x float> %y, <64 x i8> %z) {
  %m = fcmp olt <16 x float> %x, zeroinitializer
  %bits = bitcast <16 x i1> %m to i16
  %one = icmp eq i16 %bits, 1
  %n = fcmp olt <8 x float> %y, zeroinitializer
  %bits2 = bitcast <8 x i1> %n to i8
  %two = icmp eq i8 %bits2, 0
  %k = icmp slt <64 x i8> %z, zeroinitializer
  %bits3 = bitcast <64 x i1> %k to i64
  %three = icmp eq i64 %bits3, 0
  %r = or i1 %one, %two
  %s = or i1 %r, %three
  ret i1 %s
}
; A mask that a branch in the source has made logically does not become poison by its second half; a condition that all
; lanes share is widened as a scalar.
; CHECK-LABEL: define <8 x float> @logical(
; CHECK: %[[ALL:.*]] = sext i1 %c to i32
; CHECK: insertelement <8 x i32> poison, i32 %[[ALL]]
; CHECK: %[[SAFE:.*]] = freeze <8 x i32>
; CHECK: and <8 x i32> %{{.*}}, %[[SAFE]]
; CHECK-NOT: <8 x i1>, <8 x i1>
; CHECK: ret
define <8 x float> @logical(<8 x float> %x, <8 x float> %y, i1 %c) {
  %one = insertelement <8 x i1> poison, i1 %c, i64 0
  %all = shufflevector <8 x i1> %one, <8 x i1> poison, <8 x i32> zeroinitializer
  %less = fcmp olt <8 x float> %x, %y
  %m = select <8 x i1> %less, <8 x i1> %all, <8 x i1> zeroinitializer
  %r = select <8 x i1> %m, <8 x float> %x, <8 x float> %y
  ret <8 x float> %r
}

; Masks that meet have one size: that of the comparison in the loop, not of the one in front of it.
; CHECK-LABEL: define void @two_sizes(
; CHECK: sext <8 x i1> %first to <8 x i64>
; CHECK: phi <8 x i64>
; CHECK: sext <8 x i1> %c to <8 x i64>
; CHECK-NOT: <8 x i32>
; CHECK: ret
define void @two_sizes(<8 x float> %f, <8 x double> %x, ptr %p) {
entry:
  %first = fcmp ogt <8 x float> %f, zeroinitializer
  br label %loop

loop:
  %live = phi <8 x i1> [ %first, %entry ], [ %next, %loop ]
  %v = phi <8 x double> [ %x, %entry ], [ %half, %loop ]
  %half = fmul <8 x double> %v, splat (double 0.5)
  %c = fcmp ogt <8 x double> %half, splat (double 1.0)
  %next = and <8 x i1> %live, %c
  %bits = bitcast <8 x i1> %next to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %loop, label %done

done:
  store <8 x double> %half, ptr %p
  ret void
}

; What is tested alone is tested as it was compared, whatever it chooses.
; CHECK-LABEL: define <8 x ptr> @own_size(
; CHECK-NOT: i64
; CHECK: ret
define <8 x ptr> @own_size(<8 x i32> %x, <8 x ptr> %p, <8 x ptr> %q, ptr %r) {
  %m = icmp slt <8 x i32> %x, splat (i32 7)
  %bits = bitcast <8 x i1> %m to i8
  %none = icmp eq i8 %bits, 0
  store i1 %none, ptr %r
  %a = select <8 x i1> %m, <8 x ptr> %p, <8 x ptr> %q
  %b = select <8 x i1> %m, <8 x ptr> %q, <8 x ptr> %a
  ret <8 x ptr> %b
}

declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, <8 x i1>)

; Lanes of two registers that leave, and those that stay: the others of the mask, because an inverted comparison would be made
; for itself. Of one register, and where only one part is needed, the code generator inverts for nothing.
; CHECK-LABEL: define void @leaving_of_two(
; CHECK: %[[LEAVE:.*]] = and <16 x i32> %{{.*}}, %{{.*}}
; CHECK: %[[STAY:.*]] = xor <16 x i32> %{{.*}}, %[[LEAVE]]
; CHECK-NOT: splat (i32 -1)
; CHECK: ret void
define void @leaving_of_two(<16 x float> %x, ptr %p, <16 x i1> %live) {
  %c = fcmp ogt <16 x float> %x, splat (float 4.0)
  %not = xor <16 x i1> %c, splat (i1 true)
  %leave = select <16 x i1> %live, <16 x i1> %c, <16 x i1> zeroinitializer
  %stay = select <16 x i1> %live, <16 x i1> %not, <16 x i1> zeroinitializer
  br label %next
next:
  call void @llvm.masked.store.v16f32.p0(<16 x float> %x, ptr align 4 %p, <16 x i1> %leave)
  %bits = bitcast <16 x i1> %stay to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %next, label %done
done:
  ret void
}
; CHECK-LABEL: define void @leaving_of_one(
; CHECK: %[[NOT:.*]] = xor <8 x i32> %{{.*}}, splat (i32 -1)
; CHECK: and <8 x i32> %{{.*}}, %[[NOT]]
define void @leaving_of_one(<8 x float> %x, ptr %p, <8 x i1> %live) {
  %c = fcmp ogt <8 x float> %x, splat (float 4.0)
  %not = xor <8 x i1> %c, splat (i1 true)
  %leave = select <8 x i1> %live, <8 x i1> %c, <8 x i1> zeroinitializer
  %stay = select <8 x i1> %live, <8 x i1> %not, <8 x i1> zeroinitializer
  br label %next
next:
  call void @llvm.masked.store.v8f32.p0(<8 x float> %x, ptr align 4 %p, <8 x i1> %leave)
  %bits = bitcast <8 x i1> %stay to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %next, label %done
done:
  ret void
}
; CHECK-LABEL: define void @staying_of_two(
; CHECK: %[[NOT:.*]] = xor <16 x i32> %{{.*}}, splat (i32 -1)
; CHECK: and <16 x i32> %{{.*}}, %[[NOT]]
define void @staying_of_two(<16 x float> %x, ptr %p, <16 x i1> %live) {
  %c = fcmp ogt <16 x float> %x, splat (float 4.0)
  %not = xor <16 x i1> %c, splat (i1 true)
  %stay = select <16 x i1> %live, <16 x i1> %not, <16 x i1> zeroinitializer
  br label %next
next:
  %bits = bitcast <16 x i1> %stay to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %next, label %done
done:
  ret void
}
