// oneDNN's reorder, on one thread: any strides that it accepts.
#pragma once

#include <omp.h>

#include <cstddef>
#include <cstdint>
#include <dnnl.hpp>
#include <unordered_map>
#include <vector>

#include "peer.hpp"

namespace bench::onednn {

// A reorder is prepared once, as a kept plan is.
class Reorder {
 public:
  Reorder(const Case& of, const std::byte* src, std::byte* dst)
      : engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_),
        from_(describe(of, of.src_strides), engine_, first(of, src, of.src_offset)),
        to_(describe(of, of.dst_strides), engine_, first(of, dst, of.dst_offset)),
        primitive_(from_, to_),
        arguments_{{DNNL_ARG_FROM, from_}, {DNNL_ARG_TO, to_}} {}

  void run() {
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }

 private:
  // Its fast paths are for 1 and 4 bytes: wider elements are runs of those, and so are those of 2
  // bytes, whose own types go element by element through a conversion.
  static dnnl::memory::desc describe(const Case& of, std::vector<std::int64_t> strides) {
    const bool in_bytes = of.element_bytes <= 2;
    const std::int64_t parts = of.element_bytes / (in_bytes ? 1 : 4);
    std::vector<std::int64_t> shape = of.shape;
    if (parts > 1) {
      for (std::int64_t& stride : strides) stride *= parts;
      shape.push_back(parts);
      strides.push_back(1);
    }
    using Type = dnnl::memory::data_type;
    return {shape, in_bytes ? Type::u8 : Type::s32, strides};
  }
  static void* first(const Case& of, const std::byte* storage, std::int64_t offset) {
    return const_cast<std::byte*>(storage) + offset * of.element_bytes;
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::memory from_;
  dnnl::memory to_;
  dnnl::reorder primitive_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

inline bool can(const Case& of) {
  try {
    static std::byte somewhere{};
    const Reorder reorder(of, &somewhere, &somewhere);
    return true;
  } catch (const dnnl::error&) {  // strides that it refuses
    return false;
  }
}

inline Timed prepare(const Case& of, const std::byte* src, std::byte* dst) {
  omp_set_num_threads(1);
  return timed([reorder = Reorder(of, src, dst)]() mutable { reorder.run(); });
}

}  // namespace bench::onednn
