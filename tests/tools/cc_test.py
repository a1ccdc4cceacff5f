# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lanewise-cc as compilers are called: cc_test.py PROGRAM CASE."""
import os
import subprocess
import sys
import tempfile

from tool import expect, expect_none

PROGRAM = sys.argv[1]
GOOD = "kernel void k(global int *x) { x[get_global_id(0)] = VALUE; }\n"
SPIRV = 0x07230203


def run(*arguments, expected=0, text=b""):
    """Standard output as bytes, and standard error."""
    done = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, timeout=240)
    if done.returncode != expected:
        sys.exit(f"exit code {done.returncode} of {arguments}:\n{done.stderr.decode()}")
    return done.stdout, done.stderr.decode()


def write(name, text):
    if os.path.dirname(name):
        os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "w") as file:
        file.write(text)


def is_spirv(data):
    return int.from_bytes(data[:4], "little") == SPIRV


def names():
    """Diagnostics begin as those of other compilers, with the file as it was given."""
    for mode in ("--mode=spir-v", "--mode=binary"):
        write("folder/bad.cl", "kernel void k(global int *x) {\n  x[0] = y;\n}\n")
        errors = run(mode, "folder/bad.cl", expected=1)[1]
        expect(errors, r"^folder/bad\.cl:2:10: error: use of undeclared identifier 'y'$")
        expect_none(errors, r"program\.cl")
        expect(run(mode, "-", expected=1, text=b"void")[1], r"^<stdin>:1:")
        write("warns.cl", "#warning look here\n" + GOOD)
        expect(run(mode, "-DVALUE=1", "warns.cl")[1], r"^warns\.cl:1:2: warning: look here")
        expect(run(mode, "absent.cl", expected=1)[1], r"^lanewise-cc: error: cannot read 'absent.cl': No such file")
        expect(run(mode, "folder", expected=1)[1], r"^lanewise-cc: error: cannot read 'folder': Is a directory")


def output():
    write("folder/good.cl", GOOD)
    run("-DVALUE=1", "folder/good.cl")
    with open("good.spv", "rb") as file:
        assert is_spirv(file.read())
    run("-D", "VALUE=1", "--mode=binary", "folder/good.cl")
    assert os.path.getsize("good.bin") > 0
    run("-o", "other.spv", "folder/good.cl", "-DVALUE=2", "-cl-std=CL3.0")
    assert os.path.getsize("other.spv") > 0
    assert is_spirv(run("-o", "-", "-DVALUE=1", "folder/good.cl")[0])
    assert is_spirv(run("-DVALUE=3", "-", text=GOOD.encode())[0])
    expect(run("-DVALUE=1", "-o", "/nowhere/x", "folder/good.cl", expected=1)[1], "cannot write '/nowhere/x': No such")
    # As the conformance tests call it.
    run("--mode=binary", "--source=folder/good.cl", "--output=old.bin", "--", "-cl-std=CL3.0 -D VALUE=7")
    assert os.path.getsize("old.bin") > 0
    run("--mode=binary", "-o", "module.bin", "good.spv")


def headers():
    """Those beside the program, and those of folders with blanks in their names."""
    write("folder/uses.cl", '#include "value.h"\n' + GOOD)
    write("folder/value.h", "#define VALUE 5\n")
    write("two words/value.h", "#define VALUE no_value\n")
    for mode in ("--mode=spir-v", "--mode=binary"):
        run(mode, "-o", "uses.out", "folder/uses.cl")
        expect(run(mode, "-o", "uses.out", "-Itwo words", "folder/uses.cl", expected=1)[1], "no_value")
        expect(run(mode, "-I", "two words", "folder/uses.cl", expected=1)[1], "no_value")


def arguments():
    expect(run("--help")[0].decode(), "^usage: lanewise-cc", "-o FILE")
    expect(run("--version")[0].decode(), r"^lanewise-cc \d+\.\d+\.\d+(-rc\d+)?$")
    for wrong in ([], ["--mode=elf", "x.cl"], ["--outptu=x", "x.cl"], ["x.cl", "y.cl"], ["x.cl", "-o"]):
        expect(run(*wrong, expected=2)[1], "^lanewise-cc: error: ", "^usage:")


with tempfile.TemporaryDirectory(prefix="lanewise-cc-") as place:
    os.environ["LANEWISE_CACHE"] = "off"
    os.chdir(place)
    globals()[sys.argv[2]]()
