// StridedSliceAssign: var[begin:end:strides] = value in place, and what each of the masks does.
#include <cstdio>
#include <strided/strided.hpp>
#include <vector>

using strided::Dims;
using strided::Rules;
using strided::StridedSliceSpec;
using strided::StridedView;

namespace {

// Assigns ones to the slice of a 3 x 4 zero matrix, and prints the matrix.
void show(const char* python, const StridedSliceSpec& spec, Rules rules = Rules::ascend) {
  std::vector<int> zeros(12, 0);
  const StridedView<int> var(zeros, {3, 4});
  const Dims shape = strided::strided_slice(var, spec, rules).shape();
  const int one = 1;
  const StridedView<const int> value =
      StridedView<const int>(std::span(&one, 1), Dims{}).broadcast_to(shape);
  strided::strided_slice_assign(var, spec, value, rules);
  std::printf("var[%s] = ones%s\n", python, to_string(shape).c_str());
  for (int row = 0; row < 3; ++row) {
    std::printf("  %d %d %d %d\n", var(row, 0), var(row, 1), var(row, 2), var(row, 3));
  }
}

}  // namespace

int main() {
  show("0:2, 1:3", {.begin = {0, 1}, .end = {2, 3}, .strides = {1, 1}});
  show("::2, 1:",
       {.begin = {9, 1}, .end = {9, 9}, .strides = {2, 1}, .begin_mask = 1, .end_mask = 1});
  show("..., -1:", {.begin = {9, -1}, .end = {9, 4}, .strides = {1, 1}, .ellipsis_mask = 1});
  show("newaxis, 2", {.begin = {0, 2},
                      .end = {0, 0},
                      .strides = {1, 1},
                      .new_axis_mask = 1,
                      .shrink_axis_mask = 2});
  show("::-2, ::3 (tensorflow rules)",
       {.begin = {0, 0}, .end = {0, 0}, .strides = {-2, 3}, .begin_mask = 3, .end_mask = 3},
       Rules::tensorflow);
  try {
    show("", {.begin = {0, 0}, .end = {3, 4}, .strides = {1, 3}});
  } catch (const strided::Error& error) {
    std::printf("%s\n", error.what());
  }
}
