#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the costs of compiler/lanes/plan/costs.def with the instructions that are emitted.

  tests/compiler/costs.py LANEWISE_OPT [--print]

For each row whose source is "instructions" there is a kernel that does the operation several times, and one that does
not. What their vector loops differ by, in the price that the planner asks and in instructions, has to agree within a
factor. Fails for a row without a kernel, for a kernel without a row, and for a price that is off.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "compiler/lanes/plan/costs.def"
#: Work-items in a vector by level: one register of 32-bit numbers.
LANES = {"x86-64-v2": 4, "x86-64-v3": 8, "x86-64-v4": 16}
TIMES = 8
FACTOR = 2.0

HEAD = """define void @{name}(ptr noalias %a, ptr noalias %t, ptr noalias %out, i32 %u, i64 %n, i64 %size) {{
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr {type}, ptr %a, i64 %id
  %v0 = load {type}, ptr %p
"""
TAIL = """  %q = getelementptr {type}, ptr %out, i64 %id
  store {type} %v{last}, ptr %q
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}}
"""
END = "!0 = distinct !{!0, !1}\n!1 = !{!\"lanewise.items\"}\n"

#: The lane's own number as an index, or one that may be any.
NEAR = "  %i{k} = add i64 %id, {k}00\n"
ANY = "  %s{k} = lshr i32 %v{k}, {k}\n  %m{k} = and i32 %s{k}, 255\n  %i{k} = zext i32 %m{k} to i64\n"
STRIDED = "  %j{k} = mul i64 %id, 1{k}7\n  %i{k} = add i64 %j{k}, {k}00\n"
XOR = "  %v{next} = xor i32 %v{k}, %l{k}\n"


def load(index, step="i32", kind="i32", add=XOR):
    address = f"  %g{{k}} = getelementptr {step}, ptr %t, i64 %i{{k}}\n"
    return index + address + f"  %l{{k}} = load {kind}, ptr %g{{k}}\n" + add


SHIFT_XOR = "  %x{k} = lshr i32 %v{k}, 1\n  %v{next} = xor i32 %x{k}, %l{k}\n"
TAKE = "  %e{k} = extractelement <2 x i32> %l{k}, i32 0\n  %f{k} = extractelement <2 x i32> %l{k}, i32 1\n"
BOTH = TAKE + "  %x{k} = mul i32 %v{k}, %e{k}\n  %v{next} = xor i32 %x{k}, %f{k}\n"
INDEX = "  %l{k} = trunc i64 %i{k} to i32\n"
WITHOUT_LOAD = INDEX + XOR
WITHOUT_BOTH = INDEX + "  %x{k} = mul i32 %v{k}, %l{k}\n  %v{next} = xor i32 %x{k}, %l{k}\n"
ATOMIC = "  %g{k} = getelementptr i32, ptr %t, i64 {k}00\n  %o{k} = atomicrmw add ptr %g{k}, i32 %v{k} monotonic\n"


class Row:
    """A kernel's operation, the same without what is priced ("": nothing at all), the type of its values, the factor
    within which price and instructions agree, and what the price has for the work of a lane, or of all, that one
    instruction does.
    """

    def __init__(self, operation, without="", kind="i32", factor=FACTOR, lane=0.0, vector=0.0):
        self.operation, self.without, self.kind, self.factor = operation, without, kind, factor
        self.lane, self.vector = lane, vector


ROWS = {
    "intrinsic": Row("  %v{next} = call i32 @llvm.fshl.i32(i32 %v{k}, i32 %v{k}, i32 {bits})\n"),
    "product_64": Row("  %v{next} = mul i64 %v{k}, %v0\n", kind="i64", factor=2.5),
    "division": Row("  %d{k} = or i32 %v0, {k}1\n  %v{next} = udiv i32 %v{k}, %d{k}\n"),
    "uniform_division": Row("  %d{k} = or i32 %u, {k}1\n  %v{next} = udiv i32 %v{k}, %d{k}\n", factor=2.75),
    "lane_call": Row("  %v{next} = call i32 @unknown(i32 %v{k})\n", lane=20),
    "atomic_unused": Row(ATOMIC + "  %v{next} = xor i32 %v{k}, {k}1\n", vector=10, factor=4),
    "atomic_used": Row(ATOMIC + "  %v{next} = xor i32 %v{k}, %o{k}\n", vector=10),
    "wide_components": Row(load(NEAR, "<2 x i32>", "<2 x i32>", BOTH)),
    "reversed": Row(load("  %i{k} = sub i64 {k}00, %id\n", add=SHIFT_XOR)),
    "strided_lane": Row(load(STRIDED)),
    "scattered_lane": Row(load(ANY), ANY + WITHOUT_LOAD),
    "scattered_components": Row(load(ANY, "<2 x i32>", "<2 x i32>", BOTH), ANY + WITHOUT_BOTH),
}


def function(name, text, kind, times):
    body = HEAD.format(name=name, type=kind)
    for k in range(times):
        body += text.format(k=k, next=k + 1, bits=3 * k + 1)
    return body + TAIL.format(type=kind, last=times)


def module():
    text = "declare i32 @unknown(i32) readnone nounwind willreturn\n"
    for name, row in ROWS.items():
        text += function(name, row.operation, row.kind, TIMES)
        text += function(name + ".without", row.without, row.kind, TIMES if row.without else 0)
    return text + END


def run(opt, isa, passes, emit, file):
    command = [opt, f"--isa={isa}", f"--width={LANES[isa]}", f"--passes={passes}", f"--emit={emit}", file]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def prices(opt, isa, file):
    """The price of a vector of each kernel."""
    found = re.findall(r"^; (\S+) items: .*cost (\d+) against", run(opt, isa, "print-vector-plans", "none", file), re.M)
    return {name: int(cost) for name, cost in found}


def loops(opt, isa, file):
    """How many instructions the vector loop of each kernel has: the longest block that jumps to itself."""
    found = {}
    name, block, count = None, None, 0
    for line in run(opt, isa, "vectorise,optimise<full;vectors>", "asm", file).splitlines():
        label = re.match(r"\"?([\w.]+)\"?:", line)
        if label and not label[1].startswith("."):
            name = label[1]
            found[name] = 0
        if label:
            block, count = label[1], 0
        elif re.match(r"\t[a-z]", line):
            count += 1
            if re.match(rf"\tj\w+\t{re.escape(block or '')}$", line):
                found[name] = max(found[name], count)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("opt")
    parser.add_argument("--print", action="store_true", help="show all rows")
    arguments = parser.parse_args()
    problems = []
    with tempfile.NamedTemporaryFile("w", suffix=".ll") as file:
        file.write(module())
        file.flush()
        for isa in LANES:
            price, count = prices(arguments.opt, isa, file.name), loops(arguments.opt, isa, file.name)
            for name, row in ROWS.items():
                asked = (price[name] - price[name + ".without"]) / TIMES - row.vector - row.lane * LANES[isa]
                emitted = (count[name] - count[name + ".without"]) / TIMES
                ratio = max(asked, 0.1) / max(emitted, 0.1)
                if arguments.print:
                    print(f"{isa} {name:18} price {asked:6.1f}  instructions {emitted:6.1f}  ratio {ratio:.2f}")
                if not 1 / row.factor <= ratio <= row.factor:
                    problems.append(f"{isa} {name}: price {asked:.1f}, but {emitted:.1f} instructions")
    rows = set(re.findall(r"LANEWISE_COST\((\w+), [^\"]*\"\w+\",\s*\"instructions", TABLE.read_text()))
    problems += [f"{name}: no kernel" for name in sorted(rows - ROWS.keys())]
    problems += [f"{name}: no row" for name in sorted(ROWS.keys() - rows)]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
