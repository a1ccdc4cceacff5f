#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# starpu_test.sh DRIVER: examples of StarPU (Debian: starpu-examples) whose tasks are OpenCL kernels on this driver.
set -euo pipefail
examples=$(echo /usr/lib/*/starpu/examples) kernels=/usr/share/starpu/opencl
if [ ! -x "$examples/vector_scal" ] || [ ! -d "$kernels" ]; then
  echo "skipped: no starpu-examples"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/vendors" "$folder/include"
echo "$1" >"$folder/vendors/lanewise.icd"
# The package lacks two headers that its kernels include.
echo '#define TYPE float' >"$folder/include/axpy.h"
echo '#define DOT_TYPE double' >"$folder/include/dot_product.h"
export OCL_ICD_VENDORS=$folder/vendors LANEWISE_CACHE_DIR=$folder/cache LANEWISE_BUILD_OPTIONS=-I$folder/include
export LANEWISE_DEBUG=scheduler STARPU_HOME=$folder STARPU_OPENCL_ONLY_ON_CPUS=1 STARPU_NCPU=0 STARPU_SILENT=1
cd "$kernels" # where the examples look for their kernels

# run EXAMPLE TEXT: the example says TEXT, and ran a kernel on the driver.
run() {
  local output
  output=$("$examples/$1" 2>&1) || { echo "$output" | tail -20; echo "$1 failed"; exit 1; }
  grep -q '^lanewise scheduler: command .*: [0-9]* groups' <<<"$output" || { echo "$1 ran no kernel"; exit 1; }
  grep -q "$2" <<<"$output" || { grep -v '^lanewise' <<<"$output" | tail -20; echo "$1 is wrong"; exit 1; }
  echo "$1: ok"
}
run vector_scal 'Computation is correct'
run variable 'result is correct'
run block 'TEST PASSED'
run incrementer 'array -> 5.000000, 0.000000, 0.000000, 5.000000'
run axpy 'AFTER y\[0\] = 7.41'
run dot_product 'Reference'
