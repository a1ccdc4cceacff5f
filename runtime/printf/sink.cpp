// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/printf/sink.h"

#include <algorithm>
#include <cstdio>
#include <exception>

namespace lanewise {

bool PrintSink::add(std::uint64_t group, const std::string& text) noexcept {
  const MutexLock lock(mutex_);
  try {
    if (text_.size() + text.size() > limit_) write();
    const std::size_t needed = text_.size() + text.size();
    // Reserved before the piece is added, so that adding the text cannot fail; doubled, as the string would do itself.
    if (needed > text_.capacity()) text_.reserve(std::max(needed, 2 * text_.capacity()));
    if (!pieces_.empty() && pieces_.back().group == group) {
      pieces_.back().size += text.size();
    } else {
      pieces_.push_back({group, text_.size(), text.size()});
    }
    text_ += text;
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void PrintSink::flush() noexcept {
  const MutexLock lock(mutex_);
  write();
}

void PrintSink::write() noexcept {
  if (text_.empty()) return;
  // Within a group by position, which has the effect of a stable sort but allocates nothing.
  std::sort(pieces_.begin(), pieces_.end(),
            [](const Piece& a, const Piece& b) { return a.group != b.group ? a.group < b.group : a.begin < b.begin; });
  flockfile(stdout);
  for (const Piece& piece : pieces_) fwrite(text_.data() + piece.begin, 1, piece.size, stdout);
  fflush(stdout);
  funlockfile(stdout);
  pieces_.clear();
  text_.clear();
}

}  // namespace lanewise
