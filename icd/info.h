// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries as tables: one row for each parameter, one writer for all.
///
/// A row is {parameter, type, getter}. The type is the specification's type of the parameter; a getter of another type
/// does not compile. The getter returns a value, and `InfoWriter` copies it by the rules of every clGet*Info: a null
/// pointer asks for the size only, a buffer that is too small is CL_INVALID_VALUE, the size is always reported, strings
/// include their terminator, sequences may be empty. A parameter without a row is CL_INVALID_VALUE. The tests iterate
/// over the same tables.
#pragma once

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "icd/boundary.h"

namespace lanewise {

/// The arguments of one clGet*Info: writes an answer of any type.
class InfoWriter {
 public:
  InfoWriter(std::size_t size, void* value, std::size_t* size_ret) : size_(size), value_(value), size_ret_(size_ret) {}

  template <class T>
    requires std::is_trivially_copyable_v<T>
  void write(const T& value) {
    raw(&value, sizeof value);
  }
  void write(bool value) { write<cl_bool>(value ? CL_TRUE : CL_FALSE); }
  void write(const std::string& value) { raw(value.c_str(), value.size() + 1); }
  void write(const char* value) { raw(value, std::strlen(value) + 1); }
  template <class T>
  void write(const std::vector<T>& values) {
    raw(values.data(), values.size() * sizeof(T));
  }
  template <class T>
  void write(std::span<const T> values) {
    raw(values.data(), values.size_bytes());
  }

 private:
  void raw(const void* data, std::size_t bytes) {
    if (value_ != nullptr) {
      require(size_ >= bytes, CL_INVALID_VALUE, "param_value_size is too small");
      if (bytes != 0) std::memcpy(value_, data, bytes);
    }
    if (size_ret_ != nullptr) *size_ret_ = bytes;
  }
  std::size_t size_;
  void* value_;
  std::size_t* size_ret_;
};

/// The type of a row's answer: `type<cl_uint>`, `type<char[]>`, `type<cl_device_id[]>`.
template <class T>
struct Type {};
template <class T>
inline constexpr Type<T> type{};

/// Whether a getter that returns `Value` answers a query with the type T in the specification.
template <class T, class Value>
inline constexpr bool kAnswers = std::is_same_v<T, Value>;
template <>
inline constexpr bool kAnswers<cl_bool, bool> = true;
template <class Value>
inline constexpr bool kAnswers<char[], Value> =
    std::is_same_v<Value, const char*> || std::is_same_v<Value, std::string>;
template <class T>
inline constexpr bool kAnswers<T[], std::vector<T>> = true;
template <class T>
inline constexpr bool kAnswers<T[], std::span<const T>> = true;
template <class T, std::size_t count>
inline constexpr bool kAnswers<T[], std::array<T, count>> = true;
template <class T, std::size_t count>
inline constexpr bool kAnswers<T[count], std::array<T, count>> = true;

/// One query of objects of class T. `Extra` are the other objects that the query depends on, for example the device of
/// a build query.
template <class T, class... Extra>
struct Row {
  template <class Answer, class Getter>
    requires kAnswers<Answer, std::remove_cvref_t<std::invoke_result_t<Getter, const T&, const Extra&...>>>
  constexpr Row(cl_uint parameter, Type<Answer> /*names it*/, Getter /*empty: called through its type*/)
      : param(parameter),
        get([](const T& object, const Extra&... extra, InfoWriter& out) { out.write(Getter{}(object, extra...)); }) {}

  cl_uint param;
  void (*get)(const T&, const Extra&..., InfoWriter&);
};

/// Answers one query by its table.
template <class T, class... Extra>
void answer(std::span<const Row<T, Extra...>> table, cl_uint param, const T& object, const Extra&... extra,
            InfoWriter out) {
  for (const auto& row : table) {
    if (row.param == param) return row.get(object, extra..., out);
  }
  throw ApiError{CL_INVALID_VALUE, "param_name is not a query of this object"};
}

/// Answers one query by a table that is an array.
template <class T, class... Extra, std::size_t count>
void answer(const Row<T, Extra...> (&table)[count], cl_uint param, const T& object, const Extra&... extra,
            InfoWriter out) {
  answer(std::span<const Row<T, Extra...>>(table), param, object, extra..., out);
}

}  // namespace lanewise
