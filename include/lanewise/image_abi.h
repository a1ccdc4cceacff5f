/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Images and samplers as kernels see them: the part of the interface of kernel_abi.h that the built-in library
 * (kernels-builtin/image) uses. Plain C and OpenCL C.
 *
 * An image argument is the address of a `lanewise_image`, which the memory object owns. A sampler argument is a word of
 * LANEWISE_SAMPLER_* bits. Data, not the number of a format, describe the storage of a texel, so that the same code
 * reads all formats: a texel is loaded as one integer of 1 to 16 bytes, and a channel is a bit field.
 */
#ifndef LANEWISE_IMAGE_ABI_H
#define LANEWISE_IMAGE_ABI_H

/* NOLINTBEGIN(modernize-use-using, modernize-macro-to-enum): this is C. */

#ifdef __OPENCL_C_VERSION__
typedef __global char* lanewise_image_data;
typedef const __global struct lanewise_image_level* lanewise_image_levels;
typedef ulong lanewise_u64;
typedef uint lanewise_u32;
typedef int lanewise_i32;
#else
#include <stdint.h>
typedef char* lanewise_image_data;
typedef const struct lanewise_image_level* lanewise_image_levels;
typedef uint64_t lanewise_u64;
typedef uint32_t lanewise_u32;
typedef int32_t lanewise_i32;
#endif

/** The type of the fields of a texel. */
enum lanewise_texel_kind {
  lanewise_texel_normalised = 0, /**< integers whose largest value stands for 1.0 */
  lanewise_texel_half = 1,
  lanewise_texel_float = 2,
  lanewise_texel_srgb = 3,    /**< 8 bits each: red, green and blue on the sRGB curve, alpha normalised */
  lanewise_texel_integer = 4, /**< signed or unsigned, not normalised */
  lanewise_texel_narrow = 5   /**< normalised, unsigned and at most 4 bytes in all: the most usual kind */
};

/**
 * The channels of a texel. Index 0 to 3 is red, green, blue, alpha. A texel of 16 bytes has four fields of 32 bits in
 * this order; in other texels field `i` is `(word[i] == 0 ? low 32 bits : next 32 bits) >> shift[i] & read_mask[i]`.
 */
typedef struct lanewise_texel {
  lanewise_u32 bytes;         /**< size of a texel: 1, 2, 4, 8 or 16 */
  lanewise_u32 kind;          /**< lanewise_texel_kind */
  lanewise_u32 order;         /**< CL_RGBA and so on, for get_image_channel_order */
  lanewise_u32 type;          /**< CL_UNORM_INT8 and so on, for get_image_channel_data_type */
  lanewise_u32 word[4];       /**< number of the 32-bit word that has the field: 0 or 1 */
  lanewise_u32 shift[4];      /**< number of the field's lowest bit in the word */
  lanewise_u32 read_mask[4];  /**< mask of the field after the shift; 0: the format has no such channel */
  lanewise_u32 write_mask[4]; /**< mask for stores; 0: not stored, or replaced by another channel (CL_INTENSITY) */
  lanewise_u32 sign;          /**< the highest bit of a signed field; 0: fields are unsigned */
  lanewise_u32 missing;       /**< 1: the format has no alpha, which reads as 1; else 0 */
  lanewise_u32 border_alpha;  /**< alpha of the border colour, 1 or 0; its other channels are 0 */
  lanewise_u32 rests;         /**< 1: some `read_rest` is not 0; else 0 */
  float read_scale[4];        /**< normalised: factor of the field; 0: there is no channel */
  float read_rest[4];   /**< normalised: rest of the factor; the sum of both products, in one rounding, is correct */
  float write_scale[4]; /**< normalised: the largest value of the field; 0: nothing is written */
  float write_low;      /**< normalised: the lowest value of a field */
  lanewise_i32 integer_low;  /**< integers: the lowest value, to which stores saturate */
  lanewise_u32 integer_high; /**< integers: the highest value, to which stores saturate */
} lanewise_texel;

/** One mip level. */
typedef struct lanewise_image_level {
  lanewise_u64 offset;      /**< bytes from the image's data */
  lanewise_u64 row_pitch;   /**< bytes from one y to the next */
  lanewise_u64 slice_pitch; /**< bytes from one z to the next */
  lanewise_i32 extent[3];   /**< width, height and depth in texels, as in lanewise_image */
  lanewise_i32 reserved;
} lanewise_image_level;

/** An image, constant while a kernel runs. */
typedef struct lanewise_image {
  lanewise_image_data data; /**< texel 0 of level 0 */
  lanewise_u64 row_pitch;   /**< bytes from one y to the next in level 0 */
  lanewise_u64 slice_pitch; /**< bytes from one z to the next in level 0 */
  /** Width, height and depth of level 0 in texels, at least 1. Layers of a 1D array count in y, of a 2D array in z. */
  lanewise_i32 extent[3];
  lanewise_i32 level_count;
  lanewise_image_levels levels; /**< address of `level_count` levels */
  lanewise_texel texel;
} lanewise_image;

/**
 * A sampler: the bits of OpenCL C's CLK_ constants, and the lowest and highest level of detail as fixed-point numbers
 * of LANEWISE_SAMPLER_LOD_BITS bits, LANEWISE_SAMPLER_LOD_FRACTION of them after the point.
 */
#define LANEWISE_SAMPLER_NORMALISED 0x1u
#define LANEWISE_SAMPLER_ADDRESSING 0xEu
#define LANEWISE_SAMPLER_NONE 0x0u
#define LANEWISE_SAMPLER_EDGE 0x2u
#define LANEWISE_SAMPLER_CLAMP 0x4u
#define LANEWISE_SAMPLER_REPEAT 0x6u
#define LANEWISE_SAMPLER_MIRROR 0x8u
#define LANEWISE_SAMPLER_NEAREST 0x10u
#define LANEWISE_SAMPLER_LINEAR 0x20u
#define LANEWISE_SAMPLER_MIP_LINEAR 0x40u /**< interpolates between two levels; else the nearest level */
#define LANEWISE_SAMPLER_LOD_MIN 8        /**< the first bit of the lowest level of detail */
#define LANEWISE_SAMPLER_LOD_MAX 32       /**< the first bit of the highest level of detail */
#define LANEWISE_SAMPLER_LOD_BITS 24
#define LANEWISE_SAMPLER_LOD_FRACTION 19

/* NOLINTEND(modernize-use-using, modernize-macro-to-enum) */

#endif
