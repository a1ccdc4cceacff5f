// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The limit for large transfers: plain C++ on all processors, with streaming stores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace lanewise::bench {

/// Runs `body` (begin, size) over equal shares of `bytes`, one on each processor.
inline void share(std::size_t bytes, const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t part = bytes / threads / 65536 * 65536;
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < threads; ++i)
    others.emplace_back([&, i] { body(i * part, i + 1 == threads ? bytes - i * part : part); });
  body(0, threads == 1 ? bytes : part);
  for (auto& other : others) other.join();
}

using StreamVector = long long __attribute__((vector_size(16), aligned(16)));

/// One thread's part of a copy. Target and size are multiples of 16.
inline void stream(char* to, const char* from, std::size_t size) {
  for (std::size_t i = 0; i < size; i += sizeof(StreamVector)) {
    StreamVector v;
    std::memcpy(&v, from + i, sizeof v);
    __builtin_nontemporal_store(v, reinterpret_cast<StreamVector*>(to + i));
  }
}

inline void plain_copy(std::vector<char>& to, const std::vector<char>& from) {
  share(to.size(), [&](std::size_t at, std::size_t size) { stream(to.data() + at, from.data() + at, size); });
}

inline void plain_fill(std::vector<char>& to) {
  const StreamVector v = {1, 2};
  share(to.size(), [&](std::size_t at, std::size_t size) {
    for (std::size_t i = at; i < at + size; i += sizeof v)
      __builtin_nontemporal_store(v, reinterpret_cast<StreamVector*>(to.data() + i));
  });
}

}  // namespace lanewise::bench
