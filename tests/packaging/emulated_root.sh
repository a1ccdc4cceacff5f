#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# emulated_root.sh BUILD SOURCE: the packages for AArch64 of BUILD (preset aarch64-install) in a system of that processor that has no
# LLVM and no compiler. All of its programs, the driver's compiler too, run under an emulator. Loaders list the device from the
# Debian packages, which build and run programs from OpenCL C and SPIR-V; then an application is linked to the wheel's driver.
# Skipped (exit code 77) where a namespace of a user has no binfmt_misc of its own (Linux before 6.7).
set -euo pipefail
build=$(realpath "$1")
source=$(realpath "$2")
emulator=$(command -v qemu-aarch64-static)
unshare -Urm mount -t binfmt_misc none /proc/sys/fs/binfmt_misc 2>/dev/null ||
  { echo "skipped: no binfmt_misc of our own"; exit 77; }
work=$(mktemp -d -p "$build")
trap 'rm -rf "$work"' EXIT
root=$work/root

echo "-- packages"
(cd "$build" && cpack -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -B "$work/deb" >/dev/null)
PYTHONPATH=$source/build/deps/python python3 "$source/packaging/wheel/build_wheel.py" "$build" "$work/wheel"
ls "$work"/deb/*_arm64.deb "$work"/wheel/*_aarch64.whl | xargs -n1 basename

# A system of hard links; what is unpacked into it are new files.
cp -al "$source/build/deps/aarch64/sysroot" "$root"
for package in "$work"/deb/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$root"
done
python3 -m zipfile -e "$work"/wheel/*.whl "$root/wheel"
chmod -R a+x "$root/wheel/lanewise"  # as pip would make programs
mkdir -p "$root"/{proc,dev,tmp} "$root$source/demo"
cp "$source/demo/kernels.cl" "$root$source/demo"
cp "$build"/bin/lanewise-demo* "$root/usr/bin"
printf 'kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }\n' >"$root/module.cl"

# in_root VARIABLE PROGRAM...: the kernel starts each program for AArch64 by the emulator. VARIABLE may be empty.
in_root() {
  unshare -Urm --propagation private bash -ec '
    emulator=$0 root=$1 variable=$2
    shift 2
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    magic="\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    mask="\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
    echo ":aarch64:M::$magic:$mask:$emulator:F" >/proc/sys/fs/binfmt_misc/register
    mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec env -i HOME=/tmp PATH=/usr/bin:/usr/sbin LC_ALL=C.UTF-8 QEMU_CPU=max,sve=off $variable chroot "$root" "$@"
  ' "$emulator" "$root" "$@"
}

echo "-- loader"
in_root '' /usr/bin/clinfo -l | tee "$work/list"
grep -q Lanewise "$work/list"
echo "-- lanewise-info"
in_root '' /usr/bin/lanewise-info | tee "$work/info"
grep -q "ran in" "$work/info"
echo "-- programs"
if [ -e "$build/lib/lanewise/lanewise-spirv" ]; then
  in_root '' /usr/bin/lanewise-cc --source=/module.cl --output=/tmp/module.spv
  [ -s "$root/tmp/module.spv" ]
fi
in_root '' /usr/bin/lanewise-demo-inference 100
echo "-- wheel"
driver=$(find "$root/wheel/lanewise" -name 'liblanewise.so*')
mkdir "$root/direct"
ln -s "${driver#"$root"}" "$root/direct/libOpenCL.so.1"
rm "$root/etc/OpenCL/vendors/lanewise.icd"
in_root LD_LIBRARY_PATH=/direct /usr/bin/lanewise-demo-inference 100
