// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images and samplers: reads at any place, in the image or not; writes to a texel of the work-item's own.
///
/// Reads at integers and of the nearest texel are the same bits in all code. Sums of filtered reads are rounded once
/// where the processor has fused operations, so they are compared with scalar code of the same instruction set.
#include <algorithm>

#include "include/lanewise/image_abi.h"
#include "runtime/layout/format.h"
#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {
namespace {

struct Shape {
  const char* name;
  cl_mem_object_type type;
  unsigned coordinates;
  bool depth = false;
  bool samplers = true;
};
const std::vector<Shape> kShapes = {{"image2d_t", CL_MEM_OBJECT_IMAGE2D, 2},
                                    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, 2},
                                    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, 2},
                                    {"image1d_t", CL_MEM_OBJECT_IMAGE1D, 1},
                                    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, 2},
                                    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, 3},
                                    {"image3d_t", CL_MEM_OBJECT_IMAGE3D, 3},
                                    {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, 2, true},
                                    {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, true}};

const std::vector<cl_image_format> kFormats = {{CL_RGBA, CL_UNORM_INT8},
                                               {CL_RGBA, CL_UNORM_INT8},
                                               {CL_BGRA, CL_UNORM_INT8},
                                               {CL_R, CL_UNORM_INT8},
                                               {CL_RG, CL_UNORM_INT8},
                                               {CL_A, CL_UNORM_INT8},
                                               {CL_sRGBA, CL_UNORM_INT8},
                                               {CL_RGBA, CL_SNORM_INT8},
                                               {CL_RGBA, CL_UNORM_INT16},
                                               {CL_RG, CL_SNORM_INT16},
                                               {CL_RGB, CL_UNORM_SHORT_565},
                                               {CL_RGB, CL_UNORM_INT_101010},
                                               {CL_R, CL_HALF_FLOAT},
                                               {CL_RGBA, CL_HALF_FLOAT},
                                               {CL_RGBA, CL_FLOAT},
                                               {CL_RGBA, CL_FLOAT},
                                               {CL_R, CL_FLOAT},
                                               {CL_INTENSITY, CL_UNORM_INT16},
                                               {CL_RGBA, CL_SIGNED_INT8},
                                               {CL_R, CL_SIGNED_INT32},
                                               {CL_RGBA, CL_SIGNED_INT16},
                                               {CL_RGBA, CL_UNSIGNED_INT8},
                                               {CL_R, CL_UNSIGNED_INT16},
                                               {CL_RG, CL_UNSIGNED_INT32},
                                               {CL_RGBA, CL_UNSIGNED_INT32},
                                               {CL_RGBA, CL_UNSIGNED_INT8},
                                               {CL_R, CL_UNSIGNED_INT8}};
const std::vector<cl_image_format> kDepthFormats = {{CL_DEPTH, CL_FLOAT}, {CL_DEPTH, CL_UNORM_INT16}};

const char* name_of_mode(std::uint32_t mode) {
  switch (mode) {
    case LANEWISE_SAMPLER_NONE:
      return "CLK_ADDRESS_NONE";
    case LANEWISE_SAMPLER_EDGE:
      return "CLK_ADDRESS_CLAMP_TO_EDGE";
    case LANEWISE_SAMPLER_CLAMP:
      return "CLK_ADDRESS_CLAMP";
    case LANEWISE_SAMPLER_REPEAT:
      return "CLK_ADDRESS_REPEAT";
    default:
      return "CLK_ADDRESS_MIRRORED_REPEAT";
  }
}

std::string constant_of(std::uint32_t word) {
  std::string text =
      (word & LANEWISE_SAMPLER_NORMALISED) != 0 ? "CLK_NORMALIZED_COORDS_TRUE | " : "CLK_NORMALIZED_COORDS_FALSE | ";
  text += name_of_mode(word & LANEWISE_SAMPLER_ADDRESSING);
  return text + ((word & LANEWISE_SAMPLER_LINEAR) != 0 ? " | CLK_FILTER_LINEAR" : " | CLK_FILTER_NEAREST");
}

/// What `read_image` and `write_image` of these colours end with.
std::string suffix_of(Type colour) {
  if (colour.is_float()) return colour.base == Base::f16 ? "h" : "f";
  return colour.is_signed() ? "i" : "ui";
}

std::string vector_of(const char* element, unsigned coordinates) {
  return std::string("(") + element + (coordinates == 1 ? "" : coordinates == 2 ? "2" : "4") + ")";
}

}  // namespace

void Generator::add_images() {
  for (unsigned i = random_.between(1, 3); i > 0; --i) images_.push_back(make_image());
  add_samplers();
}

Image Generator::make_image() {
  const Shape& shape = random_.pick(kShapes);
  const bool line = shape.coordinates == 1 && random_.percent(40);  // an image1d_buffer_t
  Image image;
  image.name = name("image");
  image.coordinates = shape.coordinates;
  image.samplers = shape.samplers && !line;
  const unsigned access = random_.below(100);
  image.read = access < 65;
  image.write = access >= 50;

  Parameter p;
  p.kind = Parameter::Kind::image;
  p.name = image.name;
  p.picture.format = random_.pick(shape.depth ? kDepthFormats : kFormats);
  p.picture.type = line ? static_cast<cl_mem_object_type>(CL_MEM_OBJECT_IMAGE1D_BUFFER) : shape.type;
  for (unsigned d = 0; d < shape.coordinates; ++d) {
    static const std::vector<unsigned> sizes = {1, 2, 3, 7, 16, 17, 33, 64, 65};
    image.extent[d] = d == 0 && random_.percent(50) ? random_.between(1, 300) : random_.pick(sizes) >> d;
    image.extent[d] = std::max(image.extent[d], 1U);
    p.picture.extent[d] = image.extent[d];
  }
  const std::size_t texel = *element_bytes(p.picture.format);
  p.bytes = texel * image.extent[0] * image.extent[1] * image.extent[2];
  const cl_channel_type type = p.picture.format.image_channel_data_type;
  p.floats = type == CL_FLOAT || type == CL_HALF_FLOAT;
  p.element = type == CL_FLOAT ? 4 : type == CL_HALF_FLOAT ? 2 : 1;
  switch (colour_kind(type)) {
    case ColourKind::floating:
      image.colour = {Base::f32, shape.depth ? 1U : 4U};
      break;
    case ColourKind::signed_integer:
      image.colour = {Base::i32, 4};
      break;
    case ColourKind::unsigned_integer:
      image.colour = {Base::u32, 4};
  }
  const char* qualifier = !image.write ? "read_only" : image.read ? "read_write" : "write_only";
  p.declaration = std::string(qualifier) + " " + (line ? "image1d_buffer_t" : shape.name) + " " + p.name;
  // Its curve is made by functions of the library.
  if (image.write && p.picture.format.image_channel_order == CL_sRGBA) program_.library_math = true;
  program_.parameters.push_back(p);
  return image;
}

/// One sampler for each purpose, as an argument or in the program.
void Generator::add_samplers() {
  static const std::vector<std::uint32_t> clamps = {LANEWISE_SAMPLER_NONE, LANEWISE_SAMPLER_EDGE,
                                                    LANEWISE_SAMPLER_CLAMP};
  static const std::vector<std::uint32_t> repeats = {LANEWISE_SAMPLER_REPEAT, LANEWISE_SAMPLER_MIRROR};
  for (const Sampling sampling : {Sampling::texels, Sampling::nearest, Sampling::linear}) {
    std::uint32_t word = sampling == Sampling::linear ? LANEWISE_SAMPLER_LINEAR : LANEWISE_SAMPLER_NEAREST;
    if (sampling != Sampling::texels && random_.percent(60))
      word |= LANEWISE_SAMPLER_NORMALISED | random_.pick(random_.percent(40) ? repeats : clamps);
    else
      word |= random_.pick(clamps);
    const std::string sampler = "sampler" + std::to_string(static_cast<unsigned>(sampling));
    if (random_.percent(50)) {
      append(*program_.globals, statement("constant sampler_t " + sampler + " = " + constant_of(word) + ";"));
      continue;
    }
    Parameter p;
    p.kind = Parameter::Kind::sampler;
    p.name = sampler;
    p.declaration = "sampler_t " + sampler;
    p.value = word;
    program_.parameters.push_back(p);
  }
}

Tree Generator::image_statement(const Place& place) {
  const Image image = random_.pick(images_);
  if (random_.percent(5)) {
    const std::string v = name("v");
    variables_.push_back({v, {Base::i32, 1}, true, true});
    return statement("const int " + v + " = get_image_width(" + image.name + ");");
  }
  if (image.write && (!image.read || random_.percent(50))) return image_write(image);
  const bool uniform = place.uniform && random_.percent(20);
  Tree read = image_read(image, uniform && !image.write);
  const std::string v = name("v");
  variables_.push_back({v, image.colour, uniform && !image.write, false});
  const std::string fence =
      image.write ? "atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item); " : "";
  return statement(fence + image.colour.name() + " " + v + " = ", std::move(read), ";");
}

/// An image that is written as well is read where no other work-item writes: not outside of it, as such a read may be of
/// any texel.
Tree Generator::image_read(const Image& image, bool uniform) {
  const std::string function = "read_image" + suffix_of(image.colour) + "(" + image.name;
  const std::string type = image.colour.name();
  if (image.write) {
    const unsigned texels = image.extent[0] * image.extent[1] * image.extent[2];
    return make(Node::Kind::expression, type,
                "((ulong)g < " + std::to_string(texels) + " ? " + function + ", " + own_texel(image) + ") : (" + type +
                    ")(1))");
  }
  const unsigned choice = image.samplers ? random_.below(100) : 0;
  if (choice < 20) return make(Node::Kind::expression, type, function + ", ", texel_near(image, uniform), ")");
  if (choice < 50)
    return make(Node::Kind::expression, type, function + ", sampler0, ", texel_near(image, uniform), ")");
  if (choice < 75 || !image.colour.is_float()) {
    const char* sampler = random_.percent(30) ? ", sampler0, " : ", sampler1, ";
    return make(Node::Kind::expression, type, function + sampler, spot_near(image, uniform), ")");
  }
  program_.library_math = true;
  Tree sum = make(Node::Kind::expression, type, function + ", sampler2, ", spot_near(image, uniform), ")");
  return number(image.colour, std::move(sum));  // of an infinity and a weight of 0, say
}

Tree Generator::image_write(const Image& image) {
  Tree colour = value(image.colour, false, random_.between(1, 3));
  if (image.colour.is_float()) colour = number(image.colour, std::move(colour));
  return statement("write_image" + suffix_of(image.colour) + "(" + image.name + ", " + own_texel(image) + ", ",
                   std::move(colour), ");");
}

/// Coordinates that no other work-item has; some are outside of the image.
std::string Generator::own_texel(const Image& image) {
  const std::string width = std::to_string(image.extent[0]);
  const std::string height = std::to_string(image.extent[1]);
  if (image.coordinates == 1) return "(int)g";
  if (image.coordinates == 2) return "(int2)((int)g % " + width + ", (int)g / " + width + ")";
  return "(int4)((int)g % " + width + ", (int)g / " + width + " % " + height + ", (int)g / (" + width + " * " + height +
         "), 0)";
}

/// Integer coordinates: near the work-item's own, or anything.
Tree Generator::texel_near(const Image& image, bool uniform) {
  const Type type{Base::i32, 1};
  Tree made = make(Node::Kind::expression, {}, vector_of("int", image.coordinates) + "(");
  for (unsigned d = 0; d < image.coordinates; ++d) {
    if (d != 0) append(*made, ", ");
    const unsigned choice = random_.below(100);
    const std::string ids = d == 0 ? "(int)g" : "(int)g / " + std::to_string(image.extent[0]);
    const std::string shift = " + " + std::to_string(static_cast<int>(random_.below(7)) - 3);
    if (!uniform && choice < 55)
      append(*made, ids + shift);
    else if (choice < 75)
      append(*made, index(uniform, 64, 2));
    else
      append(*made, value(type, uniform, 2));
  }
  append(*made, image.coordinates == 3 ? ", 0)" : ")");
  return made;
}

/// The same as floats, which may be NaN, infinite or normalised.
Tree Generator::spot_near(const Image& image, bool uniform) {
  const Type type{Base::f32, 1};
  Tree made = make(Node::Kind::expression, {}, vector_of("float", image.coordinates) + "(");
  for (unsigned d = 0; d < image.coordinates; ++d) {
    if (d != 0) append(*made, ", ");
    static const std::vector<std::string> steps = {"1.0f", "0.5f", "0.75f", "1.25f", "-1.0f", "2.0f", "0.015625f"};
    static const std::vector<std::string> begins = {"0.0f", "0.5f", "0.25f", "-1.5f", "3.0f"};
    const std::string ids = d == 0 ? "(float)(int)g" : "(float)((int)g / " + std::to_string(image.extent[0]) + ")";
    if (!uniform && random_.percent(60))
      append(*made, ids + " * " + random_.pick(steps) + " + " + random_.pick(begins));
    else
      append(*made, value(type, uniform, 2));
  }
  append(*made, image.coordinates == 3 ? ", 0.0f)" : ")");
  return made;
}

}  // namespace lanewise::fuzz
