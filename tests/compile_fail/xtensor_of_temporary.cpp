// expect: from_xtensor: the view of a temporary would dangle; give the expression a name first
// neighbour: xtensor
#include <strided/interop/xtensor.hpp>

float first() {
#ifdef STRIDED_CONTROL
  const xt::xarray<float> named = xt::zeros<float>({6, 5});
  const strided::StridedView<const float> view = strided::from_xtensor(named);
#else
  const strided::StridedView<const float> view =
      strided::from_xtensor(xt::view(xt::xarray<float>({{1, 2}, {3, 4}}), 0));
#endif
  return view.storage()[0];
}
