// The subcommands. Each adds itself to the program and, when chosen, runs and sets the exit code.
#pragma once

#include <CLI/CLI.hpp>

namespace strided_npy {

inline constexpr int kExitDiffers = 1;  // --verify found a difference
inline constexpr int kExitRefused = 2;  // wrong use, or a file that cannot be read or written

void add_info(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_as_strided(CLI::App& app, int& exit_code);
void add_slice(CLI::App& app, int& exit_code);
void add_assign(CLI::App& app, int& exit_code);
void add_permute(CLI::App& app, int& exit_code);
void add_flip(CLI::App& app, int& exit_code);

}  // namespace strided_npy
