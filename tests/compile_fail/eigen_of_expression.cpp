// expect: from_eigen: an expression has no elements in memory; assign it to a matrix first
// neighbour: Eigen3::Eigen
#include <strided/interop/eigen.hpp>

float first(const Eigen::MatrixXf& a, const Eigen::MatrixXf& b) {
#ifdef STRIDED_CONTROL
  const Eigen::MatrixXf sum = a + b;
  const strided::StridedView<const float> view = strided::from_eigen(sum);
#else
  const strided::StridedView<const float> view = strided::from_eigen(a + b);
#endif
  return view(0, 0);
}
