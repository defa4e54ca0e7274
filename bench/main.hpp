// The main() of a benchmark program.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>
#include <strided/strided.hpp>

#include "timing.hpp"

namespace bench {

// Registers by register_all(effort) and runs what the arguments ask for; the program's exit status.
template <class Register>
int run(int argc, char** argv, Register register_all) try {
  const Effort effort = take_effort(&argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("strided_isa", strided::to_string(strided::active_isa()));

  register_all(effort);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 2;
}

}  // namespace bench
