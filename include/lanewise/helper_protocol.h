// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The messages on the socket between the driver and its helper. They are sent in packets, whose borders the socket
/// preserves (SOCK_SEQPACKET).
///
/// Every packet has a fixed head. Messages with a payload, an encoded request or reply, are divided into pieces; pieces
/// of several messages may alternate, because several threads send at once, and the head has the number of their
/// request. Bytes are copied and not passed as files in memory, so that a process can build even if it has no
/// descriptor left or may not write files as large as a reply. The copies cost very little compared with a compile.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <span>
#include <utility>

namespace lanewise::helper {

inline constexpr std::uint32_t kMagic = 0x4c57'4851;
inline constexpr int kSocketNumber = 3;  ///< the helper's end of the socket, after exec
/// Bytes of payload in one packet: several packets fit into the smallest usual socket buffer.
inline constexpr std::size_t kPieceBytes = 32 << 10;

enum class Kind : std::uint32_t {
  hello = 1,    ///< helper -> driver, once: the helper runs; `size` is 1 if it sends `alive`
  request = 2,  ///< driver -> helper
  begun = 4,  ///< helper -> driver: the helper begins with the request of this number, or with the rest of its kernels
  reply = 3,  ///< helper -> driver, with the request's number
  exhausted = 5,  ///< helper -> driver: its memory is used up, or it gets no thread, and it ends
  alive = 6,      ///< helper -> driver, every kBeat while it loads the compiler or works on a request
};

/// A helper of which nothing comes for several of these while it works does not run: it is stopped, or the machine is
/// overloaded.
inline constexpr std::chrono::milliseconds kBeat{500};

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

/// Sends a whole message by calling `send(head, piece)` for each piece; returns false as soon as that does.
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

/// Receives a packet. `buffer` has room for `kPieceBytes`; `piece` is the part of it that was received. False if the
/// other side has ended or does not use this protocol.
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
