// The subcommands that write an array: as_strided, slice, assign, permute, flip.
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <span>
#include <strided/reference/reference.hpp>
#include <string>
#include <utility>
#include <vector>

#include "array.hpp"
#include "check.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "flags.hpp"
#include "operators.hpp"
#include "transfer.hpp"

namespace strided_npy {
namespace {

using strided::Dims;
using strided::Layout;
using strided::npy_printable;
using strided::NpyFile;
using strided::NpyWriter;
using strided::Rules;

// What all of them have; each adds flags of its own.
struct Options {
  std::string input;
  std::string value;  // of assign
  CopyFlags copy;
  AsStridedFlags as_strided;
  SliceFlags slice;
  Dims axes;
  Rules rules = Rules::strided;
};

// Adds a subcommand that runs `run(options)`; the options live as long as the subcommand.
template <class Run>
std::pair<CLI::App*, std::shared_ptr<Options>> add_command(CLI::App& app, const char* name,
                                                           const char* description, int& exit_code,
                                                           const Run& run) {
  CLI::App* const command = app.add_subcommand(name, description);
  auto options = std::make_shared<Options>();
  command
      ->add_option(std::string(name) == "assign" ? "var" : "input", options->input,
                   "The .npy file to read")
      ->required();
  if (std::string(name) == "assign") {
    command->add_option("value", options->value, "The .npy file with the value of the slice")
        ->required();
  }
  options->copy.add_to(*command);
  command->callback([options, run, &exit_code] { exit_code = run(*options); });
  return {command, options};
}

// Verifies what is in the writer, if asked to, and puts the file in place.
template <class Op>
int finish(NpyWriter& writer, const CopyFlags& flags, std::span<const Operand> operands,
           const Op& op) {
  const std::int64_t width = writer.dtype().item_bytes;
  const Dims shape = writer.shape();
  if (flags.damage >= 0 && flags.damage < writer.layout().size()) {
    writer.data()[static_cast<std::size_t>(flags.damage * width)] ^= std::byte{1};
  }
  if (flags.verify) {
    const std::vector<std::byte> expected = reference_result(operands, width, shape, op);
    const std::string difference = first_difference(writer.data(), expected, width, shape);
    if (!difference.empty()) {
      std::cerr << "strided_npy: verify: " << difference << "; nothing was written\n";
      return kExitDiffers;
    }
    const std::int64_t count = writer.layout().size();
    std::cout << "verified: " << count << (count == 1 ? " element equals" : " elements equal")
              << " the reference, bit for bit\n";
  }
  writer.commit();
  std::cout << npy_printable(flags.output + ": " + to_string(shape) + " of " + writer.dtype().descr)
            << '\n';
  return 0;
}

// Writes the elements that `source` looks at.
template <class Op>
int write_view(const Options& options, const NpyFile& file, const Operand& source, const Op& op) {
  const CopyFlags& flags = options.copy;
  require_other_file(flags.output, options.input);
  const std::int64_t width = file.dtype().item_bytes;
  NpyWriter writer(flags.output, file.dtype(), source.layout.shape());
  transfer(source, target_of(writer), width, flags.transfer);
  if (flags.time) std::cout << time_transfer(source, writer.layout(), width) << '\n';
  const Operand operands[] = {operand_of(file)};
  return finish(writer, flags, operands, op);
}

int run_as_strided(const Options& options) {
  const NpyFile file = NpyFile::open(options.input);
  const strided::AsStridedParam& param = options.as_strided.param;
  Operand x = operand_of(file);
  // The ascend operator counts in x's elements in row-major order, the others in its memory.
  std::vector<std::byte> row_major;
  if (options.rules == Rules::ascend && !x.layout.is_contiguous()) {
    row_major = row_major_bytes(x, file.dtype().item_bytes);
    x.bytes = row_major;
    x.mapped = {};
  }
  x.layout = as_strided_layout(x.layout.size(), param, options.rules, "as_strided");
  return write_view(options, file, x, [&](const auto& inputs, const auto& output) {
    strided::reference::as_strided_copy(inputs[0], param, output, options.rules);
  });
}

int run_slice(const Options& options) {
  const strided::StridedSliceSpec spec = options.slice.complete("slice");
  const NpyFile file = NpyFile::open(options.input);
  Operand source = operand_of(file);
  source.layout = slice_layout(file.layout(), spec, options.rules, "slice");
  return write_view(options, file, source, [&](const auto& inputs, const auto& output) {
    strided::reference::copy(strided::reference::strided_slice(inputs[0], spec, options.rules),
                             output);
  });
}

int run_permute(const Options& options) {
  const NpyFile file = NpyFile::open(options.input);
  Operand source = operand_of(file);
  source.layout = permuted_layout(file.layout(), options.axes);
  return write_view(options, file, source, [&](const auto& inputs, const auto& output) {
    strided::reference::copy(inputs[0].permute(options.axes), output);
  });
}

int run_flip(const Options& options) {
  const NpyFile file = NpyFile::open(options.input);
  Operand source = operand_of(file);
  source.layout = flipped_layout(file.layout(), options.axes);
  return write_view(options, file, source, [&](const auto& inputs, const auto& output) {
    auto flipped = inputs[0];
    for (const std::int64_t axis : options.axes) flipped = flipped.flip(axis);
    strided::reference::copy(flipped, output);
  });
}

int run_assign(const Options& options) {
  const CopyFlags& flags = options.copy;
  const strided::StridedSliceSpec spec = options.slice.complete("assign");
  const NpyFile var = NpyFile::open(options.input);
  const NpyFile value = NpyFile::open(options.value);
  require_other_file(flags.output, options.input);
  require_other_file(flags.output, options.value);
  if (var.dtype() != value.dtype()) {
    throw UsageError("assign: " + options.input + " is of type " + var.dtype().descr + ", " +
                     options.value + " of type " + value.dtype().descr);
  }
  const std::int64_t width = var.dtype().item_bytes;
  const Operand operands[] = {operand_of(var), operand_of(value)};
  const Layout slice = slice_layout(Layout(var.shape()), spec, options.rules, "assign");
  Operand source = operands[1];
  source.layout = value_layout(value.layout(), slice, options.rules);

  NpyWriter writer(flags.output, var.dtype(), var.shape());
  TransferOptions quietly = flags.transfer;
  quietly.explain = false;
  Target target = target_of(writer);
  transfer(operands[0], target, width, quietly);
  target.layout = slice;
  transfer(source, target, width, flags.transfer);
  if (flags.time) std::cout << time_transfer(source, slice, width) << '\n';
  return finish(writer, flags, operands, [&](const auto& inputs, const auto& output) {
    strided::reference::copy(inputs[0], output);
    strided::reference::strided_slice_assign(output, spec, inputs[1], options.rules);
  });
}

}  // namespace

void add_as_strided(CLI::App& app, int& exit_code) {
  const auto [command, options] = add_command(
      app, "as_strided", "Take the elements at offset + i * stride[0] + j * stride[1] + ...",
      exit_code, run_as_strided);
  options->as_strided.add_to(*command);
  options->as_strided.size->required();
  options->rules = Rules::ascend;
  add_rules(*command, options->rules);
  command->footer("Example: strided_npy as_strided x.npy --size 2,2 --stride 2,3 -o y.npy");
}

void add_slice(CLI::App& app, int& exit_code) {
  const auto [command, options] =
      add_command(app, "slice", "Take begin:end:strides of each dimension", exit_code, run_slice);
  options->slice.add_to(*command);
  options->slice.add_index_to(*command);
  add_rules(*command, options->rules);
  command->footer(
      "The slice is given as NumPy writes it: strided_npy slice x.npy '2, ..., ::-1' -o y.npy\n"
      "or by its lists and masks: strided_npy slice x.npy --begin 2,0,0 --end 0,0,0\n"
      "  --strides 1,1,-1 --shrink-axis-mask 1 --ellipsis-mask 2 --begin-mask 4 --end-mask 4\n"
      "  -o y.npy\n"
      "Bits of a mask behind the last entry are ignored, as the operators ignore them.");
}

void add_assign(CLI::App& app, int& exit_code) {
  const auto [command, options] =
      add_command(app, "assign", "Write a copy of var in which a slice is replaced by value",
                  exit_code, run_assign);
  options->slice.add_to(*command);
  options->slice.add_index_to(*command);
  options->rules = Rules::ascend;
  add_rules(*command, options->rules);
  command->footer(
      "The slice is given as NumPy writes it: strided_npy assign var.npy value.npy '0:4:2'\n"
      "  -o out.npy\n"
      "or by its lists and masks: strided_npy assign var.npy value.npy --begin 0,0 --end 4,9\n"
      "  --strides 2,1 -o out.npy");
}

void add_permute(CLI::App& app, int& exit_code) {
  const auto [command, options] =
      add_command(app, "permute", "Reorder the dimensions", exit_code, run_permute);
  add_list(*command, "--axes", options->axes, "Dimension of the input, per dimension of the result")
      ->required();
  command->footer("Example: strided_npy permute image.npy --axes 2,0,1 -o planes.npy");
}

void add_flip(CLI::App& app, int& exit_code) {
  const auto [command, options] =
      add_command(app, "flip", "Reverse one or more dimensions", exit_code, run_flip);
  add_list(*command, "--axis", options->axes, "The dimensions to reverse")->required();
  command->footer("Example: strided_npy flip image.npy --axis 1 -o mirrored.npy");
}

}  // namespace strided_npy
