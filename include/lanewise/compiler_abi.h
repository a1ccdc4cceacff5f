// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The messages between the runtime and the compiler: plain data, encoded as versioned bytes.
///
/// The same bytes go to the helper process (a length-prefixed message on its socket) and to the in-process library
/// (`lanewise_compiler_run`). Neither side trusts the other: `decode` returns nothing for damaged input.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/base/isa.h"

namespace lanewise::abi {

/// Raise with every change of an encoding below. Part of every cache key and of the helper's greeting.
inline constexpr std::uint32_t kCompilerAbiVersion = 6;

/// What a request asks for; each produces what the name says and nothing more.
enum class Job : std::uint32_t {
  compile = 1,     ///< source -> program IR (clCompileProgram)
  link = 2,        ///< program IRs -> executable (IR + image + kernels) or library (IR only) (clLinkProgram)
  build = 3,       ///< source -> executable (clBuildProgram)
  specialise = 5,  ///< program IR -> image of one kernel for one local size, without IR (design D8)
  ping = 4,        ///< answers at once with the compiler's identity in `log`
};

/// The source's file name, as diagnostics, __FILE__ and debuggers show it.
inline constexpr const char* kSourceName = "program.cl";

struct NamedText {
  std::string name;
  std::string text;
};

struct Request {
  Job job = Job::build;
  std::string source;                ///< OpenCL C (compile, build)
  std::vector<NamedText> headers;    ///< embedded headers of clCompileProgram; found before any -I directory
  std::vector<std::string> options;  ///< canonical OpenCL options, one token each: "-cl-std=CL3.0", "-DX=1", "-Idir"
  std::vector<Bytes> inputs;         ///< program IRs in link order (link)
  bool create_library = false;       ///< link: keep everything, make no image
  std::string working_directory;     ///< what relative -I paths mean
  std::string source_folder;         ///< with -g: where `source` (kSourceName) and `headers` lie for debuggers, or ""
  std::vector<std::string> extensions;  ///< names for -cl-ext=+name; everything else is off
  std::vector<std::string> macros;      ///< "NAME=VALUE": feature macros and __OPENCL_VERSION__ and the like
  Isa isa;                              ///< code uses all of it without asking the processor
  std::uint32_t address_bits = 64;
  bool debug_barriers = false;     ///< LANEWISE_DEBUG=barriers: report divergent barriers
  std::uint32_t vector_width = 0;  ///< work-items in a vector: 0: the compiler chooses; 1: scalar code; 2 to 64
  bool report_vectors = false;     ///< LANEWISE_DEBUG=vectorize: say in the log what was vectorised
  bool zero_private = false;       ///< executables: private variables begin as zeros (cl_khr_initialize_memory)
  std::string kernel;              ///< specialise: the code is right for launches of it with this local size, no
  std::array<std::uint64_t, 3> local_size{};  ///< offset, whole groups and less than 2^31 work-items a dimension
};

/// A pointer argument names its address space; everything else is a value.
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
};

/// Bytes of private memory of a work-item, or of local memory of a work-group, above which a program does not compile.
/// Far above what any kernel has (launches have limits of their own), and keeps sums of sizes away from overflow.
inline constexpr std::uint64_t kLargestKernelMemory = std::uint64_t{1} << 40;

/// Everything that the runtime knows about a kernel without looking into its code.
struct KernelInfo {
  std::string name;
  std::string symbol;      ///< of the range function in the image
  std::string attributes;  ///< CL_KERNEL_ATTRIBUTES: the __attribute__ qualifiers, space-separated
  std::vector<ArgInfo> args;
  std::uint32_t args_bytes = 0;                         ///< size of the argument block
  std::array<std::uint64_t, 3> reqd_work_group_size{};  ///< zeros: none
  std::array<std::uint64_t, 3> work_group_size_hint{};
  std::uint64_t local_bytes = 0;          ///< static __local variables
  std::uint64_t item_bytes = 0;           ///< per work-item, live across barriers (lanewise_worker::item_scratch)
  std::uint64_t group_bytes = 0;          ///< lanewise_worker::group_scratch
  std::uint64_t private_bytes = 0;        ///< CL_KERNEL_PRIVATE_MEM_SIZE: what a work-item keeps outside registers
  std::uint32_t sub_group_size = 1;       ///< work-items in all sub-groups of a group but the last
  std::uint32_t reqd_sub_group_size = 0;  ///< intel_reqd_sub_group_size; 0: none
  std::uint32_t row_items = 0;  ///< neighbouring groups run as one row, so many work-items at once; 0: each by itself
  bool has_barrier = false;
  bool uses_print = false;
};

/// A place on disk where the preprocessor looked, and what it found there; a cache entry is valid only while all of
/// them are unchanged.
struct Dependency {
  enum class State : std::uint8_t {
    text,     ///< a regular file that was read: the hash is its content's
    present,  ///< a regular file that was only asked for (__has_include)
    nothing,  ///< neither a regular file nor a directory: the search went on
    no_file   ///< no regular file, when one was wanted; a directory, say
  };
  std::string path;  ///< absolute, as asked for: symbolic links on the way may come to lead elsewhere
  std::uint64_t hash_low = 0;
  std::uint64_t hash_high = 0;
  State state = State::text;
};

struct Reply {
  std::int32_t status = 0;  ///< CL_SUCCESS or the OpenCL error of the failed phase
  std::string log;          ///< build log: every diagnostic, in order
  Bytes ir;                 ///< program IR (bitcode), for linking and for binaries
  Bytes image;              ///< ELF shared object; empty for compile and library jobs
  std::vector<KernelInfo> kernels;
  std::vector<Dependency> dependencies;
};

namespace detail {

inline void put(ByteWriter& w, const std::array<std::uint64_t, 3>& v) {
  for (auto x : v) w.number(x);
}
inline std::array<std::uint64_t, 3> triple(ByteReader& r) {
  std::array<std::uint64_t, 3> v{};
  for (auto& x : v) x = r.number<std::uint64_t>();
  return v;
}
inline void put(ByteWriter& w, const ArgInfo& a) {
  w.number(a.kind);
  w.number(a.size);
  w.number(a.align);
  w.number(a.offset);
  w.number(a.address_qualifier);
  w.number(a.access_qualifier);
  w.number(a.type_qualifier);
  w.text(a.type_name);
  w.text(a.name);
}
inline ArgInfo arg(ByteReader& r) {
  ArgInfo a;
  a.kind = r.number<ArgKind>();
  a.size = r.number<std::uint32_t>();
  a.align = r.number<std::uint32_t>();
  a.offset = r.number<std::uint32_t>();
  a.address_qualifier = r.number<std::uint32_t>();
  a.access_qualifier = r.number<std::uint32_t>();
  a.type_qualifier = r.number<std::uint64_t>();
  a.type_name = r.text();
  a.name = r.text();
  return a;
}

}  // namespace detail

inline void encode(ByteWriter& w, const KernelInfo& k) {
  w.text(k.name);
  w.text(k.symbol);
  w.text(k.attributes);
  w.list(k.args, [&](const ArgInfo& a) { detail::put(w, a); });
  w.number(k.args_bytes);
  detail::put(w, k.reqd_work_group_size);
  detail::put(w, k.work_group_size_hint);
  w.number(k.local_bytes);
  w.number(k.item_bytes);
  w.number(k.group_bytes);
  w.number(k.private_bytes);
  w.number(k.sub_group_size);
  w.number(k.reqd_sub_group_size);
  w.number(k.row_items);
  w.number(k.has_barrier);
  w.number(k.uses_print);
}

inline KernelInfo decode_kernel(ByteReader& r) {
  KernelInfo k;
  k.name = r.text();
  k.symbol = r.text();
  k.attributes = r.text();
  k.args = r.list<ArgInfo>([&] { return detail::arg(r); });
  k.args_bytes = r.number<std::uint32_t>();
  k.reqd_work_group_size = detail::triple(r);
  k.work_group_size_hint = detail::triple(r);
  k.local_bytes = r.number<std::uint64_t>();
  k.item_bytes = r.number<std::uint64_t>();
  k.group_bytes = r.number<std::uint64_t>();
  k.private_bytes = r.number<std::uint64_t>();
  k.sub_group_size = r.number<std::uint32_t>();
  k.reqd_sub_group_size = r.number<std::uint32_t>();
  k.row_items = r.number<std::uint32_t>();
  k.has_barrier = r.number<std::uint8_t>() != 0;
  k.uses_print = r.number<std::uint8_t>() != 0;
  return k;
}

/// Every field of a request that can change its answer, in a fixed order: also the body of the cache key.
inline Bytes encode(const Request& q) {
  ByteWriter w;
  w.number(kCompilerAbiVersion);
  w.number(q.job);
  w.text(q.source);
  w.list(q.headers, [&](const NamedText& h) {
    w.text(h.name);
    w.text(h.text);
  });
  w.list(q.options, [&](const std::string& o) { w.text(o); });
  w.list(q.inputs, [&](const Bytes& b) { w.blob(b); });
  w.number(q.create_library);
  w.text(q.working_directory);
  w.text(q.source_folder);
  w.list(q.extensions, [&](const std::string& e) { w.text(e); });
  w.list(q.macros, [&](const std::string& m) { w.text(m); });
  w.number(q.isa.number());
  w.number(q.isa.features());
  w.number(q.address_bits);
  w.number(q.debug_barriers);
  w.number(q.vector_width);
  w.number(q.report_vectors);
  w.number(q.zero_private);
  w.text(q.kernel);
  detail::put(w, q.local_size);
  return w.take();
}

inline std::optional<Request> decode_request(std::span<const std::uint8_t> bytes) {
  ByteReader r(bytes);
  Request q;
  if (r.number<std::uint32_t>() != kCompilerAbiVersion) return std::nullopt;
  q.job = r.number<Job>();
  q.source = r.text();
  q.headers = r.list<NamedText>([&] {
    NamedText h;
    h.name = r.text();
    h.text = r.text();
    return h;
  });
  q.options = r.list<std::string>([&] { return r.text(); });
  q.inputs = r.list<Bytes>([&] { return r.blob(); });
  q.create_library = r.number<std::uint8_t>() != 0;
  q.working_directory = r.text();
  q.source_folder = r.text();
  q.extensions = r.list<std::string>([&] { return r.text(); });
  q.macros = r.list<std::string>([&] { return r.text(); });
  const auto isa_number = r.number<std::uint32_t>();
  const auto isa = Isa::from_numbers(isa_number, r.number<std::uint32_t>());
  q.address_bits = r.number<std::uint32_t>();
  q.debug_barriers = r.number<std::uint8_t>() != 0;
  q.vector_width = r.number<std::uint32_t>();
  q.report_vectors = r.number<std::uint8_t>() != 0;
  q.zero_private = r.number<std::uint8_t>() != 0;
  q.kernel = r.text();
  q.local_size = detail::triple(r);
  if (!r.ok() || !r.at_end() || !isa) return std::nullopt;
  q.isa = *isa;
  return q;
}

inline Bytes encode(const Reply& p) {
  ByteWriter w;
  w.number(kCompilerAbiVersion);
  w.number(p.status);
  w.text(p.log);
  w.blob(p.ir);
  w.blob(p.image);
  w.list(p.kernels, [&](const KernelInfo& k) { encode(w, k); });
  w.list(p.dependencies, [&](const Dependency& d) {
    w.text(d.path);
    w.number(d.hash_low);
    w.number(d.hash_high);
    w.number(d.state);
  });
  return w.take();
}

inline std::optional<Reply> decode_reply(std::span<const std::uint8_t> bytes) {
  ByteReader r(bytes);
  Reply p;
  if (r.number<std::uint32_t>() != kCompilerAbiVersion) return std::nullopt;
  p.status = r.number<std::int32_t>();
  p.log = r.text();
  p.ir = r.blob();
  p.image = r.blob();
  p.kernels = r.list<KernelInfo>([&] { return decode_kernel(r); });
  p.dependencies = r.list<Dependency>([&] {
    Dependency d;
    d.path = r.text();
    d.hash_low = r.number<std::uint64_t>();
    d.hash_high = r.number<std::uint64_t>();
    d.state = r.number<Dependency::State>();
    return d;
  });
  if (!r.ok() || !r.at_end()) return std::nullopt;
  return p;
}

/// Who calls the compiler library.
struct Host {
  const char* directory;         ///< the driver's private one, with the built-in library
  std::uint32_t in_application;  ///< 1: this process must survive a crash of the compiler; 0: it may end with it
};

/// The one C function of `liblanewise-compiler.so`: runs an encoded request on the calling thread and hands the encoded
/// reply to `sink` exactly once. Thread-safe; never throws. The helper and the in-process fallback both call it.
using RunFunction = void (*)(const Host* host, const std::uint8_t* request, std::uint64_t size,
                             void (*sink)(void* context, const std::uint8_t* reply, std::uint64_t size), void* context);
inline constexpr const char* kRunSymbol = "lanewise_compiler_run";

}  // namespace lanewise::abi
