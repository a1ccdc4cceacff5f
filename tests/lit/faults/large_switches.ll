; RUN: seq 0 999 | awk -f %S/Inputs/switch.awk > %t.ll
; RUN: %llc -mcpu=x86-64-v3 -time-passes %t.ll -o /dev/null 2>&1 | %fault
; RUN: %opt --passes=split-large-switches --isa=x86-64-v3 %t.ll -o %t.split.ll
; RUN: %llc -mcpu=x86-64-v3 -time-passes %t.split.ll -o /dev/null 2>&1 | %filecheck %s --check-prefix=AVOIDED
; The placement of blocks asks for the probability of each edge from a switch to a case again and again, each time by
; a search among all successors: its time grows with the cube of the number of cases. Not reported. Seen in 22.1.

; It takes more than half of the time that the passes need for a loop around a switch of 1,000 cases, and most of all
; for 4,000. It is the first line, because they are sorted by time.
; CHECK: Name ---
; CHECK-NEXT: ({{ *([5-9][0-9]|100)\.[0-9]}}%) {{.*}} Branch Probability Basic Block Placement

; AVOIDED: Name ---
; AVOIDED: ({{ *[0-4]?[0-9]\.[0-9]}}%) {{.*}} Branch Probability Basic Block Placement
