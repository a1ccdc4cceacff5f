// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/kernels/harness.h without a runtime: compiles in this process and launches as direct_launch.h does.
#include "tests/compiler/direct_harness.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include "compiler/request/run_request.h"
#include "tests/compiler/isas.h"
#include "tests/drawn.h"

namespace lanewise::test {
namespace {

std::vector<std::string> tokens(const std::string& options) {
  std::istringstream stream(options);
  std::vector<std::string> list;
  for (std::string token; stream >> token;) list.push_back(token);
  return list;
}

abi::Build build_of(const std::string& source, const std::string& options) {
  abi::Build request;
  request.source.text = source;
  request.source.options = tokens(options);
  request.source.extensions = device_extensions();
  request.source.macros = device_macros();
  return request;
}

}  // namespace

abi::Reply build(const std::string& source, const std::string& options, bool debug_barriers) {
  abi::Build request = build_of(source, options);
  request.code.debug_barriers = debug_barriers;
  return run_request(request);
}

abi::Reply build_vectors(const std::string& source, unsigned width, Isa isa, const std::string& options) {
  abi::Build request = build_of(source, options);
  request.code.isa = isa;
  request.code.vector_width = width;
  request.source.options.emplace_back("-cl-lanewise-report-vectors");
  return run_request(request);
}

void run_direct(const abi::Reply& reply, const std::string& kernel, const Range& range, const std::vector<Arg>& args,
                Observed* observed) {
  EXPECT_EQ(launch_direct(reply, kernel, range, args, observed), "");
}

namespace {

struct Form {
  unsigned width;
  Isa isa;
  auto operator<=>(const Form&) const = default;
};

/// Leaves one of the forms with vectors, drawn anew for each source at each run (tests/drawn.h), so that many kernels try all
/// of them; and the scalar form for the same instruction set, with which it is compared.
void sample(std::vector<Form>& forms, const std::string& source) {
  constexpr std::size_t kSampled = 1;
  if (draws_all()) return;
  const auto has_vectors = [](const Form& form) { return form.width != 1; };
  std::vector<Form> vectors;
  std::ranges::copy_if(forms, std::back_inserter(vectors), has_vectors);
  const std::vector<Form> some = drawn(vectors, kSampled, source);
  std::erase_if(forms, has_vectors);
  forms.insert(forms.end(), some.begin(), some.end());
  std::erase_if(forms, [all = forms](const Form& form) {
    return form.width == 1 && std::ranges::none_of(all, [&](const Form& other) {
             return other.width != 1 && other.isa.level() == form.isa.level();
           });
  });
}

/// Every width and every instruction set that this processor has, though not each with each, or a sample of them; the
/// scalar forms first. A kernel that requires a size of its sub-groups has that width in all of them, one with integer
/// dot products has more forms with instructions for them.
std::vector<Form> forms_of(const std::string& source) {
  constexpr Isa kV2 = IsaLevel::x86_64_v2;
  constexpr Isa kV3 = IsaLevel::x86_64_v3;
  constexpr Isa kV4 = IsaLevel::x86_64_v4;
  constexpr Isa kVnni = kV4.with(IsaFeature::avx512_vnni);
  // Processors on which gathers are slow run them too.
  constexpr Isa kGathers3 = kV3.with(IsaFeature::fast_gathers);
  constexpr Isa kGathers4 = kV4.with(IsaFeature::fast_gathers);
  std::vector<Form> list = {{1, kV2},    {1, kV3},        {1, kV4},        {4, kV2},       {16, kV2},
                            {2, kV3},    {8, kV3},        {32, kGathers3}, {0, kGathers3}, {4, kGathers4},
                            {16, kVnni}, {16, kGathers4}, {64, kV4}};
  if (source.find("intel_reqd_sub_group_size") != std::string::npos) list = {{1, kV2}, {1, kV3}, {1, kV4}, {0, kV3}};
  if (source.find("dot_4x8packed") != std::string::npos)
    for (const unsigned width : {1U, 8U, 32U}) list.push_back({width, kVnni});
  std::erase_if(list, [host = host_isa()](const Form& form) { return form.isa != Isa() && !host.covers(form.isa); });
  sample(list, source);
  return list;
}

/// Builds of the last few sources: most tests run a kernel, or the same kernel for several types, in several ranges.
abi::Reply build_once(const std::string& source, const Form& form, const std::string& options) {
  constexpr std::size_t kMostSources = 16;
  struct Built {
    std::string source, options;
    std::map<Form, abi::Reply> replies;
  };
  static std::deque<Built> last;
  auto built = std::ranges::find_if(last, [&](const Built& b) { return b.source == source && b.options == options; });
  if (built == last.end()) {
    if (last.size() == kMostSources) last.pop_back();
    last.push_front({source, options, {}});
    built = last.begin();
  }
  const auto [at, added] = built->replies.try_emplace(form);
  if (added) at->second = build_vectors(source, form.width, form.isa, options);
  return at->second;
}

/// Moves the buffers to addresses aligned for every OpenCL type, as the driver's are, and their content back at the
/// end.
class AlignedBuffers {
 public:
  explicit AlignedBuffers(std::vector<Arg>& args) {
    for (Arg& a : args) {
      if (a.kind != Arg::Kind::buffer) continue;
      copies_.push_back({a.data, std::aligned_alloc(kAlign, (a.bytes / kAlign + 1) * kAlign), a.bytes});
      std::memcpy(copies_.back().aligned, a.data, a.bytes);
      a.data = copies_.back().aligned;
    }
  }
  AlignedBuffers(const AlignedBuffers&) = delete;
  AlignedBuffers& operator=(const AlignedBuffers&) = delete;
  ~AlignedBuffers() {
    for (const Copy& copy : copies_) {
      std::memcpy(copy.original, copy.aligned, copy.bytes);
      std::free(copy.aligned);
    }
  }

 private:
  static constexpr std::size_t kAlign = 128;
  struct Copy {
    void* original;
    void* aligned;
    std::size_t bytes;
  };
  std::vector<Copy> copies_;
};

/// Expects the buffers to be as scalar code left them.
void expect_same(const std::vector<std::string>& expected, const std::vector<Arg>& args) {
  std::size_t buffer = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind != Arg::Kind::buffer) continue;
    const std::string& e = expected[buffer++];
    const char* data = static_cast<const char*>(args[i].data);
    const auto at = std::mismatch(e.begin(), e.end(), data).first;
    EXPECT_TRUE(at == e.end()) << "argument " << i << " differs from scalar code at byte " << at - e.begin();
  }
}

}  // namespace

bool compares_widths() {
  return true;
}

void run(const std::string& source, const std::string& kernel, const Range& range, std::vector<Arg> args,
         const std::string& options) {
  const AlignedBuffers aligned(args);
  const auto contents = [&] {
    std::vector<std::string> list;
    for (const Arg& a : args)
      if (a.kind == Arg::Kind::buffer) list.emplace_back(static_cast<const char*>(a.data), a.bytes);
    return list;
  };
  const std::vector<std::string> before = contents();
  std::map<IsaLevel, std::vector<std::string>> scalar;  // by instruction set: functions differ in their last bits
  // The test checks the results of the last of these.
  for (const Form& form : forms_of(source)) {
    SCOPED_TRACE("width " + std::to_string(form.width) + ", " + form.isa.name());
    std::size_t i = 0;
    for (const Arg& a : args)
      if (a.kind == Arg::Kind::buffer) std::memcpy(a.data, before[i++].data(), a.bytes);
    const abi::Reply reply = build_once(source, form, options);
    ASSERT_EQ(reply.status, 0) << reply.log;
    run_direct(reply, kernel, range, args, nullptr);
    if (form.width == 1 && form.isa.features() == 0) scalar[form.isa.level()] = contents();
    expect_same(scalar[form.isa.level()], args);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace lanewise::test
