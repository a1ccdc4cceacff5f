// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/kernels/builder.h"

#include "tests/compiler/direct_launch.h"
#include "tests/fuzz/kernels/compile.h"

namespace lanewise::fuzz {

abi::Source source_of(const std::string& text) {
  abi::Source source;
  source.text = text;
  source.options = {"-cl-std=CL3.0"};
  source.extensions = test::device_extensions();
  source.macros = test::device_macros();
  for (const char* feature : {"__opencl_c_images", "__opencl_c_read_write_images", "__opencl_c_3d_image_writes"}) {
    source.extensions.emplace_back(feature);
    source.macros.push_back(std::string(feature) + "=1");
  }
  for (const char* extension : {"cl_khr_3d_image_writes", "cl_khr_depth_images"})
    source.extensions.emplace_back(extension);
  source.macros.emplace_back("__IMAGE_SUPPORT__=1");
  return source;
}

Builder::Builder(const std::string& source, bool emulated) : source_(source_of(source)) {
  if (emulated) source_.options.emplace_back("-DEMULATED");
  front_ = compile(abi::Compile{.source = source_});
}

abi::Reply Builder::build(const Form& form, const test::Range& range, const Buffers& buffers,
                          const PipelineObserver* observer) const {
  const abi::CodeSettings code{.isa = form.isa, .vector_width = form.width, .report_vectors = true};
  if (form.specialised) {
    abi::Specialise job{.program = front_.ir, .launches = {}, .code = code};
    job.launches.kernel = "k";
    for (unsigned d = 0; d < 3; ++d) job.launches.local_size[d] = range.local[d];
    job.launches.known_arguments = buffers.known_arguments();
    job.launches.team_groups = form.team_groups;
    job.launches.iteration_lanes = form.iteration_lanes;
    return compile(job, observer);
  }
  if (form.optimise) return compile(abi::Link{.inputs = {front_.ir}, .code = code}, observer);
  abi::Build job{.source = source_, .code = code};
  job.source.options.emplace_back("-cl-opt-disable");
  return compile(job, observer);
}

}  // namespace lanewise::fuzz
