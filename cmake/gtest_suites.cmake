# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Read by ctest before it runs: one test for each suite of a GoogleTest program, so that the program, the driver and its
# compiler start once a suite and not once a case. Of suites that try the same in many types or sizes, a part is drawn at each
# run (tests/drawn_part.py); the programs' .long tests run all. Needs: name, executable, python, source,
# time_factor (tests/time_limits.cmake).
execute_process(COMMAND ${executable} --gtest_list_tests OUTPUT_VARIABLE listing RESULT_VARIABLE failed)
if(failed)
  add_test(${name}.cannot_list_its_tests ${executable} --gtest_list_tests)
endif()
# Suites begin a line, cases are indented; a comment may follow ("  # TypeParam = int").
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\." suites "${listing}")
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)
  set(drawn)
  if(suite MATCHES "^Levels/Builtin.*Convert")
    set(drawn ${python} ${source}/tests/drawn_part.py 4)
  elseif(suite MATCHES "^(Levels/Builtin|Sources/HotConversions|Types/FieldGroupsOf|Shapes/BuildGrowth)" OR
      (name STREQUAL "lanewise_width_tests" AND suite MATCHES "^Sizes/"))
    set(drawn ${python} ${source}/tests/drawn_part.py 2)
  endif()
  add_test(${name}.${suite}* ${drawn} ${executable} --gtest_brief=1 --gtest_filter=${suite}*)
  math(EXPR limit "900 * ${time_factor}")
  set_tests_properties(${name}.${suite}* PROPERTIES TIMEOUT ${limit})
  # ctest begins with what costs most, so that nothing long is left at the end.
  if(suite MATCHES "^(Kernels/Spmd|Shapes/BuildGrowth|Levels/Builtin|ImageGallery|Effort|CompilerClientTest|InterruptedEnqueue)" OR
      suite MATCHES "^(Sources/HotConversions|Types/FieldGroupsOf|Sizes/|WorkGroupFunctions|FloatAtomics|Divisions|Fork|Stopped)")
    set_tests_properties(${name}.${suite}* PROPERTIES COST 20)
  endif()
  # Two of its threads spin: beside two other tests it takes several times as long.
  if(suite MATCHES "^InterruptedEnqueue")
    set_tests_properties(${name}.${suite}* PROPERTIES PROCESSORS 2)
  endif()
endforeach()
