// expect: from_eigen: the view of a temporary would dangle; give the matrix a name first
// neighbour: Eigen3::Eigen
#include <strided/interop/eigen.hpp>

float first() {
#ifdef STRIDED_CONTROL
  const Eigen::MatrixXf named = Eigen::MatrixXf::Zero(6, 5);
  const strided::StridedView<const float> view = strided::from_eigen(named);
#else
  const strided::StridedView<const float> view = strided::from_eigen(Eigen::MatrixXf(6, 5));
#endif
  return view(0, 0);
}
