// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/kernels/builder.h"

#include "compiler/request/pipeline.h"
#include "tests/compiler/direct_launch.h"

namespace lanewise::fuzz {

Builder::Builder(const std::string& source, bool emulated) {
  abi::Request request;
  request.job = abi::Job::compile;
  request.source = source;
  request.options = {"-cl-std=CL3.0"};
  if (emulated) request.options.emplace_back("-DEMULATED");
  request.extensions = test::device_extensions();
  request.macros = test::device_macros();
  for (const char* feature : {"__opencl_c_images", "__opencl_c_read_write_images", "__opencl_c_3d_image_writes"}) {
    request.extensions.emplace_back(feature);
    request.macros.push_back(std::string(feature) + "=1");
  }
  for (const char* extension : {"cl_khr_3d_image_writes", "cl_khr_depth_images"})
    request.extensions.emplace_back(extension);
  request.macros.emplace_back("__IMAGE_SUPPORT__=1");
  front_ = run_request(request);
  source_ = request;
}

abi::Reply Builder::build(const Form& form, const test::Range& range, const Buffers& buffers,
                          const PipelineObserver* observer) const {
  abi::Request request;
  if (form.specialised) {
    request.job = abi::Job::specialise;
    request.inputs = {front_.ir};
    request.launches.kernel = "k";
    for (unsigned d = 0; d < 3; ++d) request.launches.local_size[d] = range.local[d];
    request.launches.known_arguments = buffers.known_arguments();
    request.launches.team_groups = form.team_groups;
    request.launches.iteration_lanes = form.iteration_lanes;
  } else if (form.optimise) {
    request.job = abi::Job::link;
    request.inputs = {front_.ir};
  } else {
    request = source_;
    request.job = abi::Job::build;
    request.options.emplace_back("-cl-opt-disable");
  }
  request.isa = form.isa;
  request.vector_width = form.width;
  request.report_vectors = true;
  return run_request(request, observer);
}

}  // namespace lanewise::fuzz
