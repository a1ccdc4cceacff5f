# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands of a build, one for each source file."""
import json
import pathlib
import re


def commands(build):
    """The entries of compile_commands.json. In place of a file that includes others (LANEWISE_UNITY), one for each of these."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if "/Unity/unity_" not in entry["file"]:
            yield entry
            continue
        for part in re.findall(r'^#include "(.*)"$', pathlib.Path(entry["file"]).read_text(), re.M):
            yield {**entry, "file": part, "command": entry["command"].replace(entry["file"], part)}
