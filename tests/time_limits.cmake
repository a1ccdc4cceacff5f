# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How many times as long as in an ordinary build tests may take: each step of an emulator or of instrumented code costs so
# much, also on a machine that does other work. ctest's limits are multiplied by it here, those of tests in tests/time_limits.h.
if(LANEWISE_HOST_BUILD OR LANEWISE_SANITIZE)
  set(LANEWISE_TIME_FACTOR 10)
else()
  set(LANEWISE_TIME_FACTOR 1)
endif()
if(LANEWISE_TIME_FACTOR GREATER 1)
  set_property(DIRECTORY APPEND PROPERTY COMPILE_DEFINITIONS LANEWISE_TIME_FACTOR=${LANEWISE_TIME_FACTOR})
endif()

# seconds in an ordinary build, tests
function(lanewise_time_limit seconds)
  math(EXPR limit "${seconds} * ${LANEWISE_TIME_FACTOR}")
  set_tests_properties(${ARGN} PROPERTIES TIMEOUT ${limit})
endfunction()
