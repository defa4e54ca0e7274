// What draw and draw_svg say.
#pragma once

#include <vector>

#include "messages/row.hpp"
#include "strided/draw.hpp"

namespace strided_test::messages {

// clang-format off
inline const std::vector<Row> kPictureRows{
    {ErrorCode::too_large_to_draw, [] { drop(draw(Layout({101, 100}))); },
     "draw: what the view reaches has 10100 elements, at most 10000 are drawn; draw a part"},
    {ErrorCode::too_large_to_draw, [] { drop(draw(Layout({2000000}, {0}))); },
     "draw: the view has 2000000 elements, at most 1000000 are drawn; draw a part"},
    {ErrorCode::negative_size, [] { drop(draw(v, {.columns = -5})); },
     "draw: columns is -5, it must be at least 0"},
    {ErrorCode::negative_size, [] { drop(draw(v.layout(), {.storage_shape = {10, -10}})); },
     "draw: storage_shape[1] is -10, it must be at least 0"},
    {ErrorCode::overflow, [] { drop(draw(v.layout(), {.storage_shape = {kInt64Max, 2}})); },
     "draw: storage_shape[1] is 2, with it the number of elements no longer fits 64 bits"},
    {ErrorCode::size_mismatch, [] { drop(draw(v, {.storage_shape = {10, 9}})); },
     "draw: storage_shape makes 90 elements, 100 are needed"},
    {ErrorCode::out_of_bounds, [] { drop(draw(v.layout(), {.storage_shape = {7, 10}})); },
     "draw: the view reaches index 76 of the storage (dimension 0), which has 70 elements: 0 to 69"},
    {ErrorCode::out_of_bounds, [] { drop(draw(Layout({2}, {-1}))); },
     "draw: the view reaches index -1 (dimension 0), before the start of the storage: the offset is too small by 1"},
    {ErrorCode::too_large_to_draw, [] { drop(draw_svg(Layout({101, 100}))); },
     "draw_svg: what the view reaches has 10100 elements, at most 10000 are drawn; draw a part"},
};
// clang-format on

}  // namespace strided_test::messages
