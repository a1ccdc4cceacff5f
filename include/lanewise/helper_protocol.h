// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What goes over the socket between the driver and its helper: packets with a fixed head, each carrying one descriptor
/// of a memory file with the encoded request or reply. The socket keeps packets whole (SOCK_SEQPACKET).
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace lanewise::helper {

inline constexpr std::uint32_t kMagic = 0x4c57'4850;
inline constexpr int kSocketNumber = 3;  ///< the helper's end of the socket, after exec

enum class Kind : std::uint32_t {
  hello = 1,    ///< helper -> driver, once, without a file: the program runs
  request = 2,  ///< driver -> helper
  reply = 3,    ///< helper -> driver, with the request's number
};

struct Head {
  std::uint32_t magic = kMagic;
  Kind kind = Kind::hello;
  std::uint64_t number = 0;  ///< of the request
};

/// Sends a packet; `file` (or -1) goes along. False if the other side is gone.
inline bool send_packet(int socket, const Head& head, int file) {
  iovec part{const_cast<Head*>(&head), sizeof head};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (file >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* item = CMSG_FIRSTHDR(&message);
    item->cmsg_level = SOL_SOCKET;
    item->cmsg_type = SCM_RIGHTS;
    item->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(item), &file, sizeof file);
  }
  for (;;) {
    const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent == static_cast<ssize_t>(sizeof head)) return true;
    if (sent >= 0 || errno != EINTR) return false;
  }
}

/// Receives a packet; the caller owns `file` (-1: none). False if the other side is gone or speaks another language.
inline bool receive_packet(int socket, Head& head, int& file) {
  file = -1;
  iovec part{&head, sizeof head};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got = 0;
  do {
    got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  for (cmsghdr* item = CMSG_FIRSTHDR(&message); got >= 0 && item != nullptr; item = CMSG_NXTHDR(&message, item)) {
    if (item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_RIGHTS)
      std::memcpy(&file, CMSG_DATA(item), sizeof file);
  }
  const bool good = got == static_cast<ssize_t>(sizeof head) && head.magic == kMagic;
  if (!good && file >= 0) {
    close(file);
    file = -1;
  }
  return good;
}

}  // namespace lanewise::helper
