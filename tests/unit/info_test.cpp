// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The function that writes the results of all queries, and the boundary of the API.
#include "icd/info.h"

#include <gtest/gtest.h>

#include <array>
#include <new>
#include <stdexcept>

namespace lanewise {

namespace {

struct Thing {
  cl_uint number = 7;
};

constexpr Row<Thing> kRows[] = {
    {1, type<cl_uint>, [](const Thing& t) { return t.number; }},
    {2, type<char[]>, [](const Thing&) { return "abc"; }},
    {3, type<cl_ulong[]>, [](const Thing&) { return std::vector<cl_ulong>{}; }},
    {4, type<cl_bool>, [](const Thing&) { return true; }},
    {5, type<std::size_t[3]>, [](const Thing&) { return std::array<std::size_t, 3>{1, 2, 3}; }},
};

/// Whether a row of type T compiles with a getter that returns a Value.
template <class T, class Value>
constexpr bool kCompiles =
    std::is_constructible_v<Row<Thing>, cl_uint, Type<T>, decltype([](const Thing&) -> Value { throw 0; })>;
static_assert(kCompiles<cl_uint, cl_uint> && !kCompiles<cl_uint, std::size_t> && !kCompiles<std::size_t, cl_uint>);
static_assert(!kCompiles<cl_uint, cl_int> && !kCompiles<cl_int, cl_uint> && !kCompiles<cl_ulong, int>);
static_assert(kCompiles<cl_bool, bool> && !kCompiles<cl_int, bool> && !kCompiles<cl_bool, int>);
static_assert(!kCompiles<cl_context, cl_device_id> && !kCompiles<cl_context, Thing*> && !kCompiles<cl_mem, void*>);
static_assert(kCompiles<char[], std::string> && !kCompiles<char[], std::string_view> && !kCompiles<char[], char>);
static_assert(kCompiles<cl_uint[], std::vector<cl_uint>> && !kCompiles<cl_uint[], std::vector<std::size_t>>);
static_assert(!kCompiles<cl_uint, std::vector<cl_uint>> && !kCompiles<cl_uint[], cl_uint>);
static_assert(!kCompiles<std::size_t[3], std::array<std::size_t, 2>>);

cl_int query(cl_uint param, std::size_t size, void* value, std::size_t* size_ret) {
  return entry("query",
               [&] { answer(std::span<const Row<Thing>>(kRows), param, Thing{}, InfoWriter(size, value, size_ret)); });
}

TEST(InfoWriter, SizesOfEveryKind) {
  const std::array<std::size_t, 5> expected{4, 4, 0, sizeof(cl_bool), 3 * sizeof(std::size_t)};
  for (cl_uint param = 1; param <= 5; ++param) {
    std::size_t size = 99;
    EXPECT_EQ(query(param, 0, nullptr, &size), CL_SUCCESS);
    EXPECT_EQ(size, expected[param - 1]);
  }
}

TEST(InfoWriter, TooSmallWritesNothing) {
  cl_uint value = 5;
  std::size_t size = 99;
  EXPECT_EQ(query(1, 3, &value, &size), CL_INVALID_VALUE);
  EXPECT_EQ(value, 5u);
  EXPECT_EQ(size, 99u);
  EXPECT_EQ(query(1, 4, &value, nullptr), CL_SUCCESS);
  EXPECT_EQ(value, 7u);
}

TEST(InfoWriter, StringsCarryTheirEnd) {
  std::array<char, 8> text{};
  text.fill('x');
  EXPECT_EQ(query(2, text.size(), text.data(), nullptr), CL_SUCCESS);
  EXPECT_STREQ(text.data(), "abc");
  EXPECT_EQ(text[4], 'x');
}

TEST(InfoWriter, UnknownParameter) {
  EXPECT_EQ(query(6, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST(Boundary, ExceptionsBecomeCodes) {
  EXPECT_EQ(entry("f", [] { throw std::bad_alloc(); }), CL_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(entry("f", [] { throw std::runtime_error("x"); }), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(entry("f", [] { throw 1; }), CL_OUT_OF_RESOURCES);
  cl_int code = 1;
  EXPECT_EQ(entry_create("f", &code, []() -> cl_mem { throw ApiError{CL_INVALID_CONTEXT, "x"}; }), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(entry_create("f", nullptr, []() -> cl_mem { throw ApiError{CL_INVALID_CONTEXT, "x"}; }), nullptr);
}

TEST(Boundary, AnswersInAForkedChild) {
  for (const char* name : {"clReleaseKernel", "clRetainContext", "clReleaseDevice", "clMemFreeINTEL"}) {
    EXPECT_FALSE(answer_in_forked_child(name).runs) << name;
    EXPECT_EQ(answer_in_forked_child(name).code, CL_SUCCESS) << name;
  }
  for (const char* name : {"clFinish", "clGetDeviceInfo", "clCreateContext", "clGetEventInfo"}) {
    // This process is not a forked child, so no state is known to be complete, and not even a query may run.
    EXPECT_FALSE(answer_in_forked_child(name).runs) << name;
    EXPECT_EQ(answer_in_forked_child(name).code, CL_OUT_OF_RESOURCES) << name;
  }
}

}  // namespace
}  // namespace lanewise
