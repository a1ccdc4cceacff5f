// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/transfer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "runtime/check/known_memory.h"
#include "runtime/exec/described.h"
#include "runtime/memory/stream.h"
#include "src/base/rounding.h"

namespace lanewise {

namespace {

/// Bytes that one piece moves: large enough that a piece costs far more than its scheduling, small enough to share.
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;

std::uint64_t pieces_for(std::size_t bytes) {
  return divide_up(bytes, kPieceBytes);
}

/// Bytes of a row from which streaming is faster, in spite of its unaligned ends and its fence.
constexpr std::size_t kLongRow = 4096;

/// A high estimate (8 GB/s), which only decides whether to wake threads for a transfer.
std::uint64_t ns_for(std::size_t bytes) {
  return bytes / 8 + 1;
}

std::uintptr_t number(const CopySide& place) {
  return reinterpret_cast<std::uintptr_t>(place.address);
}

class CopyWork final : public Work, public Described {
 public:
  CopyWork(CopySide destination, CopySide source, std::size_t size)
      : destination_(std::move(destination)),
        source_(std::move(source)),
        size_(size),
        streams_(worth_streaming(2 * size)),
        overlaps_(ranges_overlap(number(destination_), size, number(source_), size)) {}

  [[nodiscard]] std::uint64_t pieces() const override {
    if (destination_.address == source_.address) return 0;
    return overlaps_ ? 1 : pieces_for(size_);
  }
  std::uint64_t piece_ns() const override { return ns_for(overlaps_ ? size_ : std::min(size_, kPieceBytes)); }
  [[nodiscard]] Imported imported() const noexcept override {
    return worse(destination_.imported(), source_.imported());
  }
  cl_int run(Worker&, std::uint64_t first, std::uint64_t last) const noexcept override {
    if (overlaps_) {
      std::memmove(destination_.address, source_.address, size_);
      return CL_SUCCESS;
    }
    const std::size_t begin = first * kPieceBytes;
    const std::size_t end = std::min(size_, last * kPieceBytes);
    if (streams_) {
      stream_copy(destination_.address + begin, source_.address + begin, end - begin);
    } else {
      std::memcpy(destination_.address + begin, source_.address + begin, end - begin);
    }
    return CL_SUCCESS;
  }

  [[nodiscard]] WorkFacts facts() const noexcept override { return {.bytes = size_}; }

 private:
  CopySide destination_;
  CopySide source_;
  std::size_t size_;
  bool streams_;
  bool overlaps_;
};

class RectCopyWork final : public Work, public Described {
 public:
  RectCopyWork(CopySide destination, const Pitch& destination_pitch, CopySide source, const Pitch& source_pitch,
               const Region& region)
      : destination_(std::move(destination)),
        source_(std::move(source)),
        destination_pitch_(destination_pitch),
        source_pitch_(source_pitch),
        region_(region),
        streams_(region[0] >= kLongRow && worth_streaming(2 * region[0] * region[1] * region[2])),
        overlaps_(regions_overlap(number(destination_), destination_pitch, number(source_), source_pitch, region)) {}

  std::uint64_t pieces() const override { return overlaps_ ? 1 : rows(); }
  std::uint64_t grain() const override { return overlaps_ ? 1 : std::max<std::uint64_t>(1, kPieceBytes / region_[0]); }
  std::uint64_t piece_ns() const override { return ns_for(overlaps_ ? region_[0] * rows() : region_[0]); }
  [[nodiscard]] Imported imported() const noexcept override {
    return worse(destination_.imported(), source_.imported());
  }
  cl_int run(Worker&, std::uint64_t first, std::uint64_t last) const noexcept override {
    if (overlaps_) {
      move_rows();
      return CL_SUCCESS;
    }
    for (std::uint64_t row = first; row < last; ++row) {
      if (streams_) {
        stream_copy(target(row), origin(row), region_[0]);
      } else {
        std::memcpy(target(row), origin(row), region_[0]);
      }
    }
    return CL_SUCCESS;
  }

  [[nodiscard]] WorkFacts facts() const noexcept override { return {.bytes = region_[0] * region_[1] * region_[2]}; }

 private:
  [[nodiscard]] std::uint64_t rows() const { return region_[1] * region_[2]; }
  [[nodiscard]] std::byte* row_of(const CopySide& place, const Pitch& pitch, std::uint64_t row) const {
    return place.address + row / region_[1] * pitch.slice + row % region_[1] * pitch.row;
  }
  [[nodiscard]] std::byte* target(std::uint64_t row) const { return row_of(destination_, destination_pitch_, row); }
  [[nodiscard]] const std::byte* origin(std::uint64_t row) const { return row_of(source_, source_pitch_, row); }

  /// In the order of memmove: with equal pitches no row is overwritten before it is read.
  void move_rows() const {
    const std::uint64_t count = rows();
    const bool downwards = number(destination_) > number(source_);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t row = downwards ? count - 1 - i : i;
      if (target(row) != origin(row)) std::memmove(target(row), origin(row), region_[0]);
    }
  }

  CopySide destination_;
  CopySide source_;
  Pitch destination_pitch_;
  Pitch source_pitch_;
  Region region_;
  bool streams_;
  bool overlaps_;
};

class FillWork final : public Work, public Described {
 public:
  FillWork(CopySide destination, std::size_t size, std::span<const std::byte> pattern)
      : destination_(std::move(destination)), size_(size), streams_(worth_streaming(size)) {
    // The pattern is repeated to 128 bytes, the size of the largest one (sizes are powers of two, so each divides it).
    // The inner loop then copies whole cache lines for every pattern.
    for (std::size_t i = 0; i < line_.size(); ++i) line_[i] = pattern[i % pattern.size()];
  }

  std::uint64_t pieces() const override { return pieces_for(size_); }
  std::uint64_t piece_ns() const override { return ns_for(std::min(size_, kPieceBytes)); }
  [[nodiscard]] Imported imported() const noexcept override { return destination_.imported(); }
  cl_int run(Worker&, std::uint64_t first, std::uint64_t last) const noexcept override {
    const std::size_t end = std::min(size_, last * kPieceBytes);
    const std::size_t begin = first * kPieceBytes;
    if (streams_) {
      stream_fill(destination_.address + begin, end - begin, line_);
      return CL_SUCCESS;
    }
    for (std::size_t at = begin; at < end; at += line_.size())
      std::memcpy(destination_.address + at, line_.data(), std::min(line_.size(), end - at));
    return CL_SUCCESS;
  }

  [[nodiscard]] WorkFacts facts() const noexcept override { return {.bytes = size_}; }

 private:
  CopySide destination_;
  std::size_t size_;
  bool streams_;
  alignas(64) std::array<std::byte, 128> line_;
};

class RectFillWork final : public Work, public Described {
 public:
  RectFillWork(CopySide destination, const Pitch& pitch, const Region& region, std::span<const std::byte> element)
      : destination_(std::move(destination)),
        pitch_(pitch),
        region_(region),
        streams_(region[0] >= kLongRow && worth_streaming(region[0] * region[1] * region[2]) &&
                 kLine % element.size() == 0) {
    // As many whole elements as fit, so that a row is filled by few long copies.
    line_bytes_ = line_.size() / element.size() * element.size();
    for (std::size_t i = 0; i < line_bytes_; ++i) line_[i] = element[i % element.size()];
  }

  std::uint64_t pieces() const override { return region_[1] * region_[2]; }
  std::uint64_t grain() const override { return std::max<std::uint64_t>(1, kPieceBytes / region_[0]); }
  std::uint64_t piece_ns() const override { return ns_for(region_[0]); }
  [[nodiscard]] Imported imported() const noexcept override { return destination_.imported(); }
  cl_int run(Worker&, std::uint64_t first, std::uint64_t last) const noexcept override {
    for (std::uint64_t row = first; row < last; ++row) {
      std::byte* to = destination_.address + row / region_[1] * pitch_.slice + row % region_[1] * pitch_.row;
      if (streams_) {
        stream_fill(to, region_[0], line_);
        continue;
      }
      for (std::size_t at = 0; at < region_[0]; at += line_bytes_)
        std::memcpy(to + at, line_.data(), std::min(line_bytes_, region_[0] - at));
    }
    return CL_SUCCESS;
  }

  [[nodiscard]] WorkFacts facts() const noexcept override { return {.bytes = region_[0] * region_[1] * region_[2]}; }

 private:
  static constexpr std::size_t kLine = 256;

  CopySide destination_;
  Pitch pitch_;
  Region region_;
  bool streams_;
  std::size_t line_bytes_;
  alignas(64) std::array<std::byte, kLine> line_;
};

/// Whether a region is contiguous, without gaps between its rows and slices.
bool is_linear(const Region& region, const Pitch& pitch) {
  return (region[1] == 1 || pitch.row == region[0]) && (region[2] == 1 || pitch.slice == region[0] * region[1]);
}

class KeepWork final : public Work {
 public:
  explicit KeepWork(std::vector<Ref<MemObject>> objects) : objects_(std::move(objects)) {}
  /// It runs only in order to fail if an object is lost.
  std::uint64_t pieces() const override { return imported() == Imported::none ? 0 : 1; }
  std::uint64_t piece_ns() const override { return 1; }
  [[nodiscard]] Imported imported() const noexcept override {
    Imported worst = Imported::none;
    for (const auto& object : objects_) worst = worse(worst, imported_at(object->data()));
    return worst;
  }
  cl_int run(Worker&, std::uint64_t, std::uint64_t) const noexcept override { return CL_SUCCESS; }

 private:
  std::vector<Ref<MemObject>> objects_;
};

}  // namespace

WorkPtr make_copy(CopySide destination, CopySide source, std::size_t size) {
  check::note_written(destination.address);
  return std::make_unique<CopyWork>(std::move(destination), std::move(source), size);
}

WorkPtr make_rect_copy(CopySide destination, const Pitch& destination_pitch, CopySide source, const Pitch& source_pitch,
                       const Region& region) {
  if (is_linear(region, destination_pitch) && is_linear(region, source_pitch))
    return make_copy(std::move(destination), std::move(source), region[0] * region[1] * region[2]);
  check::note_written(destination.address);
  return std::make_unique<RectCopyWork>(std::move(destination), destination_pitch, std::move(source), source_pitch,
                                        region);
}

WorkPtr make_fill(CopySide destination, std::size_t size, std::span<const std::byte> pattern) {
  check::note_written(destination.address);
  return std::make_unique<FillWork>(std::move(destination), size, pattern);
}

WorkPtr make_rect_fill(CopySide destination, const Pitch& pitch, const Region& region,
                       std::span<const std::byte> element) {
  if (is_linear(region, pitch) && std::has_single_bit(element.size()))
    return make_fill(std::move(destination), region[0] * region[1] * region[2], element);
  check::note_written(destination.address);
  return std::make_unique<RectFillWork>(std::move(destination), pitch, region, element);
}

WorkPtr make_keep(std::vector<Ref<MemObject>> objects) {
  // The application writes to maps.
  for (const Ref<MemObject>& object : objects) check::note_written(object->data());
  return std::make_unique<KeepWork>(std::move(objects));
}

}  // namespace lanewise
