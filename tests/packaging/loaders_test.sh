#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# loaders_test.sh BUILD SOURCE: clinfo prints the whole platform and device through each loader without an error line,
# and with the driver itself as libOpenCL.so.1.
set -euo pipefail
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/vendors" "$work/direct"
echo "$build/lib/liblanewise.so" >"$work/vendors/lanewise.icd"
ln -s "$build/lib/liblanewise.so" "$work/direct/libOpenCL.so.1"
khronos=$build/khronos-loader/lib
[ -e "$khronos" ] || khronos=$source/build/deps/khronos-loader/lib

check() {
  local name=$1
  shift
  env "$@" clinfo >"$work/$name.out" 2>"$work/$name.err"
  grep -q 'Device Name' "$work/$name.out" || { echo "$name: no device"; exit 1; }
  if grep -inE 'error|CL_INVALID|CL_OUT_OF|warning' "$work/$name.out" | grep -vi 'Error correction'; then exit 1; fi
  [ ! -s "$work/$name.err" ] || { cat "$work/$name.err"; exit 1; }
  echo "$name: $(wc -l <"$work/$name.out") lines, no error"
}
check ocl-icd OCL_ICD_VENDORS="$work/vendors"
check direct LD_LIBRARY_PATH="$work/direct"
[ ! -e "$khronos/libOpenCL.so.1" ] || check khronos OCL_ICD_VENDORS="$work/vendors" LD_LIBRARY_PATH="$khronos"
