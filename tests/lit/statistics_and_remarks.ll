; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What passes did, as LLVM's own tools say it: counters, and remarks about each loop.
; RUN: %opt --passes=vectorise,block-registers --emit=none -stats %s 2>&1 | %filecheck %s --check-prefix=STATS
; RUN: %opt --passes=vectorise --emit=none -pass-remarks=lanewise -pass-remarks-missed=lanewise -pass-remarks-analysis=lanewise %s 2>&1 | %filecheck %s --check-prefix=REMARKS
; RUN: %opt --passes=vectorise --emit=none -pass-remarks-output=%t.yaml %s
; RUN: %filecheck %s --check-prefix=YAML < %t.yaml
; RUN: %opt --passes=vectorise --emit=none %s 2>&1 | %filecheck %s --check-prefix=SILENT

; STATS: Statistics Collected
; STATS-DAG: {{^ *}}1 vectorise {{ *}}- kernels with vectors of work-items
; STATS-DAG: {{^ *}}1 vectorise {{ *}}- kernels without
; STATS-DAG: {{^ *}}1 vectorise {{ *}}- loops with vectors of work-items
; STATS-DAG: {{^ *}}1 vectorise {{ *}}- loops without
; STATS-DAG: {{^ *}}1 vectorise {{ *}}- loops that stay scalar: inline assembly
; STATS-DAG: {{^ *}}2 vectorise {{ *}}- loads of lanes from neighbouring places
; STATS-DAG: {{^ *}}1 vectorise {{ *}}- modules that the pass has changed
; STATS-NOT: Statistics are disabled

; The same as the build log says.
; REMARKS: remark: kernels.cl:3:0: items: [[DECISION:width 8, .*, from line 3, .*]]
; REMARKS-NEXT: remark: kernels.cl:4:0: gather
; REMARKS-NEXT: remark: <unknown>:0:0: items: scalar, inline assembly
; REMARKS-NEXT: ; vectorise: lookup items: [[DECISION]]
; REMARKS-NEXT: ; vectorise: lookup   line 4: gather
; REMARKS-NEXT: ; vectorise: assembly items: scalar, inline assembly
; SILENT-NOT: remark

; YAML: --- !Passed
; YAML-NEXT: Pass: lanewise-vectorise
; YAML-NEXT: Name: Vectorised
; YAML-NEXT: DebugLoc: { File: kernels.cl, Line: 3, Column: 0 }
; YAML-NEXT: Function: lookup
; YAML: - Loop: items
; YAML: - Width: '8'
; YAML: --- !Analysis
; YAML: - Access: gather
; YAML: --- !Missed
; YAML: Name: NotVectorised
; YAML: Function: assembly

define void @lookup(ptr %index, ptr %table, ptr %out, i64 %size) !dbg !10 {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %ip = getelementptr i32, ptr %index, i64 %id
  %i = load i32, ptr %ip, !dbg !11
  %at = sext i32 %i to i64
  %tp = getelementptr float, ptr %table, i64 %at
  %v = load float, ptr %tp, !dbg !12
  %a = fmul float %v, %v
  %b = fadd float %a, 1.0
  %c = fmul float %b, %a
  %d = fadd float %c, %b
  %e = fmul float %d, %c
  %f = fadd float %e, %d
  %op = getelementptr float, ptr %out, i64 %id
  store float %f, ptr %op, !dbg !12
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}

define void @assembly(ptr %out, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %v = call i32 asm "", "=r"()
  %op = getelementptr i32, ptr %out, i64 %id
  store i32 %v, ptr %op
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !2
exit:
  ret void
}

!llvm.dbg.cu = !{!4}
!llvm.module.flags = !{!6}
!0 = distinct !{!0, !1}
!1 = !{!"lanewise.items"}
!2 = distinct !{!2, !1}
!4 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !5, emissionKind: LineTablesOnly)
!5 = !DIFile(filename: "kernels.cl", directory: "")
!6 = !{i32 2, !"Debug Info Version", i32 3}
!7 = !DISubroutineType(types: !8)
!8 = !{}
!10 = distinct !DISubprogram(name: "lookup", scope: !5, file: !5, line: 1, type: !7, unit: !4, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 3, column: 5, scope: !10)
!12 = !DILocation(line: 4, column: 5, scope: !10)
