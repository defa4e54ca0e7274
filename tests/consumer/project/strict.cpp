// Compiled without exceptions, without run-time types, and with every warning an error.
#include <strided/strided.hpp>

#include <vector>

int main() {
  const std::vector<double> storage{0, 1, 2, 3, 4, 5};
  std::vector<double> result(6);
  strided::copy(strided::StridedView<const double>(storage, {2, 3}).flip(1),
                strided::StridedView<double>(result, {2, 3}));
  return result == std::vector<double>{2, 1, 0, 5, 4, 3} ? 0 : 1;
}
