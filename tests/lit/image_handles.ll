; RUN: %opt --passes=resolve-image-handles %s | %filecheck %s
; Handles of images are addresses of descriptions, those of samplers are words; a sampler of the program is a constant.

; CHECK-LABEL: define i64 @uses(
; CHECK-NEXT: %width = load i32, ptr %image, align 4
; CHECK-NEXT: [[WORD:%.*]] = ptrtoint ptr %sampler to i64
; CHECK-NEXT: [[ZERO:%.*]] = zext i32 %width to i64
; CHECK-NEXT: [[SUM:%.*]] = add i64 [[WORD]], [[ZERO]]
; CHECK-NEXT: ret i64 [[SUM]]
define i64 @uses(ptr %image, ptr %sampler) {
  %description = call ptr @_Z21__lw_image_descriptor14ocl_image2d_ro(ptr %image)
  %width = load i32, ptr %description, align 4
  %word = call i64 @__lw_sampler_word(ptr %sampler)
  %wide = zext i32 %width to i64
  %sum = add i64 %word, %wide
  ret i64 %sum
}

; The whole range of the level of detail, and the bits of the source: 0xFFFFFF00000013.
; CHECK-LABEL: define i64 @constant(
; CHECK-NEXT: [[WORD:%.*]] = ptrtoint ptr inttoptr (i64 72057589742960659 to ptr) to i64
; CHECK-NEXT: ret i64 [[WORD]]
define i64 @constant() {
  %sampler = call ptr @__translate_sampler_initializer(i32 19)
  %word = call i64 @__lw_sampler_word(ptr %sampler)
  ret i64 %word
}

; Bits without a meaning are dropped.
; CHECK-LABEL: define ptr @other_bits(
; CHECK-NEXT: ret ptr inttoptr (i64 72057589742960659 to ptr)
define ptr @other_bits() {
  %sampler = call ptr @__translate_sampler_initializer(i32 65491)
  ret ptr %sampler
}

declare ptr @_Z21__lw_image_descriptor14ocl_image2d_ro(ptr)
declare i64 @__lw_sampler_word(ptr)
declare ptr @__translate_sampler_initializer(i32)
