# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Links lanewise_compiler_lib to the archives of LLVM, Clang and lld. The linker takes from them what is used; targets
# and parsers that are not needed are left out, because the functions of static_llvm.cpp come first and replace theirs.
target_sources(lanewise_compiler_lib PRIVATE service/static_llvm.cpp)
file(GLOB llvm_archives ${LLVM_LIBRARY_DIR}/libLLVM*.a)
file(GLOB clang_archives ${LLVM_LIBRARY_DIR}/libclang*.a)
# Zstandard as an archive where there is one: old systems and wheels have zlib only (PEP 600).
find_library(LANEWISE_ZLIB z REQUIRED)
find_library(LANEWISE_ZSTD_FILE NAMES libzstd.a zstd REQUIRED)
# Linked by file: as a target the core would also link the shared libraries.
add_dependencies(lanewise_compiler_lib lanewise_compiler_core)
set_property(TARGET lanewise_compiler_lib APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:lanewise_compiler_core>)
target_link_libraries(lanewise_compiler_lib PRIVATE lanewise_flags lanewise_llvm_headers
  $<TARGET_FILE:lanewise_compiler_core> $<TARGET_FILE:lanewise_base>
  ${LLVM_LIBRARY_DIR}/liblldELF.a ${LLVM_LIBRARY_DIR}/liblldCommon.a ${clang_archives} ${llvm_archives}
  ${LANEWISE_ZLIB} ${LANEWISE_ZSTD_FILE} Threads::Threads ${CMAKE_DL_LIBS} m)
# Not -z pack-relative-relocs, which needs glibc 2.36: 180,000 pointers of LLVM's tables are adjusted at load, in the same
# five milliseconds with both forms, and the file is 4 of 88 MB larger. service/library.map hides LLVM's symbols.
target_link_options(lanewise_compiler_lib PRIVATE -Wl,--gc-sections -Wl,-O2 -Wl,--as-needed -Wl,--strip-all)
