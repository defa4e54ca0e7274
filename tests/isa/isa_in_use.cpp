// Prints the instruction set that a copy runs on. Exit status 77: STRIDED_FORCE_ISA asks for one
// that this machine lacks, or that there is not; prints what a copy and a fill said.
#include <strided/strided.hpp>

#include <cstdio>

int main() {
  const int source[] = {1};
  int target[] = {0};
  const strided::Failure failure = strided::try_copy(strided::StridedView<const int>(source, {1}),
                                                     strided::StridedView<int>(target, {1}));
  if (failure.code == strided::ErrorCode::unsupported) {
    std::puts(failure.message().c_str());
    std::puts(strided::try_fill(strided::StridedView<int>(target, {1}), 1).message().c_str());
    return 77;
  }
  std::puts(to_string(strided::active_isa()));
  return target[0] == 1 ? 0 : 1;
}
