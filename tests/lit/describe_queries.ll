; RUN: %opt --passes=describe-queries %s | %filecheck %s
; What LLVM may assume of work-item functions: their results are defined, and ids within a group are small.

; CHECK: declare noundef range(i64 0, [[LIMIT:[0-9]+]]) i64 @_Z12get_local_idj(i32)
declare i64 @_Z12get_local_idj(i32)

; A size is never 0.
; CHECK: declare noundef range(i64 1, [[LIMIT]]) i64 @_Z14get_local_sizej(i32)
declare i64 @_Z14get_local_sizej(i32)

; CHECK: declare noundef i64 @_Z13get_global_idj(i32)
declare i64 @_Z13get_global_idj(i32)

; With a 32-bit address model.
; CHECK: declare noundef range(i32 0, [[LIMIT]]) i32 @_Z19get_local_linear_idv()
declare i32 @_Z19get_local_linear_idv()

; This is no query.
; CHECK: declare i64 @_Z12get_local_idf(float)
declare i64 @_Z12get_local_idf(float)

; CHECK: declare float @_Z3sinf(float)
declare float @_Z3sinf(float)
