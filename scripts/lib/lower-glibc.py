#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets a shared object that was built against glibc 2.38 load on glibc 2.36.

The newer headers redirect strtol and its family to __isoc23_* names of version GLIBC_2.38; they differ only in
accepting C23's binary literals. Nothing moves in the file:
  .dynsym         the name of an undefined __isoc23_X starts 9 bytes later, and so reads X
  .gnu.version    its version becomes that of the architecture's first glibc: GLIBC_2.2.5, on AArch64 GLIBC_2.17
  .gnu.version_r  the GLIBC_2.38 requirement becomes a second one of that
A symbol that needs 2.38 for any other reason is an error.
"""
import struct
import sys

PREFIX = "__isoc23_"
NEW = "GLIBC_2.38"
OLD = {62: "GLIBC_2.2.5", 183: "GLIBC_2.17"}  # by e_machine
DYNSYM, VERSYM, VERNEED = 11, 0x6FFFFFFF, 0x6FFFFFFE


class Elf:
    def __init__(self, data):
        self.data = data
        if data[:6] != b"\x7fELF\x02\x01":
            raise SystemExit("not a 64-bit little-endian ELF file")
        (self.machine,) = struct.unpack_from("<H", data, 18)
        (offset,) = struct.unpack_from("<Q", data, 0x28)
        (count,) = struct.unpack_from("<H", data, 0x3C)
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + 64 * i) for i in range(count)]
        self.dynsym = next(s for s in self.sections if s[1] == DYNSYM)
        self.versym = next(s for s in self.sections if s[1] == VERSYM)
        self.verneed = next(s for s in self.sections if s[1] == VERNEED)
        self.strings = self.sections[self.dynsym[6]][4]

    def text(self, offset):
        start = self.strings + offset
        return self.data[start : self.data.index(0, start)].decode()

    def versions(self):
        """version name -> (offset of its record, hash, index, name offset)"""
        found, record = {}, self.verneed[4]
        while True:
            _, count, _, aux, following = struct.unpack_from("<HHIII", self.data, record)
            at = record + aux
            for _ in range(count):
                hashed, _, index, name, step = struct.unpack_from("<IHHII", self.data, at)
                found[self.text(name)] = (at, hashed, index, name)
                at += step
            if following == 0:
                return found
            record += following


def lower(elf):
    versions = elf.versions()
    if NEW not in versions:
        return []
    new_at, _, new_index, _ = versions[NEW]
    _, old_hash, old_index, old_name = versions[OLD[elf.machine]]
    renamed = []
    for i in range(elf.dynsym[5] // 24):
        version_at = elf.versym[4] + 2 * i
        (version,) = struct.unpack_from("<H", elf.data, version_at)
        if version & 0x7FFF != new_index:
            continue
        symbol_at = elf.dynsym[4] + 24 * i
        (name_offset,) = struct.unpack_from("<I", elf.data, symbol_at)
        (section,) = struct.unpack_from("<H", elf.data, symbol_at + 6)
        name = elf.text(name_offset)
        if section != 0 or not name.startswith(PREFIX):
            raise SystemExit(f"{name} needs {NEW} for its own sake")
        struct.pack_into("<I", elf.data, symbol_at, name_offset + len(PREFIX))
        struct.pack_into("<H", elf.data, version_at, old_index)
        renamed.append(name)
    struct.pack_into("<I", elf.data, new_at, old_hash)
    struct.pack_into("<I", elf.data, new_at + 8, old_name)
    return renamed


def main(source, destination):
    with open(source, "rb") as file:
        elf = Elf(bytearray(file.read()))
    lower(elf)
    with open(destination, "wb") as file:
        file.write(elf.data)


if __name__ == "__main__":
    main(*sys.argv[1:])
