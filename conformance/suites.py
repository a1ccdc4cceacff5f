# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is run: the suites, where the CTS keeps them, and which sub-tests are left out, each with its reason."""

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Suite:
    name: str
    program: str  # below test_conformance/ of the CTS build
    assets: tuple[str, ...] = ()  # files and directories beside the program that it reads from its working directory
    excluded: tuple[tuple[str, str], ...] = field(default=())  # (regular expression over the sub-test's name, reason)

    def reason_to_exclude(self, test: str) -> str | None:
        for pattern, reason in self.excluded:
            if re.fullmatch(pattern, test):
                return reason
        return None


IMAGES = ("(.*image.*|mri_.*)", "images are not implemented yet")
PIPES = ("(.*pipe.*)", "pipes are not implemented yet")
SPIRV = (".*(spirv|il_).*", "SPIR-V programs are not implemented yet")
LONG = ("full_.*", "the long form of the quick_ test of the same shape")

SUITES = {
    suite.name: suite
    for suite in (
        Suite("computeinfo", "computeinfo/test_computeinfo"),
        Suite("events", "events/test_events"),
        Suite("profiling", "profiling/test_profiling", excluded=(IMAGES,)),
        Suite("thread_dimensions", "thread_dimensions/test_thread_dimensions", excluded=(LONG,)),
        Suite("multiple_device_context", "multiple_device_context/test_multiples"),
        Suite("buffers", "buffers/test_buffers", excluded=(IMAGES,)),
        Suite("atomics", "atomics/test_atomics"),
        Suite("printf", "printf/test_printf"),
        Suite(
            "compiler",
            "compiler/test_compiler",
            assets=("includeTestDirectory", "secondIncludeTestDirectory", "spirv_bin", "test_compiler"),
            excluded=(SPIRV,),
        ),
        Suite("basic", "basic/test_basic", excluded=(IMAGES, PIPES)),
        # Not yet part of the default run.
        Suite(
            "api",
            "api/test_api",
            excluded=(IMAGES, ("negative_set_immutable_memory_to_writeable_kernel_arg", "its kernel has an image")),
        ),
        Suite("c11_atomics", "c11_atomics/test_c11_atomics"),
        Suite("cl_ext_buffer_device_address", "extensions/cl_ext_buffer_device_address/test_cl_ext_buffer_device_address"),
        Suite("commonfns", "commonfns/test_commonfns"),
        Suite("contractions", "contractions/test_contractions"),
        Suite("conversions", "conversions/test_conversions"),
        Suite("device_partition", "device_partition/test_device_partition"),
        Suite("device_timer", "device_timer/test_device_timer"),
        Suite("generic_address_space", "generic_address_space/test_generic_address_space"),
        Suite("geometrics", "geometrics/test_geometrics"),
        Suite("half", "half/test_half"),
        Suite("integer_ops", "integer_ops/test_integer_ops"),
        Suite("math_brute_force", "math_brute_force/test_bruteforce"),
        Suite("mem_host_flags", "mem_host_flags/test_mem_host_flags", excluded=(IMAGES,)),
        Suite("non_uniform_work_group", "non_uniform_work_group/test_non_uniform_work_group"),
        Suite("relationals", "relationals/test_relationals"),
        Suite("select", "select/test_select"),
        Suite("subgroups", "subgroups/test_subgroups"),
        Suite("vectors", "vectors/test_vectors"),
        Suite("workgroups", "workgroups/test_workgroups"),
    )
}

DEFAULT = (
    "computeinfo events profiling thread_dimensions multiple_device_context buffers atomics printf compiler basic"
).split()
