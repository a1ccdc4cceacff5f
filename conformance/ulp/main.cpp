// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The accuracy harness: compares every row of accuracy.def with a high-precision reference, at every vector width and
/// every number of SIMD lanes.
///
/// usage: lanewise-ulp [--platform=NAME_PART] [--only=NAME_PART] [--type=half|float|double] [--samples=N] [--forms=N]
///                     [--relaxed] [--exhaustive] [--table]
///   default       edge values and N random ones, all 2^16 arguments of the functions of one half, in all forms; a row
///                 over its bound: exit status 1
///   --forms=N     each row in N of its forms, drawn anew at each run: most of the time goes into building them. The
///                 seed is printed; LANEWISE_TEST_SEED in the environment draws the same forms again
///   --relaxed     under -cl-fast-relaxed-math, against the relaxed bounds
///   --exhaustive  all 2^32 arguments of the functions of one float, one form; a minute of a processor each
///   --skip=FILE   leaves out the functions that this table has an exhaustive line of: to go on with an interrupted run
///   --table       a line per row on standard output: name, type, max error, its argument(s), elements a second, mode
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/ulp/arguments.h"
#include "conformance/ulp/batch.h"
#include "conformance/ulp/device.h"
#include "conformance/ulp/error.h"
#include "conformance/ulp/reference.h"
#include "tests/drawn.h"

namespace lanewise::ulp {

constexpr Type HALF = Type::half, FLOAT = Type::single, DOUBLE = Type::dual;
constexpr double ANY = kAny, SAME = kSame;
#define ABSOLUTE(x) (-(x))
#define OURS(x) (x)
const Row kRows[] = {
#define UNARY(name, type, bound, relaxed, source) {#name, type, Shape::unary, bound, relaxed, #source},
#define BINARY(name, type, bound, relaxed, source) {#name, type, Shape::binary, bound, relaxed, #source},
#define WITH_INT(name, type, bound, relaxed, source) {#name, type, Shape::with_int, bound, relaxed, #source},
#include "conformance/ulp/accuracy.def"
};
const unsigned kRowCount = sizeof kRows / sizeof kRows[0];

namespace {

constexpr Form kForms[] = {{1, 64}, {1, 1},  {1, 2},  {1, 4},  {1, 8},  {1, 16},
                           {2, 64}, {3, 64}, {4, 64}, {8, 64}, {16, 64}};

struct Options {
  std::string platform, only, type, skip;
  std::size_t samples = 16384, forms = std::size(kForms);
  bool relaxed = false, exhaustive = false, table = false;
};

constexpr std::size_t kBlock = std::size_t{3} * 16 * 64;  ///< every form covers a multiple of this

struct Worst {
  double error = 0;
  long double x = 0, y = 0, got = 0, exact = 0;
  Form form{1, 64};
};

template <class T>
void add_references(const std::string& name, Type type, Arguments<T>& arguments) {
  const Fast fast = fast_reference(name, type);
  for (std::size_t i = 0; i < arguments.a.size(); ++i) {
    const bool exact = fast == nullptr || arguments.signs[i];
    const long double x = wide(arguments.a[i]), y = second(arguments, i);
    arguments.exact.push_back(exact ? exact_reference(name, x, y) : fast(x, y));
    arguments.signs[i] = exact;
  }
}

/// A relaxed bound holds where the specification says so: not for the arguments that finite-math excludes.
bool relaxed_counts(const Row& row, long double x, long double y, long double exact) {
  if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(exact)) return false;
  if (row.relaxed < 0) return std::fabs(x) <= (std::string(row.name).ends_with("pi") ? 1.0L : M_PIl);
  constexpr long double kTiny = std::numeric_limits<float>::min();  // subnormals may be flushed
  if (std::fabs(x) < kTiny || std::fabs(exact) < kTiny || std::fabs(exact) > std::numeric_limits<float>::max())
    return false;
  const std::string name = row.name;
  if (name.starts_with("pow") || name == "rootn") return x > 0 && std::fabs(y) < 1e30L;
  return true;
}

/// Where native functions are measured: arguments and results are normal numbers, angles below 10^4.
bool native_counts(const Row& row, long double x, long double y, long double exact) {
  constexpr long double kTiny = std::numeric_limits<float>::min();
  const std::string name = row.name;
  const bool angle = name == "native_sin" || name == "native_cos" || name == "native_tan";
  if (angle && std::fabs(x) >= 1e4L) return false;
  return std::fabs(x) >= kTiny && std::fabs(exact) >= kTiny && (row.shape != Shape::binary || std::fabs(y) >= kTiny);
}

/// Around its zeros on the negative axis lgamma is the difference of larger terms. In double its error is counted in
/// ULP of these terms: returns the ratio of the exact value's ULP to theirs.
double share_of_terms(const Row& row, long double x, long double exact) {
  if (std::string(row.name) != "lgamma" || row.type != Type::dual || !(x < -2) || !std::isfinite(exact)) return 1;
  const long double terms = std::max({1.0L, std::fabs(exact), std::lgamma(-x)});
  return std::ldexp(1.0, std::ilogb(exact) - std::ilogb(terms));
}

class Harness {
 public:
  explicit Harness(const Options& options) : options_(options), device_(options.platform) {}

  /// False: over the bound.
  template <class T>
  bool check(const Row& row) {
    const std::vector<Form> forms = forms_of(row);
    device_.build(row, forms, options_.relaxed ? "-cl-fast-relaxed-math" : "");
    Worst worst;
    if (options_.exhaustive)
      every_float(row, worst);
    else
      sampled<T>(row, forms, worst);
    const bool good = worst.error <= bound(row);
    report(row, worst, good);
    if (options_.table) line(row, worst, device_.speed(0, sizeof(T), row.shape == Shape::with_int ? 4 : sizeof(T)));
    return good;
  }

 private:
  [[nodiscard]] std::vector<Form> forms_of(const Row& row) const {
    std::vector<Form> forms(std::begin(kForms), std::end(kForms));
    if (options_.exhaustive) forms.resize(1);
    return test::drawn(std::move(forms), options_.forms, std::string(row.name) + type_name(row.type));
  }

  [[nodiscard]] double bound(const Row& row) const {
    if (!options_.relaxed || row.relaxed == kSame) return row.bound;
    return row.relaxed < 0 ? -row.relaxed : row.relaxed;
  }

  template <class T>
  [[nodiscard]] double error(const Row& row, T got, long double x, long double y, long double exact, bool signs) const {
    const bool relaxed = options_.relaxed && row.relaxed != kSame;
    if (options_.relaxed && !relaxed_counts(row, x, y, exact)) return 0;
    if (relaxed && row.relaxed < 0) return static_cast<double>(std::fabs(wide(got) - exact));
    double ulp =
        ulp_error(got, exact, signs && !options_.relaxed && zero_has_sign(row.name)) * share_of_terms(row, x, exact);
    if (row.bound == kAny && (ulp == kWrong || !native_counts(row, x, y, exact))) return 0;
    if (options_.relaxed && (std::string(row.name) == "exp" || std::string(row.name) == "exp2"))
      ulp = std::max(0.0, ulp - std::floor(std::fabs(2 * static_cast<double>(x))));
    if (options_.relaxed && std::string(row.name).starts_with("log") && x >= 0.5L && x <= 2)
      return std::fabs(wide(got) - exact) <= 0x1p-21L ? 0 : ulp;
    return ulp;
  }

  template <class T>
  void sampled(const Row& row, const std::vector<Form>& forms, Worst& worst) {
    const std::string name = base_name(row.name);
    Arguments<T> arguments;
    if (takes_all(row))
      fill_all(kBlock, arguments);
    else
      fill(row, options_.samples, row.bound == kAny && name != row.name, kBlock, arguments);
    add_references(name, row.type, arguments);
    std::vector<T> got(arguments.a.size());
    for (std::size_t form = 0; form < forms.size(); ++form) {
      if (arguments.n.empty())
        device_.run(form, arguments.a, arguments.b, got);
      else
        device_.run_with_int(form, arguments.a, arguments.n, got);
      compare(row, arguments, got, forms[form], worst);
    }
  }

  /// If a fast reference finds an error near or over the bound, MPFR decides.
  template <class T>
  void compare(const Row& row, Arguments<T>& arguments, const std::vector<T>& got, const Form& form, Worst& worst) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      const long double x = wide(arguments.a[i]), y = second(arguments, i);
      double off = error(row, got[i], x, y, arguments.exact[i], arguments.signs[i]);
      if (off > worst.error && !arguments.signs[i]) {
        arguments.exact[i] = exact_reference(base_name(row.name), x, y);
        arguments.signs[i] = true;
        off = error(row, got[i], x, y, arguments.exact[i], true);
      }
      if (off > worst.error) worst = {off, x, y, wide(got[i]), arguments.exact[i], form};
    }
  }

  /// Pieces of the 2^32 arguments in turn: the device computes one, then all processors check it.
  void every_float(const Row& row, Worst& worst) {
    constexpr std::size_t kPiece = std::size_t{1} << 22;
    const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
    std::vector<float> x(kPiece), got(kPiece);
    for (std::uint64_t first = 0; first < (std::uint64_t{1} << 32); first += kPiece) {
      for (std::size_t i = 0; i < kPiece; ++i) x[i] = from_bits<float>(static_cast<std::uint32_t>(first + i));
      device_.run(0, x, {}, got);
      std::vector<Worst> found(threads, worst);
      std::vector<std::jthread> checkers;
      checkers.reserve(threads);
      for (std::size_t t = 0; t < threads; ++t)
        checkers.emplace_back([&, t] {
          const std::size_t begin = kPiece / kLook * t / threads * kLook;
          const std::size_t end = kPiece / kLook * (t + 1) / threads * kLook;
          for (std::size_t i = begin; i < end; i += kLook) look(row, &x[i], &got[i], found[t]);
        });
      checkers.clear();
      for (const Worst& one : found)
        if (one.error > worst.error) worst = one;
    }
  }

  static constexpr std::size_t kLook = 4096;

  /// Checks a block of arguments, with MPFR only if it has an error clearly larger than those found before. (Where the
  /// function is smooth each argument's error is a little larger than the one before it.)
  void look(const Row& row, const float* x, const float* got, Worst& worst) const {
    double exact[kLook];
    const std::string name = base_name(row.name);
    // Below a fraction of an ULP only the reference's own rounding would be measured.
    const auto interesting = [&](double off) { return off > std::max(worst.error * 1.002, 0.03); };
    batch_reference(name)(x, exact, kLook);
    if (!interesting(largest_error(got, exact, kLook))) return;
    for (std::size_t i = 0; i < kLook; ++i) {
      if (!interesting(largest_error(&got[i], &exact[i], 1)) ||
          !interesting(error(row, got[i], x[i], 0, exact[i], true)))
        continue;
      const long double decided = exact_reference(name, x[i], 0);
      const double off = error(row, got[i], x[i], 0, decided, true);
      if (off > worst.error) worst = {off, x[i], 0, got[i], decided, {1, 64}};
    }
  }

  void report(const Row& row, const Worst& worst, bool good) const {
    if (good && options_.table) return;
    std::fprintf(stderr, "%s %s %s: %.4g of %.4g at (%.21Lg, %.21Lg): %.21Lg, exact %.21Lg; width %u, %u lanes\n",
                 good ? "ok  " : "OVER", type_name(row.type), row.name, worst.error, bound(row), worst.x, worst.y,
                 worst.got, worst.exact, worst.form.width, worst.form.lanes);
    std::fflush(stderr);
  }

  /// The row of a table. Its speed is measured for this alone.
  void line(const Row& row, const Worst& worst, double speed) const {
    std::printf("%s\t%s\t%.4g\t%.9Lg\t%.9Lg\t%.3g\t%s\n", row.name, type_name(row.type), worst.error, worst.x, worst.y,
                speed,
                options_.exhaustive || takes_all(row) ? "exhaustive"
                : options_.relaxed                    ? "relaxed"
                                                      : "sampled");
    std::fflush(stdout);
  }

  Options options_;
  Device device_;
};

bool wanted(const Options& options, const Row& row) {
  const char* type = type_name(row.type);
  if (!options.type.empty() && options.type != type) return false;
  if (options.exhaustive && (row.type != Type::single || row.shape != Shape::unary)) return false;
  if (options.relaxed && (row.type != Type::single || row.relaxed == kSame)) return false;
  if (options.only.starts_with("=")) return options.only.substr(1) == row.name;
  return std::strstr(row.name, options.only.c_str()) != nullptr;
}

bool read(const std::string& argument, const char* name, std::string& value) {
  const std::string prefix = std::string("--") + name + "=";
  if (!argument.starts_with(prefix)) return false;
  value = argument.substr(prefix.size());
  return true;
}

/// Functions of float that a table has the exhaustive result of.
std::set<std::string> exhausted(const std::string& table) {
  std::set<std::string> names;
  std::ifstream file(table);
  for (std::string line; std::getline(file, line);)
    if (line.ends_with("\texhaustive") && line.find("\tfloat\t") != std::string::npos)
      names.insert(line.substr(0, line.find('\t')));
  return names;
}

int run(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    std::string number;
    if (argument == "--relaxed")
      options.relaxed = true;
    else if (argument == "--exhaustive")
      options.exhaustive = true;
    else if (argument == "--table")
      options.table = true;
    else if (read(argument, "samples", number))
      options.samples = std::strtoul(number.c_str(), nullptr, 10);
    else if (read(argument, "forms", number))
      options.forms = std::max(1UL, std::strtoul(number.c_str(), nullptr, 10));
    else if (!read(argument, "platform", options.platform) && !read(argument, "skip", options.skip) &&
             !read(argument, "only", options.only) && !read(argument, "type", options.type)) {
      std::fprintf(stderr, "unknown argument: %s\n", argv[i]);
      return 2;
    }
  }
  const std::set<std::string> done = exhausted(options.skip);
  Harness harness(options);
  unsigned over = 0, rows = 0;
  for (const Row& row : kRows) {
    if (!wanted(options, row) || done.contains(row.name)) continue;
    ++rows;
    const bool good = row.type == Type::half     ? harness.check<Half>(row)
                      : row.type == Type::single ? harness.check<float>(row)
                                                 : harness.check<double>(row);
    over += good ? 0 : 1;
  }
  std::fprintf(stderr, "%u rows, %u over their bound\n", rows, over);
  return over > 0 || (rows == 0 && done.empty()) ? 1 : 0;
}

}  // namespace
}  // namespace lanewise::ulp

int main(int argc, char** argv) {
  return lanewise::ulp::run(argc, argv);
}
