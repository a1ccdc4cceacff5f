# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The tests of a driver for another processor, which run under an emulator. Those of the compiler need none: they are in the
# build for this processor.
file(GLOB unit CONFIGURE_DEPENDS unit/*.cpp)
lanewise_test(lanewise_unit_tests SOURCES ${unit} bench/scaling/machine.cpp bench/scaling/model.cpp
  ${PROJECT_SOURCE_DIR}/icd/boundary.cpp LIBS lanewise_runtime HEADERS messages objects)
target_compile_definitions(lanewise_unit_tests PRIVATE LANEWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
if(LANEWISE_TBB STREQUAL "private")
  set_source_files_properties(unit/priority_test.cpp unit/scheduler_test.cpp PROPERTIES
    COMPILE_DEFINITIONS LANEWISE_PRIVATE_TBB)
endif()
add_subdirectory(unit/fake_compiler)

file(GLOB api CONFIGURE_DEPENDS api/*.cpp)
lanewise_test(lanewise_api_tests SOURCES ${api} LIBS lanewise ${CMAKE_DL_LIBS} Threads::Threads)
file(GLOB images CONFIGURE_DEPENDS api/images/*.cpp)
lanewise_test(lanewise_image_tests SOURCES ${images} LIBS lanewise ${CMAKE_DL_LIBS} Threads::Threads)
file(GLOB kernels CONFIGURE_DEPENDS kernels/*_test.cpp)
add_library(lanewise_kernel_cases OBJECT ${kernels})
target_link_libraries(lanewise_kernel_cases PRIVATE lanewise_flags GTest::gtest)
lanewise_precompile(lanewise_kernel_cases standard gtest ${CMAKE_CURRENT_SOURCE_DIR}/kernels/harness.h)
lanewise_test(lanewise_kernel_tests SOURCES kernels/harness.cpp LIBS lanewise_kernel_cases lanewise)

# The compiler, and a folder for a loader.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
file(CREATE_LINK ${LANEWISE_HOST_BUILD}/lib/lanewise-cross ${LANEWISE_PRIVATE_DIR} SYMBOLIC)
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/vendors/lanewise.icd CONTENT "$<TARGET_FILE:lanewise>\n")
