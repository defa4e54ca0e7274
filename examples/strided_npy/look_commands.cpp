// The subcommands that look and write no array: info, show.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <strided/draw/svg.hpp>
#include <strided/draw/text.hpp>
#include <string>

#include "array.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "flags.hpp"
#include "operators.hpp"
#include "values.hpp"

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace strided_npy {
namespace {

using strided::Dims;
using strided::Layout;
using strided::npy_printable;
using strided::NpyFile;

const char* kind_in_words(char kind) {
  switch (kind) {
    case 'b':
      return "bool";
    case 'i':
      return "signed integer";
    case 'u':
      return "unsigned integer";
    case 'f':
      return "float";
    case 'c':
      return "complex";
    case 'm':
      return "time span";
    case 'M':
      return "time";
    case 'S':
      return "byte string";
    case 'U':
      return "text";
    default:
      return "raw bytes or a record";
  }
}

std::string bytes_in_words(std::int64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

int run_info(const std::string& input, std::int64_t values) {
  if (values < 0) throw UsageError("info: --values must be at least 0");
  const NpyFile file = NpyFile::open(input);
  const strided::NpyHeader& header = file.header();
  const Layout layout = file.layout();
  std::cout << npy_printable(input) << '\n'
            << "  type      " << npy_printable(header.dtype.descr) << "  ("
            << kind_in_words(header.dtype.kind) << ", " << bytes_in_words(header.dtype.item_bytes)
            << ")\n"
            << "  shape     " << to_string(header.shape) << ", " << layout.size()
            << (layout.size() == 1 ? " element" : " elements") << '\n'
            << "  strides   " << to_string(layout.strides()) << " elements, "
            << (header.fortran_order ? "Fortran order" : "C order") << '\n'
            << "  data      " << bytes_in_words(header.data_bytes) << " from byte "
            << header.data_begin << ", format version " << header.version << ".0\n";
  if (values > 0) {
    std::cout << "  values    " << values_text(operand_of(file), header.dtype, values) << '\n';
  }
  return 0;
}

struct ShowOptions {
  std::string input;
  std::string storage;
  std::string svg;
  std::optional<std::int64_t> columns;
  AsStridedFlags as_strided;
  SliceFlags slice;
};

// "10x10" or "100".
Dims parse_storage(const std::string& text) {
  Dims shape;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, 'x');) {
    const bool digits = !part.empty() && part.size() < 10 &&
                        part.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || shape.size() == static_cast<std::size_t>(strided::kMaxRank)) {
      throw UsageError("show: --storage '" + text + "' is not a shape such as 10x10");
    }
    shape.push_back(std::stoll(part));
  }
  if (shape.empty() || text.back() == 'x') {
    throw UsageError("show: --storage '" + text + "' is not a shape such as 10x10");
  }
  return shape;
}

bool wants_color() {
#if __has_include(<unistd.h>)
  return ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
#else
  return false;
#endif
}

int run_show(const ShowOptions& options) {
  if (options.input.empty() == options.storage.empty()) {
    throw UsageError("show: give either a file or --storage");
  }
  Layout x;            // the array as it lies in its storage
  Dims storage_shape;  // the storage in its own order
  if (options.storage.empty()) {
    const NpyFile file = NpyFile::open(options.input);
    x = file.layout();
    storage_shape = file.shape();
    if (file.header().fortran_order) std::reverse(storage_shape.begin(), storage_shape.end());
  } else {
    storage_shape = parse_storage(options.storage);
    x = value_or_fail(Layout::try_row_major(storage_shape), "show");
  }
  const bool as_strided = options.as_strided.size->count() > 0;
  const bool sliced = options.slice.begin->count() > 0;
  if (as_strided && sliced) throw UsageError("show: give either --size or --begin, not both");
  Layout view = x;
  if (as_strided) {
    view = as_strided_layout(x.size(), options.as_strided.param, strided::Rules::strided, "show");
  }
  if (sliced)
    view = slice_layout(x, options.slice.complete("show"), strided::Rules::strided, "show");

  if (options.columns.value_or(1) < 1) throw UsageError("show: --columns must be at least 1");
  strided::DrawOptions drawing{.storage_shape = storage_shape,
                               .columns = options.columns.value_or(0),
                               .color = wants_color()};
  if (storage_shape.empty()) drawing.storage_shape = {1};  // a file of one element
  std::cout << value_or_fail(strided::try_draw(view, drawing), "show");
  if (options.svg.empty()) return 0;
  if (!options.input.empty()) require_other_file(options.svg, options.input);
  write_text_file(options.svg, value_or_fail(strided::try_draw_svg(view, drawing), "show"));
  std::cout << npy_printable(options.svg) << ": drawn\n";
  return 0;
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("info", "Say what is in a .npy file");
  const auto input = std::make_shared<std::string>();
  const auto values = std::make_shared<std::int64_t>(0);
  command->add_option("input", *input, "The .npy file to read")->required();
  command->add_option("--values", *values, "How many of the elements to print (default 0)")
      ->type_name("N");
  command->callback([=, &exit_code] { exit_code = run_info(*input, *values); });
}

void add_show(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("show", "Draw which cells of a storage a view touches");
  const auto options = std::make_shared<ShowOptions>();
  command->add_option("input", options->input, "A .npy file, whose elements are the storage");
  command->add_option("--storage", options->storage, "A storage without a file, such as 10x10")
      ->type_name("RxC");
  options->as_strided.add_to(*command);
  options->slice.add_to(*command);
  command
      ->add_option("--columns", options->columns,
                   "Cells in a line (default: the storage's last dimension, or by the strides)")
      ->type_name("N");
  add_output(*command, "--svg", options->svg, "Also write the drawing to this file");
  command->footer(
      "Each cell of the view has the number of its element, in the view's order; 0x3 is a cell\n"
      "that three elements share, the first of them number 0.\n"
      "Example: strided_npy show --storage 10x10 --size 6,5 --stride 10,1 --offset 22");
  command->callback([=, &exit_code] { exit_code = run_show(*options); });
}

}  // namespace strided_npy
