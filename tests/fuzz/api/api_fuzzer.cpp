// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sequences of API calls: any order, any object, live, released, of another driver or of another kind, with sizes that
/// overflow. Findings are those of sanitizers, calls that do not return, and queries that report a wrong size.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "tests/fuzz/api/world.h"

using namespace lanewise::fuzz;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

namespace {

constexpr std::size_t kMostCalls = 96;

const std::vector<Call>& calls() {
  static const auto& all = *new std::vector<Call>([] {
    std::vector<Call> table;
    for (const auto& group : {core_calls(), memory_calls(), transfer_calls(), image_calls(), event_calls(),
                              program_calls(), kernel_calls(), pointer_calls(), recorded_calls(), device_calls()})
      table.insert(table.end(), group.begin(), group.end());
    return table;
  }());
  return all;
}

}  // namespace

/// Sets all variables that the driver reads, before its first call. Program binaries and cache entries come from this
/// run only.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  static const std::string& cache = *new std::string(std::filesystem::temp_directory_path() /
                                                     ("lanewise-api-fuzzer-" + std::to_string(std::random_device{}())));
  setenv("LANEWISE_CACHE_DIR", cache.c_str(), 1);
  setenv("LANEWISE_TIER", "1", 1);
  std::atexit([] {
    std::error_code ignored;
    std::filesystem::remove_all(cache, ignored);
  });
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  World world;
  const std::size_t count = std::min(size / kRecordBytes, kMostCalls);
  for (std::size_t i = 0; i < count; ++i) {
    Draw draw(data + i * kRecordBytes);
    calls()[draw.byte() % calls().size()](world, draw);
  }
  return 0;
}

/// Mostly mutates whole calls: adds, removes, duplicates or swaps one; else changes bytes of one.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed) {
  std::minstd_rand random(seed);
  std::size_t count = size / kRecordBytes;
  const std::size_t most = std::min(room / kRecordBytes, kMostCalls);
  if (most == 0) return LLVMFuzzerMutate(data, size, room);
  const auto at = [&](std::size_t index) { return data + index * kRecordBytes; };
  const auto anywhere = [&] { return random() % count; };
  const auto insert = [&](std::size_t where, const Record& record) {
    std::memmove(at(where + 1), at(where), (count - where) * kRecordBytes);
    std::memcpy(at(where), record.data(), kRecordBytes);
    ++count;
  };
  for (unsigned steps = 1 + random() % 4; steps > 0; --steps) {
    const unsigned how = random() % 8;
    if (count == 0 || (how < 3 && count < most)) {
      Record record;
      for (auto& byte : record) byte = static_cast<std::uint8_t>(random() >> 8);
      insert(count == 0 ? 0 : random() % (count + 1), record);
    } else if (how == 3 && count > 1) {
      const std::size_t victim = anywhere();
      std::memmove(at(victim), at(victim + 1), (count - victim - 1) * kRecordBytes);
      --count;
    } else if (how == 4 && count < most) {
      Record record;
      std::memcpy(record.data(), at(anywhere()), kRecordBytes);
      insert(random() % (count + 1), record);
    } else if (how == 5) {
      std::uint8_t* first = at(anywhere());
      std::uint8_t* second = at(anywhere());
      if (first != second) std::swap_ranges(first, first + kRecordBytes, second);
    } else {
      LLVMFuzzerMutate(at(anywhere()), kRecordBytes, kRecordBytes);
    }
  }
  return count * kRecordBytes;
}
