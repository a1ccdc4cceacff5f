// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The process that this helper compiles for.
#pragma once

#include <string>

#include "src/file/file.h"

namespace lanewise {

class Driver {
 public:
  /// @param socket  one end of a socket pair that the process has made
  explicit Driver(int socket);

  /// Waits until something has come on the socket. Ends this process when that of the driver has ended: the socket
  /// alone does not tell, because a child that the application forked holds a copy of it.
  void wait_for_packet() const;

  /// Whether the process still has the ids, capabilities and root with which it started this one, as far as the system
  /// tells. A driver that has given rights up starts another helper; this keeps code that has taken the application
  /// over since then from using what it finds open.
  [[nodiscard]] bool keeps_its_rights() const;

 private:
  [[nodiscard]] std::string rights() const;

  int socket_;
  std::string folder_;  ///< folder of the process in /proc; empty: not known
  file::Descriptor process_;
  std::string first_rights_;
};

}  // namespace lanewise
