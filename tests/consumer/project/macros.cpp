// Macros that other headers leave behind, windows.h (with NOMINMAX) above all, do not get into the
// library's.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
#if __has_include(<unistd.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define near
#define far
#define small char
#define hyper long long
#define interface struct
#define IN
#define OUT
#define CONST const
#define ERROR 0
#define NO_ERROR 0
#define DELETE 1
#define TRUE 1
#define FALSE 0
#define None 0
#define Bool int
#define Status int
#define Success 0
#define signals public
#define slots
#define emit
#define foreach for
#define check(x) (x)
#define verify(x) (x)
#define require(x, label) (x)

#include <strided/draw.hpp>
#include <strided/interop/npy.hpp>
#include <strided/reference/reference.hpp>
#include <strided/strided.hpp>
#include <strided/verify/verify.hpp>

int read(const strided::StridedView<const int>& view) {
  std::vector<int> target(static_cast<std::size_t>(view.size()));
  const strided::StridedView<int> dense(target, view.shape());
  strided::copy(view, dense);
  return dense.flip(0)(0);
}
