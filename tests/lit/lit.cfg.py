# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of single compiler passes: LLVM IR in, FileCheck on what comes out. Run by ctest ("lit.passes").
import os
import lit.formats

config.name = "lanewise-passes"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["build"]
config.substitutions.append(("%opt", lit_config.params["opt"]))
config.substitutions.append(("%filecheck", lit_config.params["filecheck"]))
