// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/kernels/reach.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <vector>

#include "compiler/base/transformations.h"
#include "tests/fuzz/kernels/builder.h"
#include "tests/fuzz/kernels/random.h"

namespace lanewise::fuzz {
namespace {

constexpr std::array<IsaLevel, 3> kLevels = {IsaLevel::x86_64_v2, IsaLevel::x86_64_v3, IsaLevel::x86_64_v4};

constexpr const char* kPasses[] = {
#define LANEWISE_STEP(name, Pass, stage, gate, what, why) name,
#define LANEWISE_BETWEEN(name, Pass, stage, what, where) name,
#define LANEWISE_TOOL(name, Pass, stage, what) name,
#include "compiler/pipeline/passes.def"
};

/// The usual code of both tiers, and one more form of the second that few launches have.
std::vector<Form> forms_of(const Program& program) {
  Random random(program.seed ^ 0xF0F0F0F0U);
  Isa isa = kLevels[program.seed % kLevels.size()];
  if (random.percent(50)) isa = isa.with(IsaFeature::fast_gathers);
  std::vector<Form> forms = {{isa, 0, true, false}};
  if (!program.is_plain()) return forms;
  forms.push_back({isa, 0, true, true});
  if (program.sub_group_size != 0) return forms;
  if (random.percent(50))
    forms.push_back({isa, 1, true, true, 0, isa.usual_lanes()});
  else
    forms.push_back({isa, isa.usual_lanes(), true, true, 16});
  return forms;
}

class Reach {
 public:
  Reach() {
    for (const std::string pass : kPasses) kernels_[pass.substr(0, pass.find('<'))];
    for (const char* name : kTransformations) kernels_[name];
  }

  /// Empty, or why a form of the program does not compile.
  std::string add(const Program& program) {
    const Builder builder(program.source(), false);
    if (builder.front().status != 0) return builder.front().log;
    const Buffers buffers(program);
    const std::size_t level = program.seed % kLevels.size();
    ++programs_[level];
    std::array<std::set<std::string>, 2> changed;  // by tier
    for (const Form& form : forms_of(program)) {
      auto& names = changed[form.specialised ? 1 : 0];
      for (auto& count : transformation_counts) count = 0;
      const PipelineObserver observer{.wants = [](std::string_view) { return false; },
                                      .show = {},
                                      .changed = [&](std::string_view pass) { names.emplace(pass); }};
      const abi::Reply reply = builder.build(form, program.range, buffers, &observer);
      if (reply.status != 0) return form.name() + ": " + reply.log;
      for (std::size_t i = 0; i < std::size(transformation_counts); ++i)
        if (transformation_counts[i] != 0) names.emplace(kTransformations[i]);
    }
    for (unsigned tier = 0; tier < 2; ++tier)
      for (const std::string& name : changed[tier]) ++kernels_.at(name)[tier][level];
    return {};
  }

  [[nodiscard]] std::set<std::string> missing() const {
    std::set<std::string> names;
    for (const auto& [name, tiers] : kernels_) {
      const auto reached = [](const ByLevel& levels) { return levels != ByLevel(); };
      if (std::none_of(tiers.begin(), tiers.end(), reached)) names.insert(name);
    }
    return names;
  }

  void print() const {
    std::printf("%-32s %20s   %20s\n%-32s %6s %6s %6s   %6s %6s %6s\n", "kernels changed", "first tier", "second tier",
                "", "v2", "v3", "v4", "v2", "v3", "v4");
    const auto line = [](const char* name, const ByLevel& first, const ByLevel& second) {
      std::printf("%-32s %6u %6u %6u   %6u %6u %6u\n", name, first[0], first[1], first[2], second[0], second[1],
                  second[2]);
    };
    line("all", programs_, programs_);
    for (const auto& [name, tiers] : kernels_) line(name.c_str(), tiers[0], tiers[1]);
  }

 private:
  using ByLevel = std::array<unsigned, kLevels.size()>;

  ByLevel programs_{};
  std::map<std::string, std::array<ByLevel, 2>> kernels_;
};

/// The names of the list. False: it cannot be read.
bool read_list(const std::string& file, std::set<std::string>& names) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    while (!line.empty() && line.back() == ' ') line.pop_back();
    if (!line.empty()) names.insert(line);
  }
  return in.eof();
}

/// Prints what is in `names` and not in `others`. True if that is nothing.
bool has_only(const std::set<std::string>& names, const std::set<std::string>& others, const char* otherwise) {
  bool good = true;
  for (const std::string& name : names) {
    if (others.contains(name)) continue;
    std::printf("%s: %s\n", name.c_str(), otherwise);
    good = false;
  }
  return good;
}

}  // namespace

bool check_reach(std::uint64_t seed, std::uint64_t count, const Features& features, const std::string& list) {
  constexpr unsigned kPatience = 10;
  std::set<std::string> listed;
  if (!list.empty() && !read_list(list, listed)) {
    std::printf("%s cannot be read\n", list.c_str());
    return false;
  }
  Reach reach;
  const auto lacks_some = [&] {
    const auto missing = reach.missing();
    return !std::includes(listed.begin(), listed.end(), missing.begin(), missing.end());
  };
  const auto goes_on = [&](std::uint64_t done) {
    return done < count || (!list.empty() && done < kPatience * count && lacks_some());
  };
  for (std::uint64_t done = 0; goes_on(done); ++done) {
    const Program program = generate(seed + done, features);
    const std::string fault = reach.add(program);
    if (fault.empty()) continue;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(program.seed), fault.c_str());
    return false;
  }
  reach.print();
  if (list.empty()) return true;
  bool good = has_only(listed, reach.missing(), "random kernels reach it, or it is gone: take it off the list");
  good &= has_only(reach.missing(), listed,
                   "random kernels do not reach it any more: extend the generator, or mend the pass");
  return good;
}

}  // namespace lanewise::fuzz
