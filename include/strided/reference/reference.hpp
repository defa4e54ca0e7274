// The operators once more, index by index: obvious, slow, and sharing no code with the engine. They
// are what the engine is checked against, and golden results for anyone's own operators.
#pragma once

#include "strided/reference/as_strided.hpp"
#include "strided/reference/bitwise_equal.hpp"
#include "strided/reference/copy.hpp"
#include "strided/reference/fill.hpp"
#include "strided/reference/strided_slice.hpp"
