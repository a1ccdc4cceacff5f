// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The messages between the compiler and `lanewise-spirv`, the program that knows the SPIR-V translator.
///
/// The program keeps one socket (`kSocketNumber`, packets) for as long as its caller lives. Each packet on it carries
/// two descriptors: the socket of one conversation and a pipe for what the translator prints. A process of its own
/// serves the conversation: it reads one job, writes one answer and ends. If it ends without an answer, the module has
/// made the translator crash.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "src/base/fields.h"

namespace lanewise::spirv {

inline constexpr const char* kProgramName = "lanewise-spirv";
inline constexpr int kSocketNumber = 3;  ///< the program's end of the socket, after exec
/// Time limit of a conversation, longer than the translator needs for any module that is not made to hang it.
inline constexpr unsigned kSeconds = 60;
/// Address space of the process that serves a conversation: room for modules of 100 MB and more.
inline constexpr std::uint64_t kLargestMemory = std::uint64_t{8} << 30;

/// Metadata of a kernel in the bitcode, `i32 n`: the sub-groups of a work-group, where the module says it.
inline constexpr const char* kSubGroupCount = "lanewise.sub_groups";

enum class Wish : std::uint32_t {
  validate = 1,   ///< checks the module alone
  translate = 2,  ///< SPIR-V to bitcode, with the specialisation constants
  write = 3,      ///< canonical bitcode to SPIR-V
};

struct Job {
  Wish wish = Wish::translate;
  Bytes module;  ///< SPIR-V; for `write` the bitcode
  std::vector<abi::SpecConstant> constants;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.wish, self.module, self.constants);
  }
};

struct Answer {
  bool good = false;
  bool served = true;  ///< false: there is no translator, so nothing is known of the module; not sent
  std::string reason;  ///< why it is not good
  Bytes bytes;         ///< bitcode of canonical spir64 IR, or SPIR-V

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.good, self.reason, self.bytes);
  }
};

/// In front of the bytes of a job or an answer.
struct Head {
  std::uint64_t magic = 0x4c57'5350'4952'5601;
  std::uint64_t size = 0;
};

/// Writes all bytes to a socket; false if the other side is gone.
bool send_all(int socket, std::span<const std::uint8_t> bytes);
/// Reads exactly as many bytes; false at an early end.
bool receive_all(int socket, std::span<std::uint8_t> bytes);

template <class Message>
bool send_message(int socket, const Message& message) {
  FieldWriter fields;
  fields(message);
  const Head head{.size = fields.bytes().size()};
  return send_all(socket, {reinterpret_cast<const std::uint8_t*>(&head), sizeof head}) &&
         send_all(socket, fields.bytes());
}

template <class Message>
std::optional<Message> receive_message(int socket) {
  Head head;
  if (!receive_all(socket, {reinterpret_cast<std::uint8_t*>(&head), sizeof head}) || head.magic != Head().magic)
    return std::nullopt;
  if (head.size > kLargestMemory) return std::nullopt;
  Bytes bytes(head.size);
  if (!receive_all(socket, bytes)) return std::nullopt;
  FieldReader fields(bytes);
  Message message;
  fields(message);
  if (!fields.complete()) return std::nullopt;
  return message;
}

}  // namespace lanewise::spirv
