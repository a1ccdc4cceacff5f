// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the debuggers and profilers of tests/tools look at. They find lines by the words in the comments.

typedef struct {
  int weight;
  float scale;
} Factor;

float weigh(float value, float by) {
  float product = value * by;  // in a function
  return product;
}

__kernel void scale(__global float* x, float by, int n) {
  size_t index = get_global_id(0);
  Factor factor = {(int)index + 1, by};
  float before = x[index];
  float after = weigh(before, factor.scale) + factor.weight;  // call
  if ((int)index < n) x[index] = after;                       // last of scale
}

__kernel void reverse(__global int* x, __local int* tile) {
  __local int total[1];
  int id = (int)get_local_id(0);
  int last = (int)get_local_size(0) - 1;
  int mine = x[get_global_id(0)];
  tile[id] = mine;
  if (id == 0) total[0] = 7;
  int unused = id * 3;            // before the barrier
  barrier(CLK_LOCAL_MEM_FENCE);   // barrier
  int other = tile[last - id];    // behind the barrier
  x[get_global_id(0)] = other * total[0];  // last of reverse
}

__kernel void burn(__global float* x, int rounds) {
  float value = x[get_global_id(0)];
  for (int i = 0; i < rounds; ++i) value = value * 1.000001f + 0.5f / (value + 1.0f);  // hot line
  x[get_global_id(0)] = value;
}

__kernel void overrun(__global int* x, int beyond) {
  x[get_global_id(0) + beyond] = 1;  // out of bounds
}
