// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Imported memory whose file a hostile process makes smaller: commands that use it fail, everything else goes on. Faults
// of the application's own stay the application's own.
#include <CL/cl_ext.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <thread>

#include "include/lanewise/external_memory.h"
#include "tests/robustness/hostile.h"

namespace lanewise::robustness {

namespace {

constexpr std::size_t kSide = 512;
constexpr std::size_t kBytes = kSide * kSide * 4;  ///< of every object
constexpr const char* kSource = R"(
kernel void add(global uint* a) { a[get_global_id(0)] += 1; }
kernel void sum(global const uint* a, global uint* out) {
  uint s = 0;
  for (uint i = 0; i < 1024; ++i) s += a[i * 256 + get_global_id(0) % 256];
  out[get_global_id(0)] = s;
}
kernel void say(global const uint* a) { if (get_global_id(0) == 0) printf("%u", a[250000]); }
kernel void paint(write_only image2d_t a) { write_imageui(a, (int2)(get_global_id(0), get_global_id(1)), (uint4)(7)); }
)";

class Victim {
 public:
  explicit Victim(bool terminable = false) : session_(driver_), cl(driver_) {
#define LANEWISE_FIND(member, name) member = function_of<decltype(member)>(driver_, #name)
    LANEWISE_FIND(create_buffer_, clCreateBufferWithProperties);
    LANEWISE_FIND(create_image_, clCreateImageWithProperties);
    LANEWISE_FIND(write, clEnqueueWriteBuffer);
    LANEWISE_FIND(fill, clEnqueueFillBuffer);
    LANEWISE_FIND(copy, clEnqueueCopyBuffer);
    LANEWISE_FIND(read_rect, clEnqueueReadBufferRect);
    LANEWISE_FIND(copy_rect, clEnqueueCopyBufferRect);
    LANEWISE_FIND(fill_image, clEnqueueFillImage);
    LANEWISE_FIND(read_image, clEnqueueReadImage);
    LANEWISE_FIND(copy_to_image, clEnqueueCopyBufferToImage);
    LANEWISE_FIND(native, clEnqueueNativeKernel);
    LANEWISE_FIND(acquire, clEnqueueAcquireExternalMemObjectsKHR);
#undef LANEWISE_FIND
    if (terminable) make_terminable();
    cl_int code = 0;
    program_ = session_.build(kSource, code);
    expect(code == CL_SUCCESS, "clBuildProgram", code);
    plain = cl.CreateBuffer(session_.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code);
    expect(code == CL_SUCCESS, "clCreateBuffer", code);
    host.resize(kBytes);
  }

  static int memory(std::size_t bytes = kBytes) {
    const int made = memfd_create("hostile", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    expect(made >= 0 && ftruncate(made, static_cast<off_t>(bytes)) == 0, "memfd_create");
    return made;
  }
  cl_mem buffer(int descriptor, cl_int& code, std::size_t bytes = kBytes) {
    const std::array<cl_mem_properties, 3> list{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                                static_cast<cl_mem_properties>(descriptor), 0};
    return create_buffer_(session_.context, list.data(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
  }
  cl_mem image(int descriptor, cl_int& code) {
    const std::array<cl_mem_properties, 3> list{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                                static_cast<cl_mem_properties>(descriptor), 0};
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = kSide;
    desc.image_height = kSide;
    return create_image_(session_.context, list.data(), CL_MEM_READ_WRITE, &format, &desc, nullptr, &code);
  }
  /// @return the code of the enqueue or the status
  cl_int launch(const char* name, cl_mem first, cl_mem second = nullptr, cl_uint dims = 1) {
    cl_int code = 0;
    cl_kernel kernel = cl.CreateKernel(program_, name, &code);
    expect(code == CL_SUCCESS, "clCreateKernel", code);
    cl.SetKernelArg(kernel, 0, sizeof first, &first);
    if (second != nullptr) cl.SetKernelArg(kernel, 1, sizeof second, &second);
    const std::size_t items[2] = {dims == 1 ? kBytes / 4 : kSide, kSide};
    const cl_int status = finish([&](cl_event* event) {
      return cl.EnqueueNDRangeKernel(queue(), kernel, dims, nullptr, items, nullptr, 0, nullptr, event);
    });
    cl.ReleaseKernel(kernel);
    return status;
  }
  /// The same with an address, as of system memory.
  cl_int launch_on_address(const char* name, void* address) {
    const auto set = function_of<decltype(&clSetKernelArgSVMPointer)>(driver_, "clSetKernelArgSVMPointer");
    cl_int code = 0;
    cl_kernel kernel = cl.CreateKernel(program_, name, &code);
    expect(code == CL_SUCCESS && set(kernel, 0, address) == CL_SUCCESS, "a kernel with an address", code);
    const std::size_t items = kBytes / 4;
    const cl_int status = finish([&](cl_event* event) {
      return cl.EnqueueNDRangeKernel(queue(), kernel, 1, nullptr, &items, nullptr, 0, nullptr, event);
    });
    cl.ReleaseKernel(kernel);
    return status;
  }
  cl_int finish(const std::function<cl_int(cl_event*)>& command) {
    cl_event event = nullptr;
    if (const cl_int code = command(&event); code != CL_SUCCESS) return code;
    cl.Flush(queue());
    // Alternately this thread runs it and the driver's threads do.
    if (++count_ % 2 == 0) (void)cl.WaitForEvents(1, &event);
    return end_of(driver_, event, "a command");
  }
  /// What has nothing to do with imported memory works.
  void check_plain() {
    const cl_uint seven = 7;
    cl_int code =
        finish([&](cl_event* e) { return fill(queue(), plain, &seven, sizeof seven, 0, kBytes, 0, nullptr, e); });
    expect(code == CL_COMPLETE, "a fill of an ordinary buffer", code);
    code = launch("add", plain);
    expect(code == CL_COMPLETE, "a launch on an ordinary buffer", code);
    code = cl.EnqueueReadBuffer(queue(), plain, CL_TRUE, 0, kBytes, host.data(), 0, nullptr, nullptr);
    expect(code == CL_SUCCESS && host[kBytes - 4] == 8 && host[0] == 8, "what is in an ordinary buffer", code);
  }
  [[nodiscard]] cl_command_queue queue() const { return session_.queue; }

 private:
  void make_terminable() {
    const auto make = function_of<decltype(&clCreateContext)>(driver_, "clCreateContext");
    const cl_context_properties list[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
    cl_int code = 0;
    session_.context = make(list, 1, &session_.device, nullptr, nullptr, &code);
    expect(code == CL_SUCCESS, "a context that can be terminated", code);
    code = session_.make_queue();
    expect(code == CL_SUCCESS, "clCreateCommandQueue", code);
  }

  Driver driver_;
  Session session_;
  decltype(&clCreateBufferWithProperties) create_buffer_;
  decltype(&clCreateImageWithProperties) create_image_;
  cl_program program_ = nullptr;
  int count_ = 0;

 public:
  Driver& cl;
  cl_mem plain = nullptr;
  std::vector<unsigned char> host;
  decltype(&clEnqueueWriteBuffer) write;
  decltype(&clEnqueueFillBuffer) fill;
  decltype(&clEnqueueCopyBuffer) copy;
  decltype(&clEnqueueReadBufferRect) read_rect;
  decltype(&clEnqueueCopyBufferRect) copy_rect;
  decltype(&clEnqueueFillImage) fill_image;
  decltype(&clEnqueueReadImage) read_image;
  decltype(&clEnqueueCopyBufferToImage) copy_to_image;
  decltype(&clEnqueueNativeKernel) native;
  clEnqueueAcquireExternalMemObjectsKHR_fn acquire;
};

using Command = std::function<cl_int(cl_mem)>;

void CL_CALLBACK set_last_byte(void* args) {
  unsigned char* at = nullptr;
  std::memcpy(&at, args, sizeof at);
  at[kBytes - 1] = 1;
}

/// Commands on a buffer of kBytes that touch its last page.
std::vector<std::pair<std::string, Command>> buffer_commands(Victim& v) {
  static const cl_uint seven = 7;
  static const std::size_t zero[3] = {};
  static const std::size_t rows[3] = {kSide, kSide, 1};
  cl_command_queue q = v.queue();
  return {
      {"fill",
       [=, &v](cl_mem m) {
         return v.finish([&](cl_event* e) { return v.fill(q, m, &seven, sizeof seven, 0, kBytes, 0, nullptr, e); });
       }},
      {"write",
       [=, &v](cl_mem m) {
         return v.finish([&](cl_event* e) { return v.write(q, m, CL_FALSE, 0, kBytes, v.host.data(), 0, nullptr, e); });
       }},
      {"blocking write",
       [=, &v](cl_mem m) { return v.write(q, m, CL_TRUE, 0, kBytes, v.host.data(), 0, nullptr, nullptr); }},
      {"blocking read",
       [=, &v](cl_mem m) {
         return v.cl.EnqueueReadBuffer(q, m, CL_TRUE, 0, kBytes, v.host.data(), 0, nullptr, nullptr);
       }},
      {"copy from",
       [=, &v](cl_mem m) {
         return v.finish([&](cl_event* e) { return v.copy(q, m, v.plain, 0, 0, kBytes, 0, nullptr, e); });
       }},
      {"copy to",
       [=, &v](cl_mem m) {
         return v.finish([&](cl_event* e) { return v.copy(q, v.plain, m, 0, 0, kBytes, 0, nullptr, e); });
       }},
      {"read of rows",
       [=, &v](cl_mem m) {
         return v.finish([&](cl_event* e) {
           return v.read_rect(q, m, CL_FALSE, zero, zero, rows, 4 * kSide, 0, kSide, 0, v.host.data(), 0, nullptr, e);
         });
       }},
      {"copy of rows",
       [=, &v](cl_mem m) {
         return v.finish([&](cl_event* e) {
           return v.copy_rect(q, v.plain, m, zero, zero, rows, kSide, 0, 4 * kSide, 0, 0, nullptr, e);
         });
       }},
      {"kernel that writes", [&v](cl_mem m) { return v.launch("add", m); }},
      {"kernel that reads", [&v](cl_mem m) { return v.launch("sum", m, v.plain); }},
      {"kernel that prints", [&v](cl_mem m) { return v.launch("say", m); }},
      {"native kernel",
       [=, &v](cl_mem m) {
         return v.finish([&](cl_event* e) {
           void* args[1] = {};
           const void* place = &args[0];
           return v.native(q, set_last_byte, static_cast<void*>(args), sizeof args, 1, &m, &place, 0, nullptr, e);
         });
       }},
  };
}

std::vector<std::pair<std::string, Command>> image_commands(Victim& v) {
  static const cl_uint color[4] = {1, 2, 3, 4};
  static const std::size_t zero[3] = {};
  static const std::size_t all[3] = {kSide, kSide, 1};
  cl_command_queue q = v.queue();
  return {
      {"fill of an image",
       [=, &v](cl_mem m) {
         return v.finish([&](cl_event* e) { return v.fill_image(q, m, color, zero, all, 0, nullptr, e); });
       }},
      {"read of an image",
       [=, &v](cl_mem m) {
         return v.finish(
             [&](cl_event* e) { return v.read_image(q, m, CL_FALSE, zero, all, 0, 0, v.host.data(), 0, nullptr, e); });
       }},
      {"copy to an image",
       [=, &v](cl_mem m) {
         return v.finish([&](cl_event* e) { return v.copy_to_image(q, v.plain, m, 0, zero, all, 0, nullptr, e); });
       }},
      {"kernel that paints", [&v](cl_mem m) { return v.launch("paint", m, nullptr, 2); }},
  };
}

void expect_fails(cl_int status, const std::string& what) {
  expect(status == CL_MEM_OBJECT_ALLOCATION_FAILURE, what.c_str(), status);
}

/// Every command that uses an object whose file is shorter fails, with no effect on what follows.
void shrink(Victim& v, const Peer& peer, bool of_images, std::uint64_t left) {
  for (const auto& [name, command] : of_images ? image_commands(v) : buffer_commands(v)) {
    const int descriptor = Victim::memory();
    peer.does(Deed::hold, 0, 0, descriptor);
    cl_int code = 0;
    cl_mem object = of_images ? v.image(descriptor, code) : v.buffer(descriptor, code);
    expect(code == CL_SUCCESS, "an import", code);
    code = command(object);
    expect(code == CL_SUCCESS, name.c_str(), code);
    peer.does(Deed::resize, left);
    expect_fails(command(object), name + ", shrunk");
    v.check_plain();
    peer.does(Deed::resize, kBytes);
    expect_fails(command(object), name + ", for good");
    cl_event event = nullptr;
    expect(v.acquire(v.queue(), 1, &object, 0, nullptr, &event) == CL_SUCCESS, "an acquisition");
    expect_fails(end_of(v.cl, event, "the acquisition"), "an acquisition of what is lost");
    expect(v.cl.ReleaseMemObject(object) == CL_SUCCESS, "clReleaseMemObject");
  }
}

/// Maps of the application's are its own, but what a command does with them is the command's.
void shrink_under_map(Victim& v, const Peer& peer, const std::function<cl_int(void*)>& command) {
  cl_int code = 0;
  const int descriptor = Victim::memory();
  peer.does(Deed::hold, 0, 0, descriptor);
  cl_mem object = v.buffer(descriptor, code);
  void* map = v.cl.EnqueueMapBuffer(v.queue(), object, CL_TRUE, CL_MAP_WRITE, 0, kBytes, 0, nullptr, nullptr, &code);
  expect(code == CL_SUCCESS, "a map", code);
  peer.does(Deed::resize, 0);
  expect_fails(command(map), "a command on a map");
  cl_event event = nullptr;
  code = v.cl.EnqueueUnmapMemObject(v.queue(), object, map, 0, nullptr, &event);
  expect(code == CL_SUCCESS, "clEnqueueUnmapMemObject", code);
  expect_fails(end_of(v.cl, event, "the unmap"), "an unmap of what is lost");
}

void restore(int signal) {
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
}

sigjmp_buf g_back;
volatile int g_caught = 0;
struct sigaction g_next;

void catch_it(int, siginfo_t*, void*) {
  g_caught = g_caught + 1;
  siglongjmp(g_back, 1);
}

/// Counts, and hands on to the handler that was there before.
void count_it(int signal, siginfo_t* info, void* context) {
  g_caught = g_caught + 1;
  g_next.sa_sigaction(signal, info, context);
}

void install(void (*handler)(int, siginfo_t*, void*), struct sigaction* old = nullptr) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  expect(sigaction(SIGBUS, &action, old) == 0, "sigaction");
}

/// An access of the application's to a mapping of its own whose file is too short.
void touch_too_short_file() {
  const int own = Victim::memory(0);
  auto* at = static_cast<volatile char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, own, 0));
  at[0] = 1;
}

/// The signal that ends a process that does something.
int end_of_child(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void import_and_lose(Victim& v, const Peer& peer) {
  cl_int code = 0;
  const int descriptor = Victim::memory();
  peer.does(Deed::hold, 0, 0, descriptor);
  cl_mem object = v.buffer(descriptor, code);
  expect(code == CL_SUCCESS, "an import", code);
  peer.does(Deed::resize, 0);
  expect_fails(v.launch("add", object), "a launch");
  v.cl.ReleaseMemObject(object);
}

}  // namespace

int shrunk_memory(const Arguments& arguments) {
  const Peer peer;
  Victim victim(!arguments.empty() && arguments[0] == "terminable");
  for (const std::uint64_t left : {std::uint64_t{0}, std::uint64_t{kBytes / 2 - 5000}}) {
    shrink(victim, peer, false, left);
    shrink(victim, peer, true, left);
  }
  shrink_under_map(victim, peer, [&](void* map) {
    return victim.cl.EnqueueReadBuffer(victim.queue(), victim.plain, CL_TRUE, 0, kBytes, map, 0, nullptr, nullptr);
  });
  shrink_under_map(victim, peer, [&](void* map) { return victim.launch_on_address("add", map); });
  victim.check_plain();
  return 0;
}

/// The file becomes shorter and longer all the time while commands run.
int flapping_memory(const Arguments&) {
  const Peer peer;
  Victim victim;
  const auto commands = buffer_commands(victim);
  int failed = 0;
  for (int i = 0; i < 120; ++i) {
    const int descriptor = Victim::memory();
    peer.does(Deed::hold, 0, 0, descriptor);
    peer.does(Deed::flap, kBytes);
    cl_int code = 0;
    cl_mem object = nullptr;
    for (int tries = 0; object == nullptr && tries < 100'000; ++tries) {
      const int copy = dup(descriptor);
      object = victim.buffer(copy, code);
      if (object != nullptr) break;
      close(copy);
      expect(code == CL_INVALID_BUFFER_SIZE, "a refused import", code);
    }
    expect(code == CL_SUCCESS, "an import", code);
    code = commands[static_cast<std::size_t>(i) % commands.size()].second(object);
    expect(code == CL_SUCCESS || code == CL_MEM_OBJECT_ALLOCATION_FAILURE, "a command", code);
    failed += code != CL_SUCCESS ? 1 : 0;
    peer.does(Deed::calm);
    victim.cl.ReleaseMemObject(object);
    close(descriptor);
  }
  expect(failed > 0, "some commands that met a short file");
  victim.check_plain();
  return 0;
}

int own_faults(const Arguments& arguments) {
  const std::string& way = arguments.at(0);
  restore(SIGBUS);  // sanitizers have a handler
  const Peer peer;
  Victim v;
  if (way == "handler_before") install(catch_it);
  if (way == "ignored") signal(SIGBUS, SIG_IGN);
  import_and_lose(v, peer);
  if (way == "handler_later") install(count_it, &g_next);
  if (way == "handler_before" || way == "handler_later") {
    if (way == "handler_later") {
      import_and_lose(v, peer);
      expect(g_caught > 0, "calls of a handler that came later", g_caught);
      expect(end_of_child(touch_too_short_file) == SIGBUS, "the default action after all handlers");
      return 0;
    }
    if (sigsetjmp(g_back, 1) == 0) touch_too_short_file();
    expect(g_caught == 1, "the application's handler for its own fault", g_caught);
    import_and_lose(v, peer);
    return 0;
  }
  if (way == "ignored") {
    raise(SIGBUS);
    expect(end_of_child(touch_too_short_file) == SIGBUS, "a fault where the signal is ignored");
    return 0;
  }
  if (way == "blocked") {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    for (int i = 0; i < 20; ++i) import_and_lose(v, peer);
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    expect(sigismember(&now, SIGBUS) == 1, "the mask of the application's thread");
    return 0;
  }
  // A fault of the application's in a map, and one that has nothing to do with the driver.
  cl_int code = 0;
  const int descriptor = Victim::memory();
  peer.does(Deed::hold, 0, 0, descriptor);
  cl_mem object = v.buffer(descriptor, code);
  auto* map = static_cast<volatile char*>(
      v.cl.EnqueueMapBuffer(v.queue(), object, CL_TRUE, CL_MAP_WRITE, 0, kBytes, 0, nullptr, nullptr, &code));
  expect(code == CL_SUCCESS, "a map", code);
  peer.does(Deed::resize, 0);
  expect(end_of_child([&] { map[0] = 1; }) == SIGBUS, "the application's own access to a map");
  expect(end_of_child(touch_too_short_file) == SIGBUS, "the application's own mapping");
  expect(end_of_child([] { raise(SIGBUS); }) == SIGBUS, "a signal that is sent");
  install(catch_it);
  if (sigsetjmp(g_back, 1) == 0) map[0] = 1;
  expect(g_caught == 1, "a handler that came later", g_caught);
  restore(SIGBUS);
  return 0;
}

/// What is no shared memory, or not enough of it, is refused; more than is asked for is accepted.
int odd_handles(const Arguments&) {
  Victim v;
  cl_int code = 0;
  const auto refused = [&](int descriptor, cl_int with, const char* what) {
    expect(descriptor >= 0, what);
    expect(v.buffer(descriptor, code) == nullptr && code == with, what, code);
    close(descriptor);
  };
  expect(mkfifo("fifo", 0600) == 0, "mkfifo");
  refused(open("fifo", O_RDWR | O_CLOEXEC), CL_INVALID_PROPERTY, "a FIFO");
  unlink("fifo");
  refused(open("/dev/zero", O_RDWR | O_CLOEXEC), CL_INVALID_PROPERTY, "a device");
  refused(open("/dev/null", O_RDWR | O_CLOEXEC), CL_INVALID_PROPERTY, "another device");
  refused(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), CL_INVALID_PROPERTY, "a directory");
  refused(Victim::memory(kBytes - 1), CL_INVALID_BUFFER_SIZE, "too little memory");
  refused(Victim::memory(0), CL_INVALID_BUFFER_SIZE, "no memory");
  const int sealed = Victim::memory();
  expect(fcntl(sealed, F_ADD_SEALS, F_SEAL_WRITE) == 0, "F_ADD_SEALS");
  refused(sealed, CL_INVALID_PROPERTY, "memory that cannot be written");
  const auto accepted = [&](int descriptor, const char* what) {
    cl_mem object = v.buffer(descriptor, code);
    expect(code == CL_SUCCESS, what, code);
    expect(v.launch("add", object) == CL_SUCCESS, what);
    expect(v.cl.ReleaseMemObject(object) == CL_SUCCESS, what);
  };
  accepted(Victim::memory(3 * kBytes + 1), "more memory than is asked for");
  const std::string name = "/lanewise-hostile-" + std::to_string(getpid());
  const int posix = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  shm_unlink(name.c_str());
  expect(posix >= 0 && ftruncate(posix, kBytes) == 0, "shm_open");
  accepted(posix, "POSIX shared memory");
  const int file = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  unlink("file");
  expect(file >= 0 && ftruncate(file, kBytes) == 0, "a file");
  accepted(file, "a file on a disk");
  v.check_plain();
  return 0;
}

}  // namespace lanewise::robustness
