// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Property lists as tables. A list is pairs of name and value, closed by 0, with each name at most once and in any
/// order. Contexts, queues, memory objects, samplers and allocations share one reader. (The list of clCreateSubDevices
/// has another form, one scheme with its values: runtime/core/partition.h.)
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "icd/boundary.h"

namespace lanewise {

/// A property of the objects that T describes. `take` checks a value and stores it in a T; it throws `ApiError` if the
/// value is not legal.
template <class Property, class T>
struct PropertyRow {
  Property name;
  void (*take)(T& target, Property value);
};

/// Reads `list`, which may be null, into `target`. Returns a copy with the closing 0 for queries; empty: `list` is
/// null. Throws `refusal` for a name that has no row and for a name that appears twice.
template <class Property, class T, std::size_t count>
std::vector<Property> read_properties(const Property* list, const PropertyRow<Property, T> (&known)[count], T& target,
                                      cl_int refusal) {
  if (list == nullptr) return {};
  std::array<bool, count> seen{};
  const Property* at = list;
  for (; *at != 0; at += 2) {
    std::size_t row = 0;
    while (row < count && known[row].name != at[0]) ++row;
    require(row < count, refusal, "unknown property");
    require(!std::exchange(seen[row], true), refusal, "the same property twice");
    known[row].take(target, at[1]);
  }
  return {list, at + 1};
}

/// The value of a property in a list that has been read; nothing: the list does not have it.
template <class Property>
std::optional<Property> property_in(const std::vector<Property>& list, Property name) {
  for (std::size_t i = 0; i + 1 < list.size(); i += 2)
    if (list[i] == name) return list[i + 1];
  return std::nullopt;
}

/// Reads the list of an object without properties: the only legal list is empty. Throws `refusal`.
template <class Property>
std::vector<Property> read_no_properties(const Property* list, cl_int refusal) {
  if (list == nullptr) return {};
  require(*list == 0, refusal, "unknown property");
  return {0};
}

}  // namespace lanewise
