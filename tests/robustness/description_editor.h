// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Changes one field of a description (compiler_abi.h), found by its place in the list of fields that also writes it: a
/// new field is edited without a change here.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "src/base/fields.h"

namespace lanewise::robustness {

/// How many values a field is set to, one after the other.
inline constexpr std::size_t kEdits = 9;

class DescriptionEditor {
 public:
  /// @param place  number of the field, from 0
  /// @param edit   below kEdits
  DescriptionEditor(std::size_t place, std::size_t edit) : left_(place), edit_(edit) {}

  template <class... Fields>
  void operator()(Fields&&... fields) {
    (change(fields), ...);
  }
  /// Whether there is such a field.
  [[nodiscard]] bool found() const { return found_; }
  /// Whether it has another value than before.
  [[nodiscard]] bool changed() const { return changed_; }

 private:
  bool is_here() {
    if (found_ || left_-- != 0) return false;
    return found_ = true;
  }
  template <class T>
  void set(T& field, T value) {
    changed_ = !(field == value);
    field = std::move(value);
  }

  template <class T, class Rule>
  void change(const Bounded<T, Rule>& field) {
    change(field.value);
  }
  template <Number T>
  void change(T& field) {
    if (!is_here()) return;
    if constexpr (std::is_same_v<T, bool>) {
      if (edit_ == 0) set(field, !field);
    } else {
      constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() >> (64 - 8 * sizeof(T));
      const auto old = static_cast<std::uint64_t>(field);
      const std::array<std::uint64_t, kEdits> values = {
          0, 1, kMost, kMost / 2, kMost / 2 + 1, old + 1, old - 1, std::uint64_t{1} << 16, std::uint64_t{1} << 40};
      set(field, static_cast<T>(values[edit_] & kMost));
    }
  }
  void change(std::string& field) {
    if (!is_here()) return;
    const std::array<std::string, 5> values = {"", field + "x", std::string(1, '\0'), std::string(100'000, 'a'),
                                               field.substr(0, field.size() / 2)};
    if (edit_ < values.size()) set(field, values[edit_]);
  }
  void change(Bytes& field) {
    if (!is_here()) return;
    if (edit_ == 0) set(field, Bytes());
    if (edit_ == 1) set(field, Bytes(1 << 20, 0xff));
  }
  template <class T, std::size_t count>
  void change(std::array<T, count>& field) {
    for (T& value : field) change(value);
  }
  /// The list loses its last element, or has it twice.
  template <class T>
  void change(std::vector<T>& field) {
    if (is_here()) {
      if (field.empty() || edit_ > 1) return;
      changed_ = true;
      if (edit_ == 0)
        field.pop_back();
      else
        field.push_back(T(field.back()));
      return;
    }
    for (T& value : field) change(value);
  }
  template <class T>
    requires requires(T& value, DescriptionEditor& fields) { T::visit(value, fields); }
  void change(T& field) {
    T::visit(field, *this);
  }

  std::size_t left_;
  std::size_t edit_;
  bool found_ = false;
  bool changed_ = false;
};

}  // namespace lanewise::robustness
