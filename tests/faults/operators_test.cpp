// Every public function that may allocate, on memory that ends at each of its allocations.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "faults/out_of_memory.hpp"
#include "strided/draw.hpp"
#include "strided/reference/reference.hpp"
#include "strided/strided.hpp"
#include "strided/verify/verify.hpp"

namespace strided_test {
namespace {

using strided::AsStridedParam;
using strided::CopyPlan;
using strided::Dims;
using strided::Layout;
using strided::Rules;
using strided::StridedSliceSpec;

// Two memories of 0 .. 63.
struct Numbers {
  using T = std::int64_t;
  using View = strided::StridedView<T>;

  std::vector<T> a = std::vector<T>(64);
  std::vector<T> b = std::vector<T>(64);

  Numbers() {
    std::iota(a.begin(), a.end(), 0);
    std::iota(b.begin(), b.end(), 0);
  }
  [[nodiscard]] std::pair<std::vector<T>, std::vector<T>> state() const { return {a, b}; }

  View square() { return View(b, {8, 8}); }
  View turned() { return square().transpose(0, 1); }
  View other() { return View(a, {8, 8}); }
};

const StridedSliceSpec kCorner{{0, 0}, {4, 4}, {1, 1}};

TEST(OutOfMemory, Copies) {
  OutOfMemory tried;
  tried.check<Numbers>("copy onto its transpose",
                       [](Numbers& n) { strided::copy(n.turned(), n.square()); });
  tried.check<Numbers>("try_copy onto its transpose",
                       [](Numbers& n) { return strided::try_copy(n.turned(), n.square()); });
  tried.check<Numbers>("a plan of that", [](Numbers& n) {
    const CopyPlan plan(n.turned().layout(), n.square().layout(), sizeof(Numbers::T));
    plan(n.b.data(), n.b.data());
  });
  tried.check<Numbers>("try_run of that", [](Numbers& n) {
    const auto plan =
        strided::make_copy_plan(n.turned().layout(), n.square().layout(), sizeof(Numbers::T));
    return plan ? plan->try_run(n.b.data(), n.b.data()) : plan.error();
  });
  tried.check<Numbers>("copy of other shapes", [](Numbers& n) {
    strided::copy(Numbers::View(n.a, {4, 2}), Numbers::View(n.b, {2, 4}));
  });
  tried.check<Numbers>("copy that may not use a temporary", [](Numbers& n) {
    strided::copy(n.turned(), n.square(), {.allow_temporary = false});
  });
  tried.check<Numbers>("copy into windows", [](Numbers& n) {
    strided::copy(Numbers::View(n.a, {3, 4}), Numbers::View(n.b, {3, 4}, {3, 1}));
  });
  tried.check<Numbers>("fill", [](Numbers& n) { strided::fill(n.square(), 7); });
  tried.check<Numbers>("fill of windows", [](Numbers& n) {
    strided::fill(Numbers::View(n.b, {3, 4}, {3, 1}), 7);
  });
  EXPECT_GE(tried.failures, 16);
  tried.print();
}

TEST(OutOfMemory, Operators) {
  OutOfMemory tried;
  const auto overlapping = [](Numbers& n) { return n.turned().narrow(0, 1, 4).narrow(1, 2, 4); };
  tried.check<Numbers>("strided_slice_assign of itself", [&](Numbers& n) {
    strided::strided_slice_assign(n.square(), kCorner, overlapping(n));
  });
  tried.check<Numbers>("try_strided_slice_assign of itself", [&](Numbers& n) {
    return strided::try_strided_slice_assign(n.square(), kCorner, overlapping(n));
  });
  tried.check<Numbers>("the same, broadcast", [&](Numbers& n) {
    strided::strided_slice_assign(n.square(), kCorner, n.turned().narrow(0, 2, 1).narrow(1, 0, 4),
                                  Rules::tensorflow);
  });
  tried.check<Numbers>("strided_slice_assign of another shape", [](Numbers& n) {
    strided::strided_slice_assign(n.square(), kCorner, n.other());
  });
  tried.check<Numbers>("strided_slice past the end", [](Numbers& n) {
    (void)strided::strided_slice(n.square(), {{8}, {9}, {1}, 0, 0, 0, 0, 1});
  });
  const AsStridedParam param{{6, 5}, {8, 1}, {3}};
  for (const Rules rules : {Rules::ascend, Rules::torch, Rules::strided}) {
    const std::string with = ", rules " + std::to_string(static_cast<int>(rules));
    tried.check<Numbers>("as_strided_copy" + with, [&](Numbers& n) {
      strided::as_strided_copy(n.other().transpose(0, 1), param, Numbers::View(n.b, {6, 5}, {1, 8}),
                               rules);
    });
    tried.check<Numbers>("as_strided_copy into itself" + with, [&](Numbers& n) {
      strided::as_strided_copy(n.turned(), param, Numbers::View(n.b, {6, 5}, {1, 8}), rules);
    });
    tried.check<Numbers>("try_as_strided_copy into itself" + with, [&](Numbers& n) {
      return strided::try_as_strided_copy(n.turned(), param, Numbers::View(n.b, {6, 5}, {1, 8}),
                                          rules);
    });
    tried.check<Numbers>("as_strided_scatter of itself" + with, [&](Numbers& n) {
      strided::as_strided_scatter(n.square(), {6, 5}, {8, 1}, 3, Numbers::View(n.b, {6, 5}, {1, 8}),
                                  rules);
    });
    tried.check<Numbers>("try_as_strided_scatter of itself" + with, [&](Numbers& n) {
      return strided::try_as_strided_scatter(n.square(), {6, 5}, {8, 1}, 3,
                                             Numbers::View(n.b, {6, 5}, {1, 8}), rules);
    });
    tried.check<Numbers>("as_strided outside" + with, [&](Numbers& n) {
      (void)strided::as_strided(n.square(), {9, 9}, {8, 1}, 0, rules);
    });
  }
  EXPECT_GE(tried.failures, 40);
  tried.print();
}

TEST(OutOfMemory, ReferenceAndVerification) {
  OutOfMemory tried;
  const AsStridedParam param{{6, 5}, {8, 1}, {3}};
  tried.check<Numbers>("reference::copy",
                       [](Numbers& n) { strided::reference::copy(n.turned(), n.square()); });
  tried.check<Numbers>("reference::fill",
                       [](Numbers& n) { strided::reference::fill(n.square(), 7); });
  tried.check<Numbers>("reference::strided_slice_assign", [](Numbers& n) {
    strided::reference::strided_slice_assign(n.square(), kCorner,
                                             n.other().narrow(0, 1, 4).narrow(1, 1, 4));
  });
  tried.check<Numbers>("reference::as_strided_copy", [&](Numbers& n) {
    strided::reference::as_strided_copy(n.turned(), param, Numbers::View(n.b, {6, 5}, {1, 8}));
  });
  tried.check<Numbers>("reference::as_strided_scatter", [&](Numbers& n) {
    strided::reference::as_strided_scatter(n.square(), {6, 5}, {8, 1}, 3,
                                           Numbers::View(n.b, {6, 5}, {1, 8}));
  });
  tried.check<Numbers>("verify_copy", [](Numbers& n) {
    EXPECT_NE(strided::verify_copy(n.turned(), n.square()).message(), "");
  });
  tried.check<Numbers>("verify_fill",
                       [](Numbers& n) { (void)strided::verify_fill(n.square(), 7); });
  tried.check<Numbers>("verify_strided_slice_assign", [](Numbers& n) {
    (void)strided::verify_strided_slice_assign(n.square(), kCorner,
                                               n.other().narrow(0, 1, 4).narrow(1, 1, 4));
  });
  tried.check<Numbers>("verify_as_strided_copy", [&](Numbers& n) {
    (void)strided::verify_as_strided_copy(n.turned(), param, Numbers::View(n.b, {6, 5}, {1, 8}));
  });
  tried.check<Numbers>("first_difference", [](Numbers& n) {
    EXPECT_TRUE(strided::first_difference(n.turned(), n.square()).found);
  });
  EXPECT_GE(tried.failures, 60);
  tried.print();
}

TEST(OutOfMemory, Views) {
  OutOfMemory tried;
  tried.check<Numbers>("a view past its storage", [](Numbers& n) {
    (void)Numbers::View(n.b, {8, 9});
  });
  tried.check<Numbers>("an index", [](Numbers& n) { (void)n.square().at(8, 0); });
  tried.check<Numbers>("split", [](Numbers& n) {
    EXPECT_EQ(n.square().split(0, {1, 2, 3, 1, 1}).size(), 5U);
  });
  tried.check<Numbers>("split into too much", [](Numbers& n) {
    (void)n.square().split(0, {1, 2});
  });
  tried.check<Numbers>("reshape", [](Numbers& n) { (void)n.turned().reshape({64}); });
  tried.check<Numbers>("permute", [](Numbers& n) { (void)n.square().permute({0, 0}); });
  tried.check<Numbers>("a list of 33", [](Numbers&) { (void)Dims::filled(33, 1); });
  tried.check<Numbers>("a shape past 64 bits", [](Numbers&) {
    (void)Layout({strided::kInt64Max, 2});
  });
  EXPECT_GE(tried.failures, 16);
  tried.print();
}

TEST(OutOfMemory, Texts) {
  OutOfMemory tried;
  tried.check<Numbers>("explain", [](Numbers& n) {
    const CopyPlan plan(n.turned().layout(), n.square().layout(), sizeof(Numbers::T));
    EXPECT_NE(plan.explain(), "");
  });
  tried.check<Numbers>("to_string", [](Numbers& n) {
    EXPECT_NE(strided::to_string(Dims{strided::kInt64Min, strided::kInt64Min}) +
                  strided::to_string(n.square().shape()),
              "");
  });
  for (int code = 0; code <= static_cast<int>(strided::ErrorCode::unsupported); ++code) {
    strided::Failure failure{static_cast<strided::ErrorCode>(code), "a list of which much is said",
                             3, strided::kInt64Min, strided::kInt64Max};
    failure.given = Dims::filled(9, 1 << 20);
    failure.needed = failure.given;
    failure.call = "a function with a long name";
    tried.check<Numbers>("message of code " + std::to_string(code),
                         [&](Numbers&) { EXPECT_NE(failure.message(), ""); });
    tried.check<Numbers>("raise_if of code " + std::to_string(code),
                         [&](Numbers&) { strided::raise_if(failure); });
  }
  EXPECT_GE(tried.failures, 200);
  tried.print();
}

TEST(OutOfMemory, Pictures) {
  OutOfMemory tried;
  tried.check<Numbers>("draw", [](Numbers& n) { EXPECT_NE(strided::draw(n.turned()), ""); });
  tried.check<Numbers>("draw_svg",
                       [](Numbers& n) { EXPECT_NE(strided::draw_svg(n.turned()), ""); });
  tried.check<Numbers>("draw_plan", [](Numbers& n) {
    const CopyPlan plan(n.turned().layout(), n.square().layout(), sizeof(Numbers::T));
    EXPECT_NE(strided::draw_plan(plan), "");
  });
  tried.check<Numbers>("draw, too large", [](Numbers&) {
    (void)strided::draw(Layout({1000, 1000}));
  });
  EXPECT_GE(tried.failures, 50);
  tried.print();
}

// A copy that is worth cutting, and an executor that takes memory for its tasks: where there is
// none, the copy is done without it.
struct LargeNumbers {
  std::vector<std::int32_t> a = std::vector<std::int32_t>(500000, 3);
  std::vector<std::int32_t> b = std::vector<std::int32_t>(500000, 4);

  [[nodiscard]] std::vector<std::int32_t> state() const { return b; }
};
struct Queue {
  [[nodiscard]] static int workers() { return 2; }
  template <class Task>
  void run(std::int64_t tasks, const Task& task) const {
    std::vector<std::function<void()>> queue;
    for (std::int64_t i = 0; i < tasks; ++i) {
      // More than a function holds without memory of its own.
      queue.emplace_back([&task, i, padding = std::array<char, 64>()] {
        task(i);
        static_cast<void>(padding);
      });
    }
    for (const auto& one : queue) one();
  }
};

TEST(OutOfMemory, Executors) {
  OutOfMemory tried;
  const Queue queue;
  tried.check<LargeNumbers>("copy", [&](LargeNumbers& n) {
    strided::copy(strided::StridedView<std::int32_t>(n.a, {500000}),
                  strided::StridedView<std::int32_t>(n.b, {500000}), {.executor = queue});
  });
  tried.check<LargeNumbers>("fill", [&](LargeNumbers& n) {
    strided::fill(strided::StridedView<std::int32_t>(n.b, {500000}), 3, {.executor = queue});
  });
  EXPECT_GE(tried.failures, 12);
  EXPECT_EQ(tried.survived, tried.failures);
  tried.print();
}

}  // namespace
}  // namespace strided_test
