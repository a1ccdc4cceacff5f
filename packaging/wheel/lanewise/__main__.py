# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m lanewise [OPTION]: prints what lanewise-info prints, or tells OpenCL loaders about the driver."""
import argparse
import os
import pathlib
import sys

import lanewise

SYSTEM = pathlib.Path("/etc/OpenCL/vendors")
NAME = "lanewise.icd"


def user_folder():
    data = os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local" / "share"
    return pathlib.Path(data) / "OpenCL" / "vendors"


def links_to_system(folder):
    return [entry for entry in folder.glob("*.icd") if entry.is_symlink() and pathlib.Path(os.readlink(entry)).parent == SYSTEM]


def tell_pyopencl(text):
    """Writes the .icd file that PyOpenCL's own loader reads beside the others: with both it would list the driver twice."""
    try:
        lanewise.PYOPENCL_ICD.write_text(text)
    except OSError as error:
        print(f"{error}: PyOpenCL of this environment lists the driver twice", file=sys.stderr)


def register(folder, user):
    """Writes the .icd file. A user's folder also gets links to the system's files, which loaders do not read beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_text(f"{lanewise.driver()}\n")
    tell_pyopencl("")
    print(f"{folder / NAME} registers {lanewise.driver()}")
    if not user:
        return
    for entry in sorted(SYSTEM.glob("*.icd")):
        if not os.path.lexists(folder / entry.name):
            (folder / entry.name).symlink_to(entry)
    print(f"Loaders read this folder where OCL_ICD_VENDORS names it:\n  export OCL_ICD_VENDORS={folder}")


def unregister(folder, user):
    """Removes what register() has made, and the folders that are empty then."""
    file = folder / NAME
    if not file.exists():
        sys.exit(f"lanewise: there is no {file}")
    named = file.read_text().strip()
    if named != str(lanewise.driver()):
        sys.exit(f"lanewise: {file} registers another driver, {named}; it is left as it is")
    for entry in [file, *(links_to_system(folder) if user else ())]:
        entry.unlink()
    tell_pyopencl(lanewise.icd())
    print(f"{file} is removed")
    for empty in (folder, folder.parent):
        if not any(empty.iterdir()):
            empty.rmdir()


def main():
    parser = argparse.ArgumentParser(prog="python -m lanewise", description="Without --register and --unregister: runs lanewise-info, "
                                     "which takes the other arguments.", add_help="--register" in sys.argv or "--unregister" in sys.argv
                                     or sys.argv[1:] == ["--help"])
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--register", action="store_true", help=f"tell the system's loaders about the driver, in {SYSTEM}")
    action.add_argument("--unregister", action="store_true", help="take that back")
    parser.add_argument("--user", action="store_true", help="in a folder of the user, which OCL_ICD_VENDORS has to name")
    arguments, others = parser.parse_known_args()
    if not arguments.register and not arguments.unregister:
        lanewise.run("lanewise-info", others)
    if others:
        parser.error("unknown arguments: " + " ".join(others))
    act = register if arguments.register else unregister
    try:
        act(user_folder() if arguments.user else SYSTEM, arguments.user)
    except OSError as error:
        sys.exit(f"lanewise: {error}" + ("" if arguments.user else "; as another user than root: --user"))


main()
