// tests/data/public_reports.jsonl: small inputs after public bug reports of other libraries. Every
// row has a handler, found by its kind and op; a row without one is a failure.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "support/interop_reports.hpp"
#include "support/operator_reports.hpp"
#include "support/vectors.hpp"
#include "support/view_reports.hpp"

namespace strided_test {

// Rows about a neighbour's interface that the core has no word for: whoever adds that interop
// header takes the row from here. A row stays where the neighbour is not installed.
inline const std::vector<std::string>& waiting_for_interop_header() {
  static const std::vector<std::string> ids = {
#if !STRIDED_TEST_HAS_DLPACK
    "dlpack-178",  // dlpack: null strides are an error in strict mode
#endif
  };
  return ids;
}

template <class Path>
void check_all_public_reports() {
  struct Handler {
    const char* kind;
    const char* op;
    void (*check)(const Json& input, const Json& expected);
    int rows;
  };
  static constexpr Handler kHandlers[] = {
      {"strided_slice", "strided_slice", check_strided_slice_report<Path>, 22},
      {"strided_slice", "slice_table", check_slice_table_report<Path>, 1},
      {"strided_slice", "onnx_slice", check_onnx_slice_report<Path>, 12},
      {"strided_slice_assign", "strided_slice_assign", check_slice_assign_report<Path>, 14},
      {"as_strided", "as_strided", check_as_strided_report<Path>, 21},
      {"copy", "copy", check_copy_report<Path>, 12},
      {"copy", "fill", check_fill_report<Path>, 1},
      {"copy", "partition", check_partition_report, 1},
      {"overlap", "copy", check_copy_report<Path>, 1},
      {"overlap", "fill", check_fill_report<Path>, 2},
      {"overlap", "internal_overlap", check_internal_overlap_report<Path>, 6},
      {"overlap", "overlap", check_overlap_report<Path>, 1},
      {"view_algebra", "chain", check_chain_report, 10},
      {"view_algebra", "span", check_span_report, 4},
      {"view_algebra", "numel", check_numel_report, 2},
      {"view_algebra", "is_dense", check_is_dense_report, 2},
      {"view_algebra", "is_contiguous", check_is_contiguous_report, 3},
      {"view_algebra", "collapse", check_collapse_report, 2},
      {"view_algebra", "ggml_permute", check_ggml_permute_report, 4},
      {"interop", "size_fits", check_size_fits_report, 1},
      {"interop", "mpi_typemap", check_mpi_typemap_report, 4},
      {"interop", "buffer_import", check_buffer_import_report, 3},
      {"interop", "to_layout_stride", check_to_layout_stride_report, 3},
      {"interop", "dlpack_import", check_dlpack_import_report, 2 + STRIDED_TEST_HAS_DLPACK},
      {"interop", "mdspan_span_size", check_mdspan_span_size_report, 2},
      {"interop", "submdspan_strided", check_submdspan_report, 3},
  };
  std::vector<int> rows_of(std::size(kHandlers), 0);
  std::vector<std::string> waiting;
  int rows = 0;
  for (const Json& row : read_rows("public_reports.jsonl")) {
    SCOPED_TRACE(row.dump());
    ++rows;
    const auto id = row.at("id").get<std::string>();
    const std::vector<std::string>& list = waiting_for_interop_header();
    if (std::find(list.begin(), list.end(), id) != list.end()) {
      waiting.push_back(id);
      continue;
    }
    const auto kind = row.at("kind").get<std::string>();
    const auto op = row.at("input").at("op").get<std::string>();
    bool handled = false;
    for (std::size_t i = 0; i < std::size(kHandlers); ++i) {
      if (kind != kHandlers[i].kind || op != kHandlers[i].op) continue;
      kHandlers[i].check(row.at("input"), row.at("expected"));
      ++rows_of[i];
      handled = true;
    }
    EXPECT_TRUE(handled) << "no handler for kind " << kind << ", op " << op;
  }
  EXPECT_EQ(rows, 140);
  for (std::size_t i = 0; i < std::size(kHandlers); ++i) {
    EXPECT_EQ(rows_of[i], kHandlers[i].rows) << kHandlers[i].kind << " " << kHandlers[i].op;
  }
  EXPECT_EQ(waiting.size(), waiting_for_interop_header().size());
  std::printf("public_reports.jsonl: %d rows, %zu of them waiting for an interop header:", rows,
              waiting.size());
  for (const std::string& id : waiting) std::printf(" %s", id.c_str());
  std::printf("\n");
}

}  // namespace strided_test
