// The table of one instruction set.

template <std::size_t W, std::size_t... K>
[[nodiscard]] constexpr WidthKernels width_kernels(std::index_sequence<K...>) noexcept {
  WidthKernels kernels = portable::width_kernels<W>();
  kernels.broadcast = &broadcast<W>;
  kernels.reverse = &reverse<W>;
  kernels.transpose = &transpose<W>;
#if STRIDED_BYTE_SHUFFLE
  if constexpr (W < 16) {
    ((kernels.gather[K] = &gather<K + kMinWeave>), ...);
    ((kernels.deinterleave[K] = &deinterleave<K + kMinWeave>), ...);
    ((kernels.interleave[K] = &interleave<K + kMinWeave>), ...);
  }
#endif
  return kernels;
}

// A template, so that only a file that copies compiles the kernels.
template <class = void>
[[nodiscard]] const KernelSet& kernel_set() noexcept {
  constexpr auto kAll = std::make_index_sequence<kWeaves>();
  static constexpr KernelSet kKernels = {
    kName,
    &move_runs<>,
#if STRIDED_BYTE_SHUFFLE
    &reverse_runs<>,
#else
    nullptr,
#endif
    &fence,
    {width_kernels<1>(kAll), width_kernels<2>(kAll), width_kernels<4>(kAll), width_kernels<8>(kAll),
     width_kernels<16>(kAll)},
  };
  return kKernels;
}

#undef STRIDED_KERNEL
#undef STRIDED_INLINE
