// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The boundary between an application's call and the runtime. No exception crosses it.
///
/// `entry` and `entry_quick` wrap functions that return an error code, `entry_create` functions that return an object
/// and store the code through `errcode_ret`. Inside, validation throws `ApiError`; `require` is one line for each rule
/// of the specification. Nothing on the success path throws, so exceptions cost nothing there.
#pragma once

#include <CL/cl.h>

#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "runtime/object/object.h"
#include "runtime/process/fork_guard.h"
#include "src/base/result.h"
#include "src/host/cancellation.h"

namespace lanewise {

/// An error of the API. It is thrown only between validation in `icd` and the boundary frame of the same call.
struct ApiError {
  cl_int code;
  const char* reason;
  std::string message = {};  ///< text of a failure in the runtime, which says more than `reason`; else empty
};

/// Checks one rule. `code` is the specification's error for its violation, `reason` says what was wrong.
inline void require(bool condition, cl_int code, const char* reason) {
  if (!condition) [[unlikely]]
    throw ApiError{code, reason};
}

/// Writes a line to the debug log (LANEWISE_DEBUG=api): entry point, code, reason.
void log_refusal(const char* function, cl_int code, const char* reason) noexcept;
void log_refusal(const char* function, const ApiError& error) noexcept;

/// The value of a runtime result. Throws its error as an ApiError.
template <class T>
T unwrap(Result<T>&& result) {
  if (!result.ok()) [[unlikely]]
    throw ApiError{result.error().code, "refused by the runtime", result.error().message};
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

/// How a call keeps pthread_cancel() from ending its thread inside the driver.
enum class Cancellation {
  held,     ///< cancellation is disabled: the call may wait, read, write or call the application back
  no_point  ///< the call contains no cancellation point, and saves the cost of disabling
};

/// The answer of a call in a lost child (runtime/process/fork_guard.h), which has no driver threads and may have
/// inherited locks that stay locked. Releases and retains succeed without effect, because destructors and garbage
/// collectors still call them. Queries of platforms and devices run, because they take no lock. All other calls return
/// CL_OUT_OF_RESOURCES.
struct ForkedChildAnswer {
  bool runs;    ///< the call runs as usual
  cl_int code;  ///< the result of a call that does not run
};
ForkedChildAnswer answer_in_forked_child(const char* function) noexcept;

/// Runs the body of a call, and returns its error code.
template <Cancellation cancellation = Cancellation::held, class Body>
cl_int guarded(const char* function, Body&& body) noexcept {
  struct Nothing {};
  [[maybe_unused]] const std::conditional_t<cancellation == Cancellation::held, host::CancellationHeld, Nothing> held{};
  const CallInProgress call;
  if (call.refused()) [[unlikely]] {
    if (const auto answer = answer_in_forked_child(function); !answer.runs) return answer.code;
  }
  const Loans loans(call.thread());
  try {
    body();
    return CL_SUCCESS;
  } catch (const ApiError& error) {
    log_refusal(function, error);
    return error.code;
  } catch (const std::bad_alloc&) {
    log_refusal(function, CL_OUT_OF_HOST_MEMORY, "allocation failed");
    return CL_OUT_OF_HOST_MEMORY;
  } catch (const std::exception& error) {
    log_refusal(function, CL_OUT_OF_RESOURCES, error.what());
    return CL_OUT_OF_RESOURCES;
  } catch (...) {
    log_refusal(function, CL_OUT_OF_RESOURCES, "unknown exception");
    return CL_OUT_OF_RESOURCES;
  }
}

/// Wraps the body of `cl_int clX(...)`: `return entry(__func__, [&] { ... });`
template <class Body>
cl_int entry(const char* function, Body&& body) noexcept {
  return guarded(function, std::forward<Body>(body));
}

/// Wraps the body of a function that is called for every launch. Neither the body nor the functions that it calls may
/// wait, read or write a file, or call the application back.
template <class Body>
cl_int entry_quick(const char* function, Body&& body) noexcept {
  return guarded<Cancellation::no_point>(function, std::forward<Body>(body));
}

/// Wraps the body of `cl_object clCreateX(..., cl_int* errcode_ret)`, which returns the handle or pointer. Returns null
/// on error.
template <Cancellation cancellation = Cancellation::held, class Body>
auto entry_create(const char* function, cl_int* errcode_ret, Body&& body) noexcept -> decltype(body()) {
  decltype(body()) made = nullptr;
  const cl_int code = guarded<cancellation>(function, [&] { made = body(); });
  if (errcode_ret != nullptr) *errcode_ret = code;
  return made;
}

}  // namespace lanewise
