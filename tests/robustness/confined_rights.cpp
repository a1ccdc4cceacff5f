// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

#include "tests/robustness/confined.h"
#include "tests/robustness/processes.h"

namespace lanewise::robustness {

namespace {

constexpr id_t kNobody = 65534;

/// Takes the capabilities to ignore the rights of files away: of the effective set, or for good.
void lose_file_capabilities(bool for_good) {
  __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2] = {};
  expect(syscall(SYS_capget, &head, sets) == 0, "capget", errno);
  for (const unsigned capability : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH}) {
    sets[0].effective &= ~(1U << capability);
    if (for_good) sets[0].permitted &= ~(1U << capability);
  }
  expect(syscall(SYS_capset, &head, sets) == 0, "capset", errno);
}

/// Mounts an empty folder over that of the file, in a namespace of this process alone.
void hide_folder_of(const std::string& file, const std::string& root) {
  expect(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "mount", errno);
  const std::string folder = root + file.substr(0, file.rfind('/'));
  expect(mount("tmpfs", folder.c_str(), "tmpfs", 0, "") == 0, "tmpfs", errno);
}

void apply(const std::string& how, const std::string& file, const std::string& root) {
  if (how == "setuid") expect(setresuid(kNobody, kNobody, kNobody) == 0, "setresuid", errno);
  if (how == "seteuid") expect(seteuid(kNobody) == 0, "seteuid", errno);
  if (how == "setfsuid") setfsuid(kNobody);
  if (how == "setgid") expect(setgid(kNobody) == 0, "setgid", errno);
  if (how == "setgroups") expect(setgroups(0, nullptr) == 0, "setgroups", errno);
  if (how == "capset") lose_file_capabilities(false);
  if (how == "capset_for_good") lose_file_capabilities(true);
  if (how == "unshare") {
    expect(unshare(CLONE_NEWNS) == 0, "unshare", errno);
    hide_folder_of(file, "");
  }
  if (how == "chroot") expect(chroot(root.c_str()) == 0 && chdir("/") == 0, "chroot", errno);
}

}  // namespace

/// Arguments: how, the file that can be read before and not after, and whether a build comes before ("first"); for
/// "chroot" the folder that becomes the root.
int give_up(Session& session, const Arguments& arguments) {
  const std::string& how = arguments.at(0);
  const std::string& file = arguments.at(1);
  const std::string root = arguments.size() > 3 ? arguments[3] : "";
  // Root reads everything, unless it may not ignore the rights of files.
  if (how == "setgid" || how == "setgroups") lose_file_capabilities(true);
  if (how == "chroot") {  // the same files in another place, but for one folder
    expect(unshare(CLONE_NEWNS) == 0, "unshare", errno);
    expect(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "mount", errno);
    expect(mount("/", root.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0, "bind", errno);
    hide_folder_of(file, root);
  }
  if (arguments.at(2) == "first") session.compute(1);
  apply(how, file, root);
  print_log_of_include(session, file);
  session.compute(2);
  return 0;
}

/// The next child of such a process is the first one of the namespace, and no process can be made there after its end. Nor
/// does it get a thread, so without a helper it cannot build.
int new_process_namespace(Session& session, const Arguments&) {
  session.compute(1);
  if (unshare(CLONE_NEWPID) != 0) return 77;
  session.compute(2);
  for (const pid_t helper : helpers()) kill(helper, SIGKILL);
  const cl_int code = session.build_code("kernel void without_a_helper() {}");
  expect(code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY, "an answer", code);
  const pid_t child = fork();
  expect(child >= 0, "fork", errno);
  if (child == 0) _exit(getpid() == 1 ? 0 : 1);
  int status = 0;
  expect(waitpid(child, &status, 0) == child && status == 0, "the application's child is the first", status);
  return 0;
}

}  // namespace lanewise::robustness
