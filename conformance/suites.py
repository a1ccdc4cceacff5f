# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The suites that are run, their programs in the CTS, and the sub-tests that are left out, each with its reason."""

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
    listing: str = "--list"  # the argument with which the program prints the names of its sub-tests
    lists_excluded: bool = True  # excluded sub-tests are results of their own (skipped)

    def reason_to_exclude(self, test: str) -> str | None:
        for pattern, reason in self.excluded:
            if re.fullmatch(pattern, test):
                return reason
        return None


# Sub-tests of math_brute_force for functions that have more arguments than one, and so more pairs than can be tried.
SEVERAL_ARGUMENTS = (
    "add|atan2(pi)?|copysign|divide(_cr)?|fdim|fma|fmax|fmin|fmod|half_(divide|powr)|hypot"
    "|is(un)?ordered|is(not)?equal|is(less|greater)(equal)?|islessgreater|ldexp|mad|math_edge_cases|maxmag|minmag|multiply"
    "|nextafter|pow|pown|powr|remainder|remquo|rootn|subtract",
    "it has more arguments than one",
)

LONG = ("full_.*", "the long form of the quick_ test of the same shape")

# Reasons for sub-tests that skip themselves without one ("... test not supported"): by regular expression over the
# name.
EXPLANATIONS = (
    ("consistency_missing_(compiler|linker)", "the device has a compiler and a linker"),
    ("(negative_)?set_command_queue_property", "clSetCommandQueueProperty is for devices of OpenCL 1.0"),
    # cl_khr_command_buffer, cl_khr_mutable_dispatch
    (
        ".*(queue_not_null|not_null_queue)|negative_create_command_buffer_num_queues"
        "|negative_command_buffer_command_copy_.*|negative_copy_(image_|buffer_)?to_immutable_(buffer|image).*",
        "the test is for devices without cl_khr_command_buffer_multi_device",
    ),
    (
        "negative_command_ndrange_kernel_mutable_handle_not_null",
        "the test is for devices without cl_khr_command_buffer_mutable_dispatch",
    ),
    (
        "queue_substitution_.*|negative_enqueue_.*queue.*propert.*",
        "every property of a queue is supported, and none is required",
    ),
    (
        "negative_command_ndrange_kernel_(not_support_printf|with_enqueue_call)"
        "|negative_create_command_buffer_not_supported_properties",
        "what the test wants to be missing is supported",
    ),
    ("negative_enqueue_inconsistent_device", "the platform has one device"),
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


# The tests create depth images with mip levels, which API 5.3.1 excludes ("Mipmap Images").
ORDERS = "R A RG RA RGB RGBx RGBA BGRA ARGB ABGR INTENSITY LUMINANCE sRGBx sRGBA sBGRA".split()
COLOURS = tuple((f"CL_{order}",) for order in ORDERS)
NO_DEPTH = "CL_DEPTH (the specification has no depth images with mip levels, but the test creates them)"

# The tests expect an opaque border for formats with padding. The specification (OpenCL C, "Determining the Border Color
# or Value") names them among those whose border is transparent.
WITHOUT_PADDING = (*((f"CL_{order}",) for order in (*ORDERS, "DEPTH") if not order.endswith("x")),)
PADDED = "CL_RGBx and CL_sRGBx (the test expects another border colour than the specification)"

def passes_of(way):
    """(argument lists, what they leave out)"""
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
        ("kernel_image_methods", "test_kernel_image_methods", small),
        ("samplerlessReads", "test_samplerless_reads", (*pitches, "read_write")),
    )
    for directory, program, ways in programs:
        for way in ways:
            passes, left_out = passes_of(way)
            yield Suite(
                f"images_{directory}_{way}".rstrip("_"),
                f"images/{directory}/{program}",
                arguments=(way,) if way else (),
                passes=passes,
                left_out=left_out,
            )
    for name, mode, more in (("nearest", "CL_FILTER_NEAREST", ("test_mipmaps",)), ("linear", "CL_FILTER_LINEAR", ())):
        for way in (*pitches, *more):
            passes, left_out = passes_of(way)
            yield Suite(
                f"images_kernel_{name}_{way}".rstrip("_"),
                "images/kernel_read_write/test_image_streams",
                arguments=(*((way,) if way else ()), mode),
                passes=passes,
                left_out=left_out,
            )


SUITES = {
    suite.name: suite
    for suite in (
        *image_suites(),
        Suite("computeinfo", "computeinfo/test_computeinfo"),
        Suite("events", "events/test_events"),
        Suite("profiling", "profiling/test_profiling"),
        Suite("thread_dimensions", "thread_dimensions/test_thread_dimensions", excluded=(LONG,)),
        Suite("multiple_device_context", "multiple_device_context/test_multiples"),
        Suite("buffers", "buffers/test_buffers"),
        Suite("atomics", "atomics/test_atomics"),
        Suite("printf", "printf/test_printf"),
        Suite(
            "compiler",
            "compiler/test_compiler",
            assets=("includeTestDirectory", "secondIncludeTestDirectory", "spirv_bin", "test_compiler"),
        ),
        Suite("basic", "basic/test_basic"),
        Suite("api", "api/test_api"),
        Suite("allocations_single", "allocations/test_allocations", arguments=("single", "25%")),
        Suite("allocations_multiple", "allocations/test_allocations", arguments=("multiple", "25%")),
        Suite("SVM", "SVM/test_svm"),
        # Not yet part of the default run.
        Suite("c11_atomics", "c11_atomics/test_c11_atomics"),
        Suite("cl_ext_buffer_device_address", "extensions/cl_ext_buffer_device_address/test_cl_ext_buffer_device_address"),
        Suite("cl_ext_cxx_for_opencl", "extensions/cl_ext_cxx_for_opencl/test_cl_ext_cxx_for_opencl"),
        Suite("cl_khr_command_buffer", "extensions/cl_khr_command_buffer/test_cl_khr_command_buffer"),
        Suite("cl_khr_kernel_clock", "extensions/cl_khr_kernel_clock/test_cl_khr_kernel_clock"),
        Suite(
            "cl_khr_mutable_dispatch",
            "extensions/cl_khr_command_buffer/cl_khr_command_buffer_mutable_dispatch/test_cl_khr_mutable_dispatch",
        ),
        Suite(
            "cl_khr_semaphore",
            "extensions/cl_khr_semaphore/test_cl_khr_semaphore",
            excluded=(
                (
                    "semaphores_negative_wait_invalid_command_queue",
                    "its first signal is enqueued to a queue of another context than the semaphore's",
                ),
            ),
        ),
        # In a build of the CTS with VULKAN_IS_SUPPORTED.
        Suite(
            "cl_khr_external_semaphore",
            "extensions/cl_khr_external_semaphore/test_cl_khr_external_semaphore",
            excluded=(
                (
                    "external_semaphores_(?!cross_context|import_export).*",
                    "it ends the process where the platform has no device of type GPU",
                ),
            ),
        ),
        Suite("commonfns", "commonfns/test_commonfns"),
        Suite("contractions", "contractions/test_contractions"),
        Suite("conversions", "conversions/test_conversions"),
        Suite("device_execution", "device_execution/test_device_execution"),
        Suite("device_partition", "device_partition/test_device_partition"),
        Suite("device_timer", "device_timer/test_device_timer"),
        # In a build of the CTS with GL_IS_SUPPORTED and GLES_IS_SUPPORTED, on an X server: xvfb-run conformance/run_cts.py ...
        Suite(
            "gl",
            "gl/test_gl",
            excluded=(
                (
                    "(redirect_)?image_methods_multisample",
                    "it takes the element after the last one of an array for its target, and may not end",
                ),
            ),
        ),
        Suite("gles", "gles/test_gles", listing="-list"),
        Suite("generic_address_space", "generic_address_space/test_generic_address_space"),
        Suite("geometrics", "geometrics/test_geometrics"),
        Suite("half", "half/test_half"),
        Suite("integer_ops", "integer_ops/test_integer_ops"),
        Suite("math_brute_force", "math_brute_force/test_bruteforce"),
        # Functions of one float, by --full for each float that there is; without double (-d) and half (-g).
        Suite(
            "math_brute_force_float",
            "math_brute_force/test_bruteforce",
            excluded=(SEVERAL_ARGUMENTS,),
            lists_excluded=False,
            arguments=("-dg",),
        ),
        Suite("mem_host_flags", "mem_host_flags/test_mem_host_flags"),
        Suite("non_uniform_work_group", "non_uniform_work_group/test_non_uniform_work_group"),
        Suite("pipes", "pipes/test_pipes"),
        Suite("relationals", "relationals/test_relationals"),
        Suite("select", "select/test_select"),
        Suite("spirv_new", "spirv_new/test_spirv_new", assets=("spirv_bin",)),
        Suite("subgroups", "subgroups/test_subgroups"),
        Suite("vectors", "vectors/test_vectors"),
        Suite("workgroups", "workgroups/test_workgroups"),
    )
}

DEFAULT = (
    "computeinfo events profiling thread_dimensions multiple_device_context buffers atomics printf compiler basic api"
    " allocations_single SVM device_partition device_timer mem_host_flags spirv_new"
).split()
