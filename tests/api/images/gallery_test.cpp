// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every format with every sampler in every type of image, read and written by kernels, compared with reference.h.
#include <CL/cl_ext.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/api/images/kernel_fixture.h"

namespace lanewise::test {

namespace {

struct Float4 {
  float at[4];
};
struct Int4 {
  std::int32_t at[4];
};

/// Kernels for one image type. A work-item has one coordinate; colours are passed as four 32-bit words.
std::string source_for(const ImageType& type) {
  const std::string name = type.name;
  const std::string at = std::string("at[i].") + type.coordinate;
  const std::string count =
      std::string(type.coordinate).size() == 1 ? "" : std::to_string(std::string(type.coordinate).size());
  const std::string whole = "convert_int" + count + "_rtn(" + at + ")";
  const auto reader = [&](const std::string& kernel, const std::string& access, const std::string& read,
                          const std::string& sampler, const std::string& where) {
    const std::string value = read + "(image" + (sampler.empty() ? "" : ", s") + ", " + where + ")";
    const std::string word = type.depth              ? "(uint4)(as_uint(" + value + "), 0, 0, 0)"
                             : read == "read_imageh" ? "as_uint4(convert_float4(" + value + "))"
                                                     : "as_uint4(" + value + ")";
    return "kernel void " + kernel + "(" + access + " " + name + " image" + sampler +
           ", global const float4* at, global uint4* out) {\n  size_t i = get_global_id(0);\n  out[i] = " + word +
           ";\n}\n";
  };
  const auto writer = [&](const std::string& kernel, const std::string& access, const std::string& write,
                          const std::string& colour) {
    return "kernel void " + kernel + "(" + access + " " + name +
           " image, global const float4* at, global const uint4* in) {\n  size_t i = get_global_id(0);\n  " + write +
           "(image, " + whole + ", " + colour + ");\n}\n";
  };
  std::string text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  const bool sampled = type.type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
  for (const std::string suffix : {"f", "i", "ui", "h"}) {
    if (type.depth && suffix != "f") continue;
    const std::string read = "read_image" + suffix;
    if (sampled) text += reader("sampled_" + suffix, "read_only", read, ", sampler_t s", at);
    if (sampled) text += reader("texels_" + suffix, "read_only", read, ", sampler_t s", whole);
    text += reader("plain_" + suffix, "read_only", read, "", whole);
    text += reader("both_" + suffix, "read_write", read, "", whole);
    const std::string colour = type.depth      ? "as_float(in[i].x)"
                               : suffix == "f" ? "as_float4(in[i])"
                               : suffix == "i" ? "as_int4(in[i])"
                               : suffix == "h" ? "convert_half4(as_float4(in[i]))"
                                               : "in[i]";
    text += writer("write_" + suffix, "write_only", "write_image" + suffix, colour);
    text += writer("overwrite_" + suffix, "read_write", "write_image" + suffix, colour);
  }
  return text;
}

constexpr int kWidth = 13, kHeight = 6, kDepth = 3;

std::array<int, 3> extent_for(const ImageType& type, int width) {
  if (type.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) return {width, kDepth, 1};
  return {width, type.dims >= 2 ? kHeight : 1, type.dims == 3 || type.layers ? kDepth : 1};
}

cl_image_desc desc_for(const ImageType& type, int width) {
  cl_image_desc desc{};
  desc.image_type = type.type;
  desc.image_width = static_cast<std::size_t>(width);
  if (type.dims >= 2) desc.image_height = kHeight;
  if (type.dims == 3) desc.image_depth = kDepth;
  if (type.layers) desc.image_array_size = kDepth;
  return desc;
}

const char* suffix_of(const cl_image_format& format) {
  switch (kind_of(format)) {
    case Kind::signed_integer:
      return "i";
    case Kind::unsigned_integer:
      return "ui";
    default:
      return "f";
  }
}

std::string describe(const ImageType& type, const cl_image_format& format) {
  char text[96];
  std::snprintf(text, sizeof text, "%s, order 0x%x, type 0x%x", type.name, format.image_channel_order,
                format.image_channel_data_type);
  return text;
}

/// A colour from the words that a kernel writes, and back.
Colour colour_of(const Int4& words, Kind kind) {
  Colour colour{};
  for (std::size_t c = 0; c < 4; ++c) {
    float value = 0;
    std::memcpy(&value, &words.at[c], sizeof value);
    colour[c] = kind == Kind::floating         ? static_cast<double>(value)
                : kind == Kind::signed_integer ? words.at[c]
                                               : static_cast<double>(static_cast<std::uint32_t>(words.at[c]));
  }
  return colour;
}

bool near(double got, double wanted, double tolerance) {
  if (std::isnan(wanted)) return std::isnan(got);
  return got == wanted || std::abs(got - wanted) <= tolerance;
}

class ImageGallery : public WithImageKernels {
 protected:
  std::vector<cl_image_format> formats(const ImageType& type) const {
    cl_uint count = 0;
    EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, type.type, 0, nullptr, &count), CL_SUCCESS);
    std::vector<cl_image_format> all(count);
    clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, type.type, count, all.data(), nullptr);
    std::vector<cl_image_format> fitting;
    for (const cl_image_format& format : all)
      if (type.depth == (format.image_channel_order == CL_DEPTH)) fitting.push_back(format);
    EXPECT_FALSE(fitting.empty()) << type.name;
    return fitting;
  }

  /// Any bytes are valid texels of most formats; floating-point formats get ordinary numbers and, without `filtered`,
  /// special values too.
  static Bytes content(const cl_image_format& format, std::size_t texels, bool filtered) {
    Bytes bytes = some_bytes(texels * texel_bytes(format), format.image_channel_data_type);
    if (format.image_channel_data_type == CL_FLOAT) {
      for (std::size_t i = 0; i < bytes.size() / 4; ++i) {
        float value = static_cast<float>(static_cast<int>(bytes[4 * i]) - 128) / 16.0F + 1.0F / 3;
        if (!filtered && i % 7 == 3) value = std::numeric_limits<float>::infinity();
        if (!filtered && i % 7 == 4) value = -1e38F;
        std::memcpy(&bytes[4 * i], &value, sizeof value);
      }
    } else if (format.image_channel_data_type == CL_HALF_FLOAT && filtered) {
      for (std::size_t i = 0; i < bytes.size() / 2; ++i) {
        const auto value = static_cast<_Float16>(static_cast<float>(static_cast<int>(bytes[2 * i]) - 128) / 16.0F);
        std::memcpy(&bytes[2 * i], &value, sizeof value);
      }
    }
    return bytes;
  }

  struct Filled {
    Mem owner;
    Mem image;
    ReferenceImage reference;
  };
  Filled filled(const ImageType& type, const cl_image_format& format, bool filtered, int width = kWidth) const {
    const auto extent = extent_for(type, width);
    const auto texels = static_cast<std::size_t>(extent[0] * extent[1] * extent[2]);
    Filled out{nullptr, nullptr, {format, extent, type.dims, type.layers, content(format, texels, filtered)}};
    cl_image_desc desc = desc_for(type, width);
    if (type.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
      out.owner = buffer(texels * texel_bytes(format));
      desc.buffer = out.owner.get();
    }
    out.image = image(format, desc, desc.buffer != nullptr ? 0 : CL_MEM_READ_WRITE);
    write(out.image.get(), whole(extent), out.reference.bytes);
    return out;
  }
  static Part whole(const std::array<int, 3>& extent) {
    return {{0, 0, 0},
            {static_cast<std::size_t>(extent[0]), static_cast<std::size_t>(extent[1]),
             static_cast<std::size_t>(extent[2])}};
  }

  /// Places in texels, in and around the image, none so near to a border between texels that rounding would decide;
  /// divided by the extents if the sampler is normalised. With `hostile` also NaN, infinities and the like.
  static std::vector<Float4> places(const ReferenceImage& image, bool normalised, bool hostile) {
    std::vector<Float4> out;
    constexpr float kSteps[] = {0.25F, 0.5F, 0.8125F};
    const int axes = image.dims + (image.layers ? 1 : 0);
    int first[3] = {-2, 0, 0}, end[3] = {image.extent[0] + 2, 1, 1};
    for (int d = 1; d < axes; ++d) {
      first[d] = -1;
      end[d] = image.extent[static_cast<std::size_t>(d)] + 1;
    }
    for (int z = first[2]; z < end[2]; ++z)
      for (int y = first[1]; y < end[1]; ++y)
        for (int x = first[0]; x < end[0]; ++x) {
          const float part = kSteps[static_cast<std::size_t>(x + y + z + 9) % 3];
          Float4 at{{static_cast<float>(x) + part, static_cast<float>(y) + part, static_cast<float>(z) + part, 7.0F}};
          for (int d = 0; normalised && d < image.dims; ++d)
            at.at[d] /= static_cast<float>(image.extent[static_cast<std::size_t>(d)]);
          out.push_back(at);
        }
    if (!hostile) return out;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity, 3e38F, -3e38F, 2147483648.0F, -2147483904.0F,
          4294967296.0F, 1e10F, -1e10F, -1e-30F, -0.0F, 0.0F, 16777216.0F})
      for (int d = 0; d < 4; ++d) {
        Float4 at{{0.5F, 0.5F, 0.5F, 0.5F}};
        for (int k = 0; k < 3; ++k)
          if (d == k || d == 3) at.at[k] = bad;
        out.push_back(at);
      }
    return out;
  }

  void expect_samples(const Filled& made, const ReferenceSampler& traits, const std::vector<Float4>& at,
                      const std::vector<Int4>& got, const std::string& what, bool depth) const {
    const Kind kind = kind_of(made.reference.format);
    int failures = 0;
    for (std::size_t i = 0; i < at.size() && failures < 3; ++i) {
      const Sample wanted = sample(made.reference, traits, {at[i].at[0], at[i].at[1], at[i].at[2]});
      if (!wanted.valid) continue;
      // Coordinates and weights are floats, which changes filtered results by a few parts in a million.
      const double tolerance = kind != Kind::floating ? 0 : wanted.largest * (traits.linear ? 2e-5 : 2e-7);
      const Colour colour = colour_of(got[i], kind);
      for (std::size_t c = 0; c < (depth ? 1 : 4); ++c)
        if (!near(colour[c], wanted.colour[c], tolerance)) {
          ++failures;
          ADD_FAILURE() << what << ", addressing 0x" << std::hex << traits.addressing << std::dec << ", linear "
                        << traits.linear << ", normalised " << traits.normalised << ", at " << at[i].at[0] << " "
                        << at[i].at[1] << " " << at[i].at[2] << ", channel " << c << ": " << colour[c] << ", not "
                        << wanted.colour[c];
        }
    }
  }

  /// Runs a reading kernel at all places.
  std::vector<Int4> read_at(const KernelPtr& made, cl_mem what, cl_sampler with, const std::vector<Float4>& at) const {
    const Mem from = buffer_with(at);
    const Mem to = buffer_with(std::vector<Int4>(at.size(), Int4{{77, 77, 77, 77}}));
    if (with != nullptr) {
      set(made, what, with, from.get(), to.get());
    } else {
      set(made, what, from.get(), to.get());
    }
    run(made, at.size());
    return values_of<Int4>(to);
  }
};

std::vector<ReferenceSampler> samplers_for(Kind kind) {
  std::vector<ReferenceSampler> all;
  for (const bool linear : {false, true}) {
    if (linear && kind != Kind::floating) continue;
    for (const cl_addressing_mode mode : {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP})
      for (const bool normalised : {false, true}) all.push_back({normalised, mode, linear});
    for (const cl_addressing_mode mode : {CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
      all.push_back({true, mode, linear});
  }
  return all;
}

TEST_F(ImageGallery, SampledReads) {
  for (const ImageType& type : kKernelImageTypes) {
    if (type.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
    const ProgramPtr program = build(source_for(type));
    for (const cl_image_format& format : formats(type)) {
      const auto made = kernel(program, (std::string("sampled_") + suffix_of(format)).c_str());
      for (const ReferenceSampler& traits : samplers_for(kind_of(format))) {
        const Filled image = filled(type, format, traits.linear);
        const auto at = places(image.reference, traits.normalised, true);
        const auto got = read_at(made, image.image.get(), sampler(traits).get(), at);
        expect_samples(image, traits, at, got, describe(type, format), type.depth);
        if (HasFailure()) return;
      }
    }
  }
}

/// As a constant of OpenCL C.
std::string text_of(const ReferenceSampler& traits) {
  const char* mode = "CLK_ADDRESS_NONE";
  if (traits.addressing == CL_ADDRESS_CLAMP_TO_EDGE) mode = "CLK_ADDRESS_CLAMP_TO_EDGE";
  if (traits.addressing == CL_ADDRESS_CLAMP) mode = "CLK_ADDRESS_CLAMP";
  if (traits.addressing == CL_ADDRESS_REPEAT) mode = "CLK_ADDRESS_REPEAT";
  if (traits.addressing == CL_ADDRESS_MIRRORED_REPEAT) mode = "CLK_ADDRESS_MIRRORED_REPEAT";
  return std::string(traits.normalised ? "CLK_NORMALIZED_COORDS_TRUE | " : "CLK_NORMALIZED_COORDS_FALSE | ") + mode +
         (traits.linear ? " | CLK_FILTER_LINEAR" : " | CLK_FILTER_NEAREST");
}

/// Samplers that the program declares are constants: the code for each is another.
TEST_F(ImageGallery, SamplersOfTheProgram) {
  for (const ImageType& type : kKernelImageTypes) {
    if (type.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
    for (const Kind kind : {Kind::floating, Kind::signed_integer, Kind::unsigned_integer}) {
      // The code for integers is the same for all types but for their coordinates.
      if (kind != Kind::floating && (type.depth || type.dims == 1)) continue;
      const auto samplers = samplers_for(kind);
      const std::string read = kind == Kind::floating ? "f" : kind == Kind::signed_integer ? "i" : "ui";
      std::string source;
      for (std::size_t i = 0; i < samplers.size(); ++i) {
        const std::string number = std::to_string(i);
        const std::string value = "read_image" + read + "(image, s" + number + ", at[i]." + type.coordinate + ")";
        source += "constant sampler_t s" + number + " = " + text_of(samplers[i]) + ";\nkernel void k" + number +
                  "(read_only " + type.name +
                  " image, global const float4* at, global uint4* out) {\n  size_t i = get_global_id(0);\n  out[i] = " +
                  (type.depth ? "(uint4)(as_uint(" + value + "), 0, 0, 0)" : "as_uint4(" + value + ")") + ";\n}\n";
      }
      const ProgramPtr program = build(source);
      for (std::size_t i = 0; i < samplers.size(); ++i) {
        const auto made = kernel(program, ("k" + std::to_string(i)).c_str());
        for (const cl_image_format& format : formats(type)) {
          if (kind_of(format) != kind) continue;
          const Filled image = filled(type, format, samplers[i].linear);
          const auto at = places(image.reference, samplers[i].normalised, true);
          const auto got = read_at(made, image.image.get(), nullptr, at);
          expect_samples(image, samplers[i], at, got, "in the program, " + describe(type, format), type.depth);
          if (HasFailure()) return;
        }
      }
    }
  }
}

/// A filtered read takes two neighbours at once: of a row of one texel it must not, and of two they are the only ones.
TEST_F(ImageGallery, FilteredReadsOfNarrowImages) {
  for (const ImageType& type : kKernelImageTypes) {
    if (type.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
    const ProgramPtr program = build(source_for(type));
    const auto made = kernel(program, "sampled_f");
    for (const cl_image_format& format : formats(type)) {
      if (kind_of(format) != Kind::floating) continue;
      for (const ReferenceSampler& traits : samplers_for(Kind::floating))
        for (const int width : {1, 2}) {
          if (!traits.linear) continue;
          const Filled image = filled(type, format, true, width);
          const auto at = places(image.reference, traits.normalised, true);
          const auto got = read_at(made, image.image.get(), sampler(traits).get(), at);
          expect_samples(image, traits, at, got, describe(type, format) + ", width " + std::to_string(width),
                         type.depth);
          if (HasFailure()) return;
        }
    }
  }
}

/// The texels of the application end where its memory ends.
TEST_F(ImageGallery, FilteredReadsStayInTheImage) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* end = static_cast<std::uint8_t*>(memory) + page;
  ASSERT_EQ(mprotect(end, page, PROT_NONE), 0);
  constexpr ImageType type{"image2d_t", "xy", CL_MEM_OBJECT_IMAGE2D, 2, false, false};
  const ProgramPtr program = build(source_for(type));
  const auto made = kernel(program, "sampled_f");
  for (const cl_image_format& format : formats(type)) {
    if (kind_of(format) != Kind::floating) continue;
    for (const int width : {1, 2, 3}) {
      const ReferenceImage reference{
          format, {width, 1, 1}, 2, false, content(format, static_cast<std::size_t>(width), true)};
      std::uint8_t* texels = end - reference.bytes.size();
      std::copy(reference.bytes.begin(), reference.bytes.end(), texels);
      cl_image_desc desc = desc_for(type, width);
      desc.image_height = 1;
      const Filled image{nullptr, this->image(format, desc, CL_MEM_USE_HOST_PTR, texels), reference};
      const ReferenceSampler traits{true, CL_ADDRESS_CLAMP, true};
      const auto at = places(reference, true, true);
      const auto got = read_at(made, image.image.get(), sampler(traits).get(), at);
      expect_samples(image, traits, at, got, describe(type, format) + ", width " + std::to_string(width), false);
    }
  }
  munmap(memory, 2 * page);
}

TEST_F(ImageGallery, ReadsAtIntegers) {
  for (const ImageType& type : kKernelImageTypes) {
    const ProgramPtr program = build(source_for(type));
    for (const cl_image_format& format : formats(type)) {
      const Filled image = filled(type, format, false);
      const auto at = places(image.reference, false, false);
      for (const std::string form : {"texels_", "plain_", "both_"}) {
        if (form == "texels_" && type.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
        const auto made = kernel(program, (form + suffix_of(format)).c_str());
        for (const cl_addressing_mode mode : {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP}) {
          if (form != "texels_" && mode != CL_ADDRESS_NONE) continue;
          const ReferenceSampler traits{false, mode, false};
          const SamplerPtr with = form == "texels_" ? sampler(traits) : nullptr;
          auto floors = at;  // whole numbers, so that layers are not rounded either
          for (Float4& place : floors)
            for (float& c : place.at) c = std::floor(c);
          expect_samples(image, traits, floors, read_at(made, image.image.get(), with.get(), at),
                         form + describe(type, format), type.depth);
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST_F(ImageGallery, ReadsOfHalves) {
  for (const ImageType& type : kKernelImageTypes) {
    if (type.depth) continue;
    const ProgramPtr program = build(source_for(type));
    const auto made = kernel(program, "plain_h");
    for (const cl_image_format& format : formats(type)) {
      if (kind_of(format) != Kind::floating || format.image_channel_data_type == CL_FLOAT) continue;
      const Filled image = filled(type, format, true);
      const auto at = places(image.reference, false, false);
      const auto got = read_at(made, image.image.get(), nullptr, at);
      for (std::size_t i = 0; i < at.size(); ++i) {
        std::array<float, 3> place{};
        for (std::size_t d = 0; d < 3; ++d) place[d] = std::floor(at[i].at[d]);
        const Sample wanted = sample(image.reference, {false, CL_ADDRESS_NONE, false}, place);
        if (!wanted.valid) continue;
        for (std::size_t c = 0; c < 4; ++c)
          ASSERT_NEAR(colour_of(got[i], Kind::floating)[c], wanted.colour[c],
                      std::abs(wanted.colour[c]) * 0.0015 + 1e-7)
              << describe(type, format) << ", place " << i;
      }
    }
  }
}

/// Colours inside and outside of the range of every format.
std::vector<Int4> colours_for(Kind kind, std::size_t count) {
  constexpr float kFloats[] = {0.0F,  1.0F,    0.5F,     -0.25F, 0.2F, 2.0F,     -3.0F, 0.003F, 0.9999F,
                               -1.0F, 0.0031F, 70000.0F, 1e-8F,  0.7F, -0.0001F, 0.04F, 1e30F};
  constexpr std::uint32_t kWords[] = {0,          1,          127,        128,        255,        256,
                                      32767,      32768,      65535,      65536,      0x7FFFFFFF, 0x80000000,
                                      0xFFFFFFFF, 0xFFFFFF80, 0xFFFFFF7F, 0xFFFF7FFF, 1023,       1024};
  std::vector<Int4> out(count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < 4; ++c) {
      const std::size_t k = i * 3 + c * 5 + i / 7;
      if (kind == Kind::floating) {
        std::memcpy(&out[i].at[c], &kFloats[k % std::size(kFloats)], sizeof(float));
      } else {
        std::memcpy(&out[i].at[c], &kWords[k % std::size(kWords)], sizeof(std::uint32_t));
      }
    }
  return out;
}

TEST_F(ImageGallery, Writes) {
  for (const ImageType& type : kKernelImageTypes) {
    const ProgramPtr program = build(source_for(type));
    for (const cl_image_format& format : formats(type)) {
      const Kind kind = kind_of(format);
      for (const std::string form : {"write_", "overwrite_", "write_h"}) {
        if (form == "write_h" && (type.depth || kind != Kind::floating)) continue;
        Filled image = filled(type, format, false);
        const auto at = places(image.reference, false, false);
        const auto colours = colours_for(kind, at.size());
        const auto made = kernel(program, form == "write_h" ? "write_h" : (form + suffix_of(format)).c_str());
        const Mem where = buffer_with(at), what = buffer_with(colours);
        set(made, image.image.get(), where.get(), what.get());
        run(made, at.size());
        const std::size_t element = texel_bytes(format);
        const Bytes got = read(image.image.get(), whole(image.reference.extent), element);
        for (std::size_t i = 0; i < at.size(); ++i) {
          int index[3];
          bool inside = true;
          for (int d = 0; d < 3; ++d) {
            const bool used = d < type.dims + (type.layers ? 1 : 0);
            index[d] = used ? static_cast<int>(std::floor(at[i].at[d])) : 0;
            inside = inside && index[d] >= 0 && index[d] < image.reference.extent[static_cast<std::size_t>(d)];
          }
          if (!inside) continue;
          const auto texel =
              static_cast<std::size_t>((index[2] * image.reference.extent[1] + index[1]) * kWidth + index[0]);
          Colour colour = colour_of(colours[i], kind);
          if (form == "write_h")
            for (double& c : colour) c = static_cast<double>(static_cast<_Float16>(static_cast<float>(c)));
          ASSERT_TRUE(may_store(format, got.data() + texel * element, colour))
              << form << " " << describe(type, format) << ", texel " << texel << ", colour " << colour[0] << " "
              << colour[1] << " " << colour[2] << " " << colour[3];
        }
      }
    }
  }
}

}  // namespace

}  // namespace lanewise::test
