# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Read by ctest before it runs: one test for each suite of a GoogleTest program, so that the program, the driver and its
# compiler start once a suite and not once a case. Of the built-in functions at each level a part is drawn at each run
# (tests/drawn_part.py). Needs: name, executable, python, source.
execute_process(COMMAND ${executable} --gtest_list_tests OUTPUT_VARIABLE listing RESULT_VARIABLE failed)
if(failed)
  add_test(${name}.cannot_list_its_tests ${executable} --gtest_list_tests)
endif()
# Suites begin a line, cases are indented; a comment may follow ("  # TypeParam = int").
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\." suites "${listing}")
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)
  set(drawn)
  if(suite MATCHES "^Levels/Builtin")
    set(drawn ${python} ${source}/tests/drawn_part.py 2)
  endif()
  add_test(${name}.${suite}* ${drawn} ${executable} --gtest_brief=1 --gtest_filter=${suite}*)
  set_tests_properties(${name}.${suite}* PROPERTIES TIMEOUT 900)
  # ctest begins with what costs most, so that nothing long is left at the end.
  if(suite MATCHES "^(Kernels/Spmd|Shapes/BuildGrowth|Levels/Builtin|ImageGallery|Effort)")
    set_tests_properties(${name}.${suite}* PROPERTIES COST 20)
  endif()
endforeach()
