// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What goes over the socket between the driver and its helper: messages, in packets that the socket keeps whole
/// (SOCK_SEQPACKET).
///
/// Every packet has a fixed head. Messages with a payload, an encoded request or reply, are cut into pieces; pieces of
/// several messages may mix, because several threads send at once, and the head's number tells them apart. Bytes are
/// copied rather than passed as files in memory: a process may have no descriptor left, or may not write files as large
/// as a reply, and it can build all the same. Beside a compile the copies are nothing.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <span>
#include <utility>

namespace lanewise::helper {

inline constexpr std::uint32_t kMagic = 0x4c57'4851;
inline constexpr int kSocketNumber = 3;  ///< the helper's end of the socket, after exec
/// Bytes of payload in one packet: several fit into the smallest socket buffer that systems are set up with.
inline constexpr std::size_t kPieceBytes = 32 << 10;

enum class Kind : std::uint32_t {
  hello = 1,    ///< helper -> driver, once: the program runs
  request = 2,  ///< driver -> helper
  begun = 4,    ///< helper -> driver: work on the request with this number begins
  reply = 3,    ///< helper -> driver, with the request's number
};

struct Head {
  std::uint32_t magic = kMagic;
  Kind kind = Kind::hello;
  std::uint64_t number = 0;  ///< of the request
  std::uint64_t size = 0;    ///< bytes of the whole message's payload
};

/// Sends a packet. False if it could not be sent; errno says why (EAGAIN with MSG_DONTWAIT: not now).
inline bool send_packet(int socket, const Head& head, std::span<const std::uint8_t> piece = {}, int flags = 0) {
  iovec parts[2] = {{const_cast<Head*>(&head), sizeof head}, {const_cast<std::uint8_t*>(piece.data()), piece.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = piece.empty() ? 1 : 2;
  ssize_t sent = 0;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL | flags);
  } while (sent < 0 && errno == EINTR);
  return std::cmp_equal(sent, sizeof head + piece.size());
}

/// Sends a whole message, `send(head, piece)` each piece; false at once if that returns false.
template <class Send>
bool send_message(Kind kind, std::uint64_t number, std::span<const std::uint8_t> payload, Send&& send) {
  const Head head{.kind = kind, .number = number, .size = payload.size()};
  do {
    const auto piece = payload.first(std::min(payload.size(), kPieceBytes));
    if (!send(head, piece)) return false;
    payload = payload.subspan(piece.size());
  } while (!payload.empty());
  return true;
}

/// Receives a packet. `buffer` has room for `kPieceBytes`; `piece` is what was received of it. False if the other side
/// is gone or speaks another language.
inline bool receive_packet(int socket, Head& head, std::span<std::uint8_t> buffer,
                           std::span<const std::uint8_t>& piece) {
  iovec parts[2] = {{&head, sizeof head}, {buffer.data(), buffer.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  ssize_t got = 0;
  do {
    got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (std::cmp_less(got, sizeof head) || (message.msg_flags & MSG_TRUNC) != 0 || head.magic != kMagic) return false;
  piece = buffer.first(static_cast<std::size_t>(got) - sizeof head);
  return true;
}

}  // namespace lanewise::helper
