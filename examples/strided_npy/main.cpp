// strided_npy: the operators of the library on NumPy's files, from the command line.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstddef>
#include <exception>
#include <iostream>
#include <iterator>
#include <span>
#include <strided/core/config.hpp>
#include <strided/interop/npy.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"

namespace {

// A message in one line, whatever made it; names of files may hold anything. A rule set goes by its
// flag here.
int refuse(std::string message) {
  constexpr std::string_view kInCode = "Rules::";
  for (std::size_t at = 0; (at = message.find(kInCode, at)) != std::string::npos;) {
    message.replace(at, kInCode.size(), "--rules ");
  }
  for (char& c : message) {
    if (c == '\n') c = ' ';
  }
  std::cerr << "strided_npy: " << strided::npy_printable(message) << '\n';
  return strided_npy::kExitRefused;
}

// The arguments from last to first, as CLI11 takes them. "--size=" is taken apart here: CLI11 would
// take the next argument for the value.
std::vector<std::string> reversed_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  for (int i = argc; i-- > 1;) {
    std::string argument = argv[i];
    if (argument.starts_with("--") && argument.ends_with('=')) {
      arguments.emplace_back();
      argument.pop_back();
    }
    arguments.push_back(argument);
  }
  return arguments;
}

// "there is no subcommand 'turn'; there are info, show, ...", or nothing.
std::string unknown_subcommand(const CLI::App& app, int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.empty() || first.starts_with('-')) return {};
  std::string names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == first) return {};
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return "there is no subcommand '" + first + "'; there are " + names;
}

// "; lists have commas: --axes 1,0" where a list was given as "--axes 1 0", or nothing.
std::string comma_hint(int argc, char** argv) {
  constexpr std::string_view kLists[] = {"--size", "--stride",  "--offset", "--begin",
                                         "--end",  "--strides", "--axes",   "--axis"};
  const std::span<char* const> arguments(argv, static_cast<std::size_t>(argc));
  const auto is_number = [&](std::size_t at) {
    return at < arguments.size() && *arguments[at] != '\0' &&
           std::string_view(arguments[at]).find_first_not_of("-0123456789,") ==
               std::string_view::npos;
  };
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string name = arguments[i];
    if (std::find(std::begin(kLists), std::end(kLists), name) == std::end(kLists)) continue;
    if (!is_number(i + 1) || !is_number(i + 2)) continue;
    std::string list = arguments[i + 1];
    for (std::size_t at = i + 2; is_number(at); ++at) {
      list += (list.ends_with(',') ? "" : ",") + std::string(arguments[at]);
    }
    return "; lists have commas: " + name + " " + list;
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error like others
#endif
  CLI::App app{
      "Strided views of .npy files: takes elements apart and puts them together, of any "
      "type, without changing a bit of them.",
      "strided_npy"};
  app.require_subcommand(0, 1);  // none is told below, after an argument that is no subcommand
  app.set_version_flag("--version", std::to_string(STRIDED_VERSION_MAJOR) + "." +
                                        std::to_string(STRIDED_VERSION_MINOR) + "." +
                                        std::to_string(STRIDED_VERSION_PATCH));
  app.footer(
      "Lists are numbers with commas between: --size 2,3, --stride -1,2 or --stride=-1,2.\n"
      "Rules (--rules) by default: as_strided and assign follow those of ascend, slice those of\n"
      "strided.\n"
      "Exit codes: 0 done; 1 --verify found a difference; 2 wrong use or an unusable file. The\n"
      "output is written whole or not at all.");
  int exit_code = 0;
  strided_npy::add_info(app, exit_code);
  strided_npy::add_show(app, exit_code);
  strided_npy::add_as_strided(app, exit_code);
  strided_npy::add_slice(app, exit_code);
  strided_npy::add_assign(app, exit_code);
  strided_npy::add_permute(app, exit_code);
  strided_npy::add_flip(app, exit_code);
  if (const std::string unknown = unknown_subcommand(app, argc, argv); !unknown.empty()) {
    return refuse(unknown);
  }
  try {
    app.parse(reversed_arguments(argc, argv));
    if (app.get_subcommands().empty()) return refuse("a subcommand is needed, see --help");
    if (!std::cout.flush()) return refuse("the standard output cannot be written");
    return exit_code;
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const std::exception& error) {
    return refuse(error.what() + comma_hint(argc, argv));
  }
}
