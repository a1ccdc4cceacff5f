# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""llvm_exports.py NM VERSION OUTPUT TRANSLATOR OBJECT...: what the translator and the objects of lanewise-spirv use of LLVM.

TRANSLATOR is a shared library, which asks for LLVM by VERSION, or an archive. Writes OUTPUT.map, a version script that exports
these symbols as VERSION, and OUTPUT.options, by which the linker takes them out of LLVM's archives.
"""
import pathlib
import re
import subprocess
import sys


def symbols(nm, *arguments):
    """The last word of each line that nm prints."""
    done = subprocess.run([nm, *arguments], check=True, capture_output=True, text=True)
    return {line.split()[-1] for line in done.stdout.splitlines() if re.match(r"[0-9a-f ]+ \w \S", line)}


def main(nm, version, output, translator, *objects):
    of_llvm, own = set(), set()
    if translator.endswith(".a"):
        objects = (translator, *objects)
    else:
        asked = [name.split("@") for name in symbols(nm, "-D", "--undefined-only", translator)]
        of_llvm = {name[0] for name in asked if name[-1] == version}
        own = symbols(nm, "-D", "--defined-only", translator)
        if others := {name[-1] for name in asked if name[-1].startswith("LLVM_")} - {version}:
            sys.exit(f"{translator} asks for LLVM by the versions {sorted(others)}, not by {version}")
    own |= symbols(nm, "--defined-only", *objects)
    named = {name for name in symbols(nm, "--undefined-only", *objects) if re.match("LLVM|SPIRVTranslateModule$|.*llvm", name)}
    exported = sorted(of_llvm | named - own)
    pathlib.Path(output + ".map").write_text(f"{version} {{\n  global:\n" + "".join(f"    {name};\n" for name in exported) + "};\n")
    pathlib.Path(output + ".options").write_text("".join(f"-Wl,--undefined={name}\n" for name in exported))


if __name__ == "__main__":
    main(*sys.argv[1:])
