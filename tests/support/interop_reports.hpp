// Handlers of public_reports.jsonl for rows about neighbours (buffers, DLPack, mdspan, MPI): what
// each row means in layouts, by the library's own functions for DLPack and mdspan.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "strided/interop/mdspan/mapping.hpp"
#include "strided/view/algebra.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/overlap.hpp"
#include "support/operator_reports.hpp"
#include "support/vectors.hpp"
#include "support/view_reports.hpp"

#if __has_include(<dlpack/dlpack.h>)
#define STRIDED_TEST_HAS_DLPACK 1
#include "strided/interop/dlpack.hpp"
#else
#define STRIDED_TEST_HAS_DLPACK 0
#endif

namespace strided_test {

// A layout in bytes: the bytes of an element are one more axis.
inline strided::Layout in_bytes(strided::Dims shape, strided::Dims byte_strides,
                                std::int64_t byte_offset, std::int64_t element_bytes) {
  shape.push_back(element_bytes);
  byte_strides.push_back(1);
  return strided::Layout(shape, byte_strides, byte_offset);
}

inline strided::Layout in_bytes(const strided::Layout& layout, std::int64_t element_bytes) {
  strided::Dims byte_strides = layout.strides();
  for (std::int64_t& stride : byte_strides) stride *= element_bytes;
  return in_bytes(layout.shape(), byte_strides, layout.offset() * element_bytes, element_bytes);
}

inline void check_size_fits_report(const Json& input, const Json& expected) {
  const std::int64_t bytes = strided::Layout(to_dims(input.at("factors"))).size();
  EXPECT_EQ(bytes, expected.at("bytes").get<std::int64_t>());
  EXPECT_EQ(bytes <= std::numeric_limits<std::int32_t>::max(),
            expected.at("fits_int32").get<bool>());
  EXPECT_TRUE(expected.at("fits_int64").get<bool>());
}

// A type map is a layout: its displacements are the offsets in logical order, and it is valid to
// receive into if no two meet.
inline void check_mpi_typemap_report(const Json& input, const Json& expected) {
  using strided::Layout;
  const auto type = input.at("type").get<std::string>();
  const auto number = [&](const char* name) { return input.at(name).get<std::int64_t>(); };
  Layout layout;
  std::int64_t extent = 0;
  std::vector<std::int64_t> displacements;
  if (type == "vector") {
    layout = Layout({number("count"), number("blocklength")}, {number("stride"), 1});
    extent = layout.bounds().highest + 1;
    displacements = offsets_of(layout);
  } else if (type == "subarray") {
    layout = Layout(to_dims(input.at("sizes")));
    extent = layout.size();
    for (std::int64_t axis = 0; axis < layout.rank(); ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      layout = strided::try_narrow(layout, axis, to_dims(input.at("starts"))[at],
                                   to_dims(input.at("subsizes"))[at])
                   .value();
    }
    displacements = offsets_of(layout);
  } else if (type == "resized_contiguous") {
    extent = number("extent");
    layout = Layout({number("send_count"), number("n")}, {extent, 1});
    displacements = offsets_of(layout);
  } else {
    ASSERT_EQ(type, "hvector_bytes");  // in bytes: the stride is no multiple of the element
    EXPECT_NE(number("stride_bytes") % number("itemsize"), 0);
    const strided::Dims shape{number("count")};
    const strided::Dims stride{number("stride_bytes")};
    layout = in_bytes(shape, stride, 0, number("itemsize"));
    extent = layout.bounds().highest + 1;
    displacements = offsets_of(Layout(shape, stride));
  }
  EXPECT_EQ(displacements, to_numbers(expected.at("displacements")));
  EXPECT_EQ(extent, expected.at("extent").get<std::int64_t>());
  EXPECT_EQ(!strided::has_internal_overlap(layout), expected.at("valid_as_receive").get<bool>());
}

// Byte strides and element strides address the same bytes, and the row's numbers are those of the
// layout.
inline void check_buffer_import_report(const Json& input, const Json& expected) {
  const auto element_bytes = input.at("itemsize").get<std::int64_t>();
  const auto first = input.value("first_element", std::int64_t{0});
  const strided::Layout given =
      in_bytes(to_dims(input.at("shape")), to_dims(input.at("byte_strides")), first * element_bytes,
               element_bytes);
  const strided::Layout layout = to_layout(expected);
  EXPECT_EQ(offsets_of(given), offsets_of(in_bytes(layout, element_bytes)));
  if (input.contains("storage_numel")) {
    std::vector<std::int64_t> storage = arange(input.at("storage_numel").get<std::int64_t>());
    EXPECT_EQ(values_of(View(storage, layout)), flatten(expected.at("values")));
  }
  if (expected.contains("span")) {
    EXPECT_EQ(layout.bounds().lowest, expected.at("span").at(0).get<std::int64_t>());
    EXPECT_EQ(layout.bounds().highest, expected.at("span").at(1).get<std::int64_t>());
  }
}

inline void check_to_layout_stride_report(const Json& input, const Json& expected) {
  const strided::Layout layout(to_dims(input.at("extents")), to_dims(input.at("strides")));
  const strided::Result<strided::Layout> said = strided::try_layout_stride(layout);
  EXPECT_EQ(said.error().code, expected_code("interop", expected));
  EXPECT_EQ(said.has_value(), expected.value("ok", false));
  if (!said) return;
  EXPECT_EQ(strided::required_span_size(*said),
            expected.at("required_span_size").get<std::int64_t>());
  EXPECT_EQ(said->strides(), to_dims(expected.at("strides")));
}

// Imports the tensor, where there is DLPack; otherwise the row is a fact about layouts alone.
inline strided::Result<strided::Layout> imported_layout(const Json& input) {
  std::vector<std::int64_t> shape = to_numbers(input.at("shape"));
  EXPECT_EQ(static_cast<std::int64_t>(shape.size()), input.at("ndim").get<std::int64_t>());
  std::vector<std::int64_t> strides;
  if (!input.at("strides").is_null()) strides = to_numbers(input.at("strides"));
#if STRIDED_TEST_HAS_DLPACK
  EXPECT_EQ(input.at("itemsize").get<std::int64_t>(), 4);
  std::vector<std::int32_t> storage(64);
  DLTensor tensor{};
  tensor.data = storage.data();
  tensor.device.device_type = kDLCPU;
  tensor.ndim = input.at("ndim").get<std::int32_t>();
  tensor.dtype = {kDLInt, 32, 1};
  tensor.shape = shape.data();
  tensor.strides = strides.empty() ? nullptr : strides.data();
  const auto view = strided::try_dlpack_view<std::int32_t>(
      tensor, input.value("strict", false) ? strided::DlpackNullStrides::refused
                                           : strided::DlpackNullStrides::row_major);
  if (!view) return view.error();
  EXPECT_EQ(view->at(strided::Dims::filled(shape.size(), 0)), 0);
  return view->layout();
#else
  if (strides.empty()) return strided::Layout::try_row_major(shape);
  return strided::Layout::try_make(shape, strides);
#endif
}

inline void check_dlpack_import_report(const Json& input, const Json& expected) {
  const strided::Result<strided::Layout> layout = imported_layout(input);
  EXPECT_EQ(layout.error().code, expected_code("interop", expected)) << layout.message();
  if (!layout) return;
  const strided::Layout wanted = to_layout(expected);
  EXPECT_TRUE(layout->is_dense());
  EXPECT_FALSE(strided::has_internal_overlap(*layout));
  EXPECT_EQ(offsets_of(*layout), offsets_of(wanted));
  expect_strides(*layout, wanted.strides());
  if (expected.contains("values")) {
    EXPECT_EQ(offsets_of(*layout), flatten(expected.at("values")));
  }
}

inline void check_mdspan_span_size_report(const Json& input, const Json& expected) {
  const strided::Layout layout(to_dims(input.at("extents")), to_dims(input.at("strides")));
  const strided::Layout said = strided::try_layout_stride(layout).value();
  EXPECT_EQ(strided::required_span_size(said),
            expected.at("required_span_size").get<std::int64_t>());
}

// The extent of a strided_slice was the input span in the C++26 draft, and became the number of
// elements of the result.
inline void check_submdspan_report(const Json& input, const Json& expected) {
  const auto offset = input.at("offset").get<std::int64_t>();
  const auto extent = input.at("extent").get<std::int64_t>();
  const auto stride = input.at("stride").get<std::int64_t>();
  const auto meaning = input.at("meaning").get<std::string>();
  ASSERT_TRUE(meaning == "input_span" || meaning == "output_extent");
  const std::int64_t span = meaning == "input_span" ? extent : (extent - 1) * stride + 1;
  const strided::Layout base({offset + span});
  const strided::Layout part = strided::try_slice(base, 0, offset, strided::kEnd, stride).value();
  EXPECT_EQ(part.size(), expected.at("extent").get<std::int64_t>());
  EXPECT_EQ(offsets_of(part), to_numbers(expected.at("indices")));
  EXPECT_EQ(strided::try_layout_stride(part).value(), part);
}

}  // namespace strided_test
