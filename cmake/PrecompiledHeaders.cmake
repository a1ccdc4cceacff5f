# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Most of the time to compile a file of ours went into reading headers and into instances of their templates: each target
# reads the headers that many of its files need once, and its files are compiled several at a time. A file still includes
# what it uses: -DLANEWISE_PRECOMPILE=OFF -DLANEWISE_UNITY=OFF builds each alone.
#
# CMake dates what it writes for the compiler by the CMakeLists.txt of the root: who changes a list below touches that, or a
# build directory from before does not see it.

set(standard_headers <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <cstring> <functional> <map> <memory>
  <mutex> <new> <optional> <set> <span> <string> <string_view> <thread> <utility> <variant> <vector>)
set(opencl_headers <CL/cl.h> <CL/cl_ext.h>)
set(gtest_headers <gtest/gtest.h>)
set(llvm_headers <llvm/ADT/DenseMap.h> <llvm/ADT/MapVector.h> <llvm/ADT/PostOrderIterator.h> <llvm/ADT/STLExtras.h>
  <llvm/ADT/SetVector.h> <llvm/ADT/SmallPtrSet.h> <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h>
  <llvm/Analysis/LoopInfo.h> <llvm/Analysis/ScalarEvolution.h> <llvm/Analysis/ScalarEvolutionExpressions.h>
  <llvm/Analysis/TargetTransformInfo.h> <llvm/Analysis/ValueTracking.h> <llvm/Analysis/VectorUtils.h>
  <llvm/IR/Constants.h> <llvm/IR/DebugInfoMetadata.h> <llvm/IR/Dominators.h> <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h>
  <llvm/IR/Instructions.h> <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h> <llvm/IR/Operator.h> <llvm/IR/PassManager.h>
  <llvm/IR/PatternMatch.h> <llvm/IR/Verifier.h> <llvm/Support/Error.h> <llvm/Support/raw_ostream.h>
  <llvm/Target/TargetMachine.h> <llvm/Transforms/Utils/BasicBlockUtils.h> <llvm/Transforms/Utils/Cloning.h>
  <llvm/Transforms/Utils/Local.h>)

# Of ours: messages between driver and compiler; objects of the API.
set(messages_headers ${PROJECT_SOURCE_DIR}/include/lanewise/compiler_abi.h)
set(objects_headers ${PROJECT_SOURCE_DIR}/runtime/core/context.h ${PROJECT_SOURCE_DIR}/runtime/exec/event.h)

# lanewise_precompile(TARGET GROUP|HEADER...): GROUP is standard, opencl, gtest, llvm, messages or objects.
function(lanewise_precompile target)
  if(NOT LANEWISE_PRECOMPILE)
    return()
  endif()
  foreach(group ${ARGN})
    if(DEFINED ${group}_headers)
      target_precompile_headers(${target} PRIVATE ${${group}_headers})
    else()
      target_precompile_headers(${target} PRIVATE ${group})
    endif()
  endforeach()
  # Without a time in it, so that ccache knows it again.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endfunction()

# lanewise_unity(TARGET [ALONE FILE...]): compiles at most eight files of a folder at a time, ALONE those that share names
# with their neighbours.
function(lanewise_unity target)
  cmake_parse_arguments(arg "" "" "ALONE" ${ARGN})
  if(NOT LANEWISE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(alone ${arg_ALONE})
    list(FILTER sources EXCLUDE REGEX "(^|/)${alone}$")
  endforeach()
  set(last)
  foreach(source ${sources})
    get_filename_component(folder ${source} ABSOLUTE)
    get_filename_component(folder ${folder} DIRECTORY)
    if(NOT folder STREQUAL last)
      set(last ${folder})
      set(count 0)
    endif()
    math(EXPR part "${count} / 8")
    math(EXPR count "${count} + 1")
    file(RELATIVE_PATH group ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${group}_${part} group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
