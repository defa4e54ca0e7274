// expect: from_eigen_tensor: the view of a temporary would dangle; give the tensor a name first
// neighbour: Eigen3::Eigen
#include <strided/interop/eigen_tensor.hpp>

float first() {
#ifdef STRIDED_CONTROL
  Eigen::Tensor<float, 2> named(6, 5);
  const strided::StridedView<float> view = strided::from_eigen_tensor(named);
#else
  const strided::StridedView<float> view =
      strided::from_eigen_tensor(Eigen::Tensor<float, 2>(6, 5));
#endif
  return view(0, 0);
}
