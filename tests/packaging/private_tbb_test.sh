#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# private_tbb_test.sh DRIVER: oneTBB is inside of the driver, and nobody can see it.
set -euo pipefail
driver=$1
fail() { echo "$1" >&2; exit 1; }
needed=$(readelf -d "$driver" | grep NEEDED) || fail "readelf cannot read $driver"
grep -q tbb <<<"$needed" && fail "it needs a library of TBB: $needed"
visible=$(nm -D --demangle "$driver" | grep -E 'tbb|scalable_|__TBB|__itt' || true)
[ -z "$visible" ] || fail "its symbols name TBB: $visible"
inside=$(nm --demangle "$driver" 2>/dev/null | grep -c 'tbb::detail::r1::arena::' || true)
[ "$inside" -gt 0 ] || fail "there is no oneTBB in it"
