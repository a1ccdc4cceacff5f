# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tests of a driver for another processor, which run under an emulator. Those of the compiler need none: they are in the
# build for this processor.

# Left out: the emulator answers yes to any advice about memory; it knows no child without a signal at its end, and may
# hang where a thread beside others makes a child; a death test that runs its program again gets no emulator; a compiler
# for this processor cannot be opened as a library; a driver without SPIR-V lacks two extensions; builds have two threads at
# least, also on one processor; the model of large machines computes for long and gives the same on every processor.
string(JOIN ":" LANEWISE_NOT_EMULATED Commit.* ImportMemory.PhysicalPagesAreCommitted
  ImportMemory.MemoryThatIsNotThereOrNotWritable CompilerClientTest.AnApplicationThatReapsAllItsChildrenSeesNone
  CompilerLimitsTest.OneThatCrashesFailsAloneWhileOthersWait CompilerClientTest.WithoutAHelperTheLibraryServes
  CompilerClientTest.SixteenThreadsAtOnce BuildTasks.TakeAThreadForEachProcessor BuildTasks.ThatAreWantedOvertakeOthers
  CachedRun.ThreadsShareOneCompile CompilerClientTest.InProcessByRequest SchedulerTest.ExitWithWorkInFlight ScalingModel.*
  Sizes/IntelSubGroups.BlocksOfLocalMemory/* Sizes/IntelSubGroups.PrefetchesOfBlocks/*)

file(GLOB unit CONFIGURE_DEPENDS unit/*.cpp)
lanewise_test(lanewise_unit_tests SOURCES ${unit} bench/scaling/machine.cpp bench/scaling/model.cpp
  ${PROJECT_SOURCE_DIR}/icd/boundary.cpp LIBS lanewise_runtime HEADERS messages objects
  UNITY ALONE parts_test.cpp)
target_compile_definitions(lanewise_unit_tests PRIVATE LANEWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
if(LANEWISE_TBB STREQUAL "private")
  set_source_files_properties(unit/priority_test.cpp unit/scheduler_test.cpp PROPERTIES
    COMPILE_DEFINITIONS LANEWISE_PRIVATE_TBB)
endif()
# One that runs itself again needs the emulator for that.
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "\", \"" words)
set_source_files_properties(unit/build_cache_test.cpp PROPERTIES COMPILE_DEFINITIONS LANEWISE_TEST_EMULATOR="${words}")
add_subdirectory(unit/fake_compiler)

file(GLOB api CONFIGURE_DEPENDS api/*.cpp)
lanewise_test(lanewise_api_tests SOURCES ${api} LIBS lanewise ${CMAKE_DL_LIBS} Threads::Threads UNITY)
file(GLOB images CONFIGURE_DEPENDS api/images/*.cpp)
lanewise_test(lanewise_image_tests SOURCES ${images} LIBS lanewise ${CMAKE_DL_LIBS} Threads::Threads
  UNITY ALONE errors_test.cpp launch_classes_test.cpp transfer_test.cpp)
file(GLOB kernels CONFIGURE_DEPENDS kernels/*_test.cpp)
add_library(lanewise_kernel_cases OBJECT ${kernels})
target_link_libraries(lanewise_kernel_cases PRIVATE lanewise_flags GTest::gtest)
target_compile_options(lanewise_kernel_cases PRIVATE $<$<CONFIG:Release>:-O0>)
lanewise_precompile(lanewise_kernel_cases standard gtest ${CMAKE_CURRENT_SOURCE_DIR}/kernels/harness.h)
lanewise_test(lanewise_kernel_tests SOURCES kernels/harness.cpp LIBS lanewise_kernel_cases lanewise)

# Parts of a program's cases, drawn anew at each run, and as NAME.long all of them. Without --all a run is to take five
# minutes at most. The emulator shows a processor with vectors of 128 bits, where the environment says nothing else. A driver has
# one thread for kernels (tests/one_processor.py).
# name, environment, number of parts, program, filter, cases that are left out as well
function(lanewise_emulated_test name environment parts program filter)
  if(NOT environment MATCHES "QEMU_CPU")
    list(APPEND environment QEMU_CPU=max,sve=off)
  endif()
  list(JOIN ARGN ":" further)
  set(command ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${program}> --gtest_brief=1
    --gtest_filter=${filter}:-${LANEWISE_NOT_EMULATED}:${further})
  set(tests ${name} ${name}.long)
  if(parts EQUAL 1)
    set(tests ${name})
    add_test(NAME ${name} COMMAND ${command})
  else()
    add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/drawn_part.py ${parts} ${command})
    add_test(NAME ${name}.long CONFIGURATIONS long COMMAND ${command})
    lanewise_time_limit(600 ${name}.long)
  endif()
  lanewise_time_limit(120 ${name})
  set_tests_properties(${tests} PROPERTIES ENVIRONMENT "${environment}")
endfunction()

# Several entries, so that one that hangs costs little, and is what runs again.
foreach(shard RANGE 3)
  lanewise_emulated_test(unit.${shard} "GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${shard}" 1 lanewise_unit_tests *)
endforeach()
lanewise_emulated_test(api "" 4 lanewise_api_tests *)
lanewise_emulated_test(images "" 4 lanewise_image_tests *)
lanewise_emulated_test(kernels "" 4 lanewise_kernel_tests *)
# Kernels without vectors, and each launch beside one without; as hot kernels have them; at the lowest level; and with
# scalable vectors of the two lengths that are longer than those of all other levels.
lanewise_emulated_test(kernels.scalar LANEWISE_VECTORIZE=off 12 lanewise_kernel_tests *)
lanewise_emulated_test(kernels.verify LANEWISE_VERIFY=1 12 lanewise_kernel_tests *)
lanewise_emulated_test(kernels.second_tier LANEWISE_TIER=2 12 lanewise_kernel_tests *)
lanewise_emulated_test(kernels.lowest_level LANEWISE_ISA=armv8-a 12 lanewise_kernel_tests *)
lanewise_emulated_test(api.lowest_level LANEWISE_ISA=armv8-a 1 lanewise_api_tests Device.*)
foreach(bits 256 512)
  lanewise_emulated_test(kernels.sve${bits} QEMU_CPU=max,sve${bits}=on 6 lanewise_kernel_tests *)
endforeach()
# Random kernels, other ones in each run: scalar code against every width and level that the emulated processor runs.
include(fuzz/kernels/fuzzer.cmake)
lanewise_kernel_fuzzer(compile_by_helper.cpp)
foreach(row "neon sve=off" "sve256 sve256=on")
  separate_arguments(row)
  list(POP_FRONT row name features)
  set(command ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:kernel_fuzzer> --seed drawn)
  add_test(NAME fuzz.kernels.${name} COMMAND ${command} --count 5 --seconds 30)
  add_test(NAME fuzz.kernels.${name}.long CONFIGURATIONS long COMMAND ${command} --seconds 600)
  lanewise_time_limit(180 fuzz.kernels.${name} fuzz.kernels.${name}.long)
  set_tests_properties(fuzz.kernels.${name} fuzz.kernels.${name}.long PROPERTIES
    ENVIRONMENT "QEMU_CPU=max,${features};LANEWISE_COMPILER_DIR=${LANEWISE_PRIVATE_DIR}")
endforeach()
# Systems with larger pages. There the emulator's list of what is mapped does not name every file.
foreach(kib 16 64)
  math(EXPR bytes "1024 * ${kib}")
  lanewise_emulated_test(unit.pages_of_${kib} QEMU_PAGESIZE=${bytes} 2 lanewise_unit_tests
    PagesTest.*:CodeObject*:Commit.*:ProgramVariables.*:WorkerTest.*:Host.*
    CodeObjectTest.RunsCodeAndUnmapsWithTheLastReference CodeObjectFilesTest.ACacheThatIsEmptiedMeanwhileHarmsNobody)
  lanewise_emulated_test(api.pages_of_${kib} QEMU_PAGESIZE=${bytes} 4 lanewise_api_tests
    ImportMemory.*:ExternalMemory.*:ExternalSemaphore.*:Terminate.*:Svm*:Usm*:ProgramVariables.*)
endforeach()

# The compiler, and a folder for a loader.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
file(CREATE_LINK ${LANEWISE_HOST_BUILD}/lib/lanewise-cross ${LANEWISE_PRIVATE_DIR} SYMBOLIC)
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/vendors/lanewise.icd CONTENT "$<TARGET_FILE:lanewise>\n")
# Through a loader: programs of others, and the demo's.
add_test(NAME loader.clinfo COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} ${CMAKE_SYSROOT}/usr/bin/clinfo -l)
set_tests_properties(loader.clinfo PROPERTIES PASS_REGULAR_EXPRESSION "Platform #0: Lanewise")
foreach(name graph inference)
  add_test(NAME demo.${name} COMMAND lanewise-demo-${name} 100)
endforeach()
add_test(NAME demo.picture.long CONFIGURATIONS long COMMAND lanewise-demo ${CMAKE_BINARY_DIR}/picture.png)
set_tests_properties(loader.clinfo demo.graph demo.inference demo.picture.long PROPERTIES
  ENVIRONMENT "QEMU_CPU=max,sve=off;OCL_ICD_VENDORS=${CMAKE_BINARY_DIR}/vendors")
lanewise_time_limit(120 loader.clinfo demo.graph demo.inference demo.picture.long)
