// PNG files as (height, width, channel) views of bytes, by libpng's simplified interface.
#pragma once

#include <png.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <strided/strided.hpp>
#include <string>
#include <utility>
#include <vector>

namespace image {

using Pixels = strided::StridedView<const std::uint8_t>;

// An image in memory of its own, row by row. 1 channel is grey, 2 grey with alpha, 3 RGB, 4 RGBA.
class Image {
 public:
  explicit Image(const strided::Dims& shape)
      : bytes_(static_cast<std::size_t>(strided::Layout(shape).size())), shape_(shape) {}

  [[nodiscard]] const strided::Dims& shape() const { return shape_; }
  [[nodiscard]] strided::StridedView<std::uint8_t> view() { return {bytes_, shape_}; }
  [[nodiscard]] Pixels view() const { return {bytes_, shape_}; }

 private:
  std::vector<std::uint8_t> bytes_;
  strided::Dims shape_;
};

// The state of libpng, freed with the object.
struct Png : png_image {
  Png() : png_image{} { version = PNG_IMAGE_VERSION; }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
  ~Png() { png_image_free(this); }

  [[noreturn]] void fail(const std::string& path) const {
    throw std::runtime_error(path + ": " + message);
  }
};

// The channels are those of the file, palettes looked up; 16 bits become 8.
inline Image read_png(const std::string& path) {
  Png png;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0) png.fail(path);
  png.format &= PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA;
  Image pixels({png.height, png.width, PNG_IMAGE_SAMPLE_CHANNELS(png.format)});
  if (png_image_finish_read(&png, nullptr, pixels.view().storage().data(), 0, nullptr) == 0) {
    png.fail(path);
  }
  return pixels;
}

// libpng wants rows one after the other: whatever the view, one copy makes it so.
inline void write_png(const std::string& path, const Pixels& pixels) {
  Image dense(pixels.shape());
  strided::copy(pixels, dense.view());
  constexpr png_uint_32 kFormats[]{PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};
  Png png;
  png.height = static_cast<png_uint_32>(pixels.shape()[0]);
  png.width = static_cast<png_uint_32>(pixels.shape()[1]);
  png.format = kFormats[pixels.shape()[2] - 1];
  if (png_image_write_to_file(&png, path.c_str(), 0, dense.view().storage().data(), 0, nullptr) ==
      0) {
    png.fail(path);
  }
}

}  // namespace image
