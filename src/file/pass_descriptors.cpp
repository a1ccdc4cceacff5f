// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/file/pass_descriptors.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace lanewise::file {

bool send_descriptors(int socket, std::span<const std::byte> bytes, std::array<int, 2> descriptors) {
  iovec text{const_cast<std::byte*>(bytes.data()), bytes.size()};  // sendmsg only reads it
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptors)> space{};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  cmsghdr* rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof descriptors);
  std::memcpy(CMSG_DATA(rights), descriptors.data(), sizeof descriptors);
  ssize_t sent = 0;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent >= 0 && static_cast<std::size_t>(sent) == bytes.size();
}

ReceivedDescriptors receive_descriptors(int socket, std::span<std::byte> bytes, int flags) {
  iovec text{bytes.data(), bytes.size()};
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(2 * sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  ReceivedDescriptors received;
  do {
    received.bytes = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
  } while (received.bytes < 0 && errno == EINTR);
  if (received.bytes < 0) return received;
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = 0; CMSG_LEN(at + sizeof(int)) <= each->cmsg_len; at += sizeof(int)) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(each) + at, sizeof number);
      Descriptor one(number);
      if (received.count < received.descriptors.size()) received.descriptors[received.count++] = std::move(one);
    }
  }
  received.truncated = (message.msg_flags & MSG_CTRUNC) != 0;
  return received;
}

}  // namespace lanewise::file
