// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/service/driver.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "src/host/files.h"

namespace lanewise {

Driver::Driver(int socket) : socket_(socket) {
  ucred driver{};
  socklen_t size = sizeof driver;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &driver, &size) != 0 || driver.pid <= 0) return;
  folder_ = "/proc/" + std::to_string(driver.pid);
  process_ = file::Descriptor(static_cast<int>(syscall(SYS_pidfd_open, driver.pid, 0)));
  first_rights_ = rights();
}

void Driver::wait_for_packet() const {
  pollfd watched[2] = {{socket_, POLLIN, 0}, {process_.get(), POLLIN, 0}};  // a negative number is not watched
  while (poll(watched, 2, -1) < 0 && errno == EINTR) {
  }
  if ((watched[1].revents & POLLIN) != 0) _exit(0);
}

/// Lines of its status, and the device and inode of its root.
std::string Driver::rights() const {
  const std::string text = folder_.empty() ? std::string() : host::read_text(folder_ + "/status").value_or("");
  std::string kept;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    for (const std::string_view name : {"Uid:", "Gid:", "Groups:", "CapInh:", "CapPrm:", "CapEff:"})
      if (line.starts_with(name)) (kept += line) += '\n';
  }
  struct stat root{};
  if (!kept.empty() && stat((folder_ + "/root").c_str(), &root) == 0)
    kept += std::to_string(root.st_dev) + "." + std::to_string(root.st_ino);
  return kept;
}

bool Driver::keeps_its_rights() const {
  return first_rights_.empty() || rights() == first_rights_;
}

}  // namespace lanewise
