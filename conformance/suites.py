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
    arguments: tuple[str, ...] = ()  # of the program, besides the names of sub-tests
    passes: tuple[tuple[str, ...], ...] = ((),)  # the program runs once with each of these as further arguments
    left_out: str = ""  # what the passes do not cover, with the reason
    environment: tuple[tuple[str, str], ...] = ()
    lists_excluded: bool = True  # excluded sub-tests are results of their own (skipped)

    def reason_to_exclude(self, test: str) -> str | None:
        for pattern, reason in self.excluded:
            if re.fullmatch(pattern, test):
                return reason
        return None


PIPES = ("(.*pipe.*)", "pipes are not implemented yet")
SPIRV = (".*(spirv|il_).*", "SPIR-V programs are not implemented yet")
LONG = ("full_.*", "the long form of the quick_ test of the same shape")

# Images and samplers are reported only on demand, because kernels cannot use them yet.
WITH_IMAGES = (("LANEWISE_IMAGES", "on"),)
# Sub-tests on images that ask nothing of kernels.
HOST_IMAGES = (
    "get_image.*_info|get_sampler_info.*|min_image_formats|min_max_image_.*|negative_enqueue_map_image"  # api
    "|.*imagearraycopy.*|arrayimagecopy.*|imagecopy.*|imagerandomcopy|imagereadwrite.*|enqueue_map_image|hostptr"  # basic
    "|copy_array_to_image"  # profiling
    "|mem_host_.*_image"  # mem_host_flags
)
# Sub-tests whose names do not say that their kernels use images or samplers, or that ask for an extension whose kernels
# have to work before it is reported.
IMAGES_BEHIND = (
    "execute|execute_multipass|kernel_arg_changes|negative_invalid_arg_sampler(_size)?|min_max_samplers"
    "|consistency_(2d_image_from_buffer|3d_image_writes|depth_images)"
)
# Without LANEWISE_IMAGES: what the suite of the same name with _images runs, and what has to wait.
IMAGES = (
    (HOST_IMAGES, "in the suite with _images"),
    (f".*image.*|mri_.*|{IMAGES_BEHIND}", "images inside kernels are not implemented yet"),
)
NO_IMAGE = (f"(?!({HOST_IMAGES})$).*", "in the suite without _images")

# What a sub-test does not say when it skips itself ("... test not supported"): by regular expression over its name.
EXPLANATIONS = (
    ("consistency_missing_(compiler|linker)", "the device has a compiler and a linker"),
    ("negative_invalid_arg_queue|set_default_device_command_queue", "queues on the device are not supported"),
    ("(negative_)?set_command_queue_property", "clSetCommandQueueProperty is for devices of OpenCL 1.0"),
    ("pipe_properties_queries", "pipes are not implemented yet"),
    (
        "write_from_immutable_buffer_to_buffer",
        "passes alone; in one process it sees a variable that the tests of maps leave set, and leaves",
    ),
)


def explained(test: str, reason: str) -> str:
    if reason.endswith("test not supported"):
        for pattern, explanation in EXPLANATIONS:
            if re.fullmatch(pattern, test):
                return explanation
    return reason


# clFillImage finds out how floats become half with a kernel that writes to an image, and can be told one type at most.
FILL_TYPES = (
    ("int",),
    ("uint",),
    *(
        ("float", f"CL_{name}")
        for name in (
            "FLOAT UNORM_INT8 SNORM_INT8 UNORM_INT16 SNORM_INT16 UNORM_SHORT_565 UNORM_SHORT_555 UNORM_INT_101010"
            " UNORM_INT_101010_2 UNORM_INT_2_101010_EXT UNORM_INT10X6_EXT UNORM_INT12X4_EXT UNORM_INT14X2_EXT"
        ).split()
    ),
)
NO_HALF_FILLS = "CL_HALF_FLOAT (the test learns the rounding from a kernel that writes to an image)"
# The tests create depth images with mip levels, which API 5.3.1 excludes ("Mipmap Images").
COLOURS = tuple(
    (f"CL_{order}",)
    for order in "R A RG RA RGB RGBx RGBA BGRA ARGB ABGR INTENSITY LUMINANCE sRGBx sRGBA sBGRA".split()
)
NO_DEPTH = "CL_DEPTH (the specification has no depth images with mip levels, but the test creates them)"


def passes_of(directory, way):
    """(argument lists, what they leave out)"""
    if directory == "clFillImage":
        return FILL_TYPES, NO_HALF_FILLS
    if way == "test_mipmaps":
        return COLOURS, NO_DEPTH
    return ((),), ""


def image_suites():
    """The CTS programs on images, once for each of the ways in which a submission runs them."""
    small = ("", "small_images", "max_images")
    pitches = (*small, "use_pitches")
    programs = (
        ("clGetInfo", "test_cl_get_info", small),
        ("clCopyImage", "test_cl_copy_images", (*pitches, "test_mipmaps")),
        ("clReadWriteImage", "test_cl_read_write_images", (*pitches, "test_mipmaps")),
        ("clFillImage", "test_cl_fill_images", pitches),
    )
    for directory, program, ways in programs:
        for way in ways:
            passes, left_out = passes_of(directory, way)
            yield Suite(
                f"images_{directory}_{way}".rstrip("_"),
                f"images/{directory}/{program}",
                arguments=(way,) if way else (),
                passes=passes,
                left_out=left_out,
                environment=WITH_IMAGES,
            )


def host_image_suites():
    """The image sub-tests of other programs, as far as the host side alone can pass them."""
    for name, program in (
        ("api", "api/test_api"),
        ("basic", "basic/test_basic"),
        ("profiling", "profiling/test_profiling"),
        ("mem_host_flags", "mem_host_flags/test_mem_host_flags"),
    ):
        yield Suite(f"{name}_images", program, excluded=(NO_IMAGE,), environment=WITH_IMAGES, lists_excluded=False)


SUITES = {
    suite.name: suite
    for suite in (
        *image_suites(),
        *host_image_suites(),
        Suite("computeinfo", "computeinfo/test_computeinfo"),
        Suite("events", "events/test_events"),
        Suite("profiling", "profiling/test_profiling", excluded=IMAGES),
        Suite("thread_dimensions", "thread_dimensions/test_thread_dimensions", excluded=(LONG,)),
        Suite("multiple_device_context", "multiple_device_context/test_multiples"),
        Suite("buffers", "buffers/test_buffers", excluded=IMAGES),
        Suite("atomics", "atomics/test_atomics"),
        Suite("printf", "printf/test_printf"),
        Suite(
            "compiler",
            "compiler/test_compiler",
            assets=("includeTestDirectory", "secondIncludeTestDirectory", "spirv_bin", "test_compiler"),
            excluded=(SPIRV,),
        ),
        Suite("basic", "basic/test_basic", excluded=(*IMAGES, PIPES)),
        Suite(
            "api",
            "api/test_api",
            excluded=(
                *IMAGES,
                (
                    "negative_set_immutable_memory_to_writeable_kernel_arg",
                    "its second kernel takes image2d_t, whether or not the device has images, and does not compile",
                ),
            ),
        ),
        Suite("allocations_single", "allocations/test_allocations", excluded=IMAGES, arguments=("single", "25%")),
        Suite("allocations_multiple", "allocations/test_allocations", excluded=IMAGES, arguments=("multiple", "25%")),
        Suite("SVM", "SVM/test_svm"),
        # Not yet part of the default run.
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
        Suite("mem_host_flags", "mem_host_flags/test_mem_host_flags", excluded=IMAGES),
        Suite("non_uniform_work_group", "non_uniform_work_group/test_non_uniform_work_group"),
        Suite("relationals", "relationals/test_relationals"),
        Suite("select", "select/test_select"),
        Suite("subgroups", "subgroups/test_subgroups"),
        Suite("vectors", "vectors/test_vectors"),
        Suite("workgroups", "workgroups/test_workgroups"),
    )
}

DEFAULT = (
    "computeinfo events profiling thread_dimensions multiple_device_context buffers atomics printf compiler basic api"
    " allocations_single SVM device_partition device_timer mem_host_flags"
).split()
