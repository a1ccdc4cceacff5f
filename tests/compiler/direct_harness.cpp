// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tests/kernels/harness.h without a runtime: compiles in this process and launches as direct_launch.h does.
#include "tests/compiler/direct_harness.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <utility>

#include "compiler/pipeline.h"
#include "src/host/cpu.h"

namespace lanewise::test {
namespace {

const std::vector<std::string> kMacros = {
    "__opencl_c_integer_dot_product_input_4x8bit=1",
    "__opencl_c_integer_dot_product_input_4x8bit_packed=1",
};
std::vector<std::string> tokens(const std::string& options) {
  std::istringstream stream(options);
  std::vector<std::string> list;
  for (std::string token; stream >> token;) list.push_back(token);
  return list;
}

}  // namespace

abi::Reply build(const std::string& source, const std::string& options, bool debug_barriers) {
  abi::Request request;
  request.job = abi::Job::build;
  request.source = source;
  request.options = tokens(options);
  request.extensions = device_extensions();
  request.macros = kMacros;
  request.debug_barriers = debug_barriers;
  return run_request(request);
}

abi::Reply build_vectors(const std::string& source, unsigned width, unsigned isa_level, const std::string& options,
                         std::uint32_t isa_features) {
  abi::Request request;
  request.job = abi::Job::build;
  request.source = source;
  request.options = tokens(options);
  request.extensions = device_extensions();
  request.macros = kMacros;
  request.isa_level = isa_level;
  request.isa_features = isa_features;
  request.vector_width = width;
  request.report_vectors = true;
  return run_request(request);
}

void run_direct(const abi::Reply& reply, const std::string& kernel, const Range& range, const std::vector<Arg>& args,
                Observed* observed) {
  EXPECT_EQ(launch_direct(reply, kernel, range, args, observed), "");
}

namespace {

struct Form {
  unsigned width;
  unsigned isa_level;
  std::uint32_t isa_features = 0;
  auto operator<=>(const Form&) const = default;
};

/// Every width and every instruction set that this processor has, though not each with each; the scalar forms first.
/// A kernel that requires a size of its sub-groups has that width in all of them, one with integer dot products has
/// more forms with instructions for them.
std::vector<Form> forms_of(const std::string& source) {
  constexpr std::uint32_t kVnni = abi::kIsaVnni;
  const bool has_vnni = host::read_cpu().has_avx512_vnni;
  std::vector<Form> list = {{1, 2}, {1, 3},  {1, 4}, {4, 2}, {16, 2}, {2, 3},
                            {8, 3}, {32, 3}, {0, 3}, {4, 4}, {16, 4}, {64, 4}};
  if (has_vnni) list.insert(list.end() - 2, {16, 4, kVnni});
  if (source.find("intel_reqd_sub_group_size") != std::string::npos) list = {{1, 2}, {1, 3}, {1, 4}, {0, 3}};
  if (has_vnni && source.find("dot_4x8packed") != std::string::npos)
    for (const unsigned width : {1U, 8U, 32U}) list.push_back({width, 4, kVnni});
  const unsigned most = std::max(host::read_cpu().isa_level, 2U);
  std::erase_if(list, [&](const Form& form) { return form.isa_level > most; });
  return list;
}

/// Builds of the last source: most tests run a kernel in several ranges.
abi::Reply build_once(const std::string& source, const Form& form, const std::string& options) {
  static std::pair<std::string, std::string> last;
  static std::map<Form, abi::Reply> replies;
  if (last != std::pair(source, options)) replies.clear();
  last = {source, options};
  const auto [at, added] = replies.try_emplace(form);
  if (added) at->second = build_vectors(source, form.width, form.isa_level, options, form.isa_features);
  return at->second;
}

/// Moves the buffers to where every OpenCL type may lie, as the driver's are, and their content back in the end.
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

/// Where a buffer differs from what scalar code left.
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
  std::map<unsigned, std::vector<std::string>> scalar;  // by instruction set: functions differ in their last bits
  // The test looks at what the last of these left.
  for (const Form& form : forms_of(source)) {
    SCOPED_TRACE("width " + std::to_string(form.width) + ", level " + std::to_string(form.isa_level) +
                 (form.isa_features == 0 ? "" : ", VNNI"));
    std::size_t i = 0;
    for (const Arg& a : args)
      if (a.kind == Arg::Kind::buffer) std::memcpy(a.data, before[i++].data(), a.bytes);
    const abi::Reply reply = build_once(source, form, options);
    ASSERT_EQ(reply.status, 0) << reply.log;
    run_direct(reply, kernel, range, args, nullptr);
    if (form.width == 1 && form.isa_features == 0) scalar[form.isa_level] = contents();
    expect_same(scalar[form.isa_level], args);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace lanewise::test
