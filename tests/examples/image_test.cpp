// The example image from the outside: small PNG files, every command, pixel by pixel.
#include <gtest/gtest.h>
#include <png.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "interop/npy_support.hpp"
#include "support/run_program.hpp"

namespace {

constexpr std::size_t kHeight = 5;
constexpr std::size_t kWidth = 7;

struct File {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 0;
  std::vector<std::uint8_t> bytes;

  [[nodiscard]] std::uint8_t at(std::size_t y, std::size_t x, std::size_t c) const {
    return bytes.at((y * width + x) * channels + c);
  }
};

// Every byte of a file differs, and those of files of different seeds.
File numbered(std::size_t channels, std::uint8_t seed = 0) {
  File file{kHeight, kWidth, channels, {}};
  for (std::size_t i = 0; i < kHeight * kWidth * channels; ++i) {
    file.bytes.push_back(static_cast<std::uint8_t>(i + seed));
  }
  return file;
}

class ImageExample : public npy_support::NpyFiles {
 protected:
  void save(const std::string& name, const File& file) const {
    constexpr png_uint_32 kFormats[]{PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB,
                                     PNG_FORMAT_RGBA};
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.height = static_cast<png_uint_32>(file.height);
    png.width = static_cast<png_uint_32>(file.width);
    png.format = kFormats[file.channels - 1];
    ASSERT_NE(png_image_write_to_file(&png, path(name).c_str(), 0, file.bytes.data(), 0, nullptr),
              0);
  }

  [[nodiscard]] File load(const std::string& name) const {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&png, path(name).c_str()), 0) << png.message;
    File file{png.height, png.width, PNG_IMAGE_PIXEL_CHANNELS(png.format), {}};
    file.bytes.resize(PNG_IMAGE_SIZE(png));
    EXPECT_NE(png_image_finish_read(&png, nullptr, file.bytes.data(), 0, nullptr), 0);
    return file;
  }

  // The file that the command makes, which has this size, and says so.
  [[nodiscard]] File made(const std::string& command, std::size_t height, std::size_t width,
                          std::size_t channels) const {
    const auto outcome = run_program::run(path(""), IMAGE_PROGRAM, command);
    EXPECT_EQ(outcome.exit_code, 0) << command << '\n' << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out, "out.png: " + std::to_string(width) + " x " + std::to_string(height) +
                               " pixels, " + std::to_string(channels) +
                               (channels == 1 ? " channel\n" : " channels\n"));
    File file = load("out.png");
    EXPECT_EQ(file.height, height) << command;
    EXPECT_EQ(file.width, width) << command;
    EXPECT_EQ(file.channels, channels) << command;
    return file;
  }

  void expect_refused(const std::string& arguments, const std::string& says) const {
    const auto outcome = run_program::run(path(""), IMAGE_PROGRAM, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_EQ(outcome.err.rfind("image: " + says, 0), 0U) << arguments << '\n' << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path("out.png"))) << arguments;
  }
};

// Calls body(y, x, c) for every byte of a file.
template <class Body>
void for_each_byte(const File& file, const Body& body) {
  for (std::size_t y = 0; y < file.height; ++y) {
    for (std::size_t x = 0; x < file.width; ++x) {
      for (std::size_t c = 0; c < file.channels; ++c) body(y, x, c);
    }
  }
}

TEST_F(ImageExample, Planes) {
  const File in = numbered(3);
  save("in.png", in);
  const File out = made("planes in.png out.png", 3 * kHeight, kWidth, 1);
  for_each_byte(in, [&](auto y, auto x, auto c) {
    EXPECT_EQ(out.at(c * kHeight + y, x, 0), in.at(y, x, c));
  });
}

TEST_F(ImageExample, Crop) {
  const File in = numbered(3);
  save("in.png", in);
  const File out = made("crop in.png out.png --box 2,1,4,3", 3, 4, 3);
  for_each_byte(
      out, [&](auto y, auto x, auto c) { EXPECT_EQ(out.at(y, x, c), in.at(y + 1, x + 2, c)); });
  EXPECT_EQ(made("crop in.png out.png --box 0,0,7,5", kHeight, kWidth, 3).bytes, in.bytes);
}

TEST_F(ImageExample, FlipKeepsEveryKindOfPixel) {
  for (std::size_t channels = 1; channels <= 4; ++channels) {
    const File in = numbered(channels);
    save("in.png", in);
    const File mirrored = made("flip in.png out.png", kHeight, kWidth, channels);
    const File upside_down = made("flip in.png out.png --vertical", kHeight, kWidth, channels);
    for_each_byte(in, [&](auto y, auto x, auto c) {
      EXPECT_EQ(mirrored.at(y, kWidth - 1 - x, c), in.at(y, x, c));
      EXPECT_EQ(upside_down.at(kHeight - 1 - y, x, c), in.at(y, x, c));
    });
  }
}

TEST_F(ImageExample, Rotate) {
  const File in = numbered(3);
  save("in.png", in);
  const File once = made("rotate in.png out.png", kWidth, kHeight, 3);
  const File twice = made("rotate in.png out.png --times 2", kHeight, kWidth, 3);
  const File back = made("rotate in.png out.png --times 3", kWidth, kHeight, 3);
  for_each_byte(in, [&](auto y, auto x, auto c) {
    EXPECT_EQ(once.at(x, kHeight - 1 - y, c), in.at(y, x, c));
    EXPECT_EQ(twice.at(kHeight - 1 - y, kWidth - 1 - x, c), in.at(y, x, c));
    EXPECT_EQ(back.at(kWidth - 1 - x, y, c), in.at(y, x, c));
  });
}

TEST_F(ImageExample, CheckerboardWithTilesThatHangOver) {
  const File a = numbered(3);
  const File b = numbered(3, 128);
  save("a.png", a);
  save("b.png", b);
  for (const std::size_t tile : {1U, 2U, 3U, 5U, 7U, 100U}) {
    const File out =
        made("checkerboard a.png b.png out.png --tile " + std::to_string(tile), kHeight, kWidth, 3);
    for_each_byte(out, [&](auto y, auto x, auto c) {
      const File& from = (y / tile + x / tile) % 2 == 0 ? a : b;
      EXPECT_EQ(out.at(y, x, c), from.at(y, x, c)) << tile;
    });
  }
}

TEST_F(ImageExample, WrongUse) {
  save("in.png", numbered(3));
  save("grey.png", numbered(1));
  write("text.png", "no image");
  expect_refused("", "A subcommand is required");
  expect_refused("flip in.png", "output is required");
  expect_refused("flip none.png out.png", "none.png: No such file or directory");
  expect_refused("flip text.png out.png", "text.png: Not a PNG file");
  expect_refused("flip in.png none/out.png", "none/out.png: No such file or directory");
  expect_refused("crop in.png out.png", "--box is required");
  expect_refused("rotate in.png out.png --times 4", "--times: ");
  const std::string leaves = "the box is empty or leaves the image of 7 x 5 pixels";
  expect_refused("crop in.png out.png --box 4,0,4,1", leaves);
  expect_refused("crop in.png out.png --box 0,5,1,1", leaves);
  expect_refused("crop in.png out.png --box 0,0,0,1", leaves);
  expect_refused("crop in.png out.png --box=-1,0,1,1", leaves);
  expect_refused("crop in.png out.png --box 9223372036854775807,0,1,1", leaves);
  expect_refused("checkerboard in.png grey.png out.png",
                 "the images differ: (height, width, channels) are (5, 7, 3) and (5, 7, 1)");
}

// A file that ends early must not leave half an image.
TEST_F(ImageExample, DamagedFile) {
  save("in.png", numbered(3));
  const std::string whole = read("in.png");
  write("short.png", whole.substr(0, whole.size() / 2));
  const auto outcome = run_program::run(path(""), IMAGE_PROGRAM, "flip short.png out.png");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err.rfind("image: short.png: ", 0), 0U) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(path("out.png")));
}

}  // namespace
