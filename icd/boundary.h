// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The boundary of the API: what happens between the application's call and the runtime, and nothing escapes it.
///
/// `entry` wraps functions that return an error code, `entry_create` those that return an object through
/// `errcode_ret`. Inside, validation throws `ApiError`; `require` is one line per rule of the specification. Nothing on
/// the success path throws, so exceptions cost nothing there.
#pragma once

#include <CL/cl.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "runtime/core/object.h"
#include "src/base/result.h"

namespace lanewise {

/// Thrown only between validation in `icd` and the boundary frame of the same call.
struct ApiError {
  cl_int code;
  const char* reason;
};

/// One rule: `code` is the error that the specification names for its violation, `reason` says what was wrong.
inline void require(bool condition, cl_int code, const char* reason) {
  if (!condition) [[unlikely]]
    throw ApiError{code, reason};
}

/// Writes a line to the debug log (LANEWISE_DEBUG=api): entry point, code, reason. Silent otherwise.
void log_refusal(const char* function, cl_int code, const char* reason) noexcept;

/// Value of a runtime result, or the boundary's error.
template <class T>
T unwrap(Result<T>&& result) {
  if (!result.ok()) [[unlikely]]
    throw ApiError{result.error().code, "refused by the runtime"};
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

template <class Body>
cl_int guarded(const char* function, Body&& body) noexcept {
  const Loans loans;
  try {
    body();
    return CL_SUCCESS;
  } catch (const ApiError& error) {
    log_refusal(function, error.code, error.reason);
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

/// For `cl_object clCreateX(..., cl_int* errcode_ret)`: the body returns the handle (or pointer); null on error.
template <class Body>
auto entry_create(const char* function, cl_int* errcode_ret, Body&& body) noexcept -> decltype(body()) {
  decltype(body()) made = nullptr;
  const cl_int code = guarded(function, [&] { made = body(); });
  if (errcode_ret != nullptr) *errcode_ret = code;
  return made;
}

}  // namespace lanewise
