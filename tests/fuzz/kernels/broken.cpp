// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/kernels/broken.h"

#include <cctype>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "compiler/isolation/crash_recovery.h"
#include "tests/fuzz/kernels/builder.h"
#include "tests/fuzz/kernels/compile.h"
#include "tests/fuzz/kernels/random.h"

namespace lanewise::fuzz {
namespace {

/// A kernel that has a fault, or is only unusual. `$` stands for a number that is drawn.
struct Fault {
  const char* before;     ///< declarations before the kernel
  const char* statement;  ///< in its body; `x` is a global uint*, `i` a uint of the work-item
  const char* attributes = "";
};

constexpr Fault kFaults[] = {
    // Calls
    {"uint again(uint n) { return n == 0u ? 1u : n * again(n - 1u); }", "x[i] = again(x[i]);"},
    {"uint odd(uint n); uint even(uint n) { return n == 0u || odd(n - 1u); } uint odd(uint n) { return n && even(n - "
     "1u); }",
     "x[i] = odd(x[i]);"},
    {"uint gone(uint n);", "x[i] = gone(x[i]);"},
    {"uint gone(uint n);", "if (x[i] == $u) x[i] = gone(x[i]);"},
    {"uint __attribute__((overloadable)) gone(uint n); uint __attribute__((overloadable)) gone(float n) { return n; }",
     "x[i] = gone(x[i]);"},
    {"void side(global uint* x) { x[1] = 2u; } void pass(global uint* x) { side(x); }", "pass(x);"},
    {"uint self(uint n); uint self(uint n) { return n < 3u ? n : self(n - 2u) + self(n - 1u); }",
     "if (0) x[i] = self(i);"},
    {"kernel void inner(global uint* x) { x[1] = 2u; }", "inner(x);"},
    {"kernel void inner(global uint* x) { local uint l[4]; l[x[0] & 3u] = 1u; x[1] = l[1]; }", "inner(x);"},
    {"uint through(uint (*f)(uint), uint n) { return f(n); }", "x[i] = 1u;"},
    {"int _Z3sinf(int n);", "x[i] = _Z3sinf(x[i]);"},
    {"float4 _Z3sinf(float4 n);", "x[i] = _Z3sinf((float4)(1.0f)).y;"},
    {"int malloc(int); void* memcpy(void*, const void*, unsigned long);", "x[i] = malloc(x[i]);"},
    {"", "x[i] = printf(\"%$d %s %v4f\\n\", i);"},
    // Sizes
    {"", "uint a[$]; for (uint n = 0; n < x[i]; ++n) a[n] = n; x[i] = a[x[i]];"},
    {"", "volatile ulong16 a[$]; a[x[i]] = (ulong16)(1); x[i] = a[x[i] + 1u].s3;"},
    {"", "local uint a[$]; a[x[i]] = i; barrier(CLK_LOCAL_MEM_FENCE); x[i] = a[x[i] + 1u];"},
    {"struct large { uint a[$]; }; uint of(struct large s) { return s.a[1]; }",
     "struct large s; s.a[x[i]] = 1u; x[i] = of(s);"},
    {"constant uint table[$] = {1, 2, 3};", "x[i] = table[x[i]];"},
    {"global uint kept[$];", "x[i] = ++kept[x[i]];"},
    {"struct large { uint a[$]; }; kernel void taking(struct large s, global uint* x) { *x = s.a[*x]; }", "x[i] = 1u;"},
    {"", "uint* a = __builtin_alloca(x[i]); a[0] = 1u; x[i] = a[x[i + 1]];"},
    {"uint of(uint n) { uint* a = __builtin_alloca(4 * n); a[n - 1] = n; return a[0]; }", "x[i] = of(x[i]);"},
    {"", "uint a[x[i]]; a[0] = 1u; x[i] = a[0];"},
    // Attributes
    {"", "x[i] = i;", "__attribute__((intel_reqd_sub_group_size($)))"},
    {"", "x[i] = i;", "__attribute__((intel_reqd_sub_group_size(16)))"},
    {"", "x[i] = i;", "__attribute__((reqd_work_group_size($, 1, 1)))"},
    {"", "x[i] = i;", "__attribute__((work_group_size_hint(0, $, 1)))"},
    {"", "x[i] = i;", "__attribute__((vec_type_hint(struct none)))"},
    {"", "x[i] = i;", "__attribute__((noinline, cold, weak))"},
    {"", "x[i] = i;", "__attribute__((target(\"avx512f\")))"},
    {"", "x[i] = i;", "__attribute__((section(\"own\"), used))"},
    {"uint part(uint n) __attribute__((alias(\"k\")));", "x[i] = part(i);"},
    {"__attribute__((constructor)) void first(void) {}", "x[i] = i;"},
    {"__attribute__((naked)) uint bare(uint n) {}", "x[i] = bare(i);"},
    // Types
    {"", "__int128 a = x[i]; a *= a; x[i] = (uint)(a / 3);"},
    {"", "_BitInt(200) a = x[i]; a = a * a / $; x[i] = (uint)a;"},
    {"", "long double a = x[i]; x[i] = (uint)(a / 3.0L);"},
    {"", "_Complex float a = x[i]; x[i] = (uint)(a * a);"},
    {"", "float a __attribute__((ext_vector_type(5))); a.x = x[i]; a = sin(a); x[i] = (uint)a.x;"},
    {"typedef uint wide __attribute__((ext_vector_type(64)));", "wide a = x[i]; a *= a; x[i] = a[x[i] & 63u];"},
    {"typedef bool flags __attribute__((ext_vector_type(8)));", "flags a = x[i] > 3u; x[i] = a[i & 7u];"},
    {"", "bool4 a;"},
    {"", "event_t e; x[i] = e == 0;"},
    {"", "image2d_t a; sampler_t s = 0; x[i] = s == 0;"},
    {"union both { float f; uint u; };", "union both b; b.f = x[i]; x[i] = b.u;"},
    // Control and code that is not of OpenCL
    {"", "asm(\"no instruction %0\" : : \"r\"(x[i])); x[i] = 1u;"},
    {"", "asm volatile(\"nop\"); x[i] = 1u;"},
    {"", "void* where = &&there; if (x[i] > 3u) goto *where; x[i] = 1u; there: x[i + 1] = 2u;"},
    {"", "if (x[i] > 3u) goto there; x[i] = 1u; there: x[i + 1] = 2u;"},
    {"", "x[i] = (uint)(ulong)__builtin_return_address($);"},
    {"", "x[i] = (uint)(ulong)__builtin_frame_address(0);"},
    {"", "if (x[i] == $u) __builtin_trap(); else if (x[i] == 5u) __builtin_unreachable();"},
    {"", "__builtin_ia32_pause(); x[i] = __builtin_ia32_crc32si(x[i], i);"},
    {"", "__builtin_longjmp(0, 1);"},
    {"", "while (x[i] != $u) { barrier(CLK_LOCAL_MEM_FENCE); if (x[i] > 9u) break; ++x[i]; }"},
    {"", "for (;;) {}"},
    {"", "switch (x[i]) { case 0 ... $: x[i] = 1u; break; case 1: x[i] = 2u; }"},
    {"", "static uint kept = $; x[i] = ++kept;"},
    {"", "extern global uint kept; x[i] = kept;"},
    {"extern global uint kept; extern constant uint table[];", "x[i] = kept + table[i];"},
    {"thread_local global uint kept;", "x[i] = kept;"},
    {"global uint* global p = &(global uint*)0;", "x[i] = *p;"},
    {"constant uint a = $; constant uint* constant p = &a; constant ulong q = (ulong)&a;", "x[i] = *p + (uint)q;"},
    {"", "x[i] = (uint)(x - (global uint*)$) + *(local uint*)$;"},
    {"", "int (^b)(int) = ^(int n) { return n + (int)i; }; x[i] = b($);"},
    {"", "enqueue_kernel(get_default_queue(), 0, ndrange_1D(4), ^{ x[0] = 1u; });"},
    {"", "x[i] = sub_group_reduce_add(x[i]) + work_group_scan_inclusive_max(i);"},
    {"", "atomic_fetch_add((global atomic_uint*)x, 1u); atomic_store((atomic_ulong*)x, 1ul);"},
    {"", "_Static_assert(sizeof(x[0]) == $, \"no\");"},
    {"#error none\n", "x[i] = i;"},
    {"#include \"none.h\"\n", "x[i] = i;"},
    {"#pragma OPENCL EXTENSION none : require\n", "x[i] = i;"},
    {"#pragma unroll $\n", "x[i] = i;"},
};

constexpr std::uint64_t kNumbers[] = {
    0, 1, 3, 8, 64, 1000, 70'000, 9'000'000, 300'000'000, 5'000'000'000, 3'000'000'000'000, 4'000'000'000'000'000'000};

template <class T, std::size_t size>
const T& drawn(const T (&list)[size], Random& random) {
  return list[random.below(size)];
}

std::string with_numbers(const char* text, Random& random) {
  std::string made;
  for (; *text != '\0'; ++text) {
    if (*text == '$')
      made += std::to_string(drawn(kNumbers, random));
    else
      made += *text;
  }
  return made;
}

/// A kernel with one fault or two. Either may be of a function that the kernel calls.
std::string faulty_kernel(Random& random) {
  std::string before;
  std::string body;
  std::string attributes;
  for (unsigned n = random.between(1, 2); n != 0; --n) {
    const Fault& fault = drawn(kFaults, random);
    before += with_numbers(fault.before, random) + "\n";
    const std::string statement = "{ " + with_numbers(fault.statement, random) + " }";
    attributes += with_numbers(fault.attributes, random) + " ";
    if (random.percent(70)) {
      body += "  " + statement + "\n";
      continue;
    }
    const std::string part = "part" + std::to_string(n);
    before += "void " + part + "(global uint* x, uint i) " + statement + "\n";
    body += "  " + part + "(x, i);\n";
  }
  return before + attributes + "kernel void other(global uint* x) {\n  const uint i = get_global_id(0);\n" + body +
         "}\n";
}

/// Words, numbers, and other characters one by one; blanks belong to what follows them.
std::vector<std::string> tokens_of(const std::string& text) {
  const auto of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) != 0) ++end;
    const std::size_t begin = end;
    while (end < text.size() && of_word(text[end])) ++end;
    if (end == begin && end < text.size()) ++end;
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

bool is_word(const std::string& token) {
  const std::size_t first = token.find_first_not_of(" \n\t");
  return first != std::string::npos &&
         (std::isalpha(static_cast<unsigned char>(token[first])) != 0 || token[first] == '_');
}

/// Changes one token, or two.
std::string with_changes(const std::string& text, Random& random) {
  std::vector<std::string> tokens = tokens_of(text);
  for (unsigned n = random.between(1, 2); n != 0; --n) {
    std::string& token = tokens[random.below(tokens.size())];
    const std::string& another = tokens[random.below(tokens.size())];
    switch (random.below(4)) {
      case 0:
        token.clear();
        break;
      case 1:
        token += " " + another;
        break;
      case 2:
        token = "\n" + std::to_string(drawn(kNumbers, random));
        break;
      default:
        if (is_word(token) == is_word(another)) token = another;
    }
  }
  std::string made;
  for (const std::string& token : tokens) made += token;
  return made;
}

struct Counts {
  unsigned refused = 0;  ///< programs that do not build
  unsigned later = 0;    ///< programs whose code was made when it was wanted
};

/// Builds with the code made at that time: at once, or by a compile and a link.
abi::Reply built(const abi::Source& source, bool links, abi::CodeTime time) {
  const abi::CodeSettings code{.isa = {}, .time = time};
  if (!links) return compile(abi::Build{source, code});
  abi::Reply compiled = compile(abi::Compile{.source = source});
  return compiled.status != 0 ? compiled : compile(abi::Link{.inputs = {compiled.ir}, .code = code});
}

/// Empty, or what differs.
std::string fault_of(const std::string& text, bool links, Counts& counts) {
  const abi::Source source = source_of(text);
  const abi::Reply all = built(source, links, abi::CodeTime::build);
  const abi::Reply later = built(source, links, abi::CodeTime::wanted);
  counts.refused += all.status != 0 ? 1 : 0;
  counts.later += later.lacks_code ? 1 : 0;
  if (all.status != later.status || all.log != later.log)
    return "with code: " + std::to_string(all.status) + "\n" + all.log +
           "without code: " + std::to_string(later.status) + "\n" + later.log;
  if (!later.lacks_code) return {};
  for (const abi::KernelInfo& kernel : later.kernels) {
    const abi::Reply code = compile(
        abi::FirstCode{.program = later.ir, .kernel = kernel.name, .large_program = later.large_program, .code = {}});
    if (code.status != 0) return "code of " + kernel.name + ": " + code.log;
  }
  return {};
}

}  // namespace

std::string broken(std::uint64_t seed) {
  Random random(seed ^ 0xB20C3DU);
  const std::string text = faulty_kernel(random);
  return random.percent(40) ? with_changes(text, random) : text;
}

bool check_broken(std::uint64_t seed, std::uint64_t count) {
  const CrashRecovery recovery;
  Counts counts;
  for (std::uint64_t n = 0; n < count; ++n) {
    const std::string text = broken(seed + n);
    const std::string fault = fault_of(text, (seed + n) % 3 == 0, counts);
    if (fault.empty()) continue;
    std::printf("seed %llu: %s\n%s\n", static_cast<unsigned long long>(seed + n), fault.c_str(), text.c_str());
    return false;
  }
  std::printf("seeds from %llu: %llu programs, %u do not build, %u get their code later\n",
              static_cast<unsigned long long>(seed), static_cast<unsigned long long>(count), counts.refused,
              counts.later);
  return counts.refused > count / 4 && counts.later > count / 20;
}

}  // namespace lanewise::fuzz
