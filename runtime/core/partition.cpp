// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/partition.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lanewise {

namespace {

using host::CpuList;
using Units = std::span<const unsigned>;
using Property = cl_device_partition_property;

struct DomainRow {
  cl_device_affinity_domain bit;
  host::Domain domain;
};

/// In the order of the search for the next partitionable domain.
constexpr std::array<DomainRow, 5> kDomains{{
    {CL_DEVICE_AFFINITY_DOMAIN_NUMA, host::Domain::numa},
    {CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, host::Domain::l4_cache},
    {CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, host::Domain::l3_cache},
    {CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, host::Domain::l2_cache},
    {CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, host::Domain::l1_cache},
}};

CpuList slice(Units units, std::size_t first, std::size_t count) {
  const auto part = units.subspan(first, count);
  return {part.begin(), part.end()};
}

Result<Partition> equally(Units units, const Property* properties) {
  const Property size = properties[1];
  if (size <= 0 || properties[2] != 0) return Error{CL_INVALID_VALUE, "no number of compute units, or a second scheme"};
  // The specification names this error for counts only; the conformance tests expect it here too.
  if (std::cmp_greater(size, units.size()))
    return Error{CL_INVALID_DEVICE_PARTITION_COUNT, "more compute units than the device has"};
  if (std::cmp_equal(size, units.size()))
    return Error{CL_DEVICE_PARTITION_FAILED, "a sub-device with all compute units would not divide the device"};
  const auto step = static_cast<std::size_t>(size);
  Partition out;
  for (std::size_t at = 0; at + step <= units.size(); at += step) out.parts.push_back(slice(units, at, step));
  out.type.assign(properties, properties + 3);
  return out;
}

Result<Partition> by_counts(Units units, const Property* properties) {
  const Property* end = properties + 1;
  std::size_t used = 0;
  Partition out;
  for (; *end != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++end) {
    const Property count = *end;
    if (count < 0 || std::cmp_greater(count, units.size() - used) || out.parts.size() == units.size())
      return Error{CL_INVALID_DEVICE_PARTITION_COUNT, "more compute units than the device has"};
    out.parts.push_back(slice(units, used, static_cast<std::size_t>(count)));
    used += static_cast<std::size_t>(count);
  }
  if (out.parts.empty() || end[1] != 0) return Error{CL_INVALID_VALUE, "no counts, or a second scheme"};
  if (units.size() < 2) return Error{CL_DEVICE_PARTITION_FAILED, "the device has one compute unit"};
  out.type.assign(properties, end + 2);
  return out;
}

Result<Partition> by_names(Units units, const Property* properties) {
  const Property* end = properties + 1;
  std::vector<bool> taken(units.size());
  CpuList part;
  for (; *end != CL_PARTITION_BY_NAMES_LIST_END_INTEL; ++end) {
    if (*end < 0 || std::cmp_greater_equal(*end, units.size()) || taken[static_cast<std::size_t>(*end)])
      return Error{CL_INVALID_VALUE, "not the name of a compute unit, or one twice"};
    taken[static_cast<std::size_t>(*end)] = true;
    part.push_back(units[static_cast<std::size_t>(*end)]);
  }
  if (part.empty() || end[1] != 0) return Error{CL_INVALID_VALUE, "no names, or a second scheme"};
  if (units.size() < 2) return Error{CL_DEVICE_PARTITION_FAILED, "the device has one compute unit"};
  std::sort(part.begin(), part.end());
  return Partition{{std::move(part)}, {properties, end + 2}};
}

Result<Partition> by_affinity(Units units, const Property* properties, const std::string& root) {
  const auto wanted = static_cast<cl_device_affinity_domain>(properties[1]);
  if (wanted == 0 || properties[2] != 0) return Error{CL_INVALID_VALUE, "no affinity domain, or a second scheme"};
  const bool next = wanted == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  bool known = next;
  for (const auto& [bit, domain] : kDomains) {
    if (!next && bit != wanted) continue;
    auto parts = host::group_by(units, domain, root);
    known |= !parts.empty();
    if (parts.size() < 2) continue;
    return Partition{std::move(parts), {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, static_cast<Property>(bit), 0}};
  }
  if (!known) return Error{CL_INVALID_VALUE, "the device has no such affinity domain"};
  return Error{CL_DEVICE_PARTITION_FAILED, "all compute units share the affinity domain"};
}

}  // namespace

Result<Partition> plan_partition(Units units, const Property* properties, const std::string& root) {
  if (properties == nullptr) return Error{CL_INVALID_VALUE, "properties is null"};
  switch (properties[0]) {
    case CL_DEVICE_PARTITION_EQUALLY:
      return equally(units, properties);
    case CL_DEVICE_PARTITION_BY_COUNTS:
      return by_counts(units, properties);
    case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
      return by_affinity(units, properties, root);
    case CL_DEVICE_PARTITION_BY_NAMES_INTEL:
      return by_names(units, properties);
    default:
      return Error{CL_INVALID_VALUE, "not a partition scheme"};
  }
}

cl_device_affinity_domain affinity_domains(Units units, const std::string& root) {
  constexpr cl_device_affinity_domain kListed = CL_DEVICE_AFFINITY_DOMAIN_NUMA;
  cl_device_affinity_domain out = 0;
  for (const auto& [bit, domain] : kDomains)
    if (host::group_by(units, domain, root).size() >= 2)
      out |= (bit & kListed) | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  return out;
}

std::vector<Property> partition_schemes(Units units, const std::string& root) {
  if (units.size() < 2) return {0};
  std::vector<Property> out{CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS,
                            CL_DEVICE_PARTITION_BY_NAMES_INTEL};
  if (affinity_domains(units, root) != 0) out.push_back(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  return out;
}

}  // namespace lanewise
