// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads a process gets that shares its machine, and what it is told.
#include "src/host/thread_limits.h"

#include <gtest/gtest.h>

#include <map>

namespace lanewise::host {
namespace {

using Variables = std::map<std::string, std::string>;

Launcher launcher_of(const Variables& variables) {
  return read_launcher([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
  });
}

/// A process on a machine of 16 processors.
ThreadLimits limits_with(const Variables& variables, unsigned allowed = 16) {
  return {.online = 16, .allowed = allowed, .quota = {}, .option = {}, .launcher = launcher_of(variables)};
}

ThreadLimits with_auto(ThreadLimits limits) {
  limits.option.share = true;
  return limits;
}

TEST(Launcher, TellsHowManyProcessesThereAre) {
  EXPECT_EQ(launcher_of({}).processes, 0u);
  EXPECT_EQ(launcher_of({}).variable, "");
  EXPECT_EQ(launcher_of({{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}}).processes, 4u);
  EXPECT_EQ(launcher_of({{"MPI_LOCALNRANKS", "8"}}).variable, "MPI_LOCALNRANKS");
  EXPECT_EQ(launcher_of({{"SLURM_STEP_TASKS_PER_NODE", "4(x2),7,3"}}).processes, 7u);
  EXPECT_EQ(launcher_of({{"SLURM_CPUS_PER_TASK", "3"}, {"SLURM_NTASKS_PER_NODE", "2"}}).each, 3u);
  for (const char* strange : {"", "many", "-1", "0", "4,x", "99999999999"})
    EXPECT_EQ(launcher_of({{"OMPI_COMM_WORLD_LOCAL_SIZE", strange}}).processes, 0u) << strange;
}

TEST(ThreadLimits, NobodyIsLimitedByALauncherUnasked) {
  const ThreadLimits unbound = limits_with({{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}});
  EXPECT_EQ(unbound.usable(), 16u);
  EXPECT_EQ(unbound.hint(),
            "4 processes share 16 processors (OMPI_COMM_WORLD_LOCAL_SIZE), and this one uses 16; "
            "LANEWISE_THREADS=auto takes its part, 4");
  EXPECT_EQ(unbound.text(), "16 of 16 processors allowed");
}

TEST(ThreadLimits, AutoTakesTheShare) {
  EXPECT_EQ(with_auto(limits_with({})).usable(), 16u);
  EXPECT_EQ(with_auto(limits_with({{"MPI_LOCALNRANKS", "4"}})).usable(), 4u);
  EXPECT_EQ(with_auto(limits_with({{"MPI_LOCALNRANKS", "40"}})).usable(), 1u);
  EXPECT_EQ(with_auto(limits_with({{"MPI_LOCALNRANKS", "4"}}, 2)).usable(), 2u) << "bound to less";
  EXPECT_EQ(with_auto(limits_with({{"SLURM_CPUS_PER_TASK", "5"}})).usable(), 5u);
  EXPECT_EQ(with_auto(limits_with({{"MPI_LOCALNRANKS", "4"}})).hint(), "");
  EXPECT_EQ(with_auto(limits_with({{"MPI_LOCALNRANKS", "4"}})).text(),
            "16 of 16 processors allowed, LANEWISE_THREADS=auto: 4 for each process (MPI_LOCALNRANKS)");
}

TEST(ThreadLimits, ThePartOfAContainerIsDivided) {
  ThreadLimits limits = limits_with({{"MPI_LOCALNRANKS", "2"}});
  limits.quota = 6;
  EXPECT_NE(limits.hint().find("2 processes share 6 processors"), std::string::npos) << limits.hint();
  EXPECT_EQ(with_auto(limits).usable(), 3u);
}

TEST(ThreadLimits, BoundProcessesAndNumbersOfTheUserGetNoHint) {
  EXPECT_EQ(limits_with({{"MPI_LOCALNRANKS", "4"}}, 4).hint(), "");
  EXPECT_NE(limits_with({{"MPI_LOCALNRANKS", "4"}}, 8).hint(), "") << "two of them on each half of the machine";
  EXPECT_EQ(limits_with({}).hint(), "");
  EXPECT_EQ(limits_with({{"MPI_LOCALNRANKS", "1"}}).hint(), "");
  ThreadLimits chosen = limits_with({{"MPI_LOCALNRANKS", "4"}});
  chosen.option.most = 16;
  EXPECT_EQ(chosen.hint(), "");
}

}  // namespace
}  // namespace lanewise::host
