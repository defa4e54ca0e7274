// strided: look at memory through (shape, strides, offset), and move it. The whole public
// interface.
#pragma once

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/error.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/engine/copy_plan.hpp"
#include "strided/ops/as_strided.hpp"
#include "strided/ops/bitwise_equal.hpp"
#include "strided/ops/copy.hpp"
#include "strided/ops/fill.hpp"
#include "strided/ops/strided_slice.hpp"
#include "strided/reference/reference.hpp"
#include "strided/verify/verify.hpp"
#include "strided/view/algebra.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/overlap.hpp"
#include "strided/view/reshape.hpp"
#include "strided/view/slice.hpp"
#include "strided/view/strided_view.hpp"
