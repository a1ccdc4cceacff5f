// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <atomic>

namespace lanewise {

/// The object of OpenGL or EGL whose content a memory object has between an acquire and a release (runtime/gl).
class GraphicsObject {
 public:
  GraphicsObject() = default;
  GraphicsObject(const GraphicsObject&) = delete;
  GraphicsObject& operator=(const GraphicsObject&) = delete;
  virtual ~GraphicsObject() = default;

  /// Whether commands that are enqueued now may use the memory object: an acquire has been enqueued, and no release
  /// after it.
  [[nodiscard]] bool acquired() const { return acquired_.load(std::memory_order_relaxed); }
  /// Sets whether the object is acquired, and returns whether it was before.
  bool set_acquired(bool acquired) { return acquired_.exchange(acquired, std::memory_order_relaxed); }
  /// The error of a command that uses the memory object while it is not acquired.
  [[nodiscard]] virtual cl_int error_of_use() const = 0;

 private:
  std::atomic<bool> acquired_{false};
};

}  // namespace lanewise
