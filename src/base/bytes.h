// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Length-prefixed little-endian encoding, used for compiler messages, cache keys and program binaries.
///
/// A reader does not trust its input: it checks the bounds of every read. After the first failure all further reads
/// return empty values and `ok()` is false.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lanewise {

using Bytes = std::vector<std::uint8_t>;

/// Encodes values.
class ByteWriter {
 public:
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void number(T value) {
    const auto* raw = reinterpret_cast<const std::uint8_t*>(&value);
    out_.insert(out_.end(), raw, raw + sizeof value);
  }
  void text(std::string_view value) { blob({reinterpret_cast<const std::uint8_t*>(value.data()), value.size()}); }
  void blob(std::span<const std::uint8_t> value) {
    number<std::uint64_t>(value.size());
    out_.insert(out_.end(), value.begin(), value.end());
  }
  /// Writes a count, then calls `each(element)` for each element.
  template <class Range, class Each>
  void list(const Range& range, Each&& each) {
    number<std::uint32_t>(static_cast<std::uint32_t>(range.size()));
    for (const auto& element : range) each(element);
  }
  [[nodiscard]] const Bytes& bytes() const { return out_; }
  [[nodiscard]] Bytes take() { return std::move(out_); }

 private:
  Bytes out_;
};

/// Decodes values from a span that outlives the reader.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> input) : rest_(input) {}

  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  T number() {
    T value{};
    if (rest_.size() < sizeof value) {
      fail();
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  std::string text() {
    const auto view = blob_view();
    return {reinterpret_cast<const char*>(view.data()), view.size()};
  }
  Bytes blob() {
    const auto view = blob_view();
    return {view.begin(), view.end()};
  }
  /// A view of a blob in the input, valid as long as the input.
  std::span<const std::uint8_t> blob_view() {
    const auto size = number<std::uint64_t>();
    if (size > rest_.size()) {
      fail();
      return {};
    }
    const auto view = rest_.first(size);
    rest_ = rest_.subspan(size);
    return view;
  }
  /// Reads a list that ByteWriter::list has written. `read()` decodes one element. With a damaged count the reader
  /// stops at the end of the input.
  template <class T, class Read>
  std::vector<T> list(Read&& read) {
    std::vector<T> out;
    const auto count = number<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && ok_; ++i) out.push_back(read());
    return out;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  void fail() {
    ok_ = false;
    rest_ = {};
  }
  std::span<const std::uint8_t> rest_;
  bool ok_ = true;
};

}  // namespace lanewise
