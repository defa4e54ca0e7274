#include "operators.hpp"

#include <strided/view/algebra.hpp>
#include <strided/view/reshape.hpp>
#include <strided/view/slice.hpp>
#include <string>
#include <vector>

#include "array.hpp"

namespace strided_npy {

using strided::Dims;
using strided::Layout;
using strided::Rules;

Layout as_strided_layout(std::int64_t storage_elements, const strided::AsStridedParam& param,
                         Rules rules, const char* command) {
  if (param.offset.size() != 1) {
    throw UsageError(std::string(command) + ": --offset is a list of one number, not of " +
                     std::to_string(param.offset.size()));
  }
  return value_or_fail(
      strided::try_as_strided(storage_elements, param.size, param.stride, param.offset[0], rules),
      command);
}

Layout slice_layout(const Layout& x, const strided::StridedSliceSpec& spec, Rules rules,
                    const char* command) {
  return value_or_fail(strided::try_strided_slice(x, spec, rules), command);
}

Layout value_layout(const Layout& value, const Layout& slice, Rules rules) {
  const bool ascend = rules == Rules::ascend;
  if (!ascend && slice.empty()) return slice;  // nothing is assigned, whatever the value
  const strided::Result<Layout> broadcast = strided::try_broadcast_to(value, slice.shape());
  if (broadcast && (!ascend || value.shape() == slice.shape())) return *broadcast;
  throw UsageError("assign: the value has shape " + to_string(value.shape()) + ", the slice " +
                   to_string(slice.shape()) +
                   (broadcast ? "; under Rules::ascend they must be equal, Rules::tensorflow "
                                "broadcasts"
                              : ", to which it does not broadcast"));
}

Layout permuted_layout(const Layout& x, const Dims& axes) {
  return value_or_fail(strided::try_permute(x, axes), "permute");
}

Layout flipped_layout(const Layout& x, const Dims& axes) {
  if (axes.empty()) throw UsageError("flip: --axis names no dimension");
  std::vector<bool> seen(static_cast<std::size_t>(x.rank()));
  Layout flipped = x;
  for (const std::int64_t axis : axes) {
    flipped = value_or_fail(strided::try_flip(flipped, axis), "flip");
    const auto at = static_cast<std::size_t>(axis < 0 ? axis + x.rank() : axis);
    if (seen[at]) throw UsageError("flip: --axis names dimension " + std::to_string(at) + " twice");
    seen[at] = true;
  }
  return flipped;
}

}  // namespace strided_npy
