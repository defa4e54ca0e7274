// Compiled without exceptions, without run-time types, and with every warning an error.
#include <strided/draw.hpp>
#include <strided/strided.hpp>

#include <cstdlib>
#include <string>
#include <vector>

int main() {
  const std::vector<double> storage{0, 1, 2, 3, 4, 5};
  std::vector<double> result(6);
  strided::copy(strided::StridedView<const double>(storage, {2, 3}).flip(1),
                strided::StridedView<double>(result, {2, 3}));
  const strided::StridedView<const double> turned(storage, {3, 2}, {1, 3});
  const strided::CopyPlan plan(turned.layout(), strided::Layout({3, 2}), sizeof(double));
  const std::string pictures =
      strided::draw(turned) + strided::draw_svg(turned) + strided::draw_plan(plan);
  if (result != std::vector<double>{2, 1, 0, 5, 4, 3} || pictures.empty()) return 1;

  // A throwing form ends here, before it writes anything.
  strided::set_failure_handler([](const strided::Error& error) {
    const bool is_told = error.code() == strided::ErrorCode::shape_mismatch &&
                         error.what() == std::string(
                                             "copy: dst has shape (3,), (6,) is needed; "
                                             "dimension 0 differs");
    std::exit(is_told ? 0 : 2);
  });
  strided::copy(strided::StridedView<const double>(storage, {6}),
                strided::StridedView<double>(result, {3}));
  return 3;
}
