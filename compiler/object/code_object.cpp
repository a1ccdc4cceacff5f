// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/object/code_object.h"

#include <lld/Common/Driver.h>

#include <string>
#include <vector>

#include "compiler/base/diagnostics.h"
#include "compiler/builtins/lane_functions.h"
#include "compiler/frontend/embedded.h"
#include "compiler/isolation/guard.h"
#include "compiler/object/link_files.h"
#include "src/base/mutex.h"
#include "src/file/scarce.h"

LLD_HAS_DRIVER(elf)

namespace lanewise {
namespace {

/// lld has global state. After an internal error of its own it must not run again.
struct Linker {
  Mutex mutex ACQUIRED_BEFORE(file::scarce_mutex);  ///< held across a link, which opens files
  bool usable GUARDED_BY(mutex) = true;
};

Linker& linker() {
  static auto* const instance = new Linker;  // never destroyed: a link may run while the process exits
  return *instance;
}

llvm::Error run_lld(Linker& lld_state, const std::vector<std::string>& arguments) REQUIRES(lld_state.mutex) {
  std::vector<const char*> pointers;
  pointers.reserve(arguments.size());
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  std::string messages;
  llvm::raw_string_ostream log(messages);
  if (!lld_state.usable) return failure("the linker cannot be used after an internal error");
  lld::Result result{1, false};
  std::string fatal;
  // Guarded here, so that a fatal error does not leave the mutex locked.
  if (!run_guarded([&] { result = lld::lldMain(pointers, llvm::nulls(), log, {{lld::Gnu, &lld::elf::link}}); }, fatal))
    result = {1, false};
  lld_state.usable = result.canRunAgain;
  messages += fatal;
  if (result.retCode != 0) return failure(messages.empty() ? "linking of the code object failed" : messages);
  return llvm::Error::success();
}

}  // namespace

llvm::Expected<Bytes> link_code_object(llvm::ArrayRef<llvm::StringRef> objects, Isa isa) {
  Linker& lld_state = linker();
  // Held from here on, so that only one link at a time has files open: there may be few descriptors.
  const MutexLock lock(lld_state.mutex);
  LinkFiles files;
  // Segments share file pages (noseparate-code): a small kernel is one small file.
  std::vector<std::string> arguments = {"ld.lld",
                                        "-shared",
                                        "-Bsymbolic",
                                        "-z",
                                        "defs",
                                        "-z",
                                        "noexecstack",
                                        "-z",
                                        "noseparate-code",
                                        "--build-id=none",
                                        "--hash-style=gnu",
                                        "--eh-frame-hdr",
                                        "--gc-sections",
                                        "--threads=1",
                                        "--color-diagnostics=never",
                                        "-o",
                                        files.output()};
  bool good = !arguments.back().empty();
  const auto add = [&](llvm::StringRef object) {
    arguments.push_back(good ? files.add({object.bytes_begin(), object.size()}) : std::string());
    good = good && !arguments.back().empty();
  };
  for (const llvm::StringRef object : objects) add(object);
  if (llvm::any_of(objects, [](llvm::StringRef object) { return object.contains(kLaneFunctionPrefix); }))
    add(embedded_lanes_object(isa));
  add(embedded_support_object(isa.architecture()));
  if (!good) return failure("no memory, no descriptors or no room (RLIMIT_FSIZE) for the linker's files");
  if (llvm::Error error = run_lld(lld_state, arguments)) return error;
  Bytes code_object = files.finish();
  if (code_object.empty()) return failure("the linker wrote no code object");
  return code_object;
}

}  // namespace lanewise
