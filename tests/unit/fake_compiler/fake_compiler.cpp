// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A compiler without LLVM that does what the source text says, for tests of the service around it:
///
///   echo <text>     succeeds; the reply's log is the whole source
///   fail            an ordinary build failure
///   sleep <ms>      the same as echo, later
///   size <bytes>    succeeds with so many bytes of IR
///   pid             succeeds; the log is the process id
///   surroundings    succeeds; the log lists descriptors, session, process group, blocked signals
///   crash, exit, hang
///   memory          takes memory without end
///   once <file>     crashes if <file> does not exist, and makes it; else succeeds
///   stop            stops its process, as a debugger does, and then never ends
///   stop <file>     does so if <file> does not exist, and makes it; else succeeds
///   kernels <ms>    succeeds after five kernels, each of which takes so long
///   slow <file>     appends one byte to <file>, takes five seconds, succeeds
///   ticks <file>    appends a byte to <file> every 10 ms, 50 of them, on a thread of its own that it says begins
///   count <file>    appends one byte to <file>, takes 100 ms, succeeds
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>

#include "include/lanewise/compiler_abi.h"

namespace {

using namespace lanewise;

std::string surroundings() {
  std::string out = "descriptors";
  if (DIR* list = opendir("/proc/self/fd")) {
    while (const dirent* entry = readdir(list)) {
      const long number = strtol(entry->d_name, nullptr, 10);
      char target[256] = {};
      const std::string path = std::string("/proc/self/fd/") + entry->d_name;
      if (entry->d_name[0] == '.' || number == dirfd(list) || readlink(path.c_str(), target, sizeof target - 1) < 0)
        continue;
      out += std::string(" ") + entry->d_name + "=" + target;
    }
    closedir(list);
  }
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  int count = 0;
  for (int number = 1; number < 32; ++number) count += sigismember(&blocked, number);
  struct sigaction usr1{};
  sigaction(SIGUSR1, nullptr, &usr1);
  out += "\nsession " + std::string(getsid(0) == getpid() ? "own" : "shared") + "\ngroup " +
         std::string(getpgrp() == getpid() ? "own" : "shared");
  out += "\nblocked " + std::to_string(count);
  out += "\nSIGUSR1 " + std::string(usr1.sa_handler == SIG_DFL ? "default" : "handled");
  return out;
}

void append_byte(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  (void)!write(file, "x", 1);
  close(file);
}

[[noreturn]] void crash() {
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  abort();
}

void tick(const std::string& path, const std::function<void()>& begins) {
  std::thread([&] {
    begins();
    for (int i = 0; i < 50; ++i) {
      append_byte(path);
      usleep(10'000);
    }
  }).join();
}

abi::Reply obey(const std::string& source, const std::function<void()>& advanced, const std::function<void()>& begins) {
  const std::size_t space = source.find(' ');
  const std::string word = source.substr(0, space);
  const std::string rest = space == std::string::npos ? std::string() : source.substr(space + 1);
  abi::Reply reply;
  reply.log = source;
  if (word == "fail") reply.status = -11;
  if (word == "sleep") usleep(static_cast<unsigned>(strtoul(rest.c_str(), nullptr, 10)) * 1000);
  if (word == "size") reply.ir.assign(static_cast<std::size_t>(strtoull(rest.c_str(), nullptr, 10)), 7);
  if (word == "pid") reply.log = std::to_string(getpid());
  if (word == "surroundings") reply.log = surroundings();
  if (word == "crash") crash();
  if (word == "exit") _exit(3);
  while (word == "hang") pause();
  while (word == "memory") reply.log.reserve(reply.log.capacity() + (std::size_t{64} << 20));
  if (word == "once" && access(rest.c_str(), F_OK) != 0) {
    append_byte(rest);
    crash();
  }
  if (word == "stop" && (rest.empty() || access(rest.c_str(), F_OK) != 0)) {
    if (!rest.empty()) append_byte(rest);
    raise(SIGSTOP);  // to this thread, which so does not go on before
    while (rest.empty()) pause();
  }
  if (word == "kernels") {
    for (int i = 0; i < 5; ++i) {
      usleep(static_cast<unsigned>(strtoul(rest.c_str(), nullptr, 10)) * 1000);
      advanced();
    }
  }
  if (word == "slow") {
    append_byte(rest);
    usleep(5'000'000);
  }
  if (word == "ticks") tick(rest, begins);
  if (word == "count") {
    append_byte(rest);
    usleep(100'000);
  }
  return reply;
}

/// What a request asks this compiler to do: its source, or the first option of a link.
std::string wish_of(const abi::Request& request) {
  if (const auto* build = std::get_if<abi::Build>(&request)) return build->source.text;
  if (const auto* compile = std::get_if<abi::Compile>(&request)) return compile->source.text;
  const auto* link = std::get_if<abi::Link>(&request);
  return link != nullptr && !link->options.empty() ? link->options.front() : "";
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void lanewise_compiler_run(
    const lanewise::abi::Host* host, const std::uint8_t* request, std::uint64_t size,
    void (*sink)(void*, const std::uint8_t*, std::uint64_t), void* context) {
  abi::Reply reply;
  if (const auto decoded = abi::decode<abi::Request>({request, size})) {
    const auto call = [&](void (*what)(void*)) { return [=] { what != nullptr ? what(context) : void(); }; };
    reply = obey(wish_of(*decoded), call(host->advanced), call(host->begins));
  } else {
    reply.status = -59;
  }
  const Bytes bytes = abi::encode(reply);
  sink(context, bytes.data(), bytes.size());
}
