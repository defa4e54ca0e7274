// Images as views: PNG in, PNG out. Cropping, mirroring and turning are views of (height, width,
// channel) and move no pixel; the one copy that makes the rows of the new file does all of it.
//
//   image planes      in.png out.png             the channels, one below the other, in grey
//   image crop        in.png out.png --box 10,20,64,48
//   image flip        in.png out.png [--vertical]
//   image rotate      in.png out.png [--times 1]
//   image checkerboard a.png b.png out.png [--tile 16]
//
// Prints what it wrote: "out.png: 48 x 64 pixels, 3 channels". Exit codes: 0 done, 2 wrong use or a
// file that cannot be read or written, said in one line.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <strided/strided.hpp>
#include <string>
#include <vector>

#include "png_file.hpp"

using image::Image;
using image::Pixels;
using strided::Dims;

namespace {

// Channels first, as networks want them; then channels and rows are one axis, and channels 1.
Image planes(const Pixels& pixels) {
  const Pixels channels_first = pixels.permute({2, 0, 1});
  Image stacked({pixels.shape()[2] * pixels.shape()[0], pixels.shape()[1], 1});
  strided::copy(channels_first, stacked.view().reshape(channels_first.shape()));
  return stacked;
}

Pixels crop(const Pixels& pixels, const std::vector<std::int64_t>& box) {
  const auto inside = [](std::int64_t start, std::int64_t length, std::int64_t extent) {
    return start >= 0 && length > 0 && length <= extent && start <= extent - length;
  };
  const std::int64_t height = pixels.shape()[0];
  const std::int64_t width = pixels.shape()[1];
  if (!inside(box[0], box[2], width) || !inside(box[1], box[3], height)) {
    throw std::runtime_error("the box is empty or leaves the image of " + std::to_string(width) +
                             " x " + std::to_string(height) + " pixels");
  }
  return pixels.narrow(0, box[1], box[3]).narrow(1, box[0], box[2]);
}

// Clockwise: the first column, read from below, becomes the first row.
Pixels rotate(Pixels pixels, int times) {
  for (int i = 0; i < times; ++i) pixels = pixels.transpose(0, 1).flip(1);
  return pixels;
}

// Tiles of both images in turn, which shows how far they are alike. Windows that do not overlap are
// tiles; every second one of every second row of tiles is a step of 2 along two axes.
Image checkerboard(const Image& a, const Image& b, std::int64_t tile) {
  if (!(a.shape() == b.shape())) {
    throw std::runtime_error("the images differ: (height, width, channels) are " +
                             to_string(a.shape()) + " and " + to_string(b.shape()));
  }
  // Whole tiles, the last of which hang over the edge.
  const auto whole = [&](std::int64_t extent) { return (extent + tile - 1) / tile * tile; };
  const Dims padded{whole(a.shape()[0]), whole(a.shape()[1]), a.shape()[2]};
  const auto put = [&](const Image& from, Image& into) {
    const auto inside = into.view().narrow(0, 0, a.shape()[0]).narrow(1, 0, a.shape()[1]);
    strided::copy(from.view(), inside);
    return into.view().windows(0, tile, tile).windows(1, tile, tile);
  };
  Image board(padded);
  Image other(padded);
  const auto tiles = put(a, board);  // (rows, columns, channels, tile, tile)
  const auto other_tiles = put(b, other);
  for (const std::int64_t odd : {0, 1}) {  // tiles[odd::2, 1 - odd::2] = other_tiles[the same]
    const strided::StridedSliceSpec every_second{
        .begin = {odd, 1 - odd}, .end = {0, 0}, .strides = {2, 2}, .end_mask = 3};
    strided::strided_slice_assign(tiles, every_second,
                                  strided::strided_slice(other_tiles, every_second));
  }
  Image result(a.shape());
  strided::copy(board.view().narrow(0, 0, a.shape()[0]).narrow(1, 0, a.shape()[1]), result.view());
  return result;
}

void write(const std::string& path, const Pixels& pixels) {
  image::write_png(path, pixels);
  std::printf("%s: %lld x %lld pixels, %lld %s\n", path.c_str(),
              static_cast<long long>(pixels.shape()[1]), static_cast<long long>(pixels.shape()[0]),
              static_cast<long long>(pixels.shape()[2]),
              pixels.shape()[2] == 1 ? "channel" : "channels");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Cuts, mirrors and turns PNG images by strided views.", "image"};
  app.require_subcommand(1);
  std::string input;
  std::string second;
  std::string output;
  const auto add = [&](const char* name, const char* what, const std::function<void()>& run) {
    CLI::App* const command = app.add_subcommand(name, what);
    command->add_option("input", input, "The PNG file to read")->required();
    if (std::string(name) == "checkerboard") {
      command->add_option("second", second, "Another one of the same size")->required();
    }
    command->add_option("output", output, "The PNG file to write")->required();
    command->callback(run);
    return command;
  };

  add("planes", "The channels, one below the other, as a grey image",
      [&] { write(output, planes(image::read_png(input).view()).view()); });

  std::vector<std::int64_t> box;
  add("crop", "A rectangle of the image",
      [&] { write(output, crop(image::read_png(input).view(), box)); })
      ->add_option("--box", box, "Left, top, width and height in pixels: 10,20,64,48")
      ->delimiter(',')
      ->expected(4)
      ->required();

  bool vertical = false;
  add("flip", "The image mirrored", [&] {
    write(output, image::read_png(input).view().flip(vertical ? 0 : 1));
  })->add_flag("--vertical", vertical, "Upside down instead of left to right");

  int times = 1;
  add("rotate", "The image turned clockwise by 90 degrees",
      [&] { write(output, rotate(image::read_png(input).view(), times)); })
      ->add_option("--times", times, "So often (default 1)")
      ->check(CLI::Range(0, 3));

  std::int64_t tile = 16;
  add("checkerboard", "Tiles of two images in turn",
      [&] {
        write(output, checkerboard(image::read_png(input), image::read_png(second), tile).view());
      })
      ->add_option("--tile", tile, "Height and width of a tile in pixels (default 16)")
      ->check(CLI::Range(1, 4096));

  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& asked) {  // --help
    return app.exit(asked);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "image: the pixels do not fit the memory\n");
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "image: %s\n", error.what());
    return 2;
  }
}
