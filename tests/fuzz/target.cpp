// A libFuzzer target. STRIDED_FUZZ_HEADER and STRIDED_FUZZ_BODY say of which body.
#include STRIDED_FUZZ_HEADER

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  strided_test::STRIDED_FUZZ_BODY({data, size});
  return 0;
}
