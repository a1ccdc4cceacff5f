// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// References to the memory objects of one launch. Every launch makes such a list, so short ones need no allocation.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/memory/mem_object.h"

namespace lanewise {

/// The memory objects that a launch holds; the first kInline need no allocation.
class MemoryRefs {
 public:
  static constexpr std::size_t kInline = 12;

  MemoryRefs() = default;
  MemoryRefs(MemoryRefs&& other) noexcept : count_(std::exchange(other.count_, 0)), more_(std::move(other.more_)) {
    std::memcpy(inline_, other.inline_, count_ * sizeof inline_[0]);
  }
  MemoryRefs& operator=(MemoryRefs&&) = delete;
  ~MemoryRefs() { clear(); }

  void push_back(MemObject& object) {
    if (count_ == kInline) {
      more_.emplace_back(object);
      return;
    }
    object.retain_internal();
    inline_[count_++] = &object;
  }
  void clear() noexcept {
    while (count_ != 0) inline_[--count_]->release_internal();
    more_.clear();
  }
  [[nodiscard]] std::size_t size() const { return count_ + more_.size(); }
  [[nodiscard]] MemObject& operator[](std::size_t i) const { return i < count_ ? *inline_[i] : *more_[i - count_]; }
  /// The first object whose memory begins at an address; null: there is none.
  [[nodiscard]] MemObject* find(const std::byte* begin) const {
    for (std::size_t i = 0; i < size(); ++i)
      if ((*this)[i].data() == begin) return &(*this)[i];
    return nullptr;
  }

 private:
  MemObject* inline_[kInline];
  std::size_t count_ = 0;
  std::vector<Ref<MemObject>> more_;
};

}  // namespace lanewise
