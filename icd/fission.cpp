// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/fission.h"

#include <algorithm>
#include <iterator>

namespace lanewise {

namespace {

using Core = cl_device_partition_property;
using Older = cl_device_partition_property_ext;

struct DevicePair {
  Core core;
  Older older;
};

constexpr DevicePair kSchemes[] = {
    {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_EQUALLY_EXT},
    {CL_DEVICE_PARTITION_BY_COUNTS, CL_DEVICE_PARTITION_BY_COUNTS_EXT},
    {CL_DEVICE_PARTITION_BY_NAMES_INTEL, CL_DEVICE_PARTITION_BY_NAMES_EXT},
    {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT},
};

constexpr DevicePair kDomains[] = {
    {CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, CL_AFFINITY_DOMAIN_L1_CACHE_EXT},
    {CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, CL_AFFINITY_DOMAIN_L2_CACHE_EXT},
    {CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_AFFINITY_DOMAIN_L3_CACHE_EXT},
    {CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, CL_AFFINITY_DOMAIN_L4_CACHE_EXT},
    {CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_AFFINITY_DOMAIN_NUMA_EXT},
    {CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, CL_AFFINITY_DOMAIN_NEXT_FISSIONABLE_EXT},
};

/// 0, which is neither a scheme nor a domain, for what is not in the table.
template <std::size_t count>
Core core_of(const DevicePair (&table)[count], Older value) {
  const auto* found =
      std::find_if(std::begin(table), std::end(table), [&](DevicePair row) { return row.older == value; });
  return found == std::end(table) ? 0 : found->core;
}
template <std::size_t count>
Older older_of(const DevicePair (&table)[count], Core value) {
  const auto* found =
      std::find_if(std::begin(table), std::end(table), [&](DevicePair row) { return row.core == value; });
  return found == std::end(table) ? 0 : found->older;
}

}  // namespace

std::vector<Core> core_partition(const Older* list) {
  require(list != nullptr, CL_INVALID_VALUE, "properties is NULL");
  const Core scheme = core_of(kSchemes, list[0]);
  require(scheme != 0, CL_INVALID_VALUE, "unknown scheme");
  if (scheme == CL_DEVICE_PARTITION_EQUALLY) return {scheme, static_cast<Core>(list[1]), 0};
  if (scheme == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) return {scheme, core_of(kDomains, list[1]), 0};
  // Values up to the end of their own list, and then the end of all.
  const Older end = scheme == CL_DEVICE_PARTITION_BY_COUNTS ? CL_PARTITION_BY_COUNTS_LIST_END_EXT
                                                            : CL_PARTITION_BY_NAMES_LIST_END_EXT;
  std::vector<Core> out{scheme};
  const Older* at = list + 1;
  for (; *at != end; ++at) out.push_back(static_cast<Core>(*at));
  out.insert(out.end(), {static_cast<Core>(at[0]), static_cast<Core>(at[1])});
  return out;
}

cl_int fission_error(cl_int code, Core scheme) {
  if (code == CL_DEVICE_PARTITION_FAILED) return CL_DEVICE_PARTITION_FAILED_EXT;
  if (code == CL_INVALID_DEVICE_PARTITION_COUNT) return CL_INVALID_PARTITION_COUNT_EXT;
  const bool bad_name = code == CL_INVALID_VALUE && scheme == CL_DEVICE_PARTITION_BY_NAMES_INTEL;
  return bad_name ? CL_INVALID_PARTITION_NAME_EXT : code;
}

FissionProperties fission_types(const std::vector<Core>& schemes) {
  FissionProperties out;
  for (const Core scheme : schemes)
    if (scheme != 0) out.push_back(older_of(kSchemes, scheme));
  return out;
}

FissionProperties fission_domains(cl_device_affinity_domain domains) {
  FissionProperties out;
  for (const DevicePair& domain : kDomains)
    if ((domains & static_cast<cl_device_affinity_domain>(domain.core)) != 0) out.push_back(domain.older);
  return out;
}

FissionProperties fission_style(const std::vector<Core>& type) {
  if (type.empty() || type.front() == 0) return {CL_PROPERTIES_LIST_END_EXT};
  FissionProperties out(type.begin(), type.end());
  out.front() = older_of(kSchemes, type.front());
  if (type.front() == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) out[1] = older_of(kDomains, type[1]);
  return out;
}

}  // namespace lanewise
