# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws OpenCL C programs for measurements of builds: other ones for each seed.

    python3 tests/bench/draw_programs.py SEED LINES KERNELS > program.cl

Every kernel takes (global const float* in, global float* out, int count, local float* shared). Helper functions lie in
layers, each of which calls those below. A program is a mix that is drawn for it: how many statements are loops,
branches, math functions, vectors, private arrays, structures and local memory.
"""

import random
import sys

FUNCTIONS = ("sin", "cos", "exp", "log2", "sqrt", "fabs", "floor", "rsqrt", "tanh", "atan", "cbrt", "exp2")
# Statements that one call of a function runs at most: calls in loops and layers multiply, and no driver would come to
# an end.
MOST_STEPS = 30_000
HEAD = "typedef struct { float a, b; int n; } pair_t;\n"


class Body:
    """Statements of one function, with the variables `f` (float), `v` (float4), `i` (int), `p` (pair_t), `a` (array)."""

    def __init__(self, numbers, mix, callees):
        """`callees`: {name: the steps of a call}."""
        self.numbers, self.mix, self.callees, self.lines = numbers, mix, callees, []
        self.steps, self.rounds = 0, 1  # of a call so far, and how often the next statement runs

    def called(self):
        """A function that may be called here, or None."""
        names = [name for name, steps in self.callees.items() if self.steps + self.rounds * steps <= MOST_STEPS]
        if not names:
            return None
        name = self.numbers.choice(names)
        self.steps += self.rounds * self.callees[name]
        return name

    def float(self, depth=2):
        n = self.numbers
        if depth == 0 or n.random() < 0.25:
            return n.choice(("f", "p.a", "p.b", "v.x", "v.w", "a[i & 7]", f"{n.uniform(0.1, 4):.3f}f"))
        kind = n.random()
        if kind < self.mix["math"]:
            return f"{n.choice(FUNCTIONS)}({self.float(depth - 1)})"
        if kind < self.mix["math"] + self.mix["call"] and (name := self.called()):
            return f"{name}({self.float(depth - 1)}, i)"
        return f"({self.float(depth - 1)} {n.choice('+-*')} {self.float(depth - 1)})"

    def simple(self, indent):
        n = self.numbers
        self.steps += self.rounds
        kind = n.random()
        if kind < self.mix["vector"]:
            text = n.choice((f"v = v * {self.float(1)} + v.yzwx;", f"v += (float4)({self.float(1)}, f, p.a, 1.0f);",
                             "v = fma(v, v.wxyz, (float4)(f));"))
        elif kind < self.mix["vector"] + self.mix["array"]:
            text = f"a[({n.randrange(8)} + i) & 7] = {self.float()};"
        elif kind < self.mix["vector"] + self.mix["array"] + 0.15:
            text = f"i = (i * {n.randrange(3, 99, 2)} + {n.randrange(100)}) & 1023;"
        else:
            text = f"{n.choice(('f', 'p.a', 'p.b'))} = {self.float()};"
        self.lines.append("  " * indent + text)

    def fill(self, count, indent=1):
        n = self.numbers
        end = len(self.lines) + count
        while len(self.lines) < end:
            room = end - len(self.lines)
            kind = n.random()
            if room > 4 and indent < 4 and kind < self.mix["loop"]:
                name = "ijklmn"[indent]
                bound = n.choice(("count", "count", "4", "8"))
                self.lines.append("  " * indent + f"for (int {name} = 0; {name} < {bound}; ++{name}) {{")
                self.rounds *= 8
                self.fill(n.randrange(1, min(room - 2, 12) + 1), indent + 1)
                self.rounds //= 8
                self.lines.append("  " * indent + "}")
            elif room > 4 and indent < 4 and kind < self.mix["loop"] + self.mix["branch"]:
                self.lines.append("  " * indent + f"if ({self.float(1)} > {self.float(1)}) {{")
                self.fill(n.randrange(1, min(room - 2, 8) + 1), indent + 1)
                self.lines.append("  " * indent + "}")
            else:
                self.simple(indent)


VARIABLES = "  float4 v = (float4)(f, 1.0f, 2.0f, 3.0f); pair_t p = {f, 1.0f, i}; float a[8] = {f, 1, 2, 3, 4, 5, 6, 7};"


def helper(name, numbers, mix, callees, lines):
    """The text of a function, and the steps of a call."""
    body = Body(numbers, mix, callees)
    body.fill(lines)
    text = "\n".join([f"float {name}(float f, int i) {{", "  const int count = 3;", VARIABLES, *body.lines,
                      "  return f + p.a + v.y + a[i & 7];", "}", ""])
    return text, body.steps


def kernel(name, numbers, mix, callees, lines):
    body = Body(numbers, mix, callees)
    text = [f"kernel void {name}(global const float* in, global float* out, int count, local float* shared) {{",
            "  int i = get_global_id(0); float f = in[i];", VARIABLES]
    parts = numbers.randrange(1, 4) if numbers.random() < mix["local"] else 1
    for part in range(parts):
        if part != 0:
            body.lines += ["  shared[get_local_id(0)] = f;", "  barrier(CLK_LOCAL_MEM_FENCE);",
                           "  f += shared[get_local_size(0) - 1 - get_local_id(0)];",
                           "  barrier(CLK_LOCAL_MEM_FENCE);"]
        body.fill(max(1, lines // parts))
    return "\n".join([*text, *body.lines, "  out[get_global_id(0)] = f + p.b + v.z + a[3];", "}", ""])


def draw(seed, lines, kernels):
    numbers = random.Random(seed)
    mix = {name: numbers.uniform(low, high) for name, low, high in (
        ("math", 0, 0.3), ("call", 0, 0.2), ("vector", 0, 0.3), ("array", 0, 0.2), ("loop", 0, 0.15),
        ("branch", 0, 0.15), ("local", 0, 1))}
    share = numbers.uniform(0, 0.4) if lines > 40 else 0  # of the lines that are helpers
    layers, text, left = [{}], [HEAD], int(lines * share)
    while left > 10:
        length = numbers.randrange(5, 30)
        if len(layers[-1]) > numbers.randrange(1, 6):
            layers.append({})
        below = layers[-2] if len(layers) > 1 else {}
        name = f"h{len(layers)}_{len(layers[-1])}"
        body, layers[-1][name] = helper(name, numbers, mix, below, length)
        text.append(body)
        left -= length + 5
    last = dict([item for layer in layers for item in layer.items()][-6:])
    each = max(3, int(lines * (1 - share)) // kernels - 5)
    for k in range(kernels):
        length = max(2, int(each * numbers.uniform(0.4, 1.6)))
        text.append(kernel(f"k{k}", numbers, mix, last, length))
    return "\n".join(text)


if __name__ == "__main__":
    print(draw(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
