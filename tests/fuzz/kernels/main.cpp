// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random kernels: scalar code against every width and instruction set, byte for byte.
///
///     kernel_fuzzer --seed 1 --count 200            seeds 1 to 200
///     kernel_fuzzer --seed 1 --seconds 3600         as many as run in that time
///     kernel_fuzzer --seed 77 --print               the kernel of this seed
///     kernel_fuzzer --seed 77 --here                in this process, for a debugger
///     kernel_fuzzer --seed drawn                    from LANEWISE_TEST_SEED on, or where the clock says
///     kernel_fuzzer --driver build/release/lib/liblanewise.so ...   also through a driver, as it builds and runs it
///
/// Each batch of seeds runs in a child process, so that a crash or a hang is a finding like any other. A finding is
/// reduced and printed; the exit code is 1.
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "src/host/cpu.h"
#include "tests/drawn.h"
#include "tests/fuzz/kernels/random.h"
#include "tests/fuzz/kernels/reduce.h"
#include "tests/fuzz/kernels/runner.h"

namespace {

using namespace lanewise;
using namespace lanewise::fuzz;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kBatch = 25;      ///< seeds in one child process
constexpr unsigned kSecondsForOne = 150;  ///< of processor time; a program that takes longer hangs

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t count = ~std::uint64_t{0};
  double seconds = 1e9;
  unsigned forms = 5;                                           ///< of each program, drawn from all; 0: all
  IsaLevel isa = host::read_cpu().isa.value_or(Isa()).level();  ///< highest instruction set
  unsigned findings = 1;                                        ///< stop after so many
  double reduce_seconds = 120;
  bool print = false;
  bool here = false;  ///< one seed, without a child process
  std::string driver;
  Features features;
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    bool* flag = name == "--print"              ? &options.print
                 : name == "--here"             ? &options.here
                 : name == "--no-half"          ? &options.features.half
                 : name == "--no-sub-groups"    ? &options.features.sub_groups
                 : name == "--no-collectives"   ? &options.features.collectives
                 : name == "--no-generic"       ? &options.features.generic
                 : name == "--no-variables"     ? &options.features.variables
                 : name == "--no-float-atomics" ? &options.features.float_atomics
                 : name == "--no-images"        ? &options.features.images
                                                : nullptr;
    if (flag != nullptr) {
      *flag = !*flag;
      continue;
    }
    if (++i == argc) return false;
    const char* text = argv[i];
    if (name == "--seed" && std::string_view(text) == "drawn")
      options.seed = test::drawn_seed();
    else if (name == "--seed")
      options.seed = std::strtoull(text, nullptr, 10);
    else if (name == "--count")
      options.count = std::strtoull(text, nullptr, 10);
    else if (name == "--seconds")
      options.seconds = std::strtod(text, nullptr);
    else if (name == "--forms")
      options.forms = static_cast<unsigned>(std::strtoul(text, nullptr, 10));
    else if (name == "--isa" && Isa::named(text))
      options.isa = Isa::named(text)->level();
    else if (name == "--findings")
      options.findings = static_cast<unsigned>(std::strtoul(text, nullptr, 10));
    else if (name == "--reduce")
      options.reduce_seconds = std::strtod(text, nullptr);
    else if (name == "--statements")
      options.features.most_statements = static_cast<unsigned>(std::max(4UL, std::strtoul(text, nullptr, 10)));
    else if (name == "--driver")
      options.driver = text;
    else
      return false;
  }
  return true;
}

/// Whether launches of few work-items may run scalar code once they are hot, and others groups as teams.
bool has_other_second_tiers(const Program& program) {
  return program.is_plain() && program.sub_group_size == 0;
}

std::vector<Form> forms_of(const Options& options, const Program& program) {
  std::vector<Form> all = all_forms(options.isa);
  Random random(program.seed ^ 0xF0F0F0F0U);
  const std::vector<Isa> isas = isas_up_to(options.isa);
  const auto any_isa = [&] { return random.pick(isas); };
  std::vector<Form> some;
  if (options.forms == 0 || options.forms >= all.size()) {
    some = all;
    if (program.is_plain())
      for (const Isa isa : isas) some.push_back({isa, 0, true, true});
    if (has_other_second_tiers(program))
      for (const Isa isa : isas)
        some.insert(some.end(), {{isa, 1, true, true}, {isa, 8, true, true, 16}, {isa, 1, true, true, 0, 8}});
    return some;
  }
  // Sub-groups, whose only reference is their emulation, and the second tier are always among them.
  if (program.sub_group_size != 0) some.push_back({any_isa(), 0, true, false});
  if (program.is_plain()) some.push_back({any_isa(), 0, true, true});
  if (has_other_second_tiers(program)) {
    if (random.percent(30)) some.push_back({any_isa(), 1, true, true});
    if (random.percent(50)) {
      const Isa isa = random.percent(50) ? any_isa().with(IsaFeature::fast_gathers) : any_isa();
      some.push_back({isa, 1, true, true, 0, isa.usual_lanes() * (random.percent(70) ? 1U : 2U)});
    }
    if (random.percent(50)) {
      const Isa isa = any_isa();
      some.push_back({isa, isa.usual_lanes(), true, true, random.percent(50) ? 8U : 16U});
    }
  }
  while (some.size() < options.forms) {
    const Form& form = random.pick(all);
    // Many lanes take long to compile, and rarely find more than fewer do.
    const unsigned registers = form.width / form.isa.usual_lanes();
    if (form.width >= 16 && !random.percent(registers < 2 ? 60 : registers < 4 ? 25 : 8)) continue;
    if (std::find(some.begin(), some.end(), form) == some.end()) some.push_back(form);
  }
  return some;
}

/// Runs `body` in a child. True if it ended well; else progress.fault is set.
template <class Body>
bool in_child(Progress& progress, Body&& body) {
  progress.fault[0] = '\0';
  const pid_t child = fork();
  if (child == 0) {
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) std::abort();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  if (progress.fault[0] != '\0') return false;
  const char* reason = "ended";
  if (WIFSIGNALED(status)) reason = WTERMSIG(status) == SIGPROF ? "does not end" : strsignal(WTERMSIG(status));
  std::snprintf(progress.fault, sizeof progress.fault, "%s: %s", progress.what, reason);
  return false;
}

bool check_one(const Program& program, const std::vector<Form>& forms, const std::string& driver, Progress& progress) {
  // Processor time, so that a busy machine gives no finding. The default action of the signal ends the child.
  const itimerval limit{{0, 0}, {kSecondsForOne, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
  return check(program, forms, driver, progress);
}

/// The part of a fault that stays the same while the program is reduced.
std::string kind_of(const std::string& fault) {
  std::string line = fault.substr(0, fault.find('\n'));
  for (const char* kind : {"does not compile", "does not build", "overrun", "scalar 0x", "internal", "does not end"})
    if (line.find(kind) != std::string::npos) return kind;
  return line;
}

void report(const Options& options, std::uint64_t seed, Progress& progress) {
  const std::string fault = progress.fault;
  std::printf("== seed %llu: %s\n", static_cast<unsigned long long>(seed), fault.c_str());
  std::fflush(stdout);
  Program program = generate(seed, options.features);
  // The one form that fails is enough from here on.
  std::vector<Form> forms = forms_of(options, program);
  for (const Form& form : forms) {
    if (in_child(progress, [&] { return check_one(program, {form}, {}, progress); })) continue;
    forms = {form};
    break;
  }
  const std::string kind = kind_of(fault);
  const bool by_driver = fault.starts_with("driver");
  if (by_driver) forms = {{Isa(), 1, true, false}};
  const auto fails = [&](const Program& smaller) {
    return !in_child(progress, [&] { return check_one(smaller, forms, by_driver ? options.driver : "", progress); }) &&
           kind_of(progress.fault) == kind;
  };
  if (options.reduce_seconds > 0 && kind != "does not compile") reduce(program, fails, options.reduce_seconds);
  fails(program);
  std::printf("-- %s\n%s\n", progress.fault, program.source().c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: kernel_fuzzer [--seed N|drawn] [--count N] [--seconds S] [--forms N] [--isa LEVEL]\n"
                 "         [--findings N] [--reduce S] [--statements N] [--driver FILE] [--print] [--here]\n"
                 "         [--no-half] [--no-sub-groups] [--no-collectives] [--no-generic] [--no-variables]\n"
                 "         [--no-float-atomics] [--no-images]\n");
    return 2;
  }
  if (options.print) {
    std::fputs(generate(options.seed, options.features).source().c_str(), stdout);
    return 0;
  }
  void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& progress = *new (memory) Progress;
  if (options.here) {
    const Program program = generate(options.seed, options.features);
    const bool good = check(program, forms_of(options, program), options.driver, progress);
    std::printf("%s\n", good ? "good" : progress.fault);
    return good ? 0 : 1;
  }
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  unsigned findings = 0;
  std::uint64_t done = 0;
  while (done < options.count && elapsed() < options.seconds && findings < options.findings) {
    const std::uint64_t batch = std::min(kBatch, options.count - done);
    const std::uint64_t first = options.seed + done;
    const bool good = in_child(progress, [&] {
      for (std::uint64_t i = 0; i < batch && elapsed() < options.seconds; ++i) {
        progress.seed = first + i;
        const Program program = generate(progress.seed, options.features);
        if (!check_one(program, forms_of(options, program), options.driver, progress)) return false;
      }
      progress.seed = first + batch - 1;
      return true;
    });
    done += progress.seed - first + 1;
    if (good) continue;
    ++findings;
    report(options, progress.seed, progress);
  }
  std::printf(
      "seeds from %llu: %llu kernels, %llu launches, %llu kernels with vectors, %llu with sub-groups, %llu with "
      "functions of work-groups, %llu with images, %llu in teams, %u findings, %.0f s\n",
      static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(progress.kernels),
      static_cast<unsigned long long>(progress.launches), static_cast<unsigned long long>(progress.vectors),
      static_cast<unsigned long long>(progress.sub_groups), static_cast<unsigned long long>(progress.collectives),
      static_cast<unsigned long long>(progress.images), static_cast<unsigned long long>(progress.teams), findings,
      elapsed());
  return findings == 0 ? 0 : 1;
}
