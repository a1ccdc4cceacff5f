#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# two_loaders_test.sh BUILD SOURCE [LOADER...]: every ordered pair of the loaders that are here, twice the same one too,
# in one process, with objects handed across. The driver without a loader is one of them. More loaders can be named.
set -euo pipefail
build=$1
source=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/vendors"
echo "$build/lib/liblanewise.so" >"$work/vendors/lanewise.icd"
export OCL_ICD_VENDORS=$work/vendors

loaders=("$build/lib/liblanewise.so")
for loader in "$(ldconfig -p | sed -n 's/.*libOpenCL\.so\.1 (libc6,x86-64.*=> //p' | head -n 1)" \
  "$build/khronos-loader/lib/libOpenCL.so.1" "$source/build/deps/khronos-loader/lib/libOpenCL.so.1" "$@"; do
  [ -n "$loader" ] && [ -e "$loader" ] && loaders+=("$loader")
done
[ ${#loaders[@]} -gt 1 ] || { echo "no loader is installed"; exit 1; }

failed=0
for maker in "${loaders[@]}"; do
  for user in "${loaders[@]}"; do
    second=$user
    if [ "$maker" = "$user" ]; then
      # Under another name it is another library; two copies of a driver are two drivers and have nothing to share.
      [ "$maker" != "$build/lib/liblanewise.so" ] || continue
      second=$work/second.so
      cp -L "$user" "$second"
    fi
    for when in before after never; do
      if "$build/bin/lanewise_two_loaders" "$maker" "$second" "$when"; then
        echo "$maker -> $user, which lists $when: both directions"
      else
        echo "$maker -> $user, which lists $when: FAILED ($?)"
        failed=1
      fi
    done
  done
done
exit $failed
