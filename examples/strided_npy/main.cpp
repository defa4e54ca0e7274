// strided_npy: the operators of the library on NumPy's files, from the command line.
#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <iostream>
#include <strided/core/config.hpp>
#include <strided/interop/npy.hpp>
#include <string>
#include <vector>

#include "commands.hpp"

namespace {

// A message in one line, whatever made it; names of files may hold anything.
int refuse(std::string message) {
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
  try {
    app.parse(reversed_arguments(argc, argv));
    if (app.get_subcommands().empty()) return refuse("a subcommand is needed, see --help");
    if (!std::cout.flush()) return refuse("the standard output cannot be written");
    return exit_code;
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}
