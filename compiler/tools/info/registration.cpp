// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tools/info/registration.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <fstream>

#include "compiler/tools/info/driver.h"

namespace lanewise::info {

namespace {

constexpr const char* kSystemFolder = "/etc/OpenCL/vendors";

std::optional<std::string> variable(const char* name) {
  const char* value = secure_getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

bool is_folder(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

/// The first line that has text, without blanks around it. $ORIGIN is the folder of the loader that reads the file; one
/// that is used has it beside the file.
std::string library_of(const std::string& icd) {
  std::ifstream file(icd);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    constexpr std::string_view kOrigin = "$ORIGIN/";
    return line.starts_with(kOrigin) ? icd.substr(0, icd.rfind('/') + 1) + line.substr(kOrigin.size()) : line;
  }
  return {};
}

void take_folder(const std::string& folder, bool searched, std::vector<Registration>& all) {
  std::vector<std::string> names;
  if (DIR* opened = opendir(folder.c_str())) {
    while (const dirent* entry = readdir(opened))
      if (std::string_view(entry->d_name).ends_with(".icd")) names.emplace_back(entry->d_name);
    closedir(opened);
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const std::string path = folder + "/" + name;
    all.push_back({path, library_of(path), searched});
  }
}

/// What OCL_ICD_VENDORS names.
void take_named(const std::string& value, std::vector<Registration>& all) {
  if (is_folder(value)) {
    take_folder(value, true, all);
  } else if (value.ends_with(".icd")) {
    all.push_back({value, library_of(value), true});
  } else {
    all.push_back({"OCL_ICD_VENDORS", value, true});
  }
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat one{};
  struct stat other{};
  return stat(a.c_str(), &one) == 0 && stat(b.c_str(), &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

/// The loader that applications get: libOpenCL.so.1, or PyOpenCL's own one where there is no other.
std::string loader_name(const LoaderVariables& variables) {
  const std::string folder = variables.pyopencl.value_or("") + "/.libs";
  void* usual = dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_LOCAL);
  DIR* opened = usual == nullptr && variables.pyopencl ? opendir(folder.c_str()) : nullptr;
  std::string found = "libOpenCL.so.1";
  while (const dirent* entry = opened == nullptr ? nullptr : readdir(opened))
    if (std::string_view(entry->d_name).starts_with("libOpenCL")) found = folder + "/" + entry->d_name;
  if (opened != nullptr) closedir(opened);
  return found;
}

/// Loads the loader as applications do. Facts: "file", "kind", "platform", "error".
void ask_loader(const LoaderVariables& variables, Facts& facts) {
  const std::string name = loader_name(variables);
  ask_platforms(name, facts);
  void* loaded = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* function = loaded == nullptr ? nullptr : dlsym(loaded, "clGetPlatformIDs");
  Dl_info info{};
  char resolved[PATH_MAX];
  if (function == nullptr || dladdr(function, &info) == 0) return;
  facts.add("file", realpath(info.dli_fname, resolved) == nullptr ? info.dli_fname : resolved);
  const bool ocl_icd = dlsym(loaded, "clGetICDLoaderInfoOCLICD") != nullptr;
  const bool driver = dlsym(loaded, "clIcdGetPlatformIDsKHR") != nullptr;
  facts.add("kind", driver    ? "a driver in the loader's place"
                    : ocl_icd ? "ocl-icd, or one that answers like it"
                              : "a loader");
}

Value describe_loader(const Facts& loader, const LoaderVariables& variables, Problems& problems) {
  Value value;
  const std::string file = loader.get("file");
  if (file.empty()) {
    value.add("file", "none: " + loader.get("error"));
    problems.push_back({"There is no OpenCL loader: " + loader.get("error"),
                        "install one (Debian: ocl-icd-libopencl1), or link the application to liblanewise.so"});
  } else {
    value.add("file", file).add("kind", loader.get("kind"));
    Value::List listed;
    for (const std::string& platform : loader.all("platform")) listed.emplace_back(platform);
    value.add("platforms", listed);
  }
  if (variables.vendors) value.add("OCL_ICD_VENDORS", *variables.vendors);
  if (variables.vendor_path) value.add("OPENCL_VENDOR_PATH", *variables.vendor_path);
  if (variables.filenames) value.add("OCL_ICD_FILENAMES", *variables.filenames);
  if (variables.pyopencl) value.add("PYOPENCL_HOME", *variables.pyopencl);
  return value;
}

/// One registered driver. Its library is loaded in a process of its own.
Value describe_one(const Registration& one, bool ours, Problems& problems) {
  Value value;
  value.add("file", one.file).add("library", one.library).add("this driver", ours);
  if (!one.searched) value.add("hidden by a variable", true);
  const Facts facts = ask_apart([&](Facts& found) {
    if (one.library.empty()) return found.add("error", "the file is empty or cannot be read");
    ask_platforms(one.library, found);
  });
  Value::List platforms;
  for (const std::string& platform : facts.all("platform")) platforms.emplace_back(platform);
  value.add("platforms", platforms);
  if (const std::string error = facts.get("error"); !error.empty()) {
    value.add("error", error);
    if (one.searched)
      problems.push_back({one.file + " registers a driver that does not work: " + error,
                          one.is_file() ? "remove the file, or install again the package that it belongs to"
                                        : "unset the variable, or let it name a folder of .icd files, such as " +
                                              std::string(kSystemFolder)});
  }
  return value;
}

void judge_own(const std::string& driver, const std::vector<Registration>& all, const LoaderVariables& variables,
               Problems& problems) {
  const auto ours = [&](const Registration& one) { return same_file(one.library, driver); };
  const auto found = std::count_if(all.begin(), all.end(), [&](const auto& one) { return one.searched && ours(one); });
  if (found > 1)
    problems.push_back({"This driver is registered " + std::to_string(found) + " times: applications see it as often",
                        "remove all but one of the .icd files that name it"});
  if (found != 0) return;
  if (std::any_of(all.begin(), all.end(), ours)) {
    const bool first = variables.vendors.has_value();
    problems.push_back({std::string(first ? "OCL_ICD_VENDORS" : "OPENCL_VENDOR_PATH") +
                            " makes loaders look elsewhere than where this driver is registered",
                        "unset the variable, or let it name " + std::string(kSystemFolder)});
    return;
  }
  problems.push_back({"This driver is not registered: applications that use a loader do not find it",
                      "as root: echo " + driver + " > " + kSystemFolder +
                          "/lanewise.icd; without root: write the same "
                          "file to a folder of your own, and set OCL_ICD_VENDORS to that folder"});
}

}  // namespace

LoaderVariables read_loader_variables() {
  return {variable("OCL_ICD_VENDORS"), variable("OPENCL_VENDOR_PATH"), variable("OCL_ICD_FILENAMES"),
          variable("PYOPENCL_HOME")};
}

std::vector<Registration> find_registrations(const LoaderVariables& variables, const std::string& system_folder) {
  std::vector<Registration> all;
  if (variables.filenames) {
    for (std::size_t begin = 0; begin < variables.filenames->size();) {
      const std::size_t end = std::min(variables.filenames->find(':', begin), variables.filenames->size());
      if (end > begin) all.push_back({"OCL_ICD_FILENAMES", variables.filenames->substr(begin, end - begin), true});
      begin = end + 1;
    }
  }
  if (variables.pyopencl) {
    take_folder(*variables.pyopencl + "/.libs", true, all);
    // Left empty while the driver is registered elsewhere (packaging/wheel/lanewise).
    std::erase_if(all, [](const Registration& one) { return one.library.empty(); });
  }
  const bool elsewhere = variables.vendors || variables.vendor_path;
  if (variables.vendors)
    take_named(*variables.vendors, all);
  else if (variables.vendor_path)
    take_folder(*variables.vendor_path, true, all);
  const std::string named = variables.vendors.value_or(variables.vendor_path.value_or(""));
  if (!elsewhere || !same_file(named, system_folder)) take_folder(system_folder, !elsewhere, all);
  return all;
}

Value describe_registration(const std::string& driver, Problems& problems) {
  const LoaderVariables variables = read_loader_variables();
  const std::vector<Registration> all = find_registrations(variables, kSystemFolder);
  Value value;
  const Facts loader = ask_apart([&](Facts& facts) { ask_loader(variables, facts); });
  value.add("loader", describe_loader(loader, variables, problems));
  Value::List list;
  for (const Registration& one : all) list.push_back(describe_one(one, same_file(one.library, driver), problems));
  value.add("drivers", list);
  // A driver that takes the loader's place needs no registration.
  if (!driver.empty() && !same_file(loader.get("file"), driver)) judge_own(driver, all, variables, problems);
  return value;
}

}  // namespace lanewise::info
