// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Structures that name their fields once, for both directions of an encoding (bytes.h):
///
///     struct Place {
///       std::string path;
///       std::uint32_t line = 0;
///       template <class Self, class Fields>
///       static void visit(Self& self, Fields& fields) { fields(self.path, self.line); }
///     };
///
/// A field is a number, an enumerator, a bool (one byte), text, bytes, an instruction set, a structure with a `visit`,
/// or an array or a list of these.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/base/isa.h"

namespace lanewise {

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class FieldWriter {
 public:
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (write(fields), ...);
  }
  [[nodiscard]] const Bytes& bytes() const { return out_.bytes(); }
  [[nodiscard]] Bytes take() { return out_.take(); }

 private:
  template <Number T>
  void write(T value) {
    out_.number(value);
  }
  void write(const std::string& value) { out_.text(value); }
  void write(const Bytes& value) { out_.blob(value); }
  void write(std::span<const std::uint8_t> value) { out_.blob(value); }
  void write(Isa value) { (*this)(value.number(), value.features()); }
  template <class T, std::size_t count>
  void write(const std::array<T, count>& values) {
    for (const T& value : values) write(value);
  }
  template <class T>
  void write(const std::vector<T>& values) {
    out_.list(values, [&](const T& value) { write(value); });
  }
  template <class T>
    requires requires(const T& value, FieldWriter& fields) { T::visit(value, fields); }
  void write(const T& value) {
    T::visit(value, *this);
  }

  ByteWriter out_;
};

/// If a field cannot be read, it and all later fields are empty, and `complete()` is false.
class FieldReader {
 public:
  explicit FieldReader(std::span<const std::uint8_t> input) : in_(input) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (read(fields), ...);
  }
  [[nodiscard]] bool ok() const { return valid_ && in_.ok(); }
  /// Whether everything was read and no input is left.
  [[nodiscard]] bool complete() const { return ok() && in_.at_end(); }

 private:
  template <Number T>
  void read(T& value) {
    value = in_.number<T>();
  }
  void read(bool& value) { value = in_.number<std::uint8_t>() != 0; }
  void read(std::string& value) { value = in_.text(); }
  void read(Bytes& value) { value = in_.blob(); }
  /// The result is a view of the input.
  void read(std::span<const std::uint8_t>& value) { value = in_.blob_view(); }
  void read(Isa& value) {
    std::uint32_t number = 0;
    std::uint32_t features = 0;
    (*this)(number, features);
    const auto isa = Isa::from_numbers(number, features);
    valid_ = valid_ && isa.has_value();
    value = isa.value_or(Isa());
  }
  template <class T, std::size_t count>
  void read(std::array<T, count>& values) {
    for (T& value : values) read(value);
  }
  template <class T>
  void read(std::vector<T>& values) {
    values = in_.list<T>([&] {
      T value{};
      read(value);
      return value;
    });
  }
  template <class T>
    requires requires(T& value, FieldReader& fields) { T::visit(value, fields); }
  void read(T& value) {
    T::visit(value, *this);
  }

  ByteReader in_;
  bool valid_ = true;
};

}  // namespace lanewise
