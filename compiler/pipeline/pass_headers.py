#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes an #include of each header that declares a pass, for registry.cpp: so a pass is named in its row alone.

usage: pass_headers.py ROOT OUTPUT HEADER...

A header declares a pass if a class in it derives from RequiredPass. OUTPUT keeps its time if nothing changes.
"""
import pathlib
import re
import sys


def main():
    root, output = map(pathlib.Path, sys.argv[1:3])
    passes = [path for path in map(pathlib.Path, sys.argv[3:]) if re.search(r":\s*(?:public )?RequiredPass<", path.read_text())]
    text = "".join(f'#include "{path.relative_to(root)}"\n' for path in sorted(passes))
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


if __name__ == "__main__":
    main()
