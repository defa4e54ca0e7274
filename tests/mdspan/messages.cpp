// The sentences of interop/mdspan.hpp, by the calls that raise them.
#include "check.hpp"
#include "messages/mdspan.hpp"
#include "messages/row.hpp"

namespace mdspan_test {

void check_messages() {
  for (const auto* rows :
       {&strided_test::messages::kMappingRows, &strided_test::messages::kMdspanRows}) {
    for (const strided_test::messages::Row& row : *rows) {
      check_refused(row.call, row.code, row.sentence, __FILE__, __LINE__);
    }
  }
}

}  // namespace mdspan_test
