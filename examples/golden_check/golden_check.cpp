// A golden check: is what a device made, bit for bit, what the operator is defined to make? The
// device's input and output come as .npy files; the expected output is made by the reference path,
// which shares no code with anything fast.
//
//   golden_check as_strided   x.npy y.npy --size 2,2 --stride 2,3 [--offset 0]
//   golden_check slice_assign var.npy value.npy y.npy --begin 0,0 --end 2,2 --strides 1,1 [masks]
//
// Prints one of
//
//   equal: 4 elements, bit for bit
//   first difference at (1, 0), element 2: device 7 (0x40e00000), reference 3 (0x40400000)
//
// Exit codes: 0 equal, 1 different, 2 wrong use or files that do not belong together.
#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <strided/interop/npy.hpp>
#include <strided/reference/reference.hpp>
#include <strided/verify/difference.hpp>
#include <string>
#include <vector>

#include "strided_npy/values.hpp"

using strided::Dims;
using strided::NpyFile;
using strided::StridedView;

namespace {

struct Arguments {
  std::string x;
  std::string value;
  std::string y;
  std::vector<std::int64_t> size, stride, begin, end, strides;
  std::int64_t offset = 0;
  strided::StridedSliceSpec masks;
};

void require_same_type(const NpyFile& a, const std::string& a_name, const NpyFile& b,
                       const std::string& b_name) {
  if (a.dtype().descr == b.dtype().descr) return;
  throw std::runtime_error("the elements of " + a_name + " are of another type than those of " +
                           b_name);
}

// What the operator is defined to make, in place of `expected`. Elements move as E, a struct of as
// many bytes: their type does not matter.
template <class E>
void run_reference(const Arguments& arguments, const NpyFile& x, const StridedView<E>& expected) {
  if (arguments.value.empty()) {
    strided::reference::as_strided_copy(
        x.view_as<E>(), {arguments.size, arguments.stride, {arguments.offset}}, expected);
    return;
  }
  const NpyFile value = NpyFile::open(arguments.value);
  require_same_type(value, arguments.value, x, arguments.x);
  strided::StridedSliceSpec spec = arguments.masks;
  spec.begin = arguments.begin;
  spec.end = arguments.end;
  spec.strides = arguments.strides;
  strided::reference::copy(x.view_as<E>(), expected);
  strided::reference::strided_slice_assign(expected, spec, value.view_as<E>());
}

template <class E>
int check(const Arguments& arguments, const NpyFile& x, const NpyFile& y) {
  const StridedView<const E> device = y.view_as<E>();
  std::vector<E> elements(static_cast<std::size_t>(device.size()));
  const StridedView<E> expected(elements, device.shape());
  run_reference(arguments, x, expected);
  const strided::Difference difference = strided::first_difference(device, expected);
  if (!difference) {
    std::printf("equal: %zu %s, bit for bit\n", elements.size(),
                elements.size() == 1 ? "element" : "elements");
    return 0;
  }
  const auto describe = [&](const E& element, const std::string& bits) {
    return strided_npy::value_text(std::as_bytes(std::span(&element, 1)), y.dtype()) + " (" + bits +
           ")";
  };
  const Dims& index = difference.index;
  std::printf("first difference at %s, element %lld: device %s, reference %s\n",
              to_string(index).c_str(), static_cast<long long>(expected.layout().offset_of(index)),
              describe(device.at(index), difference.a).c_str(),
              describe(expected.at(index), difference.b).c_str());
  return 1;
}

int check_files(const Arguments& arguments) {
  using strided_npy::Bytes;
  const NpyFile x = NpyFile::open(arguments.x);
  const NpyFile y = NpyFile::open(arguments.y);
  require_same_type(y, arguments.y, x, arguments.x);
  switch (x.dtype().item_bytes) {
    case 1:
      return check<Bytes<1>>(arguments, x, y);
    case 2:
      return check<Bytes<2>>(arguments, x, y);
    case 4:
      return check<Bytes<4>>(arguments, x, y);
    case 8:
      return check<Bytes<8>>(arguments, x, y);
    case 16:
      return check<Bytes<16>>(arguments, x, y);
    default:
      throw std::runtime_error(arguments.x + ": elements of this type are not checked");
  }
}

void add_list(CLI::App& command, const char* name, std::vector<std::int64_t>& list) {
  command.add_option(name, list, "Whole numbers with commas between")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->required();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Compares a device's output with the reference, bit for bit.", "golden_check"};
  app.require_subcommand(1);
  Arguments arguments;

  CLI::App& as_strided = *app.add_subcommand("as_strided", "y = AsStrided(x)");
  as_strided.add_option("x", arguments.x, "The input")->required();
  as_strided.add_option("y", arguments.y, "What the device made")->required();
  add_list(as_strided, "--size", arguments.size);
  add_list(as_strided, "--stride", arguments.stride);
  as_strided.add_option("--offset", arguments.offset, "The first element (default 0)");

  CLI::App& assign = *app.add_subcommand("slice_assign", "y = var after StridedSliceAssign");
  assign.add_option("var", arguments.x, "The input before")->required();
  assign.add_option("value", arguments.value, "What is assigned to the slice")->required();
  assign.add_option("y", arguments.y, "What the device made")->required();
  add_list(assign, "--begin", arguments.begin);
  add_list(assign, "--end", arguments.end);
  add_list(assign, "--strides", arguments.strides);
  assign.add_option("--begin-mask", arguments.masks.begin_mask);
  assign.add_option("--end-mask", arguments.masks.end_mask);
  assign.add_option("--ellipsis-mask", arguments.masks.ellipsis_mask);
  assign.add_option("--new-axis-mask", arguments.masks.new_axis_mask);
  assign.add_option("--shrink-axis-mask", arguments.masks.shrink_axis_mask);

  try {
    app.parse(argc, argv);
    return check_files(arguments);
  } catch (const CLI::Success& asked) {  // --help
    return app.exit(asked);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "golden_check: %s\n", error.what());
    return 2;
  }
}
