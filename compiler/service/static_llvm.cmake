# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Links lanewise_compiler_lib to the archives of LLVM, Clang and lld. The linker takes from them what is used; targets
# and parsers that are not needed are left out, because the functions of static_llvm.cpp come first and replace theirs.
target_sources(lanewise_compiler_lib PRIVATE service/static_llvm.cpp)
file(GLOB llvm_archives ${LLVM_LIBRARY_DIR}/libLLVM*.a)
file(GLOB clang_archives ${LLVM_LIBRARY_DIR}/libclang*.a)
find_library(LANEWISE_ZLIB z REQUIRED)
find_library(LANEWISE_ZSTD zstd REQUIRED)
# Linked by file: as a target the core would also link the shared libraries.
add_dependencies(lanewise_compiler_lib lanewise_compiler_core)
set_property(TARGET lanewise_compiler_lib APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:lanewise_compiler_core>)
target_link_libraries(lanewise_compiler_lib PRIVATE lanewise_flags lanewise_llvm_headers
  $<TARGET_FILE:lanewise_compiler_core> $<TARGET_FILE:lanewise_base>
  ${LLVM_LIBRARY_DIR}/liblldELF.a ${LLVM_LIBRARY_DIR}/liblldCommon.a ${clang_archives} ${llvm_archives}
  ${LANEWISE_ZLIB} ${LANEWISE_ZSTD} Threads::Threads ${CMAKE_DL_LIBS} m)
# Several hundred thousand pointers of LLVM's tables have to be adjusted at load; packed they are read in order and take
# a fraction of the space.
target_link_options(lanewise_compiler_lib PRIVATE
  -Wl,--gc-sections -Wl,--exclude-libs,ALL -Wl,-z,pack-relative-relocs -Wl,--as-needed -Wl,--strip-all)
