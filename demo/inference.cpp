// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An inference loop: a network of 200 small kernels is recorded once and run for one input after the other, each time
/// with another input buffer. The same kernels, enqueued one by one, must give the same results; their time shows how
/// much recording saves.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "graph.h"

namespace {

constexpr std::size_t kWidth = 64;    // of a layer
constexpr std::size_t kLayers = 100;  // of two kernels each
constexpr std::size_t kInputs = 16;

constexpr const char* kSource = R"(
kernel void dense(global const float* in, global const float* weights, global float* out) {
  uint i = get_global_id(0), width = get_global_size(0);
  float sum = 0.0f;
  for (uint k = 0; k < width; ++k) sum = fma(in[k], weights[k * width + i], sum);
  out[i] = sum;
}
kernel void activate(global const float* in, global const float* bias, global float* out) {
  uint i = get_global_id(0);
  out[i] = fmax(in[i] + bias[i], 0.01f * in[i]);
}
)";

using Numbers = std::vector<float>;

/// Small numbers that look random and are the same everywhere.
Numbers numbers(std::size_t count, std::size_t seed, float scale) {
  Numbers values(count);
  std::uint32_t state = static_cast<std::uint32_t>(seed) * 2654435761u + 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = (static_cast<float>(state >> 8) / static_cast<float>(1 << 24) - 0.5f) * scale;
  }
  return values;
}

struct Launch {
  cl_kernel kernel;
  cl_mem reads;
  cl_mem writes;
};

/// The network on `input`, with its result in `output`.
std::vector<Launch> network(demo::Session& session, cl_mem input, cl_mem output) {
  cl_mem one = session.buffer(Numbers(kWidth, 0));
  cl_mem other = session.buffer(Numbers(kWidth, 0));
  std::vector<Launch> launches;
  cl_mem from = input;
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    cl_mem weights = session.buffer(numbers(kWidth * kWidth, layer, 0.6f));
    cl_mem bias = session.buffer(numbers(kWidth, layer + 1000, 0.2f));
    cl_mem to = layer + 1 == kLayers ? output : other;
    launches.push_back({session.kernel("dense", from, weights, one), from, one});
    launches.push_back({session.kernel("activate", one, bias, to), one, to});
    from = to;
  }
  return launches;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

/// Argument: the number of inferences (10000).
int main(int argc, char** argv) try {
  const std::size_t count = std::max<std::size_t>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10000, 1);
  demo::Session session(demo::device_with({"cl_khr_command_buffer", "cl_khr_command_buffer_mutable_dispatch"}),
                        kSource);
  std::vector<cl_mem> inputs;
  inputs.reserve(kInputs);
  for (std::size_t i = 0; i < kInputs; ++i) inputs.push_back(session.buffer(numbers(kWidth, i + 77, 2.0f)));
  cl_mem output = session.buffer(Numbers(kWidth, 0));
  const auto launches = network(session, inputs[0], output);

  const std::size_t single = std::min<std::size_t>(count, 1000);
  std::vector<Numbers> answers(kInputs, Numbers(kWidth));
  auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < single || i < kInputs; ++i) {
    demo::check(clSetKernelArg(launches[0].kernel, 0, sizeof inputs[0], &inputs[i % kInputs]), "clSetKernelArg");
    for (const Launch& launch : launches)
      demo::check(
          clEnqueueNDRangeKernel(session.queue(), launch.kernel, 1, nullptr, &kWidth, nullptr, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    session.read(output, answers[i % kInputs]);
  }
  const double one_by_one = seconds_since(begin) / static_cast<double>(std::max(single, kInputs));

  demo::Graph graph(session.queue());
  demo::Graph::Node first = nullptr;
  for (const Launch& launch : launches) {
    demo::Graph::Node node = graph.add(launch.kernel, kWidth, {launch.reads}, {launch.writes});
    if (first == nullptr) first = node;
  }
  graph.finalize();
  std::size_t wrong = 0;
  Numbers got(kWidth);
  begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    graph.set_argument(first, 0, inputs[i % kInputs]);
    graph.enqueue();
    session.read(output, got);
    if (got != answers[i % kInputs]) ++wrong;
  }
  const double recorded = seconds_since(begin) / static_cast<double>(count);
  const bool all_different = std::adjacent_find(answers.begin(), answers.end()) == answers.end();
  std::printf("  %zu kernels, %zu inferences: %s, %.1f us each recorded, %.1f us one by one\n", launches.size(), count,
              wrong == 0 && all_different ? "right" : "WRONG", recorded * 1e6, one_by_one * 1e6);
  return wrong == 0 && all_different ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "inference: %s\n", error.what());
  return 1;
}
