# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Read by ctest before it runs: one test for each suite of a GoogleTest program, so that the program, the driver and its
# compiler start once a suite and not once a case. Needs: name, executable.
execute_process(COMMAND ${executable} --gtest_list_tests OUTPUT_VARIABLE listing RESULT_VARIABLE failed)
if(failed)
  add_test(${name}.cannot_list_its_tests ${executable} --gtest_list_tests)
endif()
# Suites begin a line, cases are indented; a comment may follow ("  # TypeParam = int").
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\." suites "${listing}")
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)
  add_test(${name}.${suite}* ${executable} --gtest_brief=1 --gtest_filter=${suite}*)
  set_tests_properties(${name}.${suite}* PROPERTIES TIMEOUT 900)
endforeach()
