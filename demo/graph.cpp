// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A graph of kernels that is recorded once: heat flows in four tiles that exchange their edges after every step, and a
/// reduction follows at the end. The tiles of one step are independent; the graph finds that from the buffers that
/// its nodes name. The result is compared with plain C++.
#include "graph.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr std::size_t kTiles = 4;
constexpr std::size_t kCells = 1024;  // of a tile
constexpr std::size_t kSteps = 16;    // of a run

// Integers, so that the comparison is exact. A tile reads one cell of each of its two neighbours.
constexpr const char* kSource = R"(
kernel void step(global const uint* from, global uint* to, global const uint* edges, uint tile, uint tiles) {
  uint i = get_global_id(0), last = get_global_size(0) - 1;
  uint left = i == 0 ? edges[2 * ((tile + tiles - 1) % tiles) + 1] : from[i - 1];
  uint right = i == last ? edges[2 * ((tile + 1) % tiles)] : from[i + 1];
  to[i] = (left + 2 * from[i] + right) / 4 + (i == 7 ? 1000 : 0);
}
kernel void exchange(global const uint* a, global const uint* b, global const uint* c, global const uint* d,
                     global uint* edges, uint cells) {
  global const uint* all[] = {a, b, c, d};
  uint i = get_global_id(0);
  edges[i] = all[i / 2][i % 2 == 0 ? 0 : cells - 1];
}
kernel void sum(global const uint* a, global const uint* b, global const uint* c, global const uint* d,
                global uint* total) {
  uint i = get_global_id(0);
  total[i] = a[i] + b[i] + c[i] + d[i];
}
)";

using Tile = std::vector<std::uint32_t>;

/// The result of `runs` runs on the tiles, as the kernel `sum` writes it.
Tile expected(std::array<Tile, kTiles> now, std::size_t runs) {
  for (std::size_t step = 0; step < runs * kSteps; ++step) {
    auto next = now;
    for (std::size_t t = 0; t < kTiles; ++t)
      for (std::size_t i = 0; i < kCells; ++i) {
        const std::uint32_t left = i == 0 ? now[(t + kTiles - 1) % kTiles][kCells - 1] : now[t][i - 1];
        const std::uint32_t right = i == kCells - 1 ? now[(t + 1) % kTiles][0] : now[t][i + 1];
        next[t][i] = (left + 2 * now[t][i] + right) / 4 + (i == 7 ? 1000 : 0);
      }
    now = next;
  }
  Tile total(kCells, 0);
  for (const Tile& tile : now)
    for (std::size_t i = 0; i < kCells; ++i) total[i] += tile[i];
  return total;
}

}  // namespace

/// Argument: how often the graph runs (1000).
int main(int argc, char** argv) try {
  const std::size_t runs = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
  demo::Session session(demo::device_with({"cl_khr_command_buffer", "cl_khr_command_buffer_mutable_dispatch"}),
                        kSource);
  std::array<Tile, kTiles> tiles;
  std::array<std::array<cl_mem, 2>, kTiles> memory{};  // the cells now, and after the next step
  Tile first_edges;
  for (std::size_t t = 0; t < kTiles; ++t) {
    for (std::size_t i = 0; i < kCells; ++i) tiles[t].push_back(static_cast<std::uint32_t>((i * 37 + t * 911) % 5000));
    for (cl_mem& each : memory[t]) each = session.buffer(tiles[t]);
    first_edges.insert(first_edges.end(), {tiles[t].front(), tiles[t].back()});
  }
  cl_mem edges = session.buffer(first_edges);
  cl_mem total = session.buffer(Tile(kCells, 0));

  demo::Graph graph(session.queue());
  const auto cells = static_cast<cl_uint>(kCells);
  for (std::size_t step = 0; step < kSteps; ++step) {
    const std::size_t now = step % 2;
    for (cl_uint t = 0; t < kTiles; ++t) {
      const cl_mem from = memory[t][now];
      const cl_mem to = memory[t][1 - now];
      graph.add(session.kernel("step", from, to, edges, t, static_cast<cl_uint>(kTiles)), kCells, {from, edges}, {to});
    }
    const auto made = [&](std::size_t t) { return memory[t][1 - now]; };
    graph.add(session.kernel("exchange", made(0), made(1), made(2), made(3), edges, cells), 2 * kTiles,
              {made(0), made(1), made(2), made(3)}, {edges});
  }
  graph.add(session.kernel("sum", memory[0][0], memory[1][0], memory[2][0], memory[3][0], total), kCells,
            {memory[0][0], memory[1][0], memory[2][0], memory[3][0]}, {total});
  graph.finalize();

  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < runs; ++i) graph.enqueue();
  Tile got(kCells);
  session.read(total, got);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const bool right = got == expected(tiles, runs);
  std::printf("  graph of %zu nodes, %zu edges: %s, %zu runs, %.1f us each\n", graph.nodes(), graph.edges(),
              right ? "right" : "WRONG", runs, seconds / static_cast<double>(std::max<std::size_t>(runs, 1)) * 1e6);
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "graph: %s\n", error.what());
  return 1;
}
