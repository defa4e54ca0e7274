// Layout policies that are not the standard's: what else a mapping may be.
#pragma once

#include <cstddef>

namespace mdspan_test {

// One dimension from the last element to the first: a negative stride and an offset.
struct LayoutReverse {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = typename Extents::size_type;
    using rank_type = typename Extents::rank_type;
    using layout_type = LayoutReverse;
    static_assert(Extents::rank() == 1);

    constexpr mapping() noexcept = default;
    // `claims` stands for required_span_size(), where it is not 0.
    constexpr explicit mapping(const Extents& extents, index_type claims = 0) noexcept
        : extents_(extents), claims_(claims) {}

    constexpr const Extents& extents() const noexcept { return extents_; }
    constexpr index_type required_span_size() const noexcept {
      return claims_ != 0 ? claims_ : extents_.extent(0);
    }
    constexpr index_type operator()(index_type i) const noexcept {
      return static_cast<index_type>(extents_.extent(0) - 1 - i);
    }
    constexpr index_type stride(rank_type) const noexcept { return -1; }
    static constexpr bool is_always_unique() noexcept { return true; }
    static constexpr bool is_always_exhaustive() noexcept { return true; }
    static constexpr bool is_always_strided() noexcept { return true; }
    static constexpr bool is_unique() noexcept { return true; }
    static constexpr bool is_exhaustive() noexcept { return true; }
    static constexpr bool is_strided() noexcept { return true; }

   private:
    Extents extents_{};
    index_type claims_ = 0;
  };
};

// Two dimensions in square blocks of 2: strided only while one block holds everything.
struct LayoutBlocks {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = typename Extents::size_type;
    using rank_type = typename Extents::rank_type;
    using layout_type = LayoutBlocks;
    static_assert(Extents::rank() == 2);

    constexpr mapping() noexcept = default;
    constexpr explicit mapping(const Extents& extents) noexcept : extents_(extents) {}

    constexpr const Extents& extents() const noexcept { return extents_; }
    constexpr index_type required_span_size() const noexcept { return 4 * blocks(0) * blocks(1); }
    constexpr index_type operator()(index_type i, index_type j) const noexcept {
      return 4 * (i / 2 * blocks(1) + j / 2) + i % 2 * 2 + j % 2;
    }
    constexpr index_type stride(rank_type r) const noexcept { return r == 0 ? 2 : 1; }
    static constexpr bool is_always_unique() noexcept { return true; }
    static constexpr bool is_always_exhaustive() noexcept { return false; }
    static constexpr bool is_always_strided() noexcept { return false; }
    static constexpr bool is_unique() noexcept { return true; }
    constexpr bool is_exhaustive() const noexcept { return false; }
    constexpr bool is_strided() const noexcept {
      return extents_.extent(0) <= 2 && extents_.extent(1) <= 2;
    }

   private:
    constexpr index_type blocks(rank_type r) const noexcept { return (extents_.extent(r) + 1) / 2; }

    Extents extents_{};
  };
};

}  // namespace mdspan_test
