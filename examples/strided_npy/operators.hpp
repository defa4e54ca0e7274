// The operators as layouts: which elements of the input a subcommand takes.
#pragma once

#include <cstdint>
#include <strided/core/rules.hpp>
#include <strided/view/layout.hpp>

namespace strided_npy {

// As strided::as_strided; `offset` is a list of one.
[[nodiscard]] strided::Layout as_strided_layout(std::int64_t storage_elements,
                                                const strided::AsStridedParam& param,
                                                strided::Rules rules, const char* command);

[[nodiscard]] strided::Layout slice_layout(const strided::Layout& x,
                                           const strided::StridedSliceSpec& spec,
                                           strided::Rules rules, const char* command);

// The value as a slice of var takes it: of exactly its shape under the ascend rules, else
// broadcast.
[[nodiscard]] strided::Layout value_layout(const strided::Layout& value,
                                           const strided::Layout& slice, strided::Rules rules);

[[nodiscard]] strided::Layout permuted_layout(const strided::Layout& x, const strided::Dims& axes);
[[nodiscard]] strided::Layout flipped_layout(const strided::Layout& x, const strided::Dims& axes);

}  // namespace strided_npy
