// Pictures: what (shape, strides, offset) touches, and how a plan moves it. Not part of
// strided.hpp, since only who looks should pay for it.
#pragma once

#include "strided/draw/cells.hpp"
#include "strided/draw/plan.hpp"
#include "strided/draw/svg.hpp"
#include "strided/draw/text.hpp"
