// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The boundary between the application's call and the runtime. No exception crosses it.
///
/// `entry` (`entry_quick`) wraps functions that return an error code, `entry_create` those that return an object
/// through `errcode_ret`. Inside, validation throws `ApiError`; `require` is one line per rule of the specification.
/// Nothing on the success path throws, so exceptions cost nothing there.
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

/// Thrown only between validation in `icd` and the boundary frame of the same call.
struct ApiError {
  cl_int code;
  const char* reason;
  std::string message = {};  ///< of a failure below the API: says more than `reason`
};

/// One rule: `code` is the error that the specification names for its violation, `reason` says what was wrong.
inline void require(bool condition, cl_int code, const char* reason) {
  if (!condition) [[unlikely]]
    throw ApiError{code, reason};
}

/// Writes a line to the debug log (LANEWISE_DEBUG=api): entry point, code, reason. Silent otherwise.
void log_refusal(const char* function, cl_int code, const char* reason) noexcept;
void log_refusal(const char* function, const ApiError& error) noexcept;

/// Value of a runtime result, or the boundary's error.
template <class T>
T unwrap(Result<T>&& result) {
  if (!result.ok()) [[unlikely]]
    throw ApiError{result.error().code, "refused by the runtime", result.error().message};
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

/// pthread_cancel() never ends a thread inside an API call. Calls that can wait, read or write, or that call the
/// application back, disable cancellation; quick ones contain no cancellation point and save that cost.
enum class Cancellation { held, no_point };

/// What a call returns in a lost child (runtime/process/fork_guard.h), which has no driver threads and may have inherited
/// locks that stay locked: releases and retains succeed without touching anything (destructors and garbage collectors still call them), queries
/// of platforms and devices work because they take no lock (`runs` is set), all else is CL_OUT_OF_RESOURCES.
struct ForkedChildAnswer {
  bool runs;
  cl_int code;
};
ForkedChildAnswer answer_in_forked_child(const char* function) noexcept;

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

/// For `cl_int clX(...)`: `return entry(__func__, [&] { ... });`
template <class Body>
cl_int entry(const char* function, Body&& body) noexcept {
  return guarded(function, std::forward<Body>(body));
}

/// The same for functions that are called for every launch: nothing in the body (or below it) waits, reads or writes a
/// file, or calls the application back.
template <class Body>
cl_int entry_quick(const char* function, Body&& body) noexcept {
  return guarded<Cancellation::no_point>(function, std::forward<Body>(body));
}

/// For `cl_object clCreateX(..., cl_int* errcode_ret)`: the body returns the handle (or pointer); null on error.
template <Cancellation cancellation = Cancellation::held, class Body>
auto entry_create(const char* function, cl_int* errcode_ret, Body&& body) noexcept -> decltype(body()) {
  decltype(body()) made = nullptr;
  const cl_int code = guarded<cancellation>(function, [&] { made = body(); });
  if (errcode_ret != nullptr) *errcode_ret = code;
  return made;
}

}  // namespace lanewise
