#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sbom.py BUILD OUTPUT NAME: writes OUTPUT/NAME, a list in SPDX 2.3 of what the files in OUTPUT contain.

Versions are read from what the build used. The time is that of SOURCE_DATE_EPOCH.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[1]
APACHE_LLVM = "Apache-2.0 WITH LLVM-exception"


def cache(build):
    return dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE))


def defined(header, *names):
    """Numbers that a header defines, with points between."""
    text = pathlib.Path(header).read_text()
    return ".".join(re.search(rf"#\s*define\s+{name}\s+(\d+)", text)[1] for name in names)


def version_of_llvm(known):
    return re.search(r'PACKAGE_VERSION "(.*)"', (pathlib.Path(known["LLVM_DIR"]) / "LLVMConfigVersion.cmake").read_text())[1]


def bundled(build):
    """What is linked into the release or lies in it: name, version, licence, copyright."""
    known = cache(build)
    llvm = version_of_llvm(known)
    sysroot = known.get("CMAKE_SYSROOT", "")  # of a cross build; scripts/setup keeps beside it what it made for that
    deps = pathlib.Path(sysroot).parent if sysroot else pathlib.Path(known["CMAKE_HOME_DIRECTORY"]) / "build/deps"
    for name in ("LLVM", "Clang", "lld"):
        yield name, llvm, APACHE_LLVM, "The contributors of LLVM"
    if (deps / "tbb").exists():
        header = deps / "tbb/include/oneapi/tbb/version.h"
        yield ("oneTBB", defined(header, "TBB_VERSION_MAJOR", "TBB_VERSION_MINOR", "TBB_VERSION_PATCH"), "Apache-2.0", "Intel Corporation")
    if (build / "lib/lanewise/lanewise-spirv").exists():
        yield "SPIRV-LLVM-Translator", ".".join(llvm.split(".")[:2]), "NCSA", "Advanced Micro Devices, Inc.; Intel Corporation"
        yield "SPIRV-Tools", "NOASSERTION", "Apache-2.0", "The Khronos Group Inc.; Valve Corporation; LunarG Inc.; Google Inc."
    yield ("Zstandard", defined(sysroot + "/usr/include/zstd.h", "ZSTD_VERSION_MAJOR", "ZSTD_VERSION_MINOR", "ZSTD_VERSION_RELEASE"), "BSD-3-Clause",
           "Meta Platforms, Inc. and affiliates")
    header = pathlib.Path(known["XXHASH_INCLUDE_DIR"]) / "xxhash.h"
    yield ("xxHash", defined(header, "XXH_VERSION_MAJOR", "XXH_VERSION_MINOR", "XXH_VERSION_RELEASE"), "BSD-2-Clause", "Yann Collet")


def package(name, version, licence, copyright_text):
    entry = {"SPDXID": "SPDXRef-Package-" + name, "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
             "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": copyright_text}
    return entry if version == "NOASSERTION" else {**entry, "versionInfo": version}


def main(build, output, name):
    build, output = pathlib.Path(build), pathlib.Path(output)
    version = re.search(r'LANEWISE_VERSION "(.*)"', (SOURCE / "include/lanewise/version.h").read_text())[1]
    files, relations = [], []
    for number, file in enumerate(sorted(path for path in output.iterdir() if path.name != name)):
        content = file.read_bytes()
        files.append({"SPDXID": f"SPDXRef-File-{number}", "fileName": "./" + file.name, "copyrightText": "NOASSERTION",
                      "licenseConcluded": "NOASSERTION",
                      "checksums": [{"algorithm": kind.upper(), "checksumValue": hashlib.new(kind, content).hexdigest()}
                                    for kind in ("sha1", "sha256")]})
        relations.append({"spdxElementId": "SPDXRef-Package-Lanewise", "relationshipType": "GENERATES",
                          "relatedSpdxElement": files[-1]["SPDXID"]})
    packages = [package("Lanewise", version, APACHE_LLVM, "The Lanewise developers")]
    for part in bundled(build):
        packages.append(package(*part))
        relations.append({"spdxElementId": "SPDXRef-Package-Lanewise", "relationshipType": "CONTAINS",
                          "relatedSpdxElement": packages[-1]["SPDXID"]})
    digest = hashlib.sha256(json.dumps([files, packages], sort_keys=True).encode()).hexdigest()
    created = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    document = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"lanewise-{version}",
                "documentNamespace": f"https://spdx.org/spdxdocs/lanewise-{version}-{digest}",
                "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": [f"Tool: lanewise-sbom-{version}"]},
                "documentDescribes": ["SPDXRef-Package-Lanewise"], "packages": packages, "files": files, "relationships": relations}
    (output / name).write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
