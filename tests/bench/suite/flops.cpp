// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fused multiply-adds against the peak, by type, vector size and number of independent chains.
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

// T, S (scalar), N rounds and the number of chains come from the options. Components begin with different values (FIRST), and all
// of them are in the result (SUM): else a compiler may compute only one of them.
const char* const kSource = R"(
#ifdef HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
kernel void chains(global const S* in, global S* out, S a, S b) {
  size_t i = get_global_id(0);
  T x[CHAINS];
  #pragma unroll
  for (int k = 0; k < CHAINS; ++k) x[k] = (T)(in[i]) + (T)(FIRST) + (S)k;
  for (int n = 0; n < N; ++n) {
    #pragma unroll
    for (int k = 0; k < CHAINS; ++k) x[k] = fma(x[k], (T)(a), (T)(b));
  }
  T sum = x[0];
  #pragma unroll
  for (int k = 1; k < CHAINS; ++k) sum += x[k];
  out[i] = SUM(sum);
}
)";

struct Shape {
  const char* type;
  const char* scalar;
  int width, chains;
};

/// How the first value of each component and the sum of the components are written.
std::string components(int width) {
  if (width == 1) return " -DFIRST=0 -DSUM(x)=(x)";
  std::string first, sum;
  for (int c = 0; c < width; ++c) {
    first += (c == 0 ? "" : ",") + std::to_string(c);
    sum += std::string(c == 0 ? "" : "+") + "(x).s" + "0123456789abcdef"[c];
  }
  return " -DFIRST=" + first + " -DSUM(x)=(" + sum + ")";
}

template <class T>
void chains_of(Run& r, const Shape& s, std::size_t n, int rounds, Limit limit, double tolerance) {
  std::vector<T> from(n), out(n), want(n);
  for (std::size_t i = 0; i < n; ++i) from[i] = static_cast<T>(static_cast<double>(i % 97) / 97);
  const T a = static_cast<T>(0.5), b = static_cast<T>(0.25);
  r.reference([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        T sum = 0;
        for (int chain = 0; chain < s.chains * s.width; ++chain) {
          T x = from[i] + static_cast<T>(chain / s.width + chain % s.width);
          for (int round = 0; round < std::min(rounds, 60); ++round) x = x * a + b;  // it converges much earlier
          sum += x;
        }
        want[i] = sum;
      }
    });
  });
  const std::string options = std::string("-DT=") + s.type + " -DS=" + s.scalar + components(s.width) +
                              " -DCHAINS=" + std::to_string(s.chains) + " -DN=" + std::to_string(rounds);
  r.source(kSource, options.c_str());
  r.launch("chains", {{n}, {64}, {}}, in(from), out_of(out), a, b);
  r.work(2.0 * n * s.width * s.chains * rounds, "FLOP", limit);
  if (r.go()) r.check(out, want, tolerance);
}

void float1(Run& r) {
  chains_of<float>(r, {"float", "float", 1, 8}, r.size(16'384, 192), 1000, Limit::kFloat, 1e-5);
}
void float_one_chain(Run& r) {
  chains_of<float>(r, {"float", "float", 1, 1}, r.size(65'536, 192), 1000, Limit::kFloat, 1e-5);
}
void float_two_chains(Run& r) {
  chains_of<float>(r, {"float", "float", 1, 2}, r.size(65'536, 192), 1000, Limit::kFloat, 1e-5);
}
void float4(Run& r) {
  chains_of<float>(r, {"float4", "float", 4, 2}, r.size(16'384, 192), 1000, Limit::kFloat, 1e-5);
}
void float16(Run& r) {
  chains_of<float>(r, {"float16", "float", 16, 1}, r.size(8192, 192), 1000, Limit::kFloat, 1e-5);
}
void double1(Run& r) {
  chains_of<double>(r, {"double", "double", 1, 8}, r.size(8192, 192), 1000, Limit::kDouble, 1e-12);
}
void double4(Run& r) {
  chains_of<double>(r, {"double4", "double", 4, 2}, r.size(8192, 192), 1000, Limit::kDouble, 1e-12);
}

void half_of(Run& r, const char* type, int width, int chains, std::size_t n) {
  if (!r.needs_extension("cl_khr_fp16")) return;
  std::vector<std::uint16_t> from(n, 0), out(n), want(n);
  // Every chain goes to 0.5: x = x / 2 + 1/4.
  r.reference([&] {
    for (std::uint16_t& value : want) value = width * chains == 8 ? 0x4400 : 0x4800;
  });
  const std::string options = std::string("-DHALF -DT=") + type + " -DS=half" + components(width) +
                              " -DCHAINS=" + std::to_string(chains) + " -DN=1000";
  r.source(kSource, options.c_str());
  const std::uint16_t half = 0x3800, quarter = 0x3400;
  r.launch("chains", {{n}, {64}, {}}, in(from), out_of(out), half, quarter);
  r.work(2.0 * n * width * chains * 1000, "FLOP", Limit::kFloat);
  if (r.go()) r.check(out, want, 1e-3);
}
void half1(Run& r) {
  half_of(r, "half", 1, 8, r.size(4096, 192));
}
void half8(Run& r) {
  half_of(r, "half8", 8, 2, r.size(2048, 192));
}

}  // namespace

void add_flops(Suite& suite) {
  suite.insert(suite.end(), {{"compute/fma_float", float1},
                             {"compute/fma_float_1chain", float_one_chain},
                             {"compute/fma_float_2chains", float_two_chains},
                             {"compute/fma_float4", float4},
                             {"compute/fma_float16", float16},
                             {"compute/fma_double", double1},
                             {"compute/fma_double4", double4},
                             {"compute/fma_half", half1},
                             {"compute/fma_half8", half8}});
}

}  // namespace lanewise::bench
