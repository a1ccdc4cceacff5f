// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Speed of the math functions in kernels that a driver may vectorise: nanoseconds per element, arguments and results
/// in the first-level cache, each function over a usual range of arguments.
///
/// usage: bench-math [PLATFORM [NAME_PART]]
/// Prints `name nanoseconds` lines. Run it bound to one core (taskset), so that the code of drivers is compared and not
/// their threads. compare_math.py runs it on several drivers in turns.
#include <cmath>
#include <cstring>
#include <random>

#include "bench.h"

namespace lanewise::bench {
namespace {

/// Work-items of a group, and groups of a launch: every group computes on the same arguments.
constexpr std::size_t kGroup = 1024;
constexpr std::size_t kGroups = 512;
constexpr double kBudget = 0.05;  ///< seconds for one function

struct Range {
  double low, high;
};

struct Row {
  const char* name;        ///< as printed, after `float_` or `double_`
  const char* expression;  ///< of x, y
  Range x, y;
  bool logarithmic = false;  ///< x is spread over its exponents
};

constexpr Range kNone{1, 2};
constexpr Row kRows[] = {
    {"exp", "exp(x)", {-20, 20}, kNone},
    {"exp2", "exp2(x)", {-20, 20}, kNone},
    {"exp10", "exp10(x)", {-10, 10}, kNone},
    {"expm1", "expm1(x)", {-10, 10}, kNone},
    {"log", "log(x)", {1e-6, 1e6}, kNone, true},
    {"log2", "log2(x)", {1e-6, 1e6}, kNone, true},
    {"log10", "log10(x)", {1e-6, 1e6}, kNone, true},
    {"log1p", "log1p(x)", {1e-6, 1e6}, kNone, true},
    {"sin", "sin(x)", {-100, 100}, kNone},
    {"cos", "cos(x)", {-100, 100}, kNone},
    {"sincos", "both(x)", {-100, 100}, kNone},
    {"tan", "tan(x)", {-100, 100}, kNone},
    {"sinpi", "sinpi(x)", {-100, 100}, kNone},
    {"asin", "asin(x)", {-1, 1}, kNone},
    {"acos", "acos(x)", {-1, 1}, kNone},
    {"atan", "atan(x)", {-10, 10}, kNone},
    {"atan2", "atan2(x, y)", {-10, 10}, {-10, 10}},
    {"sinh", "sinh(x)", {-10, 10}, kNone},
    {"cosh", "cosh(x)", {-10, 10}, kNone},
    {"tanh", "tanh(x)", {-5, 5}, kNone},
    {"asinh", "asinh(x)", {-100, 100}, kNone},
    {"acosh", "acosh(x)", {1, 100}, kNone},
    {"atanh", "atanh(x)", {-1, 1}, kNone},
    {"pow", "pow(x, y)", {0.01, 20}, {-10, 10}},
    {"cbrt", "cbrt(x)", {-1000, 1000}, kNone},
    {"erf", "erf(x)", {-4, 4}, kNone},
    {"erfc", "erfc(x)", {-4, 8}, kNone},
    {"tgamma", "tgamma(x)", {-10, 20}, kNone},
    {"lgamma", "lgamma(x)", {-10, 100}, kNone},
    {"sqrt", "sqrt(x)", {0, 1000}, kNone},
    {"rsqrt", "rsqrt(x)", {0, 1000}, kNone},
    {"hypot", "hypot(x, y)", {-100, 100}, {-100, 100}},
    {"fmod", "fmod(x, y)", {-100, 100}, {-10, 10}},
    {"remainder", "remainder(x, y)", {-100, 100}, {-10, 10}},
};
constexpr Row kShort[] = {
    {"native_exp", "native_exp(x)", {-20, 20}, kNone},
    {"native_exp2", "native_exp2(x)", {-20, 20}, kNone},
    {"native_exp10", "native_exp10(x)", {-10, 10}, kNone},
    {"native_log", "native_log(x)", {1e-6, 1e6}, kNone, true},
    {"native_log2", "native_log2(x)", {1e-6, 1e6}, kNone, true},
    {"native_log10", "native_log10(x)", {1e-6, 1e6}, kNone, true},
    {"native_sin", "native_sin(x)", {-3, 3}, kNone},
    {"native_cos", "native_cos(x)", {-3, 3}, kNone},
    {"native_tan", "native_tan(x)", {-3, 3}, kNone},
    {"native_powr", "native_powr(x, y)", {0.01, 20}, {-10, 10}},
    {"native_sqrt", "native_sqrt(x)", {0, 1000}, kNone},
    {"native_rsqrt", "native_rsqrt(x)", {0, 1000}, kNone},
    {"native_divide", "native_divide(x, y)", {-100, 100}, {1, 10}},
    {"native_recip", "native_recip(x)", {1, 100}, kNone},
    {"half_exp", "half_exp(x)", {-20, 20}, kNone},
    {"half_exp2", "half_exp2(x)", {-20, 20}, kNone},
    {"half_exp10", "half_exp10(x)", {-10, 10}, kNone},
    {"half_log", "half_log(x)", {1e-6, 1e6}, kNone, true},
    {"half_log2", "half_log2(x)", {1e-6, 1e6}, kNone, true},
    {"half_log10", "half_log10(x)", {1e-6, 1e6}, kNone, true},
    {"half_sin", "half_sin(x)", {-3, 3}, kNone},
    {"half_cos", "half_cos(x)", {-3, 3}, kNone},
    {"half_tan", "half_tan(x)", {-3, 3}, kNone},
    {"half_powr", "half_powr(x, y)", {0.01, 20}, {-10, 10}},
    {"half_sqrt", "half_sqrt(x)", {0, 1000}, kNone},
    {"half_rsqrt", "half_rsqrt(x)", {0, 1000}, kNone},
    {"half_divide", "half_divide(x, y)", {-100, 100}, {1, 10}},
    {"half_recip", "half_recip(x)", {1, 100}, kNone},
};
/// Under -cl-fast-relaxed-math.
constexpr Row kRelaxed[] = {
    {"relaxed_exp", "exp(x)", {-20, 20}, kNone},
    {"relaxed_exp2", "exp2(x)", {-20, 20}, kNone},
    {"relaxed_exp10", "exp10(x)", {-10, 10}, kNone},
    {"relaxed_log", "log(x)", {1e-6, 1e6}, kNone, true},
    {"relaxed_log2", "log2(x)", {1e-6, 1e6}, kNone, true},
    {"relaxed_log10", "log10(x)", {1e-6, 1e6}, kNone, true},
    {"relaxed_sin", "sin(x)", {-3, 3}, kNone},
    {"relaxed_cos", "cos(x)", {-3, 3}, kNone},
    {"relaxed_sincos", "both(x)", {-3, 3}, kNone},
    {"relaxed_tan", "tan(x)", {-3, 3}, kNone},
    {"relaxed_tanh", "tanh(x)", {-5, 5}, kNone},
    {"relaxed_pow", "pow(x, y)", {0.01, 20}, {-10, 10}},
    {"relaxed_erf", "erf(x)", {-4, 4}, kNone},
    {"relaxed_divide", "x / y", {-100, 100}, {1, 10}},
    {"relaxed_sqrt", "sqrt(x)", {0, 1000}, kNone},
    {"relaxed_rsqrt", "rsqrt(x)", {0, 1000}, kNone},
};

template <class T>
std::vector<T> arguments(const Range& range, bool logarithmic, unsigned seed) {
  std::mt19937_64 random(seed);
  const double low = logarithmic ? std::log(range.low) : range.low,
               high = logarithmic ? std::log(range.high) : range.high;
  std::uniform_real_distribution<double> any(low, high);
  std::vector<T> out(kGroup);
  for (T& value : out) value = static_cast<T>(logarithmic ? std::exp(any(random)) : any(random));
  return out;
}

/// No loop in the kernel: every driver's vectoriser sees the plain case. The groups share one block of memory.
std::string source(const Row& row, const char* type) {
  const std::string t = type;
  return t + " both(" + t + " x) {\n  " + t + " second;\n  const " + t +
         " first = sincos(x, &second);\n  return first + second;\n}\n" +
         "__kernel __attribute__((reqd_work_group_size(" + std::to_string(kGroup) + ", 1, 1)))\n" +
         "void speed(__global const " + t + "* a, __global const " + t + "* b, __global " + t +
         "* out, ulong step) {\n" + "  const size_t i = get_group_id(0) * step + get_local_id(0);\n  const " + t +
         " x = a[i], y = b[i];\n" + "  (void)y;\n  out[i] = " + row.expression + ";\n}\n";
}

class Memory {
 public:
  Memory(const Session& session, const void* data, std::size_t bytes) {
    cl_int code = CL_SUCCESS;
    buffer_ = clCreateBuffer(session.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, const_cast<void*>(data),
                             &code);
    check(code, "clCreateBuffer");
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { clReleaseMemObject(buffer_); }
  [[nodiscard]] const cl_mem* handle() const { return &buffer_; }

 private:
  cl_mem buffer_ = nullptr;
};

/// The shortest time of many launches, in seconds.
double fastest_launch(cl_command_queue queue, cl_kernel kernel) {
  const std::size_t global = kGroup * kGroups, local = kGroup;
  double best = 1e9;
  const double end = seconds_now() + kBudget;
  for (unsigned n = 0; n < 8 || seconds_now() < end; ++n) {
    const double begin = seconds_now();
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    best = std::min(best, seconds_now() - begin);
    if (n >= 8 && best > kBudget) break;
  }
  return best;
}

template <class T>
void measure(const Session& session, cl_command_queue queue, const Row& row, const char* type, const char* options) {
  const auto a = arguments<T>(row.x, row.logarithmic, 1), b = arguments<T>(row.y, false, 2);
  const Memory x(session, a.data(), sizeof(T) * kGroup), y(session, b.data(), sizeof(T) * kGroup),
      out(session, a.data(), sizeof(T) * kGroup);
  cl_program program = nullptr;
  cl_kernel kernel = session.build(source(row, type), "speed", &program, options);
  const cl_ulong step = 0;
  clSetKernelArg(kernel, 0, sizeof(cl_mem), x.handle());
  clSetKernelArg(kernel, 1, sizeof(cl_mem), y.handle());
  clSetKernelArg(kernel, 2, sizeof(cl_mem), out.handle());
  clSetKernelArg(kernel, 3, sizeof step, &step);
  const double seconds = fastest_launch(queue, kernel);
  std::printf("%s_%s %.5f\n", type, row.name, seconds * 1e9 / static_cast<double>(kGroup * kGroups));
  std::fflush(stdout);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

int run(int argc, char** argv) {
  const Session session(argc > 1 ? argv[1] : "");
  const char* part = argc > 2 ? argv[2] : "";
  const auto wanted = [&](const char* type, const Row& row) {
    return std::strstr((std::string(type) + "_" + row.name).c_str(), part) != nullptr;
  };
  cl_command_queue queue = session.queue(0);
  for (const Row& row : kRows) {
    if (wanted("float", row)) measure<float>(session, queue, row, "float", "");
    if (wanted("double", row)) measure<double>(session, queue, row, "double", "");
  }
  for (const Row& row : kShort)
    if (wanted("float", row)) measure<float>(session, queue, row, "float", "");
  for (const Row& row : kRelaxed)
    if (wanted("float", row)) measure<float>(session, queue, row, "float", "-cl-fast-relaxed-math");
  clReleaseCommandQueue(queue);
  return 0;
}

}  // namespace
}  // namespace lanewise::bench

int main(int argc, char** argv) {
  return lanewise::bench::run(argc, argv);
}
