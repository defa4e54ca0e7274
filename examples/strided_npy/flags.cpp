#include "flags.hpp"

#include <charconv>
#include <map>
#include <string_view>

namespace strided_npy {
namespace {

using strided::Dims;
using strided::Rules;

[[noreturn]] void refuse(const std::string& name, const std::string& text,
                         const std::string& wanted) {
  throw CLI::ValidationError(name, "'" + text + "' is not " + wanted);
}

// Whole numbers with commas between; one pair of brackets around them is taken off.
Dims parse_list(const std::string& name, const std::string& text) {
  constexpr const char* kWanted = "a list of whole numbers such as 2,3 or -1,2";
  constexpr std::string_view kSpace = " ";
  std::string_view rest = text;
  const auto trim = [&] {
    while (rest.starts_with(kSpace)) rest.remove_prefix(1);
    while (rest.ends_with(kSpace)) rest.remove_suffix(1);
  };
  trim();
  const bool bracketed = (rest.starts_with('(') && rest.ends_with(')')) ||
                         (rest.starts_with('[') && rest.ends_with(']'));
  if (bracketed) rest = rest.substr(1, rest.size() - 2);
  trim();
  if (bracketed && rest.ends_with(',')) rest.remove_suffix(1);
  Dims list;
  while (!rest.empty()) {
    std::int64_t value = 0;
    const char* const end = rest.data() + rest.size();
    const std::from_chars_result read = std::from_chars(rest.data(), end, value);
    if (read.ec == std::errc::result_out_of_range) refuse(name, text, "a list of 64-bit numbers");
    if (read.ec != std::errc()) refuse(name, text, kWanted);
    if (list.size() == static_cast<std::size_t>(strided::kMaxRank)) {
      refuse(name, text, "a list of at most " + std::to_string(strided::kMaxRank) + " numbers");
    }
    list.push_back(value);
    rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
    trim();
    if (rest.empty()) break;
    if (!rest.starts_with(',')) refuse(name, text, kWanted);
    rest.remove_prefix(1);
    trim();
    if (rest.empty()) refuse(name, text, kWanted);
  }
  return list;
}

// "5", "0b101" or "0x5".
std::uint32_t parse_mask(const std::string& name, const std::string& text) {
  std::string_view digits = text;
  int base = 10;
  if (digits.starts_with("0b")) base = 2;
  if (digits.starts_with("0x")) base = 16;
  if (base != 10) digits.remove_prefix(2);
  std::uint32_t mask = 0;
  const char* const end = digits.data() + digits.size();
  const std::from_chars_result read = std::from_chars(digits.data(), end, mask, base);
  if (read.ec != std::errc() || read.ptr != end) {
    refuse(name, text, "a mask of at most 32 bits such as 5 or 0b101");
  }
  return mask;
}

void add_mask(CLI::App& app, const std::string& name, std::uint32_t& mask,
              const std::string& description) {
  app.add_option_function<std::string>(
         name, [name, &mask](const std::string& text) { mask = parse_mask(name, text); },
         description)
      ->type_name("MASK");
}

}  // namespace

CLI::Option* add_list(CLI::App& app, const std::string& name, Dims& list,
                      const std::string& description) {
  return app
      .add_option_function<std::string>(
          name, [name, &list](const std::string& text) { list = parse_list(name, text); },
          description)
      ->type_name("N,N,...");
}

void AsStridedFlags::add_to(CLI::App& app) {
  size = add_list(app, "--size", param.size, "Shape of the result");
  CLI::Option* const stride =
      add_list(app, "--stride", param.stride, "Elements from one index to the next, per dimension");
  CLI::Option* const offset =
      add_list(app, "--offset", param.offset, "The element at index 0, 0, ... (default 0)");
  size->needs(stride);
  stride->needs(size);
  offset->needs(size);
}

void SliceFlags::add_to(CLI::App& app) {
  begin = add_list(app, "--begin", spec.begin, "First index, per entry");
  CLI::Option* const end = add_list(app, "--end", spec.end, "Index behind the last, per entry");
  strides = add_list(app, "--strides", spec.strides, "Step, per entry (default 1 each)");
  begin->needs(end);
  end->needs(begin);
  strides->needs(begin);
  add_mask(app, "--begin-mask", spec.begin_mask, "Bit i: begin[i] is ignored, from the edge");
  add_mask(app, "--end-mask", spec.end_mask, "Bit i: end[i] is ignored, to the edge");
  add_mask(app, "--ellipsis-mask", spec.ellipsis_mask, "Bit i: entry i is '...'");
  add_mask(app, "--new-axis-mask", spec.new_axis_mask, "Bit i: entry i is a new axis of size 1");
  add_mask(app, "--shrink-axis-mask", spec.shrink_axis_mask,
           "Bit i: entry i is the index begin[i], its dimension is dropped");
}

strided::StridedSliceSpec SliceFlags::complete() const {
  strided::StridedSliceSpec complete = spec;
  if (strides->count() == 0) complete.strides = Dims::filled(spec.begin.size(), 1);
  return complete;
}

void add_rules(CLI::App& app, Rules& rules) {
  static const std::map<std::string, Rules> kNames{{"strided", Rules::strided},
                                                   {"ascend", Rules::ascend},
                                                   {"tensorflow", Rules::tensorflow},
                                                   {"torch", Rules::torch}};
  std::string by_default;
  for (const auto& [name, value] : kNames) {
    if (value == rules) by_default = name;
  }
  app.add_option_function<std::string>(
         "--rules",
         [&rules](const std::string& text) {
           const auto found = kNames.find(text);
           if (found == kNames.end()) {
             refuse("--rules", text, "one of strided, ascend, tensorflow, torch");
           }
           rules = found->second;
         },
         "Whose rules: strided, ascend, tensorflow or torch (default " + by_default + ")")
      ->type_name("NAME");
}

void CopyFlags::add_to(CLI::App& app) {
  app.add_option("-o,--output", output, "The file to write, in C order")
      ->required()
      ->type_name("FILE");
  app.add_flag("--verify", verify, "Compare with the reference, bit for bit, before writing");
  app.add_flag("--explain", transfer.explain, "Say how the copy is done");
  app.add_flag("--time", time, "Measure the copy beside a memcpy of as many bytes");
  app.add_option(
         "--memory", transfer.memory_bytes,
         "Copy in parts for which about so much of the arrays is in memory, as 64MiB (default "
         "an eighth of the memory there is); --verify and --time need more")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--damage", damage)->group("");
}

}  // namespace strided_npy
