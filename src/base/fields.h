// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Structures that list their fields once, for both directions of an encoding (bytes.h):
///
///     struct Place {
///       std::string path;
///       std::uint32_t line = 0;
///       template <class Self, class Fields>
///       static void visit(Self& self, Fields& fields) { fields(self.path, self.line); }
///     };
///
/// A field is a number, an enumerator, a bool (one byte), text, bytes, an instruction set, a structure with a `visit`,
/// or an array, a list or a variant of these (the number of the alternative, then its value).
///
/// Structures that come from outside list the bound of each number: `fields(self.path, bounded(self.line,
/// at_most(kLines)))`. `FieldChecker` visits the same list and does not compile if a number has no bound.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "src/base/bytes.h"
#include "src/base/isa.h"

namespace lanewise {

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// A number, or an array of numbers, with the rule that says which values are legal. It is encoded as the number.
template <class T, class Rule>
struct Bounded {
  T& value;
  Rule rule;
};

template <class T, class Rule>
constexpr Bounded<T, Rule> bounded(T& value, Rule rule) {
  return {value, rule};
}

/// Rules for numbers that are not negative.
inline constexpr auto any_value = [](auto /*value*/) { return true; };
template <class Most>
constexpr auto at_most(Most most) {
  return [most](auto value) { return static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(most); };
}
constexpr auto between(std::uint64_t least, std::uint64_t most) {
  return [least, most](std::uint64_t value) { return value >= least && value <= most; };
}
/// The rule for 1, 2, 4 and so on.
constexpr auto power_of_two(std::uint64_t most) {
  return [most](std::uint64_t value) { return std::has_single_bit(value) && value <= most; };
}
template <class... Values>
constexpr auto one_of(Values... values) {
  return [values...](auto value) { return ((value == values) || ...); };
}

/// Encodes fields.
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
  template <class T, class Rule>
  void write(const Bounded<T, Rule>& field) {
    write(field.value);
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
  template <class... Alternatives>
  void write(const std::variant<Alternatives...>& value) {
    out_.number(static_cast<std::uint32_t>(value.index()));
    std::visit([this](const auto& alternative) { this->write(alternative); }, value);
  }
  template <class T>
    requires requires(const T& value, FieldWriter& fields) { T::visit(value, fields); }
  void write(const T& value) {
    T::visit(value, *this);
  }

  ByteWriter out_;
};

/// Decodes fields. If a field cannot be read, it and all later fields are empty, and `complete()` is false.
class FieldReader {
 public:
  explicit FieldReader(std::span<const std::uint8_t> input) : in_(input) {}

  template <class... Fields>
  void operator()(Fields&&... fields) {
    (read(fields), ...);
  }
  [[nodiscard]] bool ok() const { return valid_ && in_.ok(); }
  /// Whether all fields have been read and no input is left.
  [[nodiscard]] bool complete() const { return ok() && in_.at_end(); }

 private:
  template <Number T>
  void read(T& value) {
    value = in_.number<T>();
  }
  template <class T, class Rule>
  void read(const Bounded<T, Rule>& field) {
    read(field.value);
  }
  void read(bool& value) { value = in_.number<std::uint8_t>() != 0; }
  void read(std::string& value) { value = in_.text(); }
  void read(Bytes& value) { value = in_.blob(); }
  /// Reads a view of the input.
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
  template <class... Alternatives>
  void read(std::variant<Alternatives...>& value) {
    const auto number = in_.number<std::uint32_t>();
    valid_ = valid_ && number < sizeof...(Alternatives);
    std::uint32_t index = 0;
    ((index++ == number ? read(value.template emplace<Alternatives>()) : void()), ...);
  }
  template <class T>
    requires requires(T& value, FieldReader& fields) { T::visit(value, fields); }
  void read(T& value) {
    T::visit(value, *this);
  }

  ByteReader in_;
  bool valid_ = true;
};

/// Checks that every number of a structure is within its bound and that no text has a zero byte.
class FieldChecker {
 public:
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (check(fields), ...);
  }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  template <class T, class Rule>
  void check(const Bounded<T, Rule>& field) {
    if constexpr (Number<std::remove_cv_t<T>>)
      ok_ = ok_ && field.rule(field.value);
    else
      for (const auto& value : field.value) ok_ = ok_ && field.rule(value);
  }
  template <Number T>
  void check(const T& /*value*/) {
    static_assert(std::is_same_v<T, bool>, "a number without a bound");
  }
  void check(const std::string& value) { ok_ = ok_ && value.find('\0') == std::string::npos; }
  void check(const Bytes& /*any*/) {}
  template <class T>
  void check(const std::vector<T>& values) {
    for (const T& value : values) check(value);
  }
  template <class T>
    requires requires(const T& value, FieldChecker& fields) { T::visit(value, fields); }
  void check(const T& value) {
    T::visit(value, *this);
  }

  bool ok_ = true;
};

}  // namespace lanewise
