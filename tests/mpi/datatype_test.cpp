// The derived datatypes of views, by what MPI says of them and by what it packs with them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "strided/interop/mpi.hpp"
#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::ErrorCode;
using strided::Layout;
using strided::MpiDatatype;
using strided::MpiUse;
using strided::StridedView;

struct Spans {
  MPI_Count bytes = 0;
  MPI_Count lowest = 0;
  MPI_Count extent = 0;

  friend bool operator==(const Spans&, const Spans&) = default;
};

std::ostream& operator<<(std::ostream& out, const Spans& spans) {
  return out << spans.bytes << " bytes from " << spans.lowest << " over " << spans.extent;
}

Spans spans_of(const MpiDatatype& type) {
  Spans spans;
  MPI_Type_size_x(type.get(), &spans.bytes);
  MPI_Type_get_true_extent_x(type.get(), &spans.lowest, &spans.extent);
  return spans;
}

Spans spans_of(const Layout& layout, MpiUse use = MpiUse::send) {
  const auto type = MpiDatatype::try_make(layout, strided::mpi_items_of<float>(), use);
  EXPECT_TRUE(type) << type.message();
  return spans_of(*type);
}

TEST(MpiDatatype, SizesAndExtents) {
  EXPECT_EQ(spans_of(Layout({6, 5}, {10, 1}, 22)), (Spans{120, 0, 220}));
  EXPECT_EQ(spans_of(Layout({6, 5}, {-10, 1}, 52)), (Spans{120, -200, 220}));
  EXPECT_EQ(spans_of(Layout({5}, {-1}, 4)), (Spans{20, -16, 20}));
  EXPECT_EQ(spans_of(Layout({4, 3}, {0, 2})), (Spans{48, 0, 20}));
  EXPECT_EQ(spans_of(Layout({3, 4, 5})), (Spans{240, 0, 240}));
  EXPECT_EQ(spans_of(Layout(Dims{})), (Spans{4, 0, 4}));
  EXPECT_EQ(spans_of(Layout({1, 1}, {7, -7})), (Spans{4, 0, 4}));
  EXPECT_EQ(spans_of(Layout({3, 0, 5})).bytes, 0);
}

TEST(MpiDatatype, StructsAreBytes) {
  std::vector<Bytes<12>> storage(20);
  const StridedView<Bytes<12>> view(storage, {3, 2}, {7, 2}, 1);
  EXPECT_EQ(spans_of(MpiDatatype(view)), (Spans{72, 0, 12 * 17}));
  EXPECT_EQ(strided::mpi_address(view), storage.data() + 1);
}

// No bytes are moved: the counts alone are past what an int holds.
TEST(MpiDatatype, CountsPastInt) {
  constexpr std::int64_t kMany = 3000000000;
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  EXPECT_EQ(spans_of(Layout({kMany})), (Spans{4 * kMany, 0, 4 * kMany}));
  EXPECT_EQ(spans_of(Layout({kMost - 1})), (Spans{4 * kMost - 4, 0, 4 * kMost - 4}));
  EXPECT_EQ(spans_of(Layout({kMost})), (Spans{4 * kMost, 0, 4 * kMost}));
  EXPECT_EQ(spans_of(Layout({kMany}, {2})), (Spans{4 * kMany, 0, 8 * kMany - 4}));
  EXPECT_EQ(spans_of(Layout({kMany}, {-2})), (Spans{4 * kMany, 8 - 8 * kMany, 8 * kMany - 4}));
  EXPECT_EQ(spans_of(Layout({kMany, 5}, {6, 1})), (Spans{20 * kMany, 0, 24 * kMany - 4}));
  EXPECT_EQ(spans_of(Layout({5, kMany}, {kMany + 1, 1})), (Spans{20 * kMany, 0, 20 * kMany + 16}));
  EXPECT_EQ(spans_of(Layout({3, kMany}, {-3 * kMany, -2})),
            (Spans{12 * kMany, 8 - 32 * kMany, 32 * kMany - 4}));
  EXPECT_EQ(spans_of(Layout({kMany, 3}, {0, 2})), (Spans{12 * kMany, 0, 20}));
  EXPECT_EQ(spans_of(Layout({std::int64_t{1} << 60}, {0})), (Spans{MPI_Count{1} << 62, 0, 4}));
}

TEST(MpiDatatype, OwnsItsType) {
  std::vector<float> storage(9);
  MpiDatatype first(StridedView<float>(storage, {3}, {3}));
  const MPI_Datatype type = first.get();
  MpiDatatype second(std::move(first));
  EXPECT_EQ(second.get(), type);
  MpiDatatype third;
  EXPECT_EQ(third.get(), MPI_DATATYPE_NULL);
  third = std::move(second);
  EXPECT_EQ(third.get(), type);
  static_assert(!std::is_copy_constructible_v<MpiDatatype>);
}

TEST(MpiDatatype, OverlapIsRefusedToReceiversAlone) {
  std::vector<float> storage(9);
  const StridedView<float> windows = StridedView<float>(storage, {9}).windows(0, 3, 1);
  const StridedView<const float> constant = windows;
  EXPECT_EQ(spans_of(MpiDatatype(windows, MpiUse::send)), (Spans{84, 0, 36}));
  EXPECT_EQ(spans_of(MpiDatatype(constant)), (Spans{84, 0, 36}));
  const auto refused = MpiDatatype::try_make(windows);
  EXPECT_EQ(refused.error().code, ErrorCode::internal_overlap);
  EXPECT_THROW(MpiDatatype{windows}, strided::Error);
}

// The elements of a view in logical order, the obvious way.
template <class T>
std::vector<std::remove_const_t<T>> elements_of(const StridedView<T>& view) {
  std::vector<std::remove_const_t<T>> elements;
  for (std::int64_t k = 0; k < view.size(); ++k) {
    elements.push_back(
        view.storage()[static_cast<std::size_t>(view.layout().offset_of_position(k))]);
  }
  return elements;
}

// A view packed by MPI with the datatype, by pack() and by hand is the same; unpacked, it changes
// what it should and nothing else. `most_count` splits the counts.
template <class T>
void check_packing(Random& random, std::int64_t most_count) {
  const Dims shape = random_shape(random, 3000);
  const Layout from = random_layout(random, shape);
  const Layout to = random_unique_layout(random, shape);
  SCOPED_TRACE(describe(from) + " to " + describe(to) + ", element bytes " +
               std::to_string(sizeof(T)) + ", counts up to " + std::to_string(most_count));
  Arena<T> source = Arena<T>::for_layout(random, from);
  const StridedView<T> view = source.view(from);
  const std::vector<T> expected = elements_of(view);
  const auto bytes = static_cast<int>(expected.size() * sizeof(T));
  const auto same = [&](const std::vector<T>& packed) {
    return bytes == 0 ||
           std::memcmp(packed.data(), expected.data(), expected.size() * sizeof(T)) == 0;
  };

  std::vector<T> packed(expected.size() + 1);  // MPI_Pack wants an address for nothing, too
  strided::pack(view, packed);
  EXPECT_TRUE(same(packed)) << "pack()";
  const auto items = strided::mpi_items_of<T>();
  const auto sent = MpiDatatype::try_make(from, items, MpiUse::send, most_count);
  ASSERT_TRUE(sent) << sent.message();
  std::vector<T> by_mpi(expected.size() + 1);
  int place = 0;
  MPI_Pack(strided::mpi_address(view), 1, (*sent).get(), by_mpi.data(), bytes, &place,
           MPI_COMM_SELF);
  EXPECT_EQ(place, bytes);
  EXPECT_TRUE(same(by_mpi)) << "MPI_Pack";

  Arena<T> ours = Arena<T>::for_layout(random, to);
  Arena<T> theirs = ours;
  Arena<T> copied = ours;
  strided::copy(view, copied.view(to));
  strided::unpack(packed, ours.view(to));
  EXPECT_TRUE(ours == copied) << "unpack()";
  const auto received = MpiDatatype::try_make(to, items, MpiUse::receive, most_count);
  ASSERT_TRUE(received) << received.message();
  place = 0;
  MPI_Unpack(packed.data(), bytes, &place, strided::mpi_address(theirs.view(to)), 1,
             (*received).get(), MPI_COMM_SELF);
  EXPECT_TRUE(theirs == copied) << "MPI_Unpack";
}

template <class... T>
void check_one_of(Random& random, std::int64_t most_count) {
  using Check = void (*)(Random&, std::int64_t);
  const Check checks[] = {&check_packing<T>...};
  random.pick(checks)(random, most_count);
}

void check_any(Random& random, std::int64_t most_count) {
  check_one_of<char, std::uint16_t, Bytes<3>, float, Bytes<5>, Bytes<7>, double, long long,
               std::complex<float>, Bytes<11>, Bytes<12>, std::complex<double>, Bytes<16>>(
      random, most_count);
}

TEST(MpiDatatype, PacksAsWePack) {
  run_cases(1500, [](Random& random) { check_any(random, strided::detail::kMpiMostCount); });
}

// Open MPI 4.1 takes a stride of -1 byte for another one.
TEST(MpiDatatype, StepsOfOneByteBack) {
  for (std::int64_t length = 0; length < 12; ++length) {
    std::vector<char> storage(100);
    for (std::size_t i = 0; i < storage.size(); ++i) storage[i] = static_cast<char>(i);
    for (const Layout& layout :
         {Layout({length}, {-1}, 99), Layout({3, length}, {20, -1}, 30),
          Layout({length, 3}, {-1, 20}, 30), Layout({length, 3}, {-1, 1}, 30)}) {
      const StridedView<const char> view(storage, layout);
      std::vector<char> packed(60);
      int place = 0;
      MPI_Pack(strided::mpi_address(view), 1, MpiDatatype(view).get(), packed.data(), 60, &place,
               MPI_COMM_SELF);
      EXPECT_EQ(place, view.size());
      packed.resize(static_cast<std::size_t>(view.size()));
      EXPECT_EQ(packed, elements_of(view)) << describe(layout);
      EXPECT_EQ(spans_of(MpiDatatype(view)).bytes, view.size());
    }
  }
}

TEST(MpiDatatype, SplitCountsPackAsWePack) {
  run_cases(700, [](Random& random) { check_any(random, random.between(2, 9)); });
}

TEST(Pack, RefusesShortBuffers) {
  std::vector<int> storage(30);
  std::vector<int> buffer(11);
  const StridedView<int> view(storage, {3, 4}, {8, 2});
  EXPECT_EQ(strided::try_pack(view, buffer).message(),
            "pack: the view reaches index 11 of the buffer, which has 11 elements: 0 to 10");
  EXPECT_EQ(strided::try_unpack(buffer, view).message(),
            "unpack: the view reaches index 11 of the buffer, which has 11 elements: 0 to 10");
  buffer.push_back(0);
  EXPECT_FALSE(strided::try_pack(view, buffer));
  EXPECT_FALSE(strided::try_unpack(buffer, view));
}

}  // namespace
}  // namespace strided_test
