// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The messages between the compiler and `lanewise-spirv`, the program that knows the SPIR-V translator.
///
/// The program keeps one socket (`kSocketNumber`, packets) for as long as its caller lives. Each packet on it carries
/// two descriptors: the socket of one conversation and one for what the translator prints. A process of its own
/// serves the conversation: it reads one job, writes one answer and ends. On the second socket it also says that it
/// runs (`kBeat`, at once and then twice a second). If it ends without an answer, the last bytes there say how
/// (`Verdict`), so that a module which makes the translator crash is told from a process that somebody has killed.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
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

/// What an answer that is not good is due to.
enum class Fault {
  module,
  no_translator,  ///< the translator cannot be started
  lack,           ///< too few processes or memory, or somebody has ended the translator's processes
};

struct Answer {
  bool good = false;
  Fault fault = Fault::module;  ///< not sent; with another value than `module` nothing is known of the module
  std::string reason;           ///< why it is not good
  Bytes bytes;                  ///< bitcode of canonical spir64 IR, or SPIR-V

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.good, self.reason, self.bytes);
  }
};

/// What precedes the bytes of a job or an answer.
struct FrameHead {
  std::uint64_t magic = 0x4c57'5350'4952'5601;
  std::uint64_t size = 0;
};

/// What a running copy writes on the second socket, between whatever the translator prints.
inline constexpr char kBeat = 2;
inline constexpr std::chrono::milliseconds kBeatInterval{500};

/// How a copy has ended that has not answered: the last bytes on the second socket.
struct Verdict {
  enum class Kind : char {
    exit = 1,    ///< value: the exit code
    signal = 3,  ///< value: the signal
    no_copy = 4  ///< there was none; value: errno of fork
  };
  Kind kind = Kind::exit;
  unsigned value = 0;

  /// Without a byte that is kBeat.
  [[nodiscard]] std::array<char, 3> encoded() const;
  /// Takes the verdict off the end of the text.
  static std::optional<Verdict> take_from(std::string& text);
};

/// Called when a socket with a time limit has not been ready within it; false: wait no longer.
using GoesOn = std::function<bool()>;

/// Writes all bytes to a socket; false if the other side is gone.
bool send_all(int socket, std::span<const std::uint8_t> bytes, const GoesOn& goes_on = {});
/// Reads exactly as many bytes; false at an early end.
bool receive_all(int socket, std::span<std::uint8_t> bytes, const GoesOn& goes_on = {});

template <class Message>
bool send_message(int socket, const Message& message, const GoesOn& goes_on = {}) {
  FieldWriter fields;
  fields(message);
  const FrameHead head{.size = fields.bytes().size()};
  return send_all(socket, {reinterpret_cast<const std::uint8_t*>(&head), sizeof head}, goes_on) &&
         send_all(socket, fields.bytes(), goes_on);
}

template <class Message>
std::optional<Message> receive_message(int socket, const GoesOn& goes_on = {}) {
  FrameHead head;
  if (!receive_all(socket, {reinterpret_cast<std::uint8_t*>(&head), sizeof head}, goes_on) ||
      head.magic != FrameHead().magic)
    return std::nullopt;
  if (head.size > kLargestMemory) return std::nullopt;
  Bytes bytes(head.size);
  if (!receive_all(socket, bytes, goes_on)) return std::nullopt;
  FieldReader fields(bytes);
  Message message;
  fields(message);
  if (!fields.complete()) return std::nullopt;
  return message;
}

}  // namespace lanewise::spirv
