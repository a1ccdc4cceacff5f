// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/kernels/runner.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>

#include "runtime/layout/description.h"
#include "src/base/rounding.h"
#include "src/host/cpu.h"
#include "tests/compiler/direct_launch.h"
#include "tests/fuzz/kernels/builder.h"
#include "tests/fuzz/kernels/random.h"

namespace lanewise::fuzz {
namespace {

/// Bits of a float or double: small numbers, large ones, infinities, denormal numbers, both zeros; never a NaN.
std::uint64_t float_bits(Random& random, unsigned bytes) {
  const bool twice = bytes == 8;
  const unsigned kind = random.below(20);
  double v = (static_cast<double>(random.below(4001)) - 2000.0) / 128.0;
  if (kind == 0) v = random.percent(50) ? 0.0 : -0.0;
  if (kind == 1) v *= 1e30;
  if (kind == 2) v *= twice ? 1e-310 : 1e-42;
  if (kind == 3) v = v < 0 ? -__builtin_inf() : __builtin_inf();
  if (kind < 6 && kind > 3) v = static_cast<double>(random.below(100));
  if (bytes == 2) return __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(v));
  if (twice) return __builtin_bit_cast(std::uint64_t, v);
  return __builtin_bit_cast(std::uint32_t, static_cast<float>(v));
}

std::uint64_t integer_bits(Random& random) {
  const unsigned kind = random.below(8);
  if (kind < 3) return random.below(64);
  if (kind == 3) return ~std::uint64_t{0} - random.below(4);
  if (kind == 4) return std::uint64_t{1} << random.below(64);
  return random.next();
}

void fill(const Parameter& p, std::uint64_t seed, char* data) {
  Random random(seed);
  if (p.kind == Parameter::Kind::zeros) {
    std::memset(data, 0, p.bytes);
    return;
  }
  for (std::size_t at = 0; at < p.bytes; at += p.element) {
    const std::uint64_t bits = p.floats ? float_bits(random, p.element) : integer_bits(random);
    std::memcpy(data + at, &bits, p.element);
  }
}

void note(Progress& progress, const std::string& what) {
  std::snprintf(progress.what, sizeof progress.what, "%s", what.c_str());
}

bool fail(Progress& progress, const std::string& fault) {
  std::snprintf(progress.fault, sizeof progress.fault, "%s", fault.c_str());
  return false;
}

constexpr IsaLevel kLevels[] = {
#define LANEWISE_ISA_LEVEL(id, ...) IsaLevel::id,
#include "src/base/isa.def"
};

bool has_memory(const Parameter& p) {
  return p.kind != Parameter::Kind::local && p.kind != Parameter::Kind::value && p.kind != Parameter::Kind::sampler;
}

std::string difference(const Program& program, const Memory& expected, const Memory& got) {
  const auto parameters = program.used();
  std::size_t buffer = 0;
  for (const Parameter& p : parameters) {
    if (!has_memory(p)) continue;
    const auto& a = expected[buffer];
    const auto& b = got[buffer++];
    if (a == b) continue;
    const auto at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
    const std::size_t element = at / p.element;
    std::uint64_t was = 0;
    std::uint64_t is = 0;
    std::memcpy(&was, a.data() + element * p.element, p.element);
    std::memcpy(&is, b.data() + element * p.element, p.element);
    char text[200];
    std::snprintf(text, sizeof text, "%s[%zu] is 0x%llx, scalar 0x%llx", p.name.c_str(), element,
                  static_cast<unsigned long long>(is), static_cast<unsigned long long>(was));
    return text;
  }
  return {};
}

}  // namespace

std::string Form::name() const {
  std::string text = isa.name() + ", ";
  if (!optimise) return text + "not optimised";
  if (team_groups != 0) return text + "second tier in teams, width " + std::to_string(width);
  if (iteration_lanes > 1) return text + "second tier, " + std::to_string(iteration_lanes) + " iterations at once";
  if (specialised) return text + (width == 1 ? "second tier, scalar" : "second tier");
  if (width == 0) return text + "width chosen";
  return text + (width == 1 ? "scalar" : "width " + std::to_string(width));
}

char* Buffers::map(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t whole = round_up(bytes, page);
  auto* begin =
      static_cast<char*>(mmap(nullptr, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(begin + whole, page, PROT_NONE);
  mappings_.push_back({begin, whole + page});
  return begin + whole - bytes;
}

void Buffers::add_image(const Parameter& p) {
  auto image = std::make_unique<lanewise_image>();
  const auto& extent = p.picture.extent;
  image->data = data_.back();
  image->texel = describe_texel(p.picture.format);
  image->row_pitch = extent[0] * image->texel.bytes;
  // The layers of a 1D array count in y.
  image->slice_pitch = image->row_pitch * extent[1];
  for (unsigned d = 0; d < 3; ++d) image->extent[d] = static_cast<int>(extent[d]);
  image->level_count = 1;
  arguments_.push_back(test::value(static_cast<const lanewise_image*>(image.get())));
  images_.push_back(std::move(image));
}

Buffers::Buffers(const Program& program) : parameters_(program.used()), seed_(program.seed) {
  for (const Parameter& p : parameters_) {
    data_.push_back(has_memory(p) ? map(p.bytes) : nullptr);
    if (p.kind == Parameter::Kind::value)
      arguments_.push_back(test::value(p.value));
    else if (p.kind == Parameter::Kind::sampler)
      arguments_.push_back(test::value(std::uint64_t{p.value}));
    else if (p.kind == Parameter::Kind::local)
      arguments_.push_back(test::local(p.bytes));
    else if (p.kind == Parameter::Kind::image)
      add_image(p);
    else
      arguments_.push_back({test::Arg::Kind::buffer, data_.back(), p.bytes, {}});
  }
  reset();
}

Buffers::~Buffers() {
  for (const Mapping& m : mappings_) munmap(m.begin, m.bytes);
}

void Buffers::reset() {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (data_[i] == nullptr) continue;
    std::uint64_t seed = seed_;
    for (const char c : parameters_[i].name) seed = seed * 131 + static_cast<unsigned char>(c);
    fill(parameters_[i], seed, data_[i]);
  }
}

std::vector<Bytes> Buffers::known_arguments() const {
  std::vector<Bytes> known(parameters_.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const bool image = parameters_[i].kind == Parameter::Kind::image;
    if (!image && parameters_[i].kind != Parameter::Kind::sampler) continue;
    const auto* begin = image ? reinterpret_cast<const std::uint8_t*>(&images_[next++]->texel)
                              : reinterpret_cast<const std::uint8_t*>(arguments_[i].value.data());
    known[i].assign(begin, begin + (image ? sizeof(lanewise_texel) : sizeof(std::uint64_t)));
  }
  return known;
}

Memory Buffers::contents() const {
  Memory memory;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (data_[i] == nullptr) continue;
    const auto* data = reinterpret_cast<const std::byte*>(data_[i]);
    memory.emplace_back(data, data + parameters_[i].bytes);
  }
  return memory;
}

bool check(const Program& program, const std::vector<Form>& forms, const std::string& driver, Progress& progress) {
  note(progress, "front end");
  const Builder native(program.source(), false);
  if (native.front().status != 0) return fail(progress, "does not compile: " + native.front().log);
  const bool sub_groups = program.sub_group_size != 0;
  const std::optional<Builder> emulated =
      program.has_emulation() ? std::optional<Builder>({program.source(), true}) : std::nullopt;
  if (emulated && emulated->front().status != 0)
    return fail(progress, "does not compile, emulated: " + emulated->front().log);
  Buffers buffers(program);
  std::map<IsaLevel, Memory> scalar;  // by instruction set
  std::string fault;
  bool vectors = false;
  bool teams = false;
  const auto run = [&](const Form& form, const Memory* expected) {
    note(progress, "compiling, " + form.name());
    // The reference does without what is emulated, and so does code for widths other than the size of sub-groups.
    const bool other_width = sub_groups && form.width > 1;
    const Builder& builder = emulated && (expected == nullptr || other_width) ? *emulated : native;
    const abi::Reply reply = builder.build(form, program.range, buffers);
    fault = form.name() + ": ";
    if (reply.status != 0) return fail(progress, fault + "does not build: " + reply.log);
    if (reply.log.find("internal") != std::string::npos) return fail(progress, fault + reply.log);
    for (const abi::LoopReport& loop : reply.loops) {
      if (loop.reason.starts_with("internal")) return fail(progress, fault + abi::log_text(reply.loops));
      vectors |= loop.width > 1;
    }
    teams |= reply.kernels.front().shape.team_groups != 0;
    buffers.reset();
    note(progress, "running, " + form.name());
    const std::string wrong = test::launch_direct(reply, "k", program.range, buffers.arguments(), nullptr);
    ++progress.launches;
    if (!wrong.empty()) return fail(progress, fault + wrong);
    if (expected == nullptr) return true;
    const std::string text = difference(program, *expected, buffers.contents());
    return text.empty() || fail(progress, fault + text + "\n" + abi::log_text(reply.loops));
  };
  const auto reference = [&](Isa form_isa) -> const Memory* {
    const Isa isa = program.library_math ? form_isa : Isa();
    auto [at, added] = scalar.try_emplace(isa.level());
    if (added) {
      if (!run({isa, 1, true, false}, nullptr)) return nullptr;
      at->second = buffers.contents();
    }
    return &at->second;
  };
  for (const Form& form : forms) {
    const Memory* expected = reference(form.isa);
    if (expected == nullptr || !run(form, expected)) return false;
  }
  ++progress.kernels;
  progress.vectors += vectors ? 1 : 0;
  progress.teams += teams ? 1 : 0;
  progress.sub_groups += sub_groups ? 1 : 0;
  progress.collectives += program.collectives ? 1 : 0;
  const auto parameters = program.used();
  const auto is_image = [](const Parameter& p) { return p.kind == Parameter::Kind::image; };
  progress.images += std::any_of(parameters.begin(), parameters.end(), is_image) ? 1 : 0;
  if (driver.empty()) return true;
  note(progress, "driver");
  const Memory* expected = reference(host::read_cpu().isa.value_or(Isa()));
  if (expected == nullptr) return false;
  buffers.reset();
  if (const std::string wrong = run_with_driver(driver, program, buffers); !wrong.empty())
    return fail(progress, "driver: " + wrong);
  const std::string text = difference(program, *expected, buffers.contents());
  return text.empty() || fail(progress, "driver: " + text);
}

std::vector<Isa> isas_up_to(IsaLevel most) {
  const Isa host = host::read_cpu().isa.value_or(Isa());
  std::vector<Isa> isas;
  for (const IsaLevel level : kLevels)
    if (level <= most && host.covers(level)) isas.push_back(host.limited_to(level).untuned());
  return isas;
}

std::vector<Form> all_forms(IsaLevel most) {
  std::vector<Form> forms;
  for (const Isa isa : isas_up_to(most)) {
    if (isa != Isa()) forms.push_back({isa, 1, true, false});
    for (const unsigned width : {0U, 2U, 8U, 32U}) forms.push_back({isa, width, true, false});
    // What is fast elsewhere has to be right here too.
    const Isa gathers = isa.with(IsaFeature::fast_gathers);
    for (const unsigned width : {4U, 16U, 64U}) forms.push_back({gathers, width, true, false});
  }
  forms.push_back({Isa(), 1, false, false});
  return forms;
}

}  // namespace lanewise::fuzz
