#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# platforms_test.sh APPLICATION DRIVER: the application on this driver and all others that the machine has, and those of
# the folder LANEWISE_TEST_VENDORS.
set -euo pipefail
vendors=$(mktemp -d)
trap 'rm -rf "$vendors"' EXIT
for folder in /etc/OpenCL/vendors "${LANEWISE_TEST_VENDORS:-}"; do
  [ -d "$folder" ] && find "$folder" -name '*.icd' ! -exec grep -qi lanewise {} \; -exec cp {} "$vendors" \;
done
echo "$2" >"$vendors/lanewise.icd"
OCL_ICD_VENDORS=$vendors LANEWISE_CACHE=off "$1"
