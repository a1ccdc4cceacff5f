// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tells ThreadSanitizer about order among threads that it cannot see, because the driver is not built with it and
/// orders threads by atomic operations. The functions do something only in applications that contain the sanitizer.
///
/// Sources: compiler-rt/include/sanitizer/tsan_interface.h and compiler-rt/lib/tsan/rtl/tsan_interface_ann.cpp of LLVM.
#pragma once

extern "C" {
[[gnu::weak]] void __tsan_acquire(void* address);  // NOLINT(bugprone-reserved-identifier)
[[gnu::weak]] void __tsan_release(void* address);  // NOLINT(bugprone-reserved-identifier)
[[gnu::weak]] void AnnotateIgnoreWritesBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesEnd(const char* file, int line);
}

namespace lanewise {

/// What the thread has done happens before what other threads do after `acquired(place)`.
inline void released(const void* place) noexcept {
  if (__tsan_release != nullptr) [[unlikely]]
    __tsan_release(const_cast<void*>(place));
}
inline void acquired(const void* place) noexcept {
  if (__tsan_acquire != nullptr) [[unlikely]]
    __tsan_acquire(const_cast<void*>(place));
}

/// While one exists, the sanitizer does not watch what the thread writes and allocates: a library passes it to other
/// threads in an order that cannot be told.
class Unwatched {
 public:
  Unwatched() noexcept {
    if (AnnotateIgnoreWritesBegin != nullptr) [[unlikely]]
      AnnotateIgnoreWritesBegin(kFile, __LINE__);
  }
  ~Unwatched() {
    if (AnnotateIgnoreWritesEnd != nullptr) [[unlikely]]
      AnnotateIgnoreWritesEnd(kFile, __LINE__);
  }
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;

 private:
  static constexpr const char* kFile = "src/base/happens_before.h";  // not __FILE__, which has the builder's folder
};

}  // namespace lanewise
