# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kernel_fuzzer, in the build for this machine and in one for another processor (tests/emulated.cmake).
set(trials reach_main.cpp reach.cpp broken.cpp)

# compile: the source by which programs are compiled (compile.h); further arguments: what it needs
function(lanewise_kernel_fuzzer compile)
  set(folder ${PROJECT_SOURCE_DIR}/tests/fuzz/kernels)
  file(GLOB parts CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(FILTER parts EXCLUDE REGEX "/(main|compile_.*|reach.*|broken)\\.cpp$")
  add_library(lanewise_random_kernels STATIC ${parts} ${folder}/${compile} ${PROJECT_SOURCE_DIR}/tests/compiler/direct_launch.cpp)
  target_compile_options(lanewise_random_kernels PRIVATE $<$<CONFIG:Release>:-O1>)
  lanewise_precompile(lanewise_random_kernels standard ${folder}/program.h)
  target_link_libraries(lanewise_random_kernels PUBLIC lanewise_flags ${ARGN} lanewise_runtime GTest::gtest ${CMAKE_DL_LIBS})
  add_executable(kernel_fuzzer ${folder}/main.cpp)
  target_link_libraries(kernel_fuzzer PRIVATE lanewise_random_kernels)
endfunction()
