// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The entry-point table against the export map, and against itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

std::filesystem::path project_root() {
  return LANEWISE_SOURCE_DIR;
}

const std::vector<std::string> kExported = {
#define ENTRY(name, since) #name,
#define ICD(name) #name,
#include "icd/entry_points.def"
};

const std::vector<std::string> kAll = {
#define ENTRY(name, since) #name,
#define ALIAS(name, function)
#define EMPTY(name) #name,
#define ICD(name) #name,
#define EXTENSION(name, extension, function) #name,
#include "icd/entry_points.def"
};

const std::vector<std::string> kPlanned = {
#define PLANNED(name, extension) #name,
#include "icd/entry_points.def"
};

TEST(EntryPoints, ExportMapNamesExactlyTheExportedRows) {
  std::ifstream file(project_root() / "icd/exports.map");
  ASSERT_TRUE(file);
  std::set<std::string> in_map;
  for (std::string line; std::getline(file, line);) {
    const auto begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line.compare(begin, 2, "cl") != 0) continue;
    ASSERT_EQ(line.back(), ';') << line;
    EXPECT_TRUE(in_map.insert(line.substr(begin, line.size() - begin - 1)).second) << "twice: " << line;
  }
  EXPECT_EQ(in_map, std::set<std::string>(kExported.begin(), kExported.end()));
}

TEST(EntryPoints, EveryNameOnce) {
  EXPECT_EQ(std::set<std::string>(kAll.begin(), kAll.end()).size(), kAll.size());
  EXPECT_EQ(std::set<std::string>(kPlanned.begin(), kPlanned.end()).size(), kPlanned.size());
  // A planned name may have a slot that returns an error, but it must not be found or exported.
  for (const auto& name : kPlanned) EXPECT_EQ(std::count(kExported.begin(), kExported.end(), name), 0) << name;
}

}  // namespace
