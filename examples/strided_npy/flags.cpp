#include "flags.hpp"

#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "array.hpp"

namespace strided_npy {
namespace {

using strided::Dims;
using strided::Rules;
using strided::StridedSliceSpec;

[[noreturn]] void refuse(const std::string& name, const std::string& text,
                         const std::string& wanted) {
  throw CLI::ValidationError(name, "'" + text + "' is not " + wanted);
}

// Whole numbers with commas between; one pair of brackets around them is taken off, as NumPy prints
// shapes. Not CLI11's lists, which are of one number at least.
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

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// "4096", "64MiB", "64mb" or "64 G": all units are powers of 1024. Not CLI11's sizes (2.1),
// which take -1 for 2^64 - 1 and list 24 units in the help.
std::int64_t parse_size(const std::string& name, const std::string& text) {
  constexpr std::string_view kUnits = "kmgtpe";
  std::int64_t bytes = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, bytes);
  std::string unit(trimmed(std::string_view(read.ptr, static_cast<std::size_t>(end - read.ptr))));
  for (char& c : unit) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  int shift = 0;
  if (!unit.empty() && kUnits.find(unit.front()) != std::string_view::npos) {
    shift = 10 * static_cast<int>(kUnits.find(unit.front()) + 1);
    unit.erase(0, 1);
    if (unit.starts_with('i')) unit.erase(0, 1);
  }
  const bool known = unit.empty() || unit == "b";
  if (read.ec != std::errc() || !known || bytes < 0 || bytes > strided::kInt64Max >> shift) {
    refuse(name, text, "a size such as 256MiB");
  }
  return bytes << shift;
}

constexpr const char* kIndex = "index";
constexpr const char* kAnIndex = "an index such as 2, 1:3, ..., ::-1";

// The number between two colons; nothing where there is none.
std::optional<std::int64_t> parse_bound(const std::string& index, std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, value);
  if (read.ec == std::errc::result_out_of_range) refuse(kIndex, index, "made of 64-bit numbers");
  if (read.ec != std::errc() || read.ptr != end) refuse(kIndex, index, kAnIndex);
  return value;
}

// One entry, as entry spec.begin.size() of the spec.
void parse_entry(const std::string& index, std::string_view text, StridedSliceSpec& spec) {
  const std::uint32_t bit = std::uint32_t{1} << spec.begin.size();
  std::optional<std::int64_t> parts[3] = {0, 0, 1};  // begin, end, stride
  if (text == "...") {
    spec.ellipsis_mask |= bit;
  } else if (text == "None" || text == "newaxis" || text == "np.newaxis") {
    spec.new_axis_mask |= bit;
  } else if (text.find(':') == std::string_view::npos) {
    parts[0] = parse_bound(index, text);
    if (!parts[0]) refuse(kIndex, index, kAnIndex);
    spec.shrink_axis_mask |= bit;
  } else {
    for (std::optional<std::int64_t>& part : parts) {
      const std::size_t colon = text.find(':');
      part = parse_bound(index, text.substr(0, colon));
      text = colon == std::string_view::npos ? "" : text.substr(colon + 1);
      if (colon != std::string_view::npos && &part == &parts[2]) refuse(kIndex, index, kAnIndex);
    }
    if (!parts[0]) spec.begin_mask |= bit;
    if (!parts[1]) spec.end_mask |= bit;
  }
  spec.begin.push_back(parts[0].value_or(0));
  spec.end.push_back(parts[1].value_or(0));
  spec.strides.push_back(parts[2].value_or(1));
}

void add_mask(CLI::App& app, const std::string& name, std::uint32_t& mask,
              const std::string& description) {
  app.add_option_function<std::string>(
         name, [name, &mask](const std::string& text) { mask = parse_mask(name, text); },
         description)
      ->type_name("MASK");
}

}  // namespace

StridedSliceSpec parse_index(const std::string& text) {
  constexpr std::size_t kMostEntries = 31;  // as many as a mask has usable bits
  std::string_view rest = trimmed(text);
  if (rest.starts_with('[') && rest.ends_with(']')) rest = trimmed(rest.substr(1, rest.size() - 2));
  if (rest.empty()) refuse(kIndex, text, kAnIndex);
  StridedSliceSpec spec;
  while (!rest.empty()) {  // a comma behind the last entry is NumPy's, too
    if (spec.begin.size() == kMostEntries) refuse(kIndex, text, "an index of at most 31 entries");
    const std::size_t comma = rest.find(',');
    parse_entry(text, trimmed(rest.substr(0, comma)), spec);
    rest = comma == std::string_view::npos ? "" : trimmed(rest.substr(comma + 1));
  }
  return spec;
}

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

void SliceFlags::add_index_to(CLI::App& app) {
  index = app.add_option_function<std::string>(
      kIndex, [this](const std::string& text) { spec = parse_index(text); },
      "The slice as NumPy writes it between brackets: '1:3, ::-1', '0', '..., None'");
  index->type_name("INDEX");
}

strided::StridedSliceSpec SliceFlags::complete(const std::string& call) const {
  if (index != nullptr && (index->count() > 0) == (begin->count() > 0)) {
    throw UsageError(call + ": give either an index such as '1:3, ::-1' or --begin and --end");
  }
  strided::StridedSliceSpec complete = spec;
  if (strides->count() == 0 && begin->count() > 0)
    complete.strides = Dims::filled(spec.begin.size(), 1);
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
         "--rules", [&rules](const std::string& name) { rules = kNames.at(name); },
         "Whose rules (default " + by_default + ")")
      ->check(CLI::IsMember(&kNames));
}

CLI::Option* add_output(CLI::App& app, const std::string& name, std::string& path,
                        const std::string& description) {
  return app
      .add_option_function<std::string>(
          name,
          [name, &path](const std::string& text) {
            if (text == "-") refuse(name, text, "a file, which is written whole or not at all");
            path = text;
          },
          description)
      ->type_name("FILE");
}

void CopyFlags::add_to(CLI::App& app) {
  add_output(app, "-o,--output", output, "The file to write, in C order")->required();
  app.add_flag("--verify", verify, "Compare with the reference, bit for bit, before writing");
  app.add_flag("--explain", transfer.explain, "Say how the copy is done");
  app.add_flag("--time", time, "Measure the copy beside a memcpy of as many bytes");
  app.add_option_function<std::string>(
         "--memory",
         [this](const std::string& text) { transfer.memory_bytes = parse_size("--memory", text); },
         "Copy in parts for which about so much of the arrays is in memory, as 64MiB (default "
         "an eighth of the memory there is); --verify and --time need more")
      ->type_name("SIZE");
  app.add_option("--damage", damage)->group("");
}

}  // namespace strided_npy
