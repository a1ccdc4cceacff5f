// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The messages between the runtime and the compiler: plain data, encoded as versioned bytes.
///
/// The same bytes go to the helper process (a length-prefixed message on its socket) and to the in-process library
/// (`lanewise_compiler_run`). Neither side trusts the other: `decode` returns nothing for damaged input.
#pragma once

#include <CL/cl.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "include/lanewise/kernel_abi.h"
#include "include/lanewise/vector_report.h"
#include "src/base/bytes.h"
#include "src/base/fields.h"
#include "src/base/isa.h"
#include "src/base/sizes.h"

namespace lanewise::abi {

/// Raise with every change of an encoding below. Part of every cache key and of the helper's greeting.
inline constexpr std::uint32_t kCompilerAbiVersion = 19;

/// The source's file name, as diagnostics, __FILE__ and debuggers show it.
inline constexpr const char* kSourceName = "program.cl";

struct NamedText {
  std::string name;
  std::string text;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.name, self.text);
  }
};

/// The value of a specialisation constant, in the low bits.
struct SpecConstant {
  std::uint32_t id = 0;  ///< the operand of its SpecId decoration
  std::uint64_t value = 0;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.id, self.value);
  }
};

/// The launches of a kernel that code of the second tier is for (design D8): they have no offset, whole groups and less
/// than 2^31 work-items in a dimension. What is said of sizes is said of launches as the kernel's code sees them.
struct Specialisation {
  std::string kernel;
  Sizes local_size{};
  /// What the launches have in common of each argument: nothing, of an image the bytes of its `lanewise_texel`, of a
  /// sampler those of its word. Arguments at the end may be left out.
  std::vector<Bytes> known_arguments;
  bool private_copies = false;        ///< arguments with an accumulation (below) point to memory of the calling thread
  std::uint32_t first_dimension = 0;  ///< NDRangeShape::first_dimension of the program's code
  /// Launches have many times as many groups in x, so that so many may run together (NDRangeShape::team_groups).
  std::uint32_t team_groups = 0;
  /// Iterations of loops that may run side by side where work-items do not: 0: none; 1: the compiler chooses; 2 to 64.
  std::uint32_t iteration_lanes = 0;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.kernel, self.local_size, self.known_arguments, self.private_copies, self.first_dimension,
           self.team_groups, self.iteration_lanes);
  }
};

/// A program as the front end reads it.
struct Source {
  std::string text;                     ///< OpenCL C
  Bytes il;                             ///< in place of `text`: a SPIR-V module in this machine's byte order
  std::vector<SpecConstant> constants;  ///< of `il`, sorted by id; others keep the module's value
  std::vector<NamedText> headers;       ///< embedded headers of clCompileProgram; found before any -I directory
  std::vector<std::string> options;     ///< canonical OpenCL options, one token each: "-cl-std=CL3.0", "-DX=1", "-Idir"
  std::string working_directory;        ///< where relative -I paths start
  std::string folder;                   ///< with -g: where debuggers find `text` (kSourceName) and `headers`, or ""
  std::vector<std::string> extensions;  ///< names for -cl-ext=+name; everything else is off
  std::vector<std::string> macros;      ///< "NAME=VALUE": feature macros and __OPENCL_VERSION__ and the like

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.text, self.il, self.constants, self.headers, self.options, self.working_directory, self.folder,
           self.extensions, self.macros);
  }
};

/// What the code of an executable is made for, and how.
struct CodeSettings {
  Isa isa;                         ///< the code uses all of it without testing the processor
  bool debug_barriers = false;     ///< LANEWISE_DEBUG=barriers: report divergent barriers
  std::uint32_t vector_width = 0;  ///< work-items in a vector: 0: the compiler chooses; 1: scalar code; 2 to 64
  bool report_vectors = false;     ///< LANEWISE_DEBUG=vectorize: fill `Reply::loops`
  bool zero_private = false;       ///< private variables begin as zeros (cl_khr_initialize_memory)

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.isa, self.debug_barriers, self.vector_width, self.report_vectors, self.zero_private);
  }
};

/// Answers at once with the compiler's identity in `log`.
struct Ping {
  template <class Self, class Fields>
  static void visit(Self& /*self*/, Fields& fields) {
    fields();
  }
};

/// SPIR-V -> whether it is valid (clCreateProgramWithIL).
struct Validate {
  Bytes il;  ///< in this machine's byte order

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.il);
  }
};

/// Source or SPIR-V -> program IR (clCompileProgram).
struct Compile {
  Source source;
  bool report_vectors = false;  ///< code that is made of it later will be reported

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.source, self.report_vectors);
  }
};

/// Program IRs -> executable (IR + image + kernels) or library (IR only) (clLinkProgram).
struct Link {
  std::vector<Bytes> inputs{};         ///< program IRs in link order
  std::vector<std::string> options{};  ///< as Source::options, those that links take
  bool create_library = false;         ///< keep all functions, make no image
  CodeSettings code;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.inputs, self.options, self.create_library, self.code);
  }
};

/// Source or SPIR-V -> executable (clBuildProgram).
struct Build {
  Source source;
  CodeSettings code;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.source, self.code);
  }
};

/// Program IR -> image of one kernel for some of its launches, without IR (design D8).
struct Specialise {
  Bytes program;
  Specialisation launches;
  CodeSettings code;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.program, self.launches, self.code);
  }
};

/// A job, which produces what its name says and nothing more.
using Request = std::variant<Ping, Validate, Compile, Link, Build, Specialise>;

/// Null: the job makes no code.
inline const CodeSettings* code_settings(const Request& request) {
  return std::visit(
      [](const auto& job) -> const CodeSettings* {
        if constexpr (requires { job.code; })
          return &job.code;
        else
          return nullptr;
      },
      request);
}

/// The kind of a kernel argument; for pointers, with the address space.
enum class ArgKind : std::uint8_t {
  value,
  global_pointer,
  constant_pointer,
  local_pointer,
  image,
  sampler,
  pipe,
  queue
};

/// All that a kernel does with the memory of a global pointer: it changes elements by this operation, atomically, in
/// relaxed order, and never looks at them. A sum may be of positive and negative terms.
enum class Accumulation : std::uint8_t {
  none,  ///< anything else
  sum,
  bit_and,
  bit_or,
  bit_xor,
  signed_min,
  signed_max,
  unsigned_min,
  unsigned_max
};

/// Bytes of private memory of a work-item, of local memory of a work-group, or of a variable in global memory, above
/// which a program does not compile.
/// Far above what any kernel needs (launches have limits of their own), but small enough that sums of sizes do not
/// overflow.
inline constexpr std::uint64_t kLargestKernelMemory = std::uint64_t{1} << 40;

/// Bytes of a kernel's arguments above which a program does not compile.
inline constexpr std::uint64_t kLargestArguments = std::uint64_t{1} << 20;

inline constexpr std::uint64_t kAllTypeQualifiers =
    CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT | CL_KERNEL_ARG_TYPE_VOLATILE | CL_KERNEL_ARG_TYPE_PIPE;

/// One kernel argument. The four qualifier fields hold the CL_KERNEL_ARG_* enumerators.
struct ArgInfo {
  ArgKind kind = ArgKind::value;
  std::uint32_t size = 0;    ///< bytes in the argument block: sizeof the value, 8 for pointers and handles
  std::uint32_t align = 1;   ///< alignment in the argument block
  std::uint32_t offset = 0;  ///< from the start of the argument block
  std::uint32_t address_qualifier = 0;
  std::uint32_t access_qualifier = 0;
  std::uint64_t type_qualifier = 0;
  std::string type_name;
  std::string name;
  Accumulation accumulation = Accumulation::none;
  std::uint8_t accumulated_bytes = 0;  ///< of an element, 4 or 8, if there is an accumulation

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(bounded(self.kind, at_most(ArgKind::queue)), bounded(self.size, at_most(kLargestArguments)),
           bounded(self.align, power_of_two(LANEWISE_SCRATCH_ALIGN)), bounded(self.offset, at_most(kLargestArguments)),
           bounded(self.address_qualifier, between(CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_PRIVATE)),
           bounded(self.access_qualifier, between(CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_NONE)),
           bounded(self.type_qualifier, at_most(kAllTypeQualifiers)), self.type_name, self.name,
           bounded(self.accumulation, at_most(Accumulation::unsigned_max)),
           bounded(self.accumulated_bytes, one_of(0, 4, 8)));
  }
};

/// How much of a kernel there is to compile, in instructions of LLVM's IR.
struct InstructionCounts {
  std::uint32_t item = 0;       ///< a work-item, with all that it calls
  std::uint32_t code = 0;       ///< what was made of it
  bool fill_registers = false;  ///< on many vectors of the source's own: no lanes were considered, nor will be

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(bounded(self.item, any_value), bounded(self.code, any_value), self.fill_registers);
  }
  bool operator==(const InstructionCounts&) const = default;
};

/// Of code that runs neighbouring groups together.
inline constexpr std::uint32_t kMostRowItems = 1 << 16;
/// Work-items of a sub-group.
inline constexpr std::uint32_t kLargestSubGroup = 64;
/// Of a size that a kernel's attributes name.
inline constexpr std::uint64_t kLargestNamedSize = 0xffff'ffff;

/// How a kernel's code goes through an NDRange, and what that leaves to the launch.
struct NDRangeShape {
  /// neighbouring groups run as one row or team, this many work-items at once; 0: separately
  std::uint32_t row_items = 0;
  std::uint32_t rows = 0;       ///< of work-items that an iteration does, or would in hot code; 0: not known
  bool any_local_size = false;  ///< it cannot tell where groups end: with any local size it does the same
  bool crosses = false;         ///< some accesses to global memory walk along x and jump along y, others the reverse
  /// that the code has for x, and x for it, in all sizes of lanewise_launch; 0 to 2
  std::uint32_t first_dimension = 0;
  std::uint32_t team_groups = 0;  ///< so many neighbouring groups run together, a lane each; 0: none do

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(bounded(self.row_items, at_most(kMostRowItems)), bounded(self.rows, at_most(kMostRowItems)),
           self.any_local_size, self.crosses, bounded(self.first_dimension, at_most(2)),
           bounded(self.team_groups, at_most(kMostRowItems)));
  }
  bool operator==(const NDRangeShape&) const = default;
};

/// Everything that the runtime knows about a kernel besides its code. Descriptions come back from files that others may
/// have changed, so each number has its bound here, and `check_description` (runtime/code/description.h) knows what
/// must agree.
struct KernelInfo {
  std::string name;
  std::string symbol;      ///< of the range function in the image
  std::string attributes;  ///< CL_KERNEL_ATTRIBUTES: the __attribute__ qualifiers, space-separated
  std::vector<ArgInfo> args;
  std::uint32_t args_bytes = 0;                         ///< size of the argument block
  std::array<std::uint64_t, 3> reqd_work_group_size{};  ///< zeros: none
  std::array<std::uint64_t, 3> work_group_size_hint{};
  std::uint64_t local_bytes = 0;          ///< static __local variables
  std::uint64_t item_bytes = 0;           ///< per work-item, for values live across barriers (item_scratch)
  std::uint64_t group_bytes = 0;          ///< lanewise_worker::group_scratch
  std::uint64_t private_bytes = 0;        ///< CL_KERNEL_PRIVATE_MEM_SIZE: bytes of a work-item outside registers
  std::uint32_t sub_group_size = 1;       ///< work-items of each sub-group except the last of a group
  std::uint32_t reqd_sub_group_size = 0;  ///< intel_reqd_sub_group_size; 0: none
  std::uint32_t reqd_sub_groups = 0;      ///< of a work-group, where its module says it; 0: any number
  NDRangeShape shape;
  InstructionCounts instructions;
  bool has_barrier = false;
  bool uses_print = false;
  bool enqueues = false;       ///< it calls functions of device queues
  std::uint32_t block = 0;     ///< it is that of a block, which kernels enqueue by this number; 0: of the program
  bool has_variables = false;  ///< the program has storage for variables, and the argument block its address
  std::uint32_t variables_offset = 0;  ///< of that address in the argument block
  bool accumulates = false;            ///< some argument has an accumulation
  bool waits = false;                  ///< a group may wait for one with a lower number, which has to begin before it

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    constexpr auto kMemory = at_most(kLargestKernelMemory);
    fields(self.name, self.symbol, self.attributes, self.args, bounded(self.args_bytes, at_most(kLargestArguments)),
           bounded(self.reqd_work_group_size, at_most(kLargestNamedSize)),
           bounded(self.work_group_size_hint, at_most(kLargestNamedSize)), bounded(self.local_bytes, kMemory),
           bounded(self.item_bytes, kMemory), bounded(self.group_bytes, kMemory), bounded(self.private_bytes, kMemory),
           bounded(self.sub_group_size, power_of_two(kLargestSubGroup)),
           bounded(self.reqd_sub_group_size, at_most(kLargestSubGroup)), bounded(self.reqd_sub_groups, any_value),
           self.shape, self.instructions, self.has_barrier, self.uses_print, self.enqueues,
           bounded(self.block, any_value), self.has_variables,
           bounded(self.variables_offset, at_most(kLargestArguments)), self.accumulates, self.waits);
  }
};

/// Bytes of all variables of a program, with what lies between them.
inline constexpr std::uint64_t kLargestVariables = 2 * kLargestKernelMemory;

/// LLVM knows no larger one.
inline constexpr std::uint64_t kLargestAlignment = std::uint64_t{1} << 32;

/// The variables of a program in the global address space: one block of memory for each device, whose address all code
/// of the program receives, including that for other tiers and modes.
struct VariableStorage {
  /// The eight bytes at `at` are an address: that of the storage plus `target`.
  struct Pointer {
    std::uint64_t at = 0;
    std::uint64_t target = 0;

    template <class Self, class Fields>
    static void visit(Self& self, Fields& fields) {
      fields(bounded(self.at, at_most(kLargestVariables)), bounded(self.target, any_value));
    }
    friend bool operator==(const Pointer&, const Pointer&) = default;
  };
  std::uint64_t bytes = 0;        ///< 0: the program has no such variables
  std::uint64_t align = 1;        ///< a power of two
  std::uint64_t largest = 0;      ///< bytes of the largest variable
  Bytes initial;                  ///< the first bytes of the storage; the others are zeros
  std::vector<Pointer> pointers;  ///< to be written after `initial`

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(bounded(self.bytes, at_most(kLargestVariables)), bounded(self.align, power_of_two(kLargestAlignment)),
           bounded(self.largest, at_most(kLargestKernelMemory)), self.initial, self.pointers);
  }
  friend bool operator==(const VariableStorage&, const VariableStorage&) = default;
};

/// A path that the preprocessor looked up, and what it found there. A cache entry is valid only as long as all of them
/// are unchanged.
struct Dependency {
  enum class State : std::uint8_t {
    text,     ///< a regular file that was read: the hash is its content's
    present,  ///< a regular file whose existence was tested (__has_include)
    nothing,  ///< neither a regular file nor a directory, so the search continued
    no_file   ///< no regular file where one was needed, for example a directory
  };
  std::string path;  ///< absolute, as looked up: not resolved, because symbolic links may change later
  std::uint64_t hash_low = 0;
  std::uint64_t hash_high = 0;
  State state = State::text;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.path, self.hash_low, self.hash_high, self.state);
  }
};

struct Reply {
  std::int32_t status = 0;  ///< CL_SUCCESS or the OpenCL error of the failed phase
  std::string log;          ///< build log: every diagnostic, in order
  Bytes ir;                 ///< program IR (bitcode), for linking and for binaries
  Bytes image;              ///< ELF shared object; empty for compile and library jobs
  std::vector<KernelInfo> kernels;
  VariableStorage variables;  ///< of an executable
  std::vector<Dependency> dependencies;
  std::vector<LoopReport> loops;  ///< what the vectoriser did, if the request asks for it

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.status, self.log, self.ir, self.image, self.kernels, self.variables, self.dependencies, self.loops);
  }
};

/// The bytes of a request or a reply: the version, then its fields. A request contains everything that can change the
/// reply, so its bytes are also the main part of the cache key.
template <class Message>
  requires std::same_as<Message, Request> || std::same_as<Message, Reply>
Bytes encode(const Message& message) {
  FieldWriter fields;
  fields(kCompilerAbiVersion, message);
  return fields.take();
}
/// Of a job by itself.
template <class Job>
  requires std::constructible_from<Request, const Job&> && (!std::same_as<Job, Request>)
Bytes encode(const Job& job) {
  return encode(Request(job));
}

template <class Message>
std::optional<Message> decode(std::span<const std::uint8_t> bytes) {
  FieldReader fields(bytes);
  std::uint32_t version = 0;
  fields(version);
  if (version != kCompilerAbiVersion) return std::nullopt;
  Message message;
  fields(message);
  if (!fields.complete()) return std::nullopt;
  return message;
}

/// The process that calls the compiler library.
struct Host {
  const char* directory;         ///< the driver's private directory, with the built-in library
  std::uint32_t in_application;  ///< 1: this process must survive a crash of the compiler; 0: it may end with it
  /// Called with the context of the request when one of its kernels is done, by any thread; null: nobody asks.
  void (*advanced)(void* context) = nullptr;
};

/// The one C function of `liblanewise-compiler.so`: runs an encoded request on the calling thread and passes the
/// encoded reply to `sink` exactly once. Thread-safe; does not throw. The helper and the in-process fallback both call
/// it.
using RunFunction = void (*)(const Host* host, const std::uint8_t* request, std::uint64_t size,
                             void (*sink)(void* context, const std::uint8_t* reply, std::uint64_t size), void* context);
inline constexpr const char* kRunSymbol = "lanewise_compiler_run";

}  // namespace lanewise::abi
