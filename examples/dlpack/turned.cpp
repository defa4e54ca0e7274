// A library that Python calls with an array of floats, and that hands a view of it back: shape and
// strides change, no element moves. turned.py is the other side.
#include <cstdio>
#include <memory>
#include <strided/interop/dlpack.hpp>
#include <strided/strided.hpp>

// The tensor with its first two axes swapped and mirrored. Takes the tensor over; the result is the
// caller's to take over. Null where it is no such tensor.
extern "C" DLManagedTensor* turned(DLManagedTensor* managed) try {
  auto tensor = std::make_shared<strided::DlpackTensor>(strided::DlpackTensor::take(managed));
  const strided::StridedView<float> v = tensor->view<float>();
  return strided::to_dlpack(v.transpose(0, 1).flip(0), tensor);  // keeps the tensor alive
} catch (const strided::Error& error) {
  std::fprintf(stderr, "turned: %s\n", error.what());
  return nullptr;
}
