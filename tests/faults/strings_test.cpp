// Elements that allocate for themselves, on memory that ends.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "faults/allocator.hpp"
#include "faults/out_of_memory.hpp"
#include "strided/strided.hpp"

namespace strided_test {
namespace {

// Short ones hold their text themselves, long ones allocate.
struct Strings {
  std::vector<std::string> b;

  explicit Strings(std::size_t length, std::size_t more) {
    for (std::size_t k = 0; k < 12; ++k) {
      b.emplace_back(length + k * more, static_cast<char>('a' + k));
      b.back().shrink_to_fit();
    }
  }
  [[nodiscard]] std::vector<std::string> state() const { return b; }
  strided::StridedView<std::string> all() { return {b, {12}}; }
};
struct ShortStrings : Strings {
  ShortStrings() : Strings(1, 0) {}
};
struct LongStrings : Strings {
  LongStrings() : Strings(100, 0) {}
};
struct GrowingStrings : Strings {
  GrowingStrings() : Strings(30, 30) {}  // libc++ holds 22 characters without allocating
};

template <class Scene>
void check_strings(OutOfMemory& tried, const char* what) {
  tried.check<Scene>(std::string("reversed in place: ") + what,
                     [](Scene& s) { strided::copy(s.all().flip(0), s.all()); });
  tried.check<Scene>(std::string("try_copy, reversed in place: ") + what,
                     [](Scene& s) { return strided::try_copy(s.all().flip(0), s.all()); });
  tried.check<Scene>(std::string("assigned in place: ") + what, [](Scene& s) {
    strided::strided_slice_assign(s.all(), {{0}, {6}, {1}}, s.all().slice(0, 3, 9));
  });
}

// Where everything is read first, everything that may fail comes before the first assignment.
TEST(OutOfMemory, OverlappingCopiesOfStrings) {
  OutOfMemory tried;
  check_strings<ShortStrings>(tried, "short strings");
  check_strings<LongStrings>(tried, "long strings");
  check_strings<GrowingStrings>(tried, "strings that grow");
  tried.check<LongStrings>("their vector, into themselves", [](LongStrings& s) {
    const auto square = strided::StridedView<std::string>(s.b, {3, 4}).transpose(0, 1);
    strided::as_strided_copy(square, {{5}, {2}, {1}}, s.all().narrow(0, 0, 5));
  });
  EXPECT_GE(tried.failures, 60);
  tried.print();
}

// Where an assignment itself fails, what came before stays assigned; nothing leaks and each element
// is whole.
TEST(OutOfMemory, AssignmentsThatFailLeaveWholeElements) {
  std::int64_t failures = 0;
  for (std::int64_t k = 1;; ++k) {
    ShortStrings target;
    GrowingStrings source;
    const std::vector<std::string> before = target.state();
    const std::int64_t live = live_allocations();
    bool threw = false;
    {
      const FailingAllocations failing(k, true);
      try {
        strided::copy(source.all(), target.all());
      } catch (const std::bad_alloc&) {
        threw = true;
      }
      if (failing.failed() == 0) break;
    }
    ++failures;
    EXPECT_TRUE(threw);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_TRUE(target.b[i] == before[i] || target.b[i] == source.b[i]);
    }
    target.b.clear();
    EXPECT_EQ(live_allocations(), live) << "blocks leak";
  }
  EXPECT_GE(failures, 10);
}

}  // namespace
}  // namespace strided_test
