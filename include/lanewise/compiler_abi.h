// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The messages between the runtime and the compiler: plain data, encoded as versioned bytes.
///
/// The helper process (messages on its socket, helper_protocol.h) and the in-process library (`lanewise_compiler_run`)
/// receive the same bytes. Neither side trusts the other: `decode` returns nothing for damaged input.
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

/// The version of the encodings: raised with every change of a message below. Part of every encoded message, and so of
/// every cache key.
inline constexpr std::uint32_t kCompilerAbiVersion = 24;

/// The file name of the source in diagnostics, __FILE__ and debuggers.
inline constexpr const char* kSourceName = "program.cl";

/// A header that the application embeds: the name in `#include`, and the text.
struct NamedText {
  std::string name;
  std::string text;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.name, self.text);
  }
};

/// The value of a SPIR-V specialisation constant.
struct SpecConstant {
  std::uint32_t id = 0;     ///< operand of the constant's SpecId decoration
  std::uint64_t value = 0;  ///< the constant's bytes in the low bits

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.id, self.value);
  }
};

/// A class of a kernel's launches that second-tier code is made for (design D8). They have no offset, whole groups and
/// less than 2^31 work-items in each dimension. Dimensions are in the order of the kernel's code
/// (NDRangeShape::first_dimension).
struct Specialisation {
  std::string kernel;
  Sizes local_size{};  ///< work-items
  /// The known part of each argument: the bytes of an image's `lanewise_texel`, the bytes of a sampler's word, or
  /// nothing. The list may be shorter than the list of arguments.
  std::vector<Bytes> known_arguments;
  bool private_copies = false;        ///< arguments with an Accumulation point to memory of one thread
  std::uint32_t first_dimension = 0;  ///< NDRangeShape::first_dimension of the first build's code
  /// Number of groups that may run together (NDRangeShape::team_groups); launches have many times as many in x. 0:
  /// none.
  std::uint32_t team_groups = 0;
  /// Iterations of a loop that may run side by side in a kernel whose work-items do not: 2 to 64. 0: none; 1: the
  /// compiler chooses.
  std::uint32_t iteration_lanes = 0;
  bool distinct_buffers = false;  ///< no byte of memory belongs to two of the buffers that are arguments

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.kernel, self.local_size, self.known_arguments, self.private_copies, self.first_dimension,
           self.team_groups, self.iteration_lanes, self.distinct_buffers);
  }
};

/// A program as the front end reads it.
struct Source {
  std::string text;  ///< OpenCL C
  Bytes il;          ///< a SPIR-V module in this machine's byte order, which replaces `text`; or empty
  std::vector<SpecConstant> constants;  ///< new values of constants of `il`, sorted by id; others keep theirs
  std::vector<NamedText> headers;       ///< embedded headers of clCompileProgram, found before any -I directory
  std::vector<std::string> options;     ///< canonical OpenCL options, one token each: "-cl-std=CL3.0", "-DX=1", "-Idir"
  std::string working_directory;        ///< the directory that relative -I paths start from
  std::string folder;  ///< -g: folder in which debuggers find `text` (kSourceName) and `headers`; else ""
  std::vector<std::string> extensions;  ///< names for -cl-ext=+name; all other extensions are off
  std::vector<std::string> macros;      ///< "NAME=VALUE": feature macros, __OPENCL_VERSION__ and similar ones

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.text, self.il, self.constants, self.headers, self.options, self.working_directory, self.folder,
           self.extensions, self.macros);
  }
};

/// When the code of an executable's kernels is made (design D30).
enum class CodeTime : std::uint8_t {
  build,   ///< together with the executable
  wanted,  ///< later, by `FirstCode` for each kernel alone; not if errors might show only then
};

/// The settings for code generation.
struct CodeSettings {
  Isa isa;                          ///< instructions that the code uses without testing the processor
  bool debug_barriers = false;      ///< LANEWISE_DEBUG=barriers: report divergent barriers
  std::uint32_t vector_width = 0;   ///< work-items in a vector: 2 to 64. 0: the compiler chooses; 1: scalar code
  bool report_vectors = false;      ///< LANEWISE_DEBUG=vectorize: fill `Reply::loops`
  bool zero_private = false;        ///< private variables start as zeros (cl_khr_initialize_memory)
  CodeTime time = CodeTime::build;  ///< when the code of an executable is made
  std::uint32_t checks = 0;         ///< LANEWISE_CHECK: bits of check::CheckKind (check_abi.h)

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.isa, self.debug_barriers, self.vector_width, self.report_vectors, self.zero_private, self.time,
           self.checks);
  }
};

/// Job: answer at once with the compiler's identity in `log`.
struct Ping {
  template <class Self, class Fields>
  static void visit(Self& /*self*/, Fields& fields) {
    fields();
  }
};

/// Job: SPIR-V -> whether it is valid (clCreateProgramWithIL).
struct Validate {
  Bytes il;  ///< a module in this machine's byte order

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.il);
  }
};

/// Job: source or SPIR-V -> program IR (clCompileProgram).
struct Compile {
  Source source;
  bool report_vectors = false;  ///< a later link will ask for a report (CodeSettings::report_vectors)

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.source, self.report_vectors);
  }
};

/// Job: program IRs -> executable (IR + code object + kernels) or library (IR only) (clLinkProgram).
struct Link {
  std::vector<Bytes> inputs{};         ///< program IRs in link order
  std::vector<std::string> options{};  ///< canonical options that links take, as in Source::options
  bool create_library = false;         ///< keep all functions, make no code object
  CodeSettings code;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.inputs, self.options, self.create_library, self.code);
  }
};

/// Job: source or SPIR-V -> executable (clBuildProgram).
struct Build {
  Source source;
  CodeSettings code;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.source, self.code);
  }
};

/// Job: program IR -> code object of one kernel for a class of its launches, without IR (design D8).
struct Specialise {
  Bytes program;  ///< Reply::ir of an executable
  Specialisation launches;
  CodeSettings code;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.program, self.launches, self.code);
  }
};

/// Job: program IR -> image and description of one kernel of an executable that lacks code, without IR (design D30).
struct FirstCode {
  Bytes program;  ///< Reply::ir of the executable
  std::string kernel;
  bool large_program = false;  ///< Reply::large_program of the executable
  CodeSettings code;           ///< settings of the executable

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.program, self.kernel, self.large_program, self.code);
  }
};

/// A request: one job.
using Request = std::variant<Ping, Validate, Compile, Link, Build, Specialise, FirstCode>;

/// The name of the job, one word: "build".
const char* job_name(const Request& request);

/// The settings of a job; null: the job makes no code.
const CodeSettings* code_settings(const Request& request);

/// The kind of a kernel argument, with the address space of pointers.
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

/// The only operation that a kernel applies to the memory of a global pointer: it changes elements by atomic operations
/// in relaxed order, and never uses their values. A sum may have positive and negative terms.
enum class Accumulation : std::uint8_t {
  none,  ///< the kernel does something else, too
  sum,
  bit_and,
  bit_or,
  bit_xor,
  signed_min,
  signed_max,
  unsigned_min,
  unsigned_max
};

/// The limit, in bytes, of a work-item's private memory, a work-group's local memory, and each variable in global
/// memory: a program that exceeds it does not compile. It is far above what kernels need (launches have limits of their
/// own), and small enough that sums of sizes do not overflow.
inline constexpr std::uint64_t kLargestKernelMemory = std::uint64_t{1} << 40;

/// The limit, in bytes, of a kernel's arguments: a program that exceeds it does not compile.
inline constexpr std::uint64_t kLargestArguments = std::uint64_t{1} << 20;

/// All bits of ArgInfo::type_qualifier.
inline constexpr std::uint64_t kAllTypeQualifiers =
    CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT | CL_KERNEL_ARG_TYPE_VOLATILE | CL_KERNEL_ARG_TYPE_PIPE;

/// One kernel argument. The three qualifier fields hold CL_KERNEL_ARG_* values.
struct ArgInfo {
  ArgKind kind = ArgKind::value;
  std::uint32_t size = 0;    ///< bytes in the argument block: sizeof the value, 8 for pointers and handles
  std::uint32_t align = 1;   ///< alignment in the argument block, bytes
  std::uint32_t offset = 0;  ///< bytes from the start of the argument block
  std::uint32_t address_qualifier = 0;
  std::uint32_t access_qualifier = 0;
  std::uint64_t type_qualifier = 0;
  std::string type_name;
  std::string name;
  Accumulation accumulation = Accumulation::none;
  std::uint8_t accumulated_bytes = 0;  ///< bytes of an element, 4 or 8; 0: there is no accumulation
  bool written = false;                ///< checked code writes through the pointer

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(bounded(self.kind, at_most(ArgKind::queue)), bounded(self.size, at_most(kLargestArguments)),
           bounded(self.align, power_of_two(LANEWISE_SCRATCH_ALIGN)), bounded(self.offset, at_most(kLargestArguments)),
           bounded(self.address_qualifier, between(CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_PRIVATE)),
           bounded(self.access_qualifier, between(CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_NONE)),
           bounded(self.type_qualifier, at_most(kAllTypeQualifiers)), self.type_name, self.name,
           bounded(self.accumulation, at_most(Accumulation::unsigned_max)),
           bounded(self.accumulated_bytes, one_of(0, 4, 8)), self.written);
  }
};

/// The size of a kernel for the compiler, in LLVM IR instructions.
struct InstructionCounts {
  std::uint32_t item = 0;  ///< instructions of a work-item and of all functions that it calls
  std::uint32_t code = 0;  ///< instructions of the code made of it

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(bounded(self.item, any_value), bounded(self.code, any_value));
  }
  bool operator==(const InstructionCounts&) const = default;
};

/// Upper bound of NDRangeShape's counts of work-items, rows and groups.
inline constexpr std::uint32_t kMostRowItems = 1 << 16;
/// The largest number of work-items in a sub-group.
inline constexpr std::uint32_t kLargestSubGroup = 64;
/// Upper bound of each size that a kernel's attributes name.
inline constexpr std::uint64_t kLargestNamedSize = 0xffff'ffff;

/// How a kernel's code runs through an NDRange, and what a launch may choose.
struct NDRangeShape {
  /// Number of work-items that neighbouring groups run at once, as one row or team; 0: each group runs separately.
  std::uint32_t row_items = 0;
  std::uint32_t rows = 0;       ///< rows of work-items in one iteration of this or of hot code; 0: not known
  bool any_local_size = false;  ///< the kernel cannot observe the local size: any has the same results
  bool crosses = false;  ///< accesses to global memory are consecutive along x here, along y there (transposition)
  /// The dimension of the source that the code has exchanged for x in all sizes of lanewise_launch: 0 to 2.
  std::uint32_t first_dimension = 0;
  std::uint32_t team_groups = 0;  ///< number of neighbouring groups that run together, one in each lane; 0: none do

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(bounded(self.row_items, at_most(kMostRowItems)), bounded(self.rows, at_most(kMostRowItems)),
           self.any_local_size, self.crosses, bounded(self.first_dimension, at_most(2)),
           bounded(self.team_groups, at_most(kMostRowItems)));
  }
  bool operator==(const NDRangeShape&) const = default;
};

/// The description of a kernel for the runtime. Descriptions are read from files that others may have changed. `visit`
/// therefore bounds each number, and `check_description` (runtime/code/description.h) checks what must agree.
struct KernelInfo {
  std::string name;
  std::string symbol;      ///< symbol of the range function in the code object
  std::string attributes;  ///< CL_KERNEL_ATTRIBUTES: the __attribute__ qualifiers, space-separated
  std::vector<ArgInfo> args;
  std::uint32_t args_bytes = 0;                         ///< size of the argument block, bytes
  std::array<std::uint64_t, 3> reqd_work_group_size{};  ///< work-items; zeros: none is required
  std::array<std::uint64_t, 3> work_group_size_hint{};  ///< work-items; zeros: none is given
  std::uint64_t local_bytes = 0;                        ///< bytes of static __local variables
  std::uint64_t item_bytes = 0;           ///< bytes per work-item for values that live across barriers (item_scratch)
  std::uint64_t group_bytes = 0;          ///< bytes of lanewise_worker::group_scratch
  std::uint64_t private_bytes = 0;        ///< CL_KERNEL_PRIVATE_MEM_SIZE: bytes per work-item outside registers
  std::uint32_t sub_group_size = 1;       ///< work-items of each sub-group except the last of a group
  std::uint32_t reqd_sub_group_size = 0;  ///< work-items (intel_reqd_sub_group_size); 0: none is required
  std::uint32_t reqd_sub_groups = 0;      ///< sub-groups that the SPIR-V module requires of a work-group; 0: any number
  NDRangeShape shape;
  InstructionCounts instructions;
  bool own_vectors = false;  ///< the source's own vectors fill the registers, so no work-items are vectorised
  bool has_barrier = false;
  bool uses_print = false;
  bool enqueues = false;       ///< the kernel calls functions of device queues
  std::uint32_t block = 0;     ///< number by which kernels enqueue this block kernel; 0: a kernel of the program
  bool has_variables = false;  ///< the argument block has the address of the program's variables
  std::uint32_t variables_offset = 0;  ///< bytes from the start of the argument block to that address
  bool accumulates = false;            ///< an argument has an accumulation
  bool waits = false;                  ///< a group may wait for a group with a lower number, which must begin before it
  bool gains_by_distinct_buffers = false;  ///< code for Specialisation::distinct_buffers has fewer accesses of memory
  bool writes_elsewhere = false;           ///< checked code writes to memory of no known argument

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    constexpr auto kMemory = at_most(kLargestKernelMemory);
    fields(self.name, self.symbol, self.attributes, self.args, bounded(self.args_bytes, at_most(kLargestArguments)),
           bounded(self.reqd_work_group_size, at_most(kLargestNamedSize)),
           bounded(self.work_group_size_hint, at_most(kLargestNamedSize)), bounded(self.local_bytes, kMemory),
           bounded(self.item_bytes, kMemory), bounded(self.group_bytes, kMemory), bounded(self.private_bytes, kMemory),
           bounded(self.sub_group_size, power_of_two(kLargestSubGroup)),
           bounded(self.reqd_sub_group_size, at_most(kLargestSubGroup)), bounded(self.reqd_sub_groups, any_value),
           self.shape, self.instructions, self.own_vectors, self.has_barrier, self.uses_print, self.enqueues,
           bounded(self.block, any_value), self.has_variables,
           bounded(self.variables_offset, at_most(kLargestArguments)), self.accumulates, self.waits,
           self.gains_by_distinct_buffers, self.writes_elsewhere);
  }
};

/// The limit, in bytes, of all variables of a program together with their padding.
inline constexpr std::uint64_t kLargestVariables = 2 * kLargestKernelMemory;

/// The largest alignment that LLVM supports, in bytes.
inline constexpr std::uint64_t kLargestAlignment = std::uint64_t{1} << 32;

/// The variables of a program in the global address space: one block of memory for each device. All code of the program
/// receives its address, including the code of other tiers and modes.
struct VariableStorage {
  /// A pointer in the storage: the eight bytes at offset `at` are the address of the storage plus `target`, in bytes.
  struct Pointer {
    std::uint64_t at = 0;
    std::uint64_t target = 0;

    template <class Self, class Fields>
    static void visit(Self& self, Fields& fields) {
      fields(bounded(self.at, at_most(kLargestVariables)), bounded(self.target, any_value));
    }
    friend bool operator==(const Pointer&, const Pointer&) = default;
  };
  /// A variable that the application may reach by its name (cl_intel_global_variable_access).
  struct Name {
    std::string name;
    std::uint64_t at = 0;     ///< offset in the storage, in bytes
    std::uint64_t bytes = 0;  ///< size of the variable
    bool readable = true;     ///< the application may read it
    bool writable = true;     ///< the application may write it

    template <class Self, class Fields>
    static void visit(Self& self, Fields& fields) {
      fields(self.name, bounded(self.at, at_most(kLargestVariables)),
             bounded(self.bytes, at_most(kLargestKernelMemory)), self.readable, self.writable);
    }
    friend bool operator==(const Name&, const Name&) = default;
  };
  std::uint64_t bytes = 0;        ///< size of the storage; 0: the program has no such variables
  std::uint64_t align = 1;        ///< alignment of the storage in bytes, a power of two
  std::uint64_t largest = 0;      ///< bytes of the largest variable
  Bytes initial;                  ///< the first bytes of the storage; the others are zeros
  std::vector<Pointer> pointers;  ///< pointers to write after `initial`
  std::vector<Name> names;        ///< the variables with names; the first of two equal names counts

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(bounded(self.bytes, at_most(kLargestVariables)), bounded(self.align, power_of_two(kLargestAlignment)),
           bounded(self.largest, at_most(kLargestKernelMemory)), self.initial, self.pointers, self.names);
  }
  friend bool operator==(const VariableStorage&, const VariableStorage&) = default;
};

/// A function that kernels may call through a pointer, which the application may ask for by the function's name.
struct FunctionPointer {
  std::string name;
  std::uint64_t pointer = 0;  ///< what such a pointer is in memory; no address

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.name, bounded(self.pointer, any_value));
  }
};

/// A path that the preprocessor looked up, and what it found there. A cache entry is valid only while all its
/// dependencies are unchanged.
struct Dependency {
  enum class State : std::uint8_t {
    text,     ///< a regular file that was read; the hash is that of its content
    present,  ///< a regular file whose existence was tested (__has_include)
    nothing,  ///< neither a regular file nor a directory, so the search continued
    no_file   ///< no regular file where one was needed, for example a directory
  };
  std::string path;            ///< absolute, as looked up: not resolved, because symbolic links may change later
  std::uint64_t hash_low = 0;  ///< 128-bit hash of the content
  std::uint64_t hash_high = 0;
  State state = State::text;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.path, self.hash_low, self.hash_high, self.state);
  }
};

/// The result of a job.
struct Reply {
  std::int32_t status = 0;  ///< CL_SUCCESS or the OpenCL error of the failed phase
  std::string log;          ///< build log: all diagnostics in order
  Bytes ir;                 ///< program IR (bitcode), for linking and for binaries
  Bytes code_object;        ///< ELF shared object; empty for compile and library jobs
  std::vector<KernelInfo> kernels;
  VariableStorage variables;               ///< the variables of an executable
  std::vector<FunctionPointer> functions;  ///< functions of an executable, unique
  std::vector<Dependency> dependencies;
  std::vector<LoopReport> loops;  ///< report of the vectoriser, if the request asks for it
  /// An executable whose kernels have no code yet: `image` is empty, and of what depends on a kernel's code its
  /// description has upper bounds (`local_bytes`, `item_bytes`) or nothing.
  bool lacks_code = false;
  bool large_program = false;  ///< FirstCode::large_program; set where `lacks_code` is
  std::uint32_t checks = 0;    ///< CodeSettings::checks of the code

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.status, self.log, self.ir, self.code_object, self.kernels, self.variables, self.functions,
           self.dependencies, self.loops, self.lacks_code, self.large_program, self.checks);
  }
};

/// Encodes a request or a reply: the version, then the fields. A request contains everything that can change the reply,
/// so its bytes are also the main part of the cache key.
Bytes encode(const Request& request);
Bytes encode(const Reply& reply);
/// Encodes a job as a request.
template <class Job>
  requires std::constructible_from<Request, const Job&> && (!std::same_as<Job, Request>)
Bytes encode(const Job& job) {
  return encode(Request(job));
}

/// Decodes a request or a reply. Nothing: the bytes have another version or are damaged.
template <class Message>
  requires std::same_as<Message, Request> || std::same_as<Message, Reply>
std::optional<Message> decode(std::span<const std::uint8_t> bytes);

/// The process that calls the compiler library.
struct Host {
  const char* directory;         ///< the driver's private directory, which contains the built-in library
  std::uint32_t in_application;  ///< 1: the process must survive a crash of the compiler; 0: it may end with it
  /// Called with the request's context by any thread whenever one of its kernels is done; null: not called.
  void (*advanced)(void* context) = nullptr;
  /// Called with the context of a request for one kernel by the thread that is to do its work, before it does; the
  /// thread ends with the work. Null: not called.
  void (*begins)(void* context) = nullptr;
};

/// The one C function of `liblanewise-compiler.so`. It runs an encoded request of `size` bytes on the calling thread
/// and passes the encoded reply to `sink` exactly once. Thread-safe; does not throw. The helper and the in-process
/// fallback both call it.
using RunFunction = void (*)(const Host* host, const std::uint8_t* request, std::uint64_t size,
                             void (*sink)(void* context, const std::uint8_t* reply, std::uint64_t size), void* context);
inline constexpr const char* kRunSymbol = "lanewise_compiler_run";

}  // namespace lanewise::abi
