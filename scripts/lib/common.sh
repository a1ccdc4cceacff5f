# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by the scripts: paths, and functions to build and to run something on this build of the driver.
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
preset=${PRESET:-release}
build=$root/build/$preset
spirv=ON
loader=$build/khronos-loader/lib  # of a build that makes it from source
[ -e "$loader" ] || loader=$root/build/deps/khronos-loader/lib

# Installs what is missing and builds.
prepare() {
  scripts/setup
  cmake --preset "$preset" -DLANEWISE_SPIRV=$spirv >"$root/build/configure.log" 2>&1 || { cat "$root/build/configure.log"; return 1; }
  cmake --build "$build" "$@"
}

# Makes a folder with the driver's .icd file, for OCL_ICD_VENDORS, and one in which the driver is named libOpenCL.so.1.
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

# limited SECONDS COMMAND...: runs a command, but no longer than that: a hang shows where its threads are, and fails.
limited() {
  local seconds=$1
  shift
  "$@" &
  local command=$!
  (
    sleep "$seconds" &
    trap "kill $!; exit" TERM
    wait
    echo "still running after $seconds s: $*"
    gdb -p "$command" -batch -ex 'thread apply all backtrace' 2>/dev/null
    kill -KILL "$command"
  ) &
  local watch=$!
  local status=0
  wait "$command" || status=$?
  kill "$watch" 2>/dev/null
  return "$status"
}
