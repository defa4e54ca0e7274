// Moving mean, minimum and maximum of a series. Windows are a view, one more axis over the same
// elements, so that a window of any size and step costs no memory and no copy.
//
// Prints the statistics of three windows in a row, of windows that do not overlap, and of windows
// that stand apart from each other:
//
//   window 4, step 4: 3 windows, strides (4, 1)
//     from   mean  min  max
//        0   3.50    2    5
//        4  10.50    6   14
//        8  10.50    7   14
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <strided/strided.hpp>

using strided::StridedView;

namespace {

void print_statistics(const StridedView<const int>& series, std::int64_t size, std::int64_t step) {
  const StridedView<const int> windows = series.windows(0, size, step);
  std::printf("window %lld, step %lld: %lld windows, strides %s\n", static_cast<long long>(size),
              static_cast<long long>(step), static_cast<long long>(windows.shape()[0]),
              to_string(windows.strides()).c_str());
  std::printf("  from   mean  min  max\n");
  for (std::int64_t i = 0; i < windows.shape()[0]; ++i) {
    const StridedView<const int> window = windows.select(0, i);  // a range, as any view
    const int sum = std::accumulate(window.begin(), window.end(), 0);
    const auto [low, high] = std::ranges::minmax(window);
    std::printf("  %4lld  %5.2f  %3d  %3d\n", static_cast<long long>(i * step),
                static_cast<double>(sum) / static_cast<double>(size), low, high);
  }
}

}  // namespace

int main() {
  // Temperatures of a day, every second hour.
  constexpr std::array<int, 12> kTemperatures{4, 3, 2, 5, 6, 9, 13, 14, 14, 12, 9, 7};
  const StridedView<const int> series(kTemperatures, {12});

  print_statistics(series, 3, 1);
  print_statistics(series, 4, 4);
  print_statistics(series, 2, 5);

  // The same of many series at once: windows along one axis keep the others.
  const StridedView<const int> days = series.reshape({2, 6});
  const StridedView<const int> windows = days.windows(1, 3, 3);
  std::printf("2 series of 6, window 3, step 3: shape %s, maxima",
              to_string(windows.shape()).c_str());
  for (const StridedView<const int>& half : windows.reshape({4, 3}).split(0, {1, 1, 1, 1})) {
    std::printf(" %d", std::ranges::max(half));
  }
  std::printf("\n");
}
