// Views as std::mdspan and back, with the real <mdspan>.
#include <cinttypes>
#include <cstdio>

#include "check.hpp"

int main() {
  mdspan_test::check_to_mdspan();
  mdspan_test::check_from_mdspan();
  mdspan_test::check_round_trips();
  mdspan_test::check_messages();
  const mdspan_test::Count count = mdspan_test::count();
  std::printf("mdspan: %" PRId64 " checks, %" PRId64 " failed\n", count.checks, count.failures);
  return count.failures == 0 && count.checks > 0 ? 0 : 1;
}
