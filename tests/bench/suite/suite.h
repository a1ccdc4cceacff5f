// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The kernel benchmarks: the parts of a case, and how it is run.
///
/// A case is a function that describes one measurement to a `Run`:
///
///     void triad(Run& r) {
///       const std::size_t n = r.size(16'000'000, 10'007);  // full size; size for --quick, best one that is odd
///       const auto a = floats(n, 1), b = floats(n, 2);
///       std::vector<float> out(n), want(n);
///       r.plain([&] {
///         parallel(n, [&](auto i, auto end) { for (; i < end; ++i) want[i] = a[i] + 3 * b[i]; });
///       });
///       r.source(kSource);
///       r.launch("triad", {{n}, {256}}, in(a), in(b), out_of(out), 3.0f);
///       r.work(12.0 * n, "B", Limit::kBandwidth);
///       if (r.go()) r.check(out, want, 1e-6);
///     }
///
/// `plain` is fast C++, a limit to compare with, and also the reference of the check; where a simple reference is no
/// such limit, call `reference` instead. To add a kernel: write its source and its function into the file of its
/// family, and a line in that file's `add_...`. It has to run in 5 to 30 ms on an ordinary machine.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/base/rounding.h"

namespace lanewise::bench {

/// The limit of a case on this machine; kNone: no single number.
enum class Limit { kNone, kBandwidth, kFloat, kDouble };

/// How a process runs its cases.
struct Mode {
  bool quick = false;     ///< small sizes, each kernel once: a test
  bool plain = false;     ///< measure the C++ versions; OpenCL is not used
  double budget = 0.08;   ///< seconds for the repetitions
  bool cpu_time = false;  ///< measure the processor time of all threads divided by the cores: for a busy machine
  std::string platform;   ///< part of the platform's name
  std::string spirv;      ///< the compiler by which programs go to SPIR-V first (lanewise-cc); empty: from source
};

struct Sizes {
  std::vector<std::size_t> global;
  std::vector<std::size_t> local;   ///< empty: the driver chooses
  std::vector<std::size_t> offset;  ///< empty: zero
};

/// What the elements of a vector are as an image: one-dimensional if only the first extent is above 0, and so on.
struct Picture {
  cl_image_format format;
  std::array<std::size_t, 3> extent;
  cl_uint levels = 1;  ///< the vector has one behind the other
};
struct Filter {
  bool normalised;
  cl_addressing_mode addressing;
  cl_filter_mode mode;
};

/// A kernel argument: bytes, a buffer or an image over a vector, a sampler, or local memory.
struct Argument {
  std::vector<unsigned char> value;
  void* data = nullptr;
  std::size_t bytes = 0;
  enum class Kind { kValue, kInput, kOutput, kUpdated, kLocal, kSampler } kind = Kind::kValue;
  std::optional<Picture> picture = {};
  std::optional<Filter> filter = {};
};

template <class T>
Argument in(const std::vector<T>& v) {
  return {{}, const_cast<T*>(v.data()), v.size() * sizeof(T), Argument::Kind::kInput};
}
/// A buffer to which every launch writes the same. It is read back after the first and after the last one.
template <class T>
Argument out_of(std::vector<T>& v) {
  return {{}, v.data(), v.size() * sizeof(T), Argument::Kind::kOutput};
}
/// A buffer that changes with every launch; it is read back after the first one only.
template <class T>
Argument updated(std::vector<T>& v) {
  return {{}, v.data(), v.size() * sizeof(T), Argument::Kind::kUpdated};
}
/// A vector as an image: `image({{CL_RGBA, CL_FLOAT}, {width, height}}, in(texels))`.
inline Argument image(const Picture& picture, Argument over) {
  over.picture = picture;
  return over;
}
inline Argument sampler(const Filter& filter) {
  return {{}, nullptr, sizeof(cl_sampler), Argument::Kind::kSampler, {}, filter};
}
inline Argument local(std::size_t bytes) {
  return {{}, nullptr, bytes, Argument::Kind::kLocal};
}
inline Argument argument(Argument a) {
  return a;
}
template <class T>
  requires std::is_arithmetic_v<T>
Argument argument(T value) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
  return {{bytes, bytes + sizeof value}, nullptr, sizeof value, Argument::Kind::kValue};
}

class Run {
 public:
  Run(const Mode& mode, std::string name);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  std::size_t size(std::size_t full, std::size_t quick) const { return mode_.quick ? quick : full; }
  /// False if the device does not report it; the case then counts as skipped. True for the plain version.
  bool needs_extension(const char* name);
  bool needs_feature(const char* name);  ///< of OpenCL C 3.0, for example __opencl_c_subgroups
  bool needs_non_uniform();

  void source(const char* text, const char* options = "");
  template <class... T>
  void launch(const char* kernel, Sizes sizes, T... arguments) {
    add_launch(kernel, std::move(sizes), {argument(arguments)...});
  }
  /// One run is all launches, `times` times: for launches that are too short to be measured.
  void repeat(int times) { repeat_ = mode_.quick ? 1 : times; }
  void plain(const std::function<void()>& body);
  void reference(const std::function<void()>& body) const;
  /// @param amount  units of work in one run
  /// @param unit    B, FLOP, or what is counted: item, pixel, hash ...
  void work(double amount, const char* unit, Limit limit = Limit::kNone);
  /// Builds, launches once, reads the results back, and measures. False if there is nothing to check.
  bool go();

  /// @param tolerance  of |got - want| / max(1, |want|)
  /// @param misses     share of the elements that may be outside of it
  template <class T>
  void check(const std::vector<T>& got, const std::vector<T>& want, double tolerance = 0, double misses = 0) {
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      const double g = static_cast<double>(got[i]), w = static_cast<double>(want[i]);
      if (std::fabs(g - w) <= tolerance * std::fmax(1.0, std::fabs(w)) || got[i] == want[i]) continue;
      if (wrong++ == 0) first = i;
    }
    if (static_cast<double>(wrong) > misses * static_cast<double>(want.size()))
      report_wrong(wrong, first, static_cast<double>(got[first]), static_cast<double>(want[first]));
  }
  /// One line: `ok seconds work unit limit`, `skipped why`, `none`, or `wrong`/`failed` and what.
  const std::string& outcome() const { return outcome_; }
  bool good() const { return good_; }

 private:
  struct Device;
  void add_launch(const char* kernel, Sizes sizes, std::vector<Argument> arguments);
  void report_wrong(std::size_t wrong, std::size_t first, double got, double want);
  void fail(const std::string& what);
  bool skip(const std::string& why);
  void warm_up();
  void measure(const std::function<void()>& body);
  void finish_line();

  const Mode& mode_;
  std::string name_, outcome_ = "none", source_, options_;
  std::unique_ptr<Device> device_;
  int repeat_ = 1;
  double seconds_ = 0, amount_ = 0;
  std::string unit_ = "item";
  Limit limit_ = Limit::kNone;
  bool good_ = true;
};

struct Entry {
  const char* name;  ///< category/kernel
  void (*body)(Run&);
};
using Suite = std::vector<Entry>;
void add_memory(Suite& suite);
void add_sparse(Suite& suite);
void add_atomics(Suite& suite);
void add_flops(Suite& suite);
void add_integer(Suite& suite);
void add_math(Suite& suite);
void add_loops(Suite& suite);
void add_branches(Suite& suite);
void add_hashes(Suite& suite);
void add_matrix(Suite& suite);
void add_reduce(Suite& suite);
void add_sort(Suite& suite);
void add_stencil(Suite& suite);
void add_private(Suite& suite);
void add_collective(Suite& suite);
void add_image(Suite& suite);
void add_image_filters(Suite& suite);
void add_launch(Suite& suite);
// Of bench-families.
void add_trees(Suite& suite);
void add_tiles(Suite& suite);
void add_family_loops(Suite& suite);

/// The cases of the program, in the order in which they run.
Suite all_cases();

/// body(first, end) over [0, count), in pieces, on all cores.
void parallel(std::size_t count, const std::function<void(std::size_t, std::size_t)>& body, std::size_t pieces = 0);
int cores();

/// In [low, high); the same for the same seed.
std::vector<float> floats(std::size_t count, unsigned seed, float low = 0, float high = 1);
std::vector<double> doubles(std::size_t count, unsigned seed, double low = 0, double high = 1);
/// In [0, bound); bound 0: all bits.
std::vector<std::uint32_t> integers(std::size_t count, unsigned seed, std::uint32_t bound = 0);
std::vector<std::uint8_t> octets(std::size_t count, unsigned seed);

/// A kernel with one input and one output, in which each work-item has an element of each.
struct Map {
  double amount = 1;  ///< units of work per element
  const char* unit = "item";
  Limit limit = Limit::kNone;
  double tolerance = 0, misses = 0;  ///< of Run::check
};

/// Runs `kernel` of `source` over `from`; `one` is the reference of an element.
template <class From, class To, class One>
void map_of(Run& r, const char* source, const char* kernel, const std::vector<From>& from, const One& one,
            const Map& map = {}) {
  const std::size_t n = from.size();
  std::vector<To> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) want[i] = one(from[i]);
    });
  });
  r.source(source);
  r.launch(kernel, {{n}, {64}, {}}, in(from), out_of(out));
  r.work(map.amount * static_cast<double>(n), map.unit, map.limit);
  if (r.go()) r.check(out, want, map.tolerance, map.misses);
}

/// Plain C++ on all cores: STREAM's triad in bytes a second (counted without write-allocate), and independent chains of
/// fused multiply-adds.
struct Machine {
  double bandwidth, float_peak, double_peak;
};
Machine measure_machine();

}  // namespace lanewise::bench
