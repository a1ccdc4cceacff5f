// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The two sides of the application that shares objects with a hostile process (hostile_app.cpp). The peer is a process
/// without the driver. It holds a descriptor, whatever can be reached from it, and does what it is told with that.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/robustness/driver.h"

namespace lanewise::robustness {

using Arguments = std::vector<std::string>;

enum class Deed : std::uint32_t {
  hold,    ///< takes the descriptor that comes with it, and lets go of what it had; answers the words that it can write
  let_go,  ///< closes all that it has
  scribble,  ///< writes value `b` into the 32-bit word `a`
  storm,     ///< a thread writes random numbers into random words until `calm`; `a` is the seed
  flood,     ///< a thread changes words and wakes sleepers until `calm`
  calm,
  clear_flags,  ///< of all descriptors, among them O_NONBLOCK
  drain,        ///< reads and receives all that there is
  fill,         ///< writes until nothing more fits
  resize,       ///< to `a` bytes
  flap,         ///< a thread makes the file shorter and longer again until `calm`; `a` is its size
  punch,        ///< gives the pages back
  lock,         ///< takes every lock that there is on the files
  seal,
};

/// Another process, with a socket to this one. It ends when this one does.
class Partner {
 public:
  /// `body(socket)` runs in it and does not return. To be called before the driver is opened.
  explicit Partner(void (*body)(int socket));
  Partner(const Partner&) = delete;
  Partner& operator=(const Partner&) = delete;
  ~Partner() { end(); }
  [[nodiscard]] int socket() const { return socket_; }
  /// Kills it.
  void end();

 private:
  pid_t process_ = -1;
  int socket_ = -1;
};

class Peer {
 public:
  /// Returns when it has been done.
  std::uint64_t does(Deed deed, std::uint64_t a = 0, std::uint64_t b = 0, int descriptor = -1) const;

 private:
  static void obey_orders(int socket);

  Partner partner_{obey_orders};
};

/// Both sides of a message with a descriptor; a byte says that there is one.
void send_descriptor(int socket, int descriptor);
int receive_descriptor(int socket);

/// The status of a command that has to end in time; otherwise the process ends.
cl_int end_of(Driver& driver, cl_event event, const char* what);
/// Whether it has ended after a moment.
bool has_ended(Driver& driver, cl_event event, int milliseconds);

template <class Function>
Function function_of(Driver& driver, const char* name) {
  void* found = driver.address(name);
  expect(found != nullptr, name);
  return reinterpret_cast<Function>(found);
}

// hostile_semaphores.cpp
int scribbled_words(const Arguments& arguments);
int storm_of_words(const Arguments& arguments);
int other_deeds(const Arguments& arguments);
int flooded_waits(const Arguments& arguments);
int killed_partners(const Arguments& arguments);
int orphaned_child(const Arguments& arguments);

// hostile_memory.cpp
int shrunk_memory(const Arguments& arguments);
int flapping_memory(const Arguments& arguments);
int own_faults(const Arguments& arguments);
int odd_handles(const Arguments& arguments);

}  // namespace lanewise::robustness
