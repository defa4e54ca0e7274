// The table of one instruction set.

template <std::size_t W, class Deferred>
[[nodiscard]] constexpr WidthKernels width_kernels() noexcept {
  WidthKernels kernels = portable::width_kernels<W, Deferred>();
  kernels.broadcast = &broadcast<W>;
  kernels.reverse = &reverse<W>;
  kernels.transpose = &transpose<W>;
#if STRIDED_BYTE_SHUFFLE
  if constexpr (W < 16) {
    kernels.gather = {&gather<2>, &gather<3>, &gather<4>, &gather<0>};
    kernels.deinterleave = {&deinterleave<2>, &deinterleave<3>, &deinterleave<4>, &deinterleave<0>};
    kernels.interleave = {&interleave<2>, &interleave<3>, &interleave<4>, &interleave<0>};
#if STRIDED_MASKED_STORE
    kernels.scatter = {&scatter<2>, &scatter<3>, &scatter<4>, &scatter<0>};
#endif
  }
#endif
  return kernels;
}

// A template, so that only a file that copies compiles the kernels; its parameter goes down to all
// of them, because a constant that depends on nothing is worked out where it is read.
template <class Deferred = void>
[[nodiscard]] const KernelSet& kernel_set() noexcept {
  static constexpr KernelSet kKernels = {
    kName,
    kStep,
    &move_runs<>,
#if STRIDED_BYTE_SHUFFLE
    &shuffle<>,
    kUnit,
#else
    nullptr,
    0,
#endif
    &fence,
    {width_kernels<1, Deferred>(), width_kernels<2, Deferred>(), width_kernels<4, Deferred>(),
     width_kernels<8, Deferred>(), width_kernels<16, Deferred>()},
  };
  return kKernels;
}

#undef STRIDED_KERNEL
#undef STRIDED_INLINE
