# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lanewise-spirv and the translator use the LLVM that is inside of the compiler's library, so that an installation has one
# LLVM and needs none of the system. The library exports the functions that they name, and nothing else of LLVM. Where the
# translator is a shared library, one without content has the name by which it asks for LLVM, and leads to ours.
set(exports ${CMAKE_CURRENT_BINARY_DIR}/generated/llvm_exports)
add_custom_command(OUTPUT ${exports}.map ${exports}.options
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/spirv/llvm_exports.py ${CMAKE_NM} LLVM_${llvm_abi} ${exports}
    ${LANEWISE_TRANSLATOR_LIBRARY} $<TARGET_OBJECTS:lanewise_spirv_objects>
  DEPENDS spirv/llvm_exports.py ${LANEWISE_TRANSLATOR_LIBRARY} lanewise_spirv_objects
    $<TARGET_OBJECTS:lanewise_spirv_objects>
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(lanewise_llvm_exports DEPENDS ${exports}.map ${exports}.options)
add_dependencies(lanewise_compiler_lib lanewise_llvm_exports)
set_property(TARGET lanewise_compiler_lib APPEND PROPERTY LINK_DEPENDS ${exports}.map ${exports}.options)
target_link_options(lanewise_compiler_lib PRIVATE -Wl,--version-script=${exports}.map @${exports}.options)

if(NOT LANEWISE_TRANSLATOR_SONAME)
  return()
endif()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/llvm_name.c CONTENT
  "extern const char lanewise_llvm_name;\nconst char lanewise_llvm_name = 0;\n")
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/llvm_name.map CONTENT
  "LLVM_${llvm_abi} { global: lanewise_llvm_name; local: *; };\n")
add_library(lanewise_llvm_name SHARED ${CMAKE_CURRENT_BINARY_DIR}/generated/llvm_name.c)
set_target_properties(lanewise_llvm_name PROPERTIES OUTPUT_NAME LLVM SUFFIX .so.${llvm_abi}
  C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${LANEWISE_PRIVATE_DIR} INSTALL_RPATH $ORIGIN
  BUILD_WITH_INSTALL_RPATH ON)
target_link_libraries(lanewise_llvm_name PRIVATE lanewise_compiler_lib)
target_link_options(lanewise_llvm_name PRIVATE
  -Wl,--no-as-needed -Wl,--version-script=${CMAKE_CURRENT_BINARY_DIR}/generated/llvm_name.map)
