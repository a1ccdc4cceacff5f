// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Argument reduction of large floats: a table of 1/pi for each exponent, so that two products are enough. It rarely
// runs, but every kernel with a sine contains it twice, so it has to be short.
#include "float_math.h"

// For each biased exponent from 144 (2^17) to 254, with the exponent's highest bit left out: 1/pi modulo multiples that
// change the product with a float of that exponent by an even number of half turns. It is in two parts; the first has
// 28 bits behind the point of the product, so that its product with 24 bits is exact. For 255 (infinity and NaN) it is
// 0, which gives NaN for both. From tools/fit/polynomials.py (turns_table).
static __constant const double kTurns[] = {
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0x1.45f3p-2, 0x1.b727220a94fe1p-24,
    0x1.45f308p-2, -0x1.236377d5ac07bp-26, 0x1.45f308p-2, -0x1.236377d5ac07bp-26, 0x1.45f306p-2, 0x1.b9391054a7f0ap-27,
    0x1.45f307p-2, -0x1.1b1bbead603d9p-29, 0x1.45f307p-2, -0x1.1b1bbead603d9p-29, 0x1.45f306cp-2, 0x1.c9c882a53f84fp-30,
    0x1.45f306ep-2, -0x1.b1bbead603d8bp-33, -0x1.7419f24p-3, -0x1.b1bbead603d8bp-33,
    0x1.17cc1b8p-4, -0x1.b1bbead603d8bp-33, -0x1.d067c92p-5, 0x1.391054a7f09d6p-35,
    0x1.7cc1b7p-8, 0x1.391054a7f09d6p-35, 0x1.7cc1b74p-8, -0x1.8ddf56b01ec54p-36, 0x1.7cc1b72p-8, 0x1.c882a53f84ebp-38,
    -0x1.067c91cp-9, 0x1.c882a53f84ebp-38, 0x1.f306dcap-10, -0x1.bbead603d8a83p-41,
    -0x1.9f246cp-15, -0x1.bbead603d8a83p-41, -0x1.9f246cp-15, -0x1.bbead603d8a83p-41,
    -0x1.9f246c8p-15, 0x1.1054a7f09d5f4p-43, -0x1.9f246c8p-15, 0x1.1054a7f09d5f4p-43,
    -0x1.9f246c6p-15, -0x1.df56b01ec5417p-44, 0x1.836e4e4p-17, 0x1.054a7f09d5f48p-47,
    0x1.836e4e4p-17, 0x1.054a7f09d5f48p-47, -0x1.f246c7p-19, 0x1.054a7f09d5f48p-47,
    -0x1.f246c6ep-19, -0x1.f56b01ec5417p-48, 0x1.b72722p-24, 0x1.529fc2757d1f5p-53,
    0x1.b72722p-24, 0x1.529fc2757d1f5p-53, 0x1.b72722p-24, 0x1.529fc2757d1f5p-53, 0x1.b72722p-24, 0x1.529fc2757d1f5p-53,
    0x1.b72722p-24, 0x1.529fc2757d1f5p-53, -0x1.236377cp-26, -0x1.5ac07b1505c16p-54,
    -0x1.236377ep-26, 0x1.4a7f09d5f47d5p-55, 0x1.b939106p-27, -0x1.6b01ec5417056p-56,
    -0x1.1b1bbecp-29, 0x1.29fc2757d1f53p-57, -0x1.1b1bbeap-29, -0x1.ac07b1505c159p-58,
    0x1.c9c882ap-30, 0x1.4fe13abe8fa9ap-60, -0x1.b1bbebp-33, 0x1.4fe13abe8fa9ap-60,
    -0x1.b1bbeacp-33, -0x1.603d8a82e0acbp-61, -0x1.b1bbeaep-33, 0x1.3f84eafa3ea6ap-62,
    0x1.391054cp-35, -0x1.80f62a0b82b2dp-63, 0x1.391054ap-35, 0x1.fc2757d1f534ep-65,
    -0x1.8ddf56cp-36, 0x1.fc2757d1f534ep-65, 0x1.c882a54p-38, -0x1.ec54170565912p-72,
    0x1.c882a54p-38, -0x1.ec54170565912p-72, -0x1.bbead6p-41, -0x1.ec54170565912p-72,
    -0x1.bbead6p-41, -0x1.ec54170565912p-72, -0x1.bbead6p-41, -0x1.ec54170565912p-72,
    0x1.1054a8p-43, -0x1.ec54170565912p-72, 0x1.1054a8p-43, -0x1.ec54170565912p-72,
    -0x1.df56b02p-44, 0x1.3abe8fa9a6eep-76, 0x1.054a7fp-47, 0x1.3abe8fa9a6eep-76, 0x1.054a7fp-47, 0x1.3abe8fa9a6eep-76,
    0x1.054a7fp-47, 0x1.3abe8fa9a6eep-76, -0x1.f56b01ep-48, -0x1.8a82e0acb223fp-77,
    0x1.529fc2p-53, 0x1.d5f47d4d37703p-79, 0x1.529fc2p-53, 0x1.d5f47d4d37703p-79,
    0x1.529fc28p-53, -0x1.505c1596447e5p-82, 0x1.529fc28p-53, -0x1.505c1596447e5p-82,
    0x1.529fc28p-53, -0x1.505c1596447e5p-82, -0x1.5ac07b2p-54, 0x1.5f47d4d377037p-83,
    0x1.4a7f09ep-55, -0x1.4170565911f92p-84, -0x1.6b01ec6p-56, 0x1.7d1f534ddc0dbp-85,
    0x1.29fc276p-57, -0x1.05c1596447e49p-86, -0x1.ac07b16p-58, 0x1.f47d4d377036ep-87,
    0x1.4fe13acp-60, -0x1.70565911f924fp-92, 0x1.4fe13acp-60, -0x1.70565911f924fp-92,
    -0x1.603d8a8p-61, -0x1.70565911f924fp-92, 0x1.3f84ebp-62, -0x1.70565911f924fp-92,
    -0x1.80f62ap-63, -0x1.70565911f924fp-92, 0x1.fc2757cp-65, 0x1.1f534ddc0db63p-93,
    0x1.fc2757ep-65, -0x1.c1596447e493bp-94, -0x1.ec5418p-72, 0x1.f534ddc0db629p-97,
    -0x1.ec5418p-72, 0x1.f534ddc0db629p-97, -0x1.ec5418p-72, 0x1.f534ddc0db629p-97,
    -0x1.ec5417p-72, -0x1.596447e493ad5p-102, -0x1.ec5417p-72, -0x1.596447e493ad5p-102,
    -0x1.ec5417p-72, -0x1.596447e493ad5p-102, -0x1.ec5417p-72, -0x1.596447e493ad5p-102,
    0x1.3abe9p-76, -0x1.596447e493ad5p-102, 0x1.3abe8f8p-76, 0x1.4d377036d8a56p-103,
    0x1.3abe8fcp-76, -0x1.65911f924eb53p-104, 0x1.3abe8fap-76, 0x1.34ddc0db6295ap-105,
    -0x1.8a82e0ap-77, -0x1.96447e493ad4dp-106, 0x1.d5f47d4p-79, 0x1.a6ee06db14acdp-108,
    0x1.d5f47d4p-79, 0x1.a6ee06db14acdp-108, -0x1.505c158p-82, -0x1.6447e493ad4cep-110,
    -0x1.505c158p-82, -0x1.6447e493ad4cep-110, -0x1.505c15ap-82, 0x1.377036d8a5665p-111,
    0x1.5f47d4ep-83, -0x1.911f924eb5336p-112, -0x1.4170566p-84, 0x1.bb81b6c52b328p-114,
    0x1.7d1f534p-85, 0x1.bb81b6c52b328p-114, -0x1.05c1596p-86, -0x1.11f924eb53362p-116,
    0x1.f47d4d4p-87, -0x1.11f924eb53362p-116, -0x1.70565ap-92, 0x1.dc0db6295993cp-117,
    -0x1.705659p-92, -0x1.1f924eb53361ep-120, -0x1.705659p-92, -0x1.1f924eb53361ep-120,
    -0x1.705659p-92, -0x1.1f924eb53361ep-120, -0x1.7056592p-92, 0x1.c0db6295993c4p-121,
    0x1.1f534dep-93, -0x1.f924eb53361dep-124, -0x1.c159644p-94, -0x1.f924eb53361dep-124,
    0x1.f534dep-97, -0x1.f924eb53361dep-124, 0x1.f534ddcp-97, 0x1.b6c52b3278872p-130,
    0x1.f534ddcp-97, 0x1.b6c52b3278872p-130, -0x1.596448p-102, 0x1.b6c52b3278872p-130,
    -0x1.596448p-102, 0x1.b6c52b3278872p-130, -0x1.596448p-102, 0x1.b6c52b3278872p-130,
    -0x1.596448p-102, 0x1.b6c52b3278872p-130, -0x1.596447ep-102, -0x1.24eb53361de38p-132,
    0x1.4d37704p-103, -0x1.24eb53361de38p-132, -0x1.65911fap-104, 0x1.b6295993c439p-133,
    0x1.34ddc0ep-105, -0x1.275a99b0ef1bfp-135, 0.0, 0.0};

// |x| >= 2^17: |x| - offset pi = count pi step + the result, modulo 2 pi, with a result of at most half a step to both
// sides; rounder = step 1.5 2^52. Floats come as near as 2^-29 to such a multiple, and the error is 2^-57.
float __lw_reduce_large(float x, double rounder, double offset, __private int* count) {
  const uint index = (uint)LW_BITS(x) >> 22 & 254;
  const double high = (double)ABS(x) * kTurns[index] - offset;
  const double low = (double)ABS(x) * kTurns[index + 1];
  const double rounded = (high + low) + rounder;
  *count = (int)__builtin_astype(rounded, long);
  return (float)(((high - (rounded - rounder)) + low) * 0x1.921fb54442d18p+1);
}
