#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# source_test.sh BUILD SOURCE: CPack's archive of the source is unpacked, configured and built where there is no git, with the
# libraries that scripts/setup has made here. Builds the driver, which has the same bytes as that of BUILD, another folder, where
# that is a build for releases; the rest is built like it, and takes longer.
set -euo pipefail
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "-- archive"
(cd "$build" && cpack -G TXZ --config CPackSourceConfig.cmake -B "$work/archive" >/dev/null)
tar -xf "$work"/archive/lanewise-*-source.tar.xz -C "$work"
unpacked=$(echo "$work"/lanewise-*-source)
[ ! -e "$unpacked/.git" ] && [ ! -e "$unpacked/build" ]
# Everything that git knows, but for pictures.
if git -C "$source" rev-parse HEAD >/dev/null 2>&1; then
  git -C "$source" ls-files | while read -r file; do [ -e "$unpacked/$file" ] || echo "$file is missing"; done | tee "$work/missing"
  [ ! -s "$work/missing" ]
fi

echo "-- build"
mkdir "$unpacked/build" "$work/programs"
ln -s "$source/build/deps" "$unpacked/build/deps"
printf '#!/bin/sh\necho "git was called" >&2\nexit 1\n' >"$work/programs/git"
chmod +x "$work/programs/git"
export PATH=$work/programs:$PATH CCACHE_DISABLE=1  # ccache would hand out the objects of BUILD
cd "$unpacked"
cmake --preset install >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build build/install --target lanewise >"$work/log" 2>&1 || { tail -50 "$work/log"; exit 1; }
if grep "git was called" "$work/log"; then exit 1; fi
python3 -c "import ctypes; ctypes.CDLL('$unpacked/build/install/lib/liblanewise.so').clGetPlatformIDs"
if grep -q "^CMAKE_BUILD_TYPE:STRING=Release" "$build/CMakeCache.txt" && grep -q "^LANEWISE_SANITIZE:STRING=$" "$build/CMakeCache.txt"; then
  cmp "$build/lib/liblanewise.so" build/install/lib/liblanewise.so
  echo "the same bytes"
fi
echo "packed, unpacked, built"
