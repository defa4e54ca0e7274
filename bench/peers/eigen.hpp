// Eigen's Tensor::shuffle: permutations of dense arrays.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unsupported/Eigen/CXX11/Tensor>
#include <vector>

#include "peer.hpp"

namespace bench::eigen {

template <class T, std::size_t kRank>
Timed prepare_tensor(const Case& of, const std::byte* src, std::byte* dst) {
  using Axes = std::array<Eigen::Index, kRank>;
  const std::vector<std::size_t> src_order = *dense_permutation(of);
  Axes src_shape{};
  Axes dst_shape{};
  Axes from_axis{};  // axis i of the destination is axis from_axis[i] of the source
  for (std::size_t i = 0; i < kRank; ++i) {
    src_shape[i] = of.shape[src_order[i]];
    dst_shape[i] = of.shape[i];
    from_axis[src_order[i]] = static_cast<Eigen::Index>(i);
  }
  constexpr int kTensorRank = static_cast<int>(kRank);
  using Source = Eigen::TensorMap<Eigen::Tensor<const T, kTensorRank, Eigen::RowMajor>>;
  using Target = Eigen::TensorMap<Eigen::Tensor<T, kTensorRank, Eigen::RowMajor>>;
  const Source from(reinterpret_cast<const T*>(src), src_shape);
  Target to(reinterpret_cast<T*>(dst), dst_shape);
  return timed([=]() mutable { to = from.shuffle(from_axis); });
}

// The forms that cases.txt has; each costs seconds of compiling.
struct Form {
  std::size_t rank;
  std::int64_t element_bytes;
  Timed (*prepare)(const Case&, const std::byte* src, std::byte* dst);
};

inline constexpr Form kForms[] = {
    {2, 1, prepare_tensor<std::uint8_t, 2>}, {2, 2, prepare_tensor<Eigen::half, 2>},
    {2, 4, prepare_tensor<float, 2>},        {2, 8, prepare_tensor<double, 2>},
    {3, 4, prepare_tensor<float, 3>},        {4, 1, prepare_tensor<std::uint8_t, 4>},
    {4, 2, prepare_tensor<Eigen::half, 4>},  {4, 4, prepare_tensor<float, 4>},
    {4, 8, prepare_tensor<double, 4>},       {5, 4, prepare_tensor<float, 5>},
    {6, 2, prepare_tensor<Eigen::half, 6>},  {6, 4, prepare_tensor<float, 6>},
};

inline const Form* find_form(const Case& of) {
  for (const Form& form : kForms) {
    if (form.rank == of.shape.size() && form.element_bytes == of.element_bytes) return &form;
  }
  return nullptr;
}

inline bool can(const Case& of) {
  return find_form(of) != nullptr && dense_permutation(of).has_value();
}

inline Timed prepare(const Case& of, const std::byte* src, std::byte* dst) {
  return find_form(of)->prepare(of, src, dst);
}

}  // namespace bench::eigen
