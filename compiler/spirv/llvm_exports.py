# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""llvm_exports.py NM TRANSLATOR OUTPUT OBJECT...: what the translator's library and the objects of lanewise-spirv use of LLVM.

Writes OUTPUT.map, a version script that exports these symbols with the version that the translator asks for, and
OUTPUT.options, by which the linker takes them out of LLVM's archives.
"""
import pathlib
import re
import subprocess
import sys


def symbols(nm, *arguments):
    """The last word of each line that nm prints."""
    done = subprocess.run([nm, *arguments], check=True, capture_output=True, text=True)
    return {line.split()[-1] for line in done.stdout.splitlines() if re.match(r"[0-9a-f ]+ \w \S", line)}


def main(nm, translator, output, *objects):
    asked = [name.split("@") for name in symbols(nm, "-D", "--undefined-only", translator)]
    of_llvm = {name[0]: name[-1] for name in asked if name[-1].startswith("LLVM_")}
    versions = set(of_llvm.values())
    if len(versions) != 1:
        sys.exit(f"{translator} asks for LLVM by the versions {sorted(versions)}, not by one")
    own = symbols(nm, "-D", "--defined-only", translator) | symbols(nm, "--defined-only", *objects)
    named = {name for name in symbols(nm, "--undefined-only", *objects) if "llvm" in name or name.startswith("LLVM")}
    exported = sorted(of_llvm.keys() | named - own)
    pathlib.Path(output + ".map").write_text(f"{versions.pop()} {{\n  global:\n" +
                                             "".join(f"    {name};\n" for name in exported) + "};\n")
    pathlib.Path(output + ".options").write_text("".join(f"-Wl,--undefined={name}\n" for name in exported))


if __name__ == "__main__":
    main(*sys.argv[1:])
