// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/kernels/reach.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <utility>
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
    const auto start = std::chrono::steady_clock::now();
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
    changed[0].merge(changed[1]);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    seeds_.push_back({program.seed, time.count(), std::move(changed[0])});
    return {};
  }

  /// Some of the seeds that reach together what all of them do, chosen by what each reaches in a second.
  [[nodiscard]] std::vector<std::uint64_t> enough() const {
    std::vector<std::uint64_t> chosen;
    std::set<std::string> reached;
    const auto rate = [&](const Seed& s) {
      const auto is_new = [&](const std::string& name) { return !reached.contains(name); };
      return static_cast<double>(std::count_if(s.reached.begin(), s.reached.end(), is_new)) / s.seconds;
    };
    for (;;) {
      const auto best = std::max_element(seeds_.begin(), seeds_.end(),
                                         [&](const Seed& a, const Seed& b) { return rate(a) < rate(b); });
      if (best == seeds_.end() || rate(*best) == 0) break;
      chosen.push_back(best->seed);
      reached.insert(best->reached.begin(), best->reached.end());
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
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

  struct Seed {
    std::uint64_t seed = 0;
    double seconds = 0;
    std::set<std::string> reached;
  };

  ByLevel programs_{};
  std::vector<Seed> seeds_;
  std::map<std::string, std::array<ByLevel, 2>> kernels_;
};

/// The lines of a file without remarks. False: it cannot be read. No name: no lines.
bool read_list(const std::string& file, std::vector<std::string>& lines) {
  if (file.empty()) return true;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    while (!line.empty() && line.back() == ' ') line.pop_back();
    if (!line.empty()) lines.push_back(line);
  }
  if (in.eof()) return true;
  std::printf("%s cannot be read\n", file.c_str());
  return false;
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

bool check_reach(const ReachTrial& trial, const Features& features) {
  constexpr unsigned kPatience = 10;
  std::vector<std::string> names, first;
  if (!read_list(trial.unreached, names) || !read_list(trial.first, first)) return false;
  const std::set<std::string> listed(names.begin(), names.end());
  Reach reach;
  const auto lacks_some = [&] {
    const auto missing = reach.missing();
    return !std::includes(listed.begin(), listed.end(), missing.begin(), missing.end());
  };
  const auto add = [&](std::uint64_t seed) {
    const std::string fault = reach.add(generate(seed, features));
    if (!fault.empty()) std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), fault.c_str());
    return fault.empty();
  };
  for (const std::string& seed : first)
    if (!add(std::strtoull(seed.c_str(), nullptr, 10))) return false;
  const auto goes_on = [&](std::uint64_t done) {
    return (first.empty() && done < trial.count) ||
           (!trial.unreached.empty() && done < kPatience * trial.count && lacks_some());
  };
  std::uint64_t done = 0;
  for (; goes_on(done); ++done)
    if (!add(trial.seed + done)) return false;
  reach.print();
  if (done != 0) {
    std::printf("seeds that are enough:");
    for (const std::uint64_t seed : reach.enough()) std::printf(" %llu", static_cast<unsigned long long>(seed));
    std::printf("\n");
  }
  if (trial.unreached.empty()) return true;
  bool good = has_only(listed, reach.missing(), "random kernels reach it, or it is gone: take it off the list");
  good &= has_only(reach.missing(), listed,
                   "random kernels do not reach it any more: extend the generator, or mend the pass");
  return good;
}

}  // namespace lanewise::fuzz
