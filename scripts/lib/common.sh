# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by the scripts: where things are, and how to run something on this build of the driver.
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
preset=${PRESET:-release}
build=$root/build/$preset
loader=$root/build/deps/khronos-loader/lib

# Installs what is missing and builds.
prepare() {
  scripts/setup
  cmake --preset "$preset" >"$root/build/configure.log" 2>&1 || { cat "$root/build/configure.log"; return 1; }
  cmake --build "$build" "$@"
}

# A folder with one .icd file, the driver's: what OCL_ICD_VENDORS or a loader's default folder would hold.
register_driver() {
  vendors=$build/vendors
  mkdir -p "$vendors" "$build/direct"
  echo "$build/lib/liblanewise.so" >"$vendors/lanewise.icd"
  ln -sf ../lib/liblanewise.so "$build/direct/libOpenCL.so.1"
}

# through LOADER COMMAND...: runs a command on this driver. LOADER: khronos, ocl-icd, or direct (no loader at all).
through() {
  local way=$1
  shift
  case $way in
    khronos) OCL_ICD_VENDORS=$vendors LD_LIBRARY_PATH=$loader "$@" ;;
    ocl-icd) OCL_ICD_VENDORS=$vendors "$@" ;;
    direct) LD_LIBRARY_PATH=$build/direct "$@" ;;
  esac
}
