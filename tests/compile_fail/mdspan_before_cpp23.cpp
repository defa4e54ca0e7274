// expect: error: .*strided/interop/mdspan.hpp needs <mdspan>
#ifdef STRIDED_CONTROL
#include "strided/interop/mdspan/mapping.hpp"
#else
#include "strided/interop/mdspan.hpp"
#endif

static_assert(strided::required_span_size(strided::Layout({2, 3})) == 6);
