// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The protocol on the socket between the driver and its helper. The socket preserves the borders of packets
/// (SOCK_SEQPACKET).
///
/// Every packet has a fixed head. A message with a payload (an encoded request or reply) is divided into pieces. Pieces
/// of several messages may alternate, because several threads send at once; the head has the number of the request.
/// Payloads are copied instead of passed as files in memory, so that a process can build even if it has no descriptor
/// left or may not write files as large as a reply. The copies cost very little compared with a compile.
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
inline constexpr int kSocketNumber = 3;  ///< descriptor of the helper's end of the socket after exec
/// The largest payload of a packet, in bytes: several packets fit into the smallest usual socket buffer.
inline constexpr std::size_t kPieceBytes = 32 << 10;

/// The kinds of messages, with their directions.
enum class MessageKind : std::uint32_t {
  hello = 1,      ///< helper -> driver, once: the helper runs; `size` is 1 if it sends `alive`
  request = 2,    ///< driver -> helper
  begun = 4,      ///< helper -> driver: the helper begins with the request, or with its remaining kernels
  reply = 3,      ///< helper -> driver, with the request's number
  exhausted = 5,  ///< helper -> driver: its memory is used up, or it gets no thread, and it ends
  alive = 6,      ///< helper -> driver, every kBeat while it loads the compiler or works on a request
  asked = 7,      ///< driver -> helper: a request for the code of one kernel, for which nobody waits yet
  wanted = 8,     ///< driver -> helper: somebody waits for an `asked` request now
  busy = 9,       ///< driver -> helper: kernels run. Of the `asked` requests all but the first `size` stand still if no
                  ///< others are there
  quiet = 10,     ///< driver -> helper: no kernels run
};

/// The period of `alive` messages. A working helper that is silent for several periods does not run: it is stopped, or
/// the machine is overloaded.
inline constexpr std::chrono::milliseconds kBeat{500};

/// The head of a packet.
struct PacketHead {
  std::uint32_t magic = kMagic;
  MessageKind kind = MessageKind::hello;
  std::uint64_t number = 0;  ///< number of the request
  std::uint64_t size = 0;    ///< bytes of the whole message's payload
};

/// Sends a packet. False: it could not be sent, and errno says why (EAGAIN with MSG_DONTWAIT: not now).
inline bool send_packet(int socket, const PacketHead& head, std::span<const std::uint8_t> piece = {}, int flags = 0) {
  iovec parts[2] = {{const_cast<PacketHead*>(&head), sizeof head},
                    {const_cast<std::uint8_t*>(piece.data()), piece.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = piece.empty() ? 1 : 2;
  ssize_t sent = 0;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL | flags);
  } while (sent < 0 && errno == EINTR);
  return std::cmp_equal(sent, sizeof head + piece.size());
}

/// Sends a whole message by calling `send(head, piece)` for each piece. False as soon as `send` returns false.
template <class Send>
bool send_message(MessageKind kind, std::uint64_t number, std::span<const std::uint8_t> payload, Send&& send) {
  const PacketHead head{.kind = kind, .number = number, .size = payload.size()};
  do {
    const auto piece = payload.first(std::min(payload.size(), kPieceBytes));
    if (!send(head, piece)) return false;
    payload = payload.subspan(piece.size());
  } while (!payload.empty());
  return true;
}

/// Receives a packet. False: the other side has ended or does not use this protocol.
/// @param buffer  room for kPieceBytes bytes
/// @param piece   out: the part of `buffer` that was received
inline bool receive_packet(int socket, PacketHead& head, std::span<std::uint8_t> buffer,
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
