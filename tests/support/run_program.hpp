// Runs a program as its users do, through a shell.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace run_program {

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

// In `directory`, where out.txt and err.txt are made.
[[nodiscard]] inline Outcome run(const std::filesystem::path& directory, const std::string& program,
                                 const std::string& arguments) {
  const std::string command = "cd '" + directory.string() + "' && '" + program + "' " + arguments +
                              " >out.txt 2>err.txt </dev/null";
  const int status = std::system(command.c_str());
  const auto read = [&](const char* name) {
    std::ifstream file(directory / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out.txt"), read("err.txt")};
}

}  // namespace run_program
