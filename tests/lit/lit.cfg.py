# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of single compiler passes: LLVM IR in, FileCheck on what comes out. Run by ctest ("lit.passes").
#
# In faults/ are reproducers of faults in LLVM, one for each file of compiler/target/faults. %fault fails when LLVM's
# own tools no longer show the fault; a second run shows that our pass avoids it.
import os
import lit.formats

config.name = "lanewise-passes"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["build"]
config.substitutions += [
    ("%fault", "%filecheck %s || { echo LLVM no longer has this fault, or shows it otherwise: "
               "remove compiler/target/faults/$(basename %s .ll).cpp, or mend the test; false; }"),
    ("%opt", lit_config.params["opt"]),
    ("%llvm_opt", lit_config.params["llvm_opt"]),
    ("%llc", lit_config.params["llc"]),
    ("%filecheck", lit_config.params["filecheck"]),
]
