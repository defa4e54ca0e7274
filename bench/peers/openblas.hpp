// OpenBLAS's omatcopy, on one thread: two-dimensional transposes of 4 and 8 bytes an element.
#pragma once

#include <cblas.h>

#include <cstddef>

#include "peer.hpp"

namespace bench::openblas {

inline bool can(const Case& of) {
  return of.shape.size() == 2 && (of.element_bytes == 4 || of.element_bytes == 8) &&
         of.src_strides[0] == 1 && of.dst_strides[1] == 1 && dense_permutation(of).has_value();
}

inline Timed prepare(const Case& of, const std::byte* src, std::byte* dst) {
  openblas_set_num_threads(1);
  const auto rows = static_cast<blasint>(of.shape[1]);  // of the source
  const auto columns = static_cast<blasint>(of.shape[0]);
  if (of.element_bytes == 4) {
    const auto* from = reinterpret_cast<const float*>(src);
    auto* to = reinterpret_cast<float*>(dst);
    return timed([=] {
      cblas_somatcopy(CblasRowMajor, CblasTrans, rows, columns, 1.0F, from, columns, to, rows);
    });
  }
  const auto* from = reinterpret_cast<const double*>(src);
  auto* to = reinterpret_cast<double*>(dst);
  return timed([=] {
    cblas_domatcopy(CblasRowMajor, CblasTrans, rows, columns, 1.0, from, columns, to, rows);
  });
}

}  // namespace bench::openblas
