// The table of one instruction set.

template <std::size_t W>
[[nodiscard]] constexpr WidthKernels width_kernels() noexcept {
  WidthKernels kernels = portable::width_kernels<W>();
  kernels.broadcast = &broadcast<W>;
  kernels.reverse = &reverse<W>;
  kernels.transpose = &transpose<W>;
#if STRIDED_BYTE_SHUFFLE
  if constexpr (W < 16) {
    kernels.gather = {&gather<2>, &gather<3>, &gather<4>, &gather<0>};
    kernels.deinterleave = {&deinterleave<2>, &deinterleave<3>, &deinterleave<4>, &deinterleave<0>};
    kernels.interleave = {&interleave<2>, &interleave<3>, &interleave<4>, &interleave<0>};
  }
#endif
  return kernels;
}

// A template, so that only a file that copies compiles the kernels.
template <class = void>
[[nodiscard]] const KernelSet& kernel_set() noexcept {
  static constexpr KernelSet kKernels = {
    kName,
    &move_runs<>,
#if STRIDED_BYTE_SHUFFLE
    &reverse_runs<>,
#else
    nullptr,
#endif
    &fence,
    {width_kernels<1>(), width_kernels<2>(), width_kernels<4>(), width_kernels<8>(),
     width_kernels<16>()},
  };
  return kKernels;
}

#undef STRIDED_KERNEL
#undef STRIDED_INLINE
