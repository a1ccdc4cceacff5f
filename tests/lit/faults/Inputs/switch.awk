# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A loop around a switch with a case for each line of the input, which is a number.
{
  cases = cases "    i32 " $1 ", label %case." $1 "\n"
  blocks = blocks "case." $1 ":\n  store volatile i32 " 5 * $1 ", ptr %at\n  br label %next\n"
}
END {
  print "define void @f(ptr %p, i64 %n) {\nentry:\n  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %j, %next ]"
  print "  %at = getelementptr i32, ptr %p, i64 %i\n  %x = load i32, ptr %at\n  switch i32 %x, label %next [\n" cases "  ]"
  print blocks "next:\n  %j = add i64 %i, 1\n  %more = icmp ult i64 %j, %n\n  br i1 %more, label %loop, label %end"
  print "end:\n  ret void\n}"
}
