// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-scaling: the scheduler on simulated machines with many processors; prints the tables of docs/scaling.md.
// bench-scaling --measure: the costs of this machine that the simulation starts from.
#include <cstdio>
#include <cstring>
#include <vector>

#include "tests/bench/scaling/measure.h"
#include "tests/bench/scaling/model.h"

namespace {

using namespace lanewise::scaling;

constexpr Shape kShapes[] = {{16, 2}, {64, 2}, {256, 2}, {64, 8}, {256, 8}};

struct Row {
  const char* what;
  Load load;
};

std::vector<Row> rows() {
  const auto row_of_launches = [](unsigned launches, Ns worker_ns) {
    return Load{.launches = launches, .worker_ns = worker_ns, .pieces = static_cast<unsigned>(worker_ns / 1000)};
  };
  return {
      {"one launch, 10 ms for each worker", row_of_launches(1, 10'000'000)},
      {"one launch, 1 ms for each worker", row_of_launches(1, 1'000'000)},
      {"20 launches in order, 200 us for each worker", row_of_launches(20, 200'000)},
      {"20 launches in order, 50 us for each worker", row_of_launches(20, 50'000)},
      {"16 independent launches at once, 2 ms for each worker",
       {.launches = 16, .in_order = false, .worker_ns = 2'000'000, .pieces = 1000}},
      {"4,000 commands of 100 us, a queue for 32 workers",
       {.launches = 4000, .in_order = false, .worker_ns = 100'000, .pieces = 0}},
  };
}

std::vector<Protocol> steps() {
  std::vector<Protocol> steps{{.name = "first design"}};
  const auto next = [&](const char* name) -> Protocol& {
    steps.push_back(steps.back());
    steps.back().name = name;
    return steps.back();
  };
  next("no needless stores and loads").quiet = true;
  next("chunks reported together").batched = true;
  next("claims without the lock").unlocked = true;
  next("a part for each node").by_node = true;
  next("several chunks before a change of command").stays = true;
  next("threads of oneTBB (now)").tbb = true;
  return steps;
}

/// What was tried on top and is not done.
std::vector<Protocol> refused() {
  std::vector<Protocol> refused(3, steps().back());
  refused[0].name = "now, and locks spin for 5 us";
  refused[0].spins = true;
  for (const std::size_t i : {1u, 2u}) refused[i].tbb = false;
  refused[1].name = "threads of our own, which wake others in a tree";
  refused[1].tree = true;
  refused[2].name = "threads of our own, and idle ones are counted by node";
  refused[2].idle_by_node = true;
  return refused;
}

Load on(Shape shape, Load load) {
  if (!load.in_order && load.pieces == 0) load.queues = shape.workers / 32 + 1;
  return load;
}

void table(const Row& row, const std::vector<Protocol>& protocols, const Costs& costs) {
  std::printf("| %s |", row.what);
  for (const Shape shape : kShapes) std::printf(" %u in %u |", shape.workers, shape.nodes);
  std::printf("\n|---|");
  for ([[maybe_unused]] const Shape shape : kShapes) std::printf("---:|");
  for (const Protocol& protocol : protocols) {
    std::printf("\n| %s |", protocol.name.c_str());
    for (const Shape shape : kShapes)
      std::printf(" %.2f |", simulate(shape, costs, protocol, on(shape, row.load)).efficiency);
  }
  std::printf("\n\n");
}

/// Lines that travel for each chunk, and where pieces run.
void traffic() {
  std::printf("| 20 launches in order, 200 us for each worker |");
  for (const Shape shape : kShapes) std::printf(" %u in %u |", shape.workers, shape.nodes);
  std::printf("\n|---|---:|---:|---:|---:|---:|\n");
  for (const Protocol& protocol : {steps().front(), steps().back()}) {
    std::vector<Result> results;
    for (const Shape shape : kShapes) results.push_back(simulate(shape, {}, protocol, rows()[2].load));
    std::printf("| lines that travel for each chunk, %s |", protocol.name.c_str());
    for (const Result& result : results) std::printf(" %.1f |", result.transfers);
    std::printf("\n| pieces that run in the node of the launch before, %s |", protocol.name.c_str());
    for (const Result& result : results) std::printf(" %.0f %% |", result.home * 100);
    std::printf("\n");
  }
  std::printf("\n");
}

/// Processors of one node, among which launches have several parts.
void shares(const Row& row) {
  constexpr unsigned kWorkers[] = {2, 4, 8, 16, 32, 64, 128};
  Costs costs;
  costs.other_node = costs.same_node;
  std::printf("| one node, %s |", row.what);
  for (const unsigned workers : kWorkers) std::printf(" %u |", workers);
  std::printf("\n|---|");
  for ([[maybe_unused]] const unsigned workers : kWorkers) std::printf("---:|");
  for (const unsigned parts : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u}) {
    std::printf("\n| %u part%s |", parts, parts == 1 ? "" : "s");
    for (const unsigned workers : kWorkers)
      if (parts > workers)
        std::printf(" |");
      else
        std::printf(" %.2f |",
                    simulate({workers, parts}, costs, steps().back(), on({workers, parts}, row.load)).efficiency);
  }
  std::printf("\n\n");
}

}  // namespace

int main(int count, char** values) {
  if (count > 1 && std::strcmp(values[1], "--measure") == 0) return measure();
  for (const Row& row : rows()) table(row, steps(), {});
  traffic();
  for (const std::size_t row : {1u, 3u}) shares(rows()[row]);
  std::printf("Tried, and not done:\n\n");
  for (const std::size_t row : {2u, 5u}) table(rows()[row], refused(), {});
  std::printf("With other costs, first design and now:\n\n");
  for (const double factor : {0.5, 2.0}) {
    Costs costs;
    costs.same_node = static_cast<Ns>(static_cast<double>(costs.same_node) * factor);
    costs.other_node = static_cast<Ns>(static_cast<double>(costs.other_node) * factor);
    std::printf("Lines travel in %lld and %lld ns:\n\n", static_cast<long long>(costs.same_node),
                static_cast<long long>(costs.other_node));
    for (const std::size_t row : {0u, 2u}) table(rows()[row], {steps().front(), steps().back()}, costs);
  }
  return 0;
}
