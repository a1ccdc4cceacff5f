# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPIR-V: the translator to LLVM's IR and the validator; and, for tests, the Khronos loader. docs/packaging.md
#   auto       the copies that scripts/setup makes in build/deps, else installed ones that have all that the driver reports
#   installed  those that pkg-config knows
#   source     built along: from FETCHCONTENT_SOURCE_DIR_<NAME>, or from a pinned tag, which is loaded at configuration
option(LANEWISE_SPIRV "Take programs in SPIR-V" ON)
set(LANEWISE_SPIRV_TRANSLATOR auto CACHE STRING "Where the SPIR-V translator comes from: auto, installed or source")
set(LANEWISE_SPIRV_TOOLS auto CACHE STRING "Where SPIRV-Tools come from: auto, installed or source")
set(LANEWISE_KHRONOS_LOADER auto CACHE STRING "Where the Khronos loader for tests comes from: auto or source")
set(newer_tools 2026.3)  # the first that was tried with all rows of include/lanewise/spirv_surface.def

# lanewise_source(NAME REPOSITORY TAG [VARIABLE VALUE]...): makes the targets of a source tree of Khronos, which are built
# when something needs them, and not installed. The variables are options of that tree.
include(FetchContent)
function(lanewise_source name repository tag)
  FetchContent_Declare(${name} GIT_REPOSITORY https://github.com/KhronosGroup/${repository}.git GIT_TAG ${tag}
    GIT_SHALLOW ON SOURCE_SUBDIR is-added-below)
  FetchContent_MakeAvailable(${name})
  while(ARGN)
    list(POP_FRONT ARGN variable value)
    set(${variable} ${value})
  endwhile()
  add_subdirectory(${${name}_SOURCE_DIR} ${${name}_BINARY_DIR} EXCLUDE_FROM_ALL)
  set(${name}_SOURCE_DIR ${${name}_SOURCE_DIR} PARENT_SCOPE)
endfunction()

function(lanewise_lacks what)
  message(FATAL_ERROR "${what} not there. scripts/setup makes a copy, -DLANEWISE_SPIRV_TRANSLATOR=source and "
    "-DLANEWISE_SPIRV_TOOLS=source build it, and -DLANEWISE_SPIRV=OFF makes a driver without SPIR-V (docs/packaging.md).")
endfunction()

find_package(PkgConfig REQUIRED)
set(LANEWISE_NEWER_SPIRV OFF)
if(LANEWISE_SPIRV)
  if("source" IN_LIST LANEWISE_SPIRV_TRANSLATOR OR "source" IN_LIST LANEWISE_SPIRV_TOOLS)
    lanewise_source(spirv-headers SPIRV-Headers vulkan-sdk-1.4.357.0)
  endif()

  # The validator. That of Debian 12 (2023.1) does not know the newer extensions of include/lanewise/spirv_surface.def:
  # the device reports them only with a newer one.
  add_library(lanewise_spirv_tools INTERFACE)
  set(LANEWISE_NEWER_SPIRV ON)
  if(LANEWISE_SPIRV_TOOLS STREQUAL "source")
    lanewise_source(spirv-tools SPIRV-Tools v2026.3 SPIRV-Headers_SOURCE_DIR ${spirv-headers_SOURCE_DIR}
      SPIRV_SKIP_TESTS ON SPIRV_SKIP_EXECUTABLES ON SPIRV_WERROR OFF)
    target_link_libraries(lanewise_spirv_tools INTERFACE SPIRV-Tools-static)
  elseif(LANEWISE_SPIRV_TOOLS STREQUAL "auto" AND EXISTS ${LANEWISE_PREPARED}/spirv-tools/lib/libSPIRV-Tools.a)
    target_include_directories(lanewise_spirv_tools SYSTEM INTERFACE ${LANEWISE_PREPARED}/spirv-tools/include)
    target_link_libraries(lanewise_spirv_tools INTERFACE ${LANEWISE_PREPARED}/spirv-tools/lib/libSPIRV-Tools.a)
  else()
    pkg_check_modules(INSTALLED_SPIRV_TOOLS IMPORTED_TARGET SPIRV-Tools)
    if(NOT INSTALLED_SPIRV_TOOLS_FOUND)
      lanewise_lacks("SPIRV-Tools are")
    elseif(INSTALLED_SPIRV_TOOLS_VERSION VERSION_LESS newer_tools)
      if(LANEWISE_SPIRV_TOOLS STREQUAL "auto")
        lanewise_lacks("SPIRV-Tools ${newer_tools} (-DLANEWISE_SPIRV_TOOLS=installed takes ${INSTALLED_SPIRV_TOOLS_VERSION}) are")
      endif()
      set(LANEWISE_NEWER_SPIRV OFF)
    endif()
    target_link_libraries(lanewise_spirv_tools INTERFACE PkgConfig::INSTALLED_SPIRV_TOOLS)
  endif()

  # The translator: LANEWISE_TRANSLATOR_LIBRARY is the file to link, a shared library by the name LANEWISE_TRANSLATOR_SONAME
  # or an archive.
  add_library(lanewise_spirv_translator INTERFACE)
  set(llvm_abi ${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR})
  if(LANEWISE_SPIRV_TRANSLATOR STREQUAL "source")
    lanewise_source(spirv-translator SPIRV-LLVM-Translator v22.1.5 LLVM_SPIRV_BUILD_EXTERNAL YES CCACHE_ALLOWED OFF
      LLVM_EXTERNAL_SPIRV_HEADERS_SOURCE_DIR ${spirv-headers_SOURCE_DIR})
    # With its assertions: they end what it does not expect in a module, which would else become another program.
    target_compile_options(LLVMSPIRVLib PRIVATE -UNDEBUG)
    set(headers ${PROJECT_BINARY_DIR}/spirv-translator)
    file(MAKE_DIRECTORY ${headers})
    file(CREATE_LINK ${spirv-translator_SOURCE_DIR}/include ${headers}/LLVMSPIRVLib SYMBOLIC)
    target_include_directories(lanewise_spirv_translator SYSTEM INTERFACE ${headers})
    set(LANEWISE_TRANSLATOR_LIBRARY $<TARGET_FILE:LLVMSPIRVLib>)
  else()
    if(LANEWISE_SPIRV_TRANSLATOR STREQUAL "auto")
      set(ENV{PKG_CONFIG_PATH} ${LANEWISE_PREPARED}/spirv-translator/lib/pkgconfig:$ENV{PKG_CONFIG_PATH})
    endif()
    unset(__pkg_config_checked_SPIRV_TRANSLATOR CACHE)  # the last configuration may have asked for another
    pkg_check_modules(SPIRV_TRANSLATOR LLVMSPIRVLib>=${llvm_abi} LLVMSPIRVLib<${llvm_abi}.99)
    if(NOT SPIRV_TRANSLATOR_FOUND)
      lanewise_lacks("The SPIR-V translator for LLVM ${llvm_abi} is")
    endif()
    target_include_directories(lanewise_spirv_translator SYSTEM INTERFACE ${SPIRV_TRANSLATOR_INCLUDE_DIRS})
    find_library(translator_library LLVMSPIRVLib HINTS ${SPIRV_TRANSLATOR_LIBRARY_DIRS} REQUIRED NO_CACHE
      NO_CMAKE_FIND_ROOT_PATH)
    file(REAL_PATH ${translator_library} LANEWISE_TRANSLATOR_LIBRARY)
    if(LANEWISE_TRANSLATOR_LIBRARY MATCHES "[.]so")
      set(LANEWISE_TRANSLATOR_SONAME libLLVMSPIRVLib.so.${llvm_abi})
    endif()
  endif()
endif()
# For the sources that read the rows of spirv_surface.def; the others need not be compiled again.
function(lanewise_reads_spirv_surface)
  if(LANEWISE_NEWER_SPIRV)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS LANEWISE_NEWER_SPIRV)
  endif()
endfunction()

# The Khronos loader, through which tests go to the driver beside ocl-icd: a folder with libOpenCL.so.1, which scripts take
# from build/deps or from here.
if(LANEWISE_KHRONOS_LOADER STREQUAL "source" AND LANEWISE_TESTS)
  lanewise_source(opencl-headers OpenCL-Headers v2026.05.29 BUILD_TESTING OFF)
  set(OPENCL_ICD_LOADER_HEADERS_DIR ${opencl-headers_SOURCE_DIR} CACHE PATH "" FORCE)
  # Its list of exported names exports nothing that is hidden, as all of ours is.
  lanewise_source(opencl-loader OpenCL-ICD-Loader v2026.05.29 BUILD_TESTING OFF CMAKE_C_VISIBILITY_PRESET default
    CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/khronos-loader/lib)
  add_custom_target(lanewise_khronos_loader ALL DEPENDS OpenCL)
endif()
