#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# release_test.sh BUILD SOURCE: scripts/release makes the same bytes twice, and what SHA256SUMS says. Skipped (exit code 77) without
# a repository, or where the tree has changes that are not committed.
set -euo pipefail
build=$1
source=$2
cd "$source"
git diff --quiet HEAD 2>/dev/null || { echo "skipped: no repository, or changes that are not committed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for time in first second; do scripts/release --build-dir "$build" "$work/$time"; done
diff "$work/first/SHA256SUMS" "$work/second/SHA256SUMS"
(cd "$work/first" && sha256sum --check --quiet SHA256SUMS)
[ "$(find "$work/first" -type f | wc -l)" = 9 ]
echo "twice the same bytes"
