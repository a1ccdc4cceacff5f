#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# dependencies_test.sh BUILD SOURCE: a driver without SPIR-V is only made where that is asked for. LANEWISE_TEST_SOURCES names a
# folder of source trees (spirv-headers, spirv-tools, spirv-translator, opencl-headers, opencl-loader): with it lanewise-spirv and
# the Khronos loader are built from them, which takes minutes, and translate and list.
set -euo pipefail
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# configure FOLDER OPTION...: without pkg-config's files, as where nothing is installed.
configure() {
  local folder=$1
  shift
  (cd "$source" && PKG_CONFIG_LIBDIR=$work cmake --preset install -B "$work/$folder" "$@") >"$work/log" 2>&1
}

echo "-- nothing is installed"
if configure none -DLANEWISE_SPIRV_TRANSLATOR=installed; then echo "it was configured without a translator"; exit 1; fi
grep -q "LANEWISE_SPIRV=OFF" "$work/log"
if configure none -DLANEWISE_SPIRV_TOOLS=installed; then echo "it was configured without SPIRV-Tools"; exit 1; fi
grep -q "SPIRV-Tools are" "$work/log"
configure none -DLANEWISE_SPIRV=OFF || { cat "$work/log"; exit 1; }

[ -n "${LANEWISE_TEST_SOURCES-}" ] || { echo "refused, and made without SPIR-V"; exit 0; }
echo "-- sources"
trees=()
for tree in spirv-headers spirv-tools spirv-translator opencl-headers opencl-loader; do
  trees+=("-DFETCHCONTENT_SOURCE_DIR_${tree^^}=$LANEWISE_TEST_SOURCES/$tree")
done
made=$work/made
configure made -DLANEWISE_TESTS=ON -DLANEWISE_SPIRV_TRANSLATOR=source -DLANEWISE_SPIRV_TOOLS=source -DLANEWISE_KHRONOS_LOADER=source \
  "${trees[@]}" || { cat "$work/log"; exit 1; }
cmake --build "$made" --target lanewise lanewise_compiler lanewise_builtins lanewise-cc lanewise_khronos_loader >"$work/log" 2>&1 ||
  { tail -50 "$work/log"; exit 1; }
mkdir "$work/vendors"
echo "$made/lib/liblanewise.so" >"$work/vendors/lanewise.icd"
OCL_ICD_VENDORS=$work/vendors LD_LIBRARY_PATH=$made/khronos-loader/lib clinfo | grep "SPIR-V_1.6"
echo "kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }" >"$work/twice.cl"
"$made/bin/lanewise-cc" --source="$work/twice.cl" --output="$work/twice.spv"
"$made/bin/lanewise-cc" --mode=binary --source="$work/twice.spv" --output="$work/twice.bin"
[ -s "$work/twice.bin" ]
echo "built from source"
