// What the views of Eigen's objects, and the way back, say.
#pragma once

#if __has_include(<Eigen/Core>) && __has_include(<unsupported/Eigen/CXX11/Tensor>)

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <unsupported/Eigen/CXX11/Tensor>
#include <vector>

#include "messages/row.hpp"
#include "strided/interop/eigen.hpp"
#include "strided/interop/eigen_tensor.hpp"

namespace strided_test::messages {

using EigenVector = Eigen::Map<Eigen::VectorXi>;
using EigenSteps = Eigen::Map<Eigen::MatrixXi, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
using EigenCube = Eigen::TensorMap<Eigen::Tensor<int, 3>>;

inline int* past(int bytes) {
  return reinterpret_cast<int*>(reinterpret_cast<char*>(storage) + bytes);
}
inline EigenSteps stepping(Eigen::Index outer) {
  return {storage, 3, 3, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(outer, 1)};
}

// clang-format off
inline const std::vector<Row> kEigenRows{
    {ErrorCode::null_data, [] { drop(from_eigen(Eigen::Map<Eigen::MatrixXi>(nullptr, 2, 3))); },
     "from_eigen: storage is null, and there are 6 elements to touch; allocate them first"},
    {ErrorCode::misaligned, [] { drop(from_eigen(EigenVector(past(1), 3))); },
     "from_eigen: the address of storage is 1 byte past a multiple of 4, the alignment of the element type; copy the bytes to aligned memory first"},
#if PTRDIFF_MAX > 0x7fffffff
    {ErrorCode::overflow, [] { drop(from_eigen(stepping(std::numeric_limits<Eigen::Index>::max() / 2 + 1))); },
     "from_eigen: strides[1] is 4611686018427387904, with it an offset no longer fits 64 bits"},
    {ErrorCode::overflow, [] { drop(from_eigen(stepping(std::numeric_limits<Eigen::Index>::max() / 4))); },
     "from_eigen: the reach of the strides is 4611686018427387904, in bytes it exceeds " + most_bytes()},
#endif
    {ErrorCode::rank_too_large, [] { drop(to_eigen(v.unsqueeze(0))); },
     "to_eigen: the shape of the view has 3 entries, at most 2 are allowed"},
    {ErrorCode::rank_too_small, [] { drop(to_eigen(v.select(0, 0).select(0, 0))); },
     "to_eigen: the view has rank 0, at least 1 is needed"},
    {ErrorCode::length_mismatch, [] { drop(to_eigen_vector(v)); },
     "to_eigen_vector: the shape of the view has 2 entries, 1 is needed"},
    {ErrorCode::null_data, [] { drop(from_eigen_tensor(EigenCube(nullptr, 2, 3, 4))); },
     "from_eigen_tensor: storage is null, and there are 24 elements to touch; allocate them first"},
    {ErrorCode::misaligned, [] { drop(from_eigen_tensor(EigenCube(past(2), 2, 3, 4))); },
     "from_eigen_tensor: the address of storage is 2 bytes past a multiple of 4, the alignment of the element type; copy the bytes to aligned memory first"},
    {ErrorCode::length_mismatch, [] { drop(to_eigen_tensor<3>(v)); },
     "to_eigen_tensor: the shape of the view has 2 entries, 3 are needed"},
    {ErrorCode::stride_mismatch, [] { drop(to_eigen_tensor<2>(v)); },
     "to_eigen_tensor: strides[0] is 10, it must be exactly 5, as in memory without gaps; copy() to such memory first"},
    {ErrorCode::stride_mismatch, [] { drop(to_eigen_tensor<2, Eigen::ColMajor>(a)); },
     "to_eigen_tensor: strides[0] is 10, it must be exactly 1, as in memory without gaps; copy() to such memory first"},
};
// clang-format on

}  // namespace strided_test::messages

#endif  // there is Eigen
