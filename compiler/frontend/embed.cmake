# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Files that are embedded into the compiler: Clang's OpenCL base header and the objects that code objects need.
set(LANEWISE_BASE_HEADER ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}/include/opencl-c-base.h)
set(LANEWISE_SYSTEM_HEADER ${CMAKE_CURRENT_LIST_DIR}/system_header.clh)
set(LANEWISE_INTEL_SUB_GROUPS ${CMAKE_CURRENT_LIST_DIR}/intel_sub_groups.clh)
set(LANEWISE_INTEL_FUNCTIONS ${CMAKE_CURRENT_LIST_DIR}/intel_functions.clh)
set(LANEWISE_WORK_GROUP_ARITHMETIC ${CMAKE_CURRENT_LIST_DIR}/work_group_arithmetic.clh)
set(LANEWISE_WORK_GROUP_COPIES ${CMAKE_CURRENT_LIST_DIR}/work_group_copies.clh)
set(LANEWISE_FLOAT_ATOMICS ${CMAKE_CURRENT_LIST_DIR}/float_atomics.clh)
set(LANEWISE_DEVICE_QUEUES ${CMAKE_CURRENT_LIST_DIR}/device_queues.clh)
set(LANEWISE_IMAGE_CHANNELS ${CMAKE_CURRENT_LIST_DIR}/image_channels.clh)
set(support_source ${PROJECT_SOURCE_DIR}/kernels-builtin/support/support.c)

# Freestanding: loops must not become calls of the functions that they define. One object serves every level of an
# architecture. Without the back end of one there is no code for it either, and its object is empty.
set(LANEWISE_SUPPORT_X86_64_OBJECT ${CMAKE_CURRENT_BINARY_DIR}/support_x86_64.o)
set(LANEWISE_SUPPORT_AARCH64_OBJECT ${CMAKE_CURRENT_BINARY_DIR}/support_aarch64.o)
set(lane_levels)
file(GLOB architectures CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compiler/target/*/architecture.cmake)
foreach(file ${architectures})
  include(${file})
  set(object ${CMAKE_CURRENT_BINARY_DIR}/support_${architecture}.o)
  if(back_end IN_LIST LLVM_TARGETS_TO_BUILD)
    add_custom_command(OUTPUT ${object}
      COMMAND ${LANEWISE_CLANG} -target ${architecture}-unknown-linux-gnu -march=${lowest_level} -std=c11 -O2 -fPIC
        -ffreestanding -fno-builtin -fvisibility=hidden -ffunction-sections -fno-stack-protector
        -fno-asynchronous-unwind-tables -Wall -Wextra -Werror -c ${support_source} -o ${object}
      DEPENDS ${support_source} VERBATIM)
  else()
    file(WRITE ${object} "")
  endif()
endforeach()

# Lane functions for texels (builtins/lane_functions.h): machine code for a vector's lanes at once, for the levels that
# have masked accesses. Contracted and reassociated as little as the built-in library, whose results they give.
set(lanes_source ${PROJECT_SOURCE_DIR}/kernels-builtin/support/texel_lanes.cl)
set(srgb_source ${CMAKE_CURRENT_BINARY_DIR}/srgb.cl)
set(srgb_generator ${PROJECT_SOURCE_DIR}/kernels-builtin/generate/srgb.py)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_custom_command(OUTPUT ${srgb_source} COMMAND Python3::Interpreter ${srgb_generator} ${srgb_source}
  DEPENDS ${srgb_generator} VERBATIM)
file(GLOB lanes_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels-builtin/include/*.h
  ${PROJECT_SOURCE_DIR}/include/lanewise/image_abi.h)
foreach(row ${lane_levels})
  separate_arguments(row)
  list(POP_FRONT row architecture march name lanes)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/texel_lanes_${name}.o)
  string(TOUPPER LANEWISE_LANES_${name}_OBJECT variable)
  set(${variable} ${object})
  add_custom_command(OUTPUT ${object}
    COMMAND ${LANEWISE_CLANG} -x cl -target ${architecture}-unknown-linux-gnu -march=${march} -cl-std=CL3.0 -cl-no-stdinc
      -include opencl-c-base.h -Xclang -cl-ext=+cl_khr_fp16,+cl_khr_fp64 -O3 -mprefer-vector-width=512 -fPIC -fno-builtin -ffp-contract=off
      -cl-fp32-correctly-rounded-divide-sqrt -fno-strict-aliasing -fvisibility=hidden -ffunction-sections
      -fdata-sections -fno-stack-protector -fno-asynchronous-unwind-tables -Wall -Wextra -Wno-unused-parameter -Werror
      -DLANES=${lanes} -include ${srgb_source} -I${PROJECT_SOURCE_DIR}/kernels-builtin/include -I${PROJECT_SOURCE_DIR}
      -c ${lanes_source} -o ${object}
    DEPENDS ${lanes_source} ${srgb_source} ${lanes_headers} VERBATIM)
endforeach()

configure_file(${CMAKE_CURRENT_LIST_DIR}/embedded.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp @ONLY)
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp PROPERTIES
  OBJECT_DEPENDS "${LANEWISE_SUPPORT_X86_64_OBJECT};${LANEWISE_SUPPORT_AARCH64_OBJECT};${LANEWISE_LANES_V3_OBJECT};${LANEWISE_LANES_V4_OBJECT};${LANEWISE_SYSTEM_HEADER};${LANEWISE_BASE_HEADER};${LANEWISE_INTEL_SUB_GROUPS};${LANEWISE_INTEL_FUNCTIONS};${LANEWISE_WORK_GROUP_ARITHMETIC};${LANEWISE_WORK_GROUP_COPIES};${LANEWISE_FLOAT_ATOMICS};${LANEWISE_DEVICE_QUEUES};${LANEWISE_IMAGE_CHANNELS}")
# A target of its own without a compiler cache: ccache ignores changes of files that #embed reads.
add_library(lanewise_embedded OBJECT ${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp)
set_target_properties(lanewise_embedded PROPERTIES CXX_COMPILER_LAUNCHER "")
target_link_libraries(lanewise_embedded PRIVATE lanewise_base lanewise_llvm)
target_sources(lanewise_compiler_core PRIVATE $<TARGET_OBJECTS:lanewise_embedded>)
