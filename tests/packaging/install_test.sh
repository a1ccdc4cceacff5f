#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# install_test.sh BUILD SOURCE: installs into a fresh prefix, builds the demo against it with pkg-config alone, runs it,
# and finds the device through a loader with the installed .icd file. Then the same with the contents of the .deb.
set -euo pipefail
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache

echo "-- cmake --install"
prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >/dev/null
icd=$(find "$prefix" -name lanewise.icd)
[ -f "$(cat "$icd")" ] || { echo "the .icd file names no library"; exit 1; }
# Files are the same wherever they are built, but for what debuggers read.
if grep -q "^CMAKE_BUILD_TYPE:STRING=Release" "$build/CMakeCache.txt" && grep -rlF -e "$build" -e "$source" "$prefix"; then
  echo "these files name the folder of the build"
  exit 1
fi

echo "-- pkg-config"
export PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name lanewise.pc)")
# shellcheck disable=SC2046
c++ -std=c++20 -O2 -DCL_TARGET_OPENCL_VERSION=120 -DDEMO_KERNELS="\"$source/demo/kernels.cl\"" "$source/demo/main.cpp" \
  "$source/demo/image_chain.cpp" \
  -o "$work/demo" $(pkg-config --libs lanewise) -lpng
library=$(pkg-config --variable=libdir lanewise)
(cd "$work" && LD_LIBRARY_PATH=$library ./demo "$work/picture.png")
[ -s "$work/picture.png" ]
# shellcheck disable=SC2046
c++ -std=c++20 -O2 -DCL_TARGET_OPENCL_VERSION=120 "$source/demo/inference.cpp" -o "$work/inference" $(pkg-config --libs lanewise)
LD_LIBRARY_PATH=$library "$work/inference" 100

echo "-- loader"
OCL_ICD_VENDORS=$(dirname "$icd") clinfo -l | tee "$work/list"
grep -q Lanewise "$work/list"
[ -s "$prefix/share/man/man7/lanewise.7" ]
[ -s "$prefix/share/man/man1/lanewise-cc.1" ]
[ -s "$prefix/share/man/man1/lanewise-info.1" ]

echo "-- documents"
"$source/tests/tree/document_links.py" --installed "$(dirname "$(find "$prefix" -name CONTRIBUTING.md)")"
echo "-- find_package"
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(Application LANGUAGES CXX)
find_package(Lanewise 1 REQUIRED)
add_executable(application ${SOURCE})
target_compile_features(application PRIVATE cxx_std_20)
target_compile_definitions(application PRIVATE CL_TARGET_OPENCL_VERSION=120)
target_link_libraries(application PRIVATE Lanewise::Lanewise)
END
cmake -S "$work" -B "$work/application" -DCMAKE_PREFIX_PATH="$prefix" -DSOURCE="$source/demo/inference.cpp" >/dev/null
cmake --build "$work/application" >/dev/null
"$work/application/application" 100

echo "-- lanewise-info"
OCL_ICD_VENDORS=$(dirname "$icd") "$prefix/bin/lanewise-info" | tee "$work/info"
grep -q "$(cat "$icd")" "$work/info"
grep -q "No problem was found" "$work/info"

echo "-- lanewise-cc"
"$prefix/bin/lanewise-cc" --mode=binary --source="$source/demo/kernels.cl" --output="$work/kernels.bin"
[ -s "$work/kernels.bin" ]

if [ -x "$build/lib/lanewise/lanewise-spirv" ]; then
  echo "-- SPIR-V"
  translator=$(find "$prefix" -name lanewise-spirv)
  ldd "$translator"
  if ldd "$translator" | grep -E "not found|$build|$source"; then exit 1; fi  # it has its own libraries, not those of the build
  "$translator" --help
  OCL_ICD_VENDORS=$(dirname "$icd") clinfo | grep "SPIR-V_1.4"
  "$prefix/bin/lanewise-cc" --source="$source/demo/kernels.cl" --output="$work/kernels.spv"
  "$prefix/bin/lanewise-cc" --mode=binary --source="$work/kernels.spv" --output="$work/module.bin"
  [ -s "$work/module.bin" ]
fi

echo "-- .deb"
# Without xz, which takes a minute. packaging.lintian looks at the packages as they are released.
(cd "$build" && cpack -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -B "$work/deb" >/dev/null)
for file in "$work"/deb/*.deb; do dpkg-deb -x "$file" "$work/root"; done
[ "$(for file in "$work"/deb/*.deb; do dpkg-deb -f "$file" Package; done | sort | xargs)" = \
  "lanewise-opencl-icd lanewise-tools liblanewise-dev" ]
dpkg-deb -f "$work"/deb/lanewise-opencl-icd_*.deb Depends | grep -vE "llvm|tbb"
[ "$(dpkg-deb --info "$work"/deb/lanewise-opencl-icd_*.deb conffiles)" = /etc/OpenCL/vendors/lanewise.icd ]
for package in lanewise-opencl-icd lanewise-tools liblanewise-dev; do
  [ -s "$work/root/usr/share/doc/$package/copyright" ] && [ -s "$work/root/usr/share/doc/$package/changelog.Debian.gz" ]
done
[ -s "$work/root/usr/share/man/man1/lanewise-report.1.gz" ]
[ -x "$work/root/usr/bin/lanewise-cc" ]
[ -x "$work/root/usr/bin/lanewise-info" ] && [ -x "$work/root/usr/bin/lanewise-report" ]
deb_library=$(find "$work/root" -name liblanewise.so.1)
[ -f "$work/root/etc/OpenCL/vendors/lanewise.icd" ] || { echo "the .deb registers nothing"; exit 1; }
[ "$deb_library" = "$work/root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/liblanewise.so.1" ]
grep -qx "${deb_library#"$work/root"}" "$work/root/etc/OpenCL/vendors/lanewise.icd"
mkdir "$work/vendors" && echo "$deb_library" >"$work/vendors/lanewise.icd"
OCL_ICD_VENDORS=$work/vendors clinfo -l | grep Lanewise
echo "installed, linked, listed"
