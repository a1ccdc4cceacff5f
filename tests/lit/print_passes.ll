; RUN: %opt --print-passes | %filecheck %s --check-prefix=PASSES
; RUN: %opt --print-pipeline | %filecheck %s --check-prefix=PIPELINE
; RUN: (%opt --passes=no-such-pass %s 2>&1 || echo refused) | %filecheck %s --check-prefix=WRONG
; RUN: %opt '--passes=function(simplifycfg,distribute-extensions),store-lone-lanes' %s | %filecheck %s

; PASSES-DAG: {{^}}vectorise work-items
; PASSES-DAG: {{^}}unmask-bit-selects keeps
; PASSES-DAG: {{^}}distribute-extensions {{.*}}(of functions)
; PASSES-DAG: {{^}}optimise {{.*}}<debug|none|full|normal|brief|cold|reduced|least;scalar|vectors>
; PIPELINE: {{^}}retarget {{ *}}kernel {{ *}}always {{ *}}spir64 becomes the machine {{ *}}from
; PIPELINE: {{^}}lower-work-groups {{ *}}groups {{ *}}always {{.*}}in SSA form
; PIPELINE: {{^}}vectorise {{ *}}lanes {{ *}}work_items {{.*}}before
; PIPELINE: {{^}}hoist-range-tests {{ *}}vectors {{ *}}full_effort, vectors
; PIPELINE: {{^}}optimise {{.*}}everything
; PIPELINE: {{^}}store-lone-lanes {{.*}}masks
; PIPELINE: {{^}}between LLVM's passes
; PIPELINE: {{^}}keep-loop-counters {{ *}}target {{ *}}always {{.*}}in optimise
; PIPELINE: {{^}}masked-loads {{ *}}target {{ *}}always {{.*}}peephole
; PIPELINE: {{^}}without a place
; PIPELINE: {{^}}print-regions {{ *}}groups
; WRONG: error: {{.*}}no-such-pass
; WRONG: refused

; LLVM's passes and ours, in one list.
; CHECK-LABEL: define i64 @f(
; CHECK-NOT: br
; CHECK-DAG: sext i32 %a to i64
; CHECK-DAG: sext i32 %b to i64
; CHECK: add nsw i64
; CHECK: ret i64
define i64 @f(i32 %a, i32 %b) {
  br label %next

next:
  %s = add nsw i32 %a, %b
  %w = sext i32 %s to i64
  ret i64 %w
}
