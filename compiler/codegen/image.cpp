// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/image.h"

#include <lld/Common/Driver.h>

#include <mutex>
#include <string>
#include <vector>

#include "compiler/codegen/guard.h"
#include "compiler/codegen/link_files.h"
#include "compiler/frontend/diagnostics.h"
#include "compiler/frontend/embedded.h"

LLD_HAS_DRIVER(elf)

namespace lanewise {
namespace {

/// lld has global state. After an internal error of its own it must not run again.
struct Linker {
  std::mutex mutex;
  bool usable = true;
};

Linker& linker() {
  static Linker* const instance = new Linker;  // never destroyed: a link may run while the process exits
  return *instance;
}

llvm::Error run_lld(const std::vector<std::string>& arguments) {
  std::vector<const char*> pointers;
  pointers.reserve(arguments.size());
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  std::string messages;
  llvm::raw_string_ostream log(messages);
  Linker& lld_state = linker();
  const std::lock_guard lock(lld_state.mutex);
  if (!lld_state.usable) return failure("the linker cannot be used after an internal error");
  lld::Result result{1, false};
  std::string fatal;
  // Guarded here, so that a fatal error does not leave with the mutex.
  if (!run_guarded([&] { result = lld::lldMain(pointers, llvm::nulls(), log, {{lld::Gnu, &lld::elf::link}}); }, fatal))
    result = {1, false};
  lld_state.usable = result.canRunAgain;
  messages += fatal;
  if (result.retCode != 0) return failure(messages.empty() ? "linking of the kernel image failed" : messages);
  return llvm::Error::success();
}

}  // namespace

llvm::Expected<Bytes> link_image(llvm::ArrayRef<llvm::StringRef> objects) {
  OutputPipe output;
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
                                        output.path()};
  std::vector<file::Descriptor> inputs;
  inputs.reserve(objects.size() + 1);
  bool good = output.good();
  const auto add = [&](llvm::StringRef object) {
    const file::Descriptor& input =
        inputs.emplace_back(file::in_memory("lanewise", {object.bytes_begin(), object.size()}));
    good = good && input;
    arguments.push_back(path_of(input));
  };
  for (const llvm::StringRef object : objects) add(object);
  add(embedded_support_object());
  if (!good) return failure("no memory or descriptors for the linker's files");
  if (llvm::Error error = run_lld(arguments)) return error;
  Bytes image = output.finish();
  if (image.empty()) return failure("the linker wrote no image");
  return image;
}

}  // namespace lanewise
