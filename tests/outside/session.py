# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the sessions with other people's applications begin. Loaders of OpenCL read their variables when they are loaded, so a
session starts itself again with those, before Python loads anything."""
import importlib
import os
import sys
import tempfile

SKIPPED = 77


def start_again(driver, variables):
    with tempfile.TemporaryDirectory() as folder:  # of .icd files, for a loader that knows no list of drivers
        with open(os.path.join(folder, "driver.icd"), "w", encoding="ascii") as icd:
            icd.write(driver + "\n")
        environment = dict(os.environ, OCL_ICD_VENDORS=folder, OCL_ICD_FILENAMES=driver, LANEWISE_TEST_SESSION="1")
        environment.update({name: value.replace("{folder}", folder) for name, value in variables.items()})
        return os.spawnve(os.P_WAIT, sys.executable, [sys.executable, *sys.argv], environment)


def main(run, modules, variables):
    """Runs `run(*modules)` with the environment `variables`, in which {folder} is one that only the session has. Returns the
    exit code: SKIPPED where a module is missing."""
    if "LANEWISE_TEST_SESSION" not in os.environ:
        return start_again(os.path.abspath(sys.argv[1]), variables)
    try:
        loaded = [importlib.import_module(name) for name in modules]
    except ImportError as reason:
        print(f"skipped: {reason}")
        return SKIPPED
    return run(*loaded)
