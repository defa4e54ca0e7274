// What dlpack_check.py calls: tensors of others as views, looked at, changed and passed on, and
// tensors of our own. Where a call may fail it returns a text, which is null where it does not.
#include <dlpack/dlpack.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "strided/interop/dlpack.hpp"

namespace {

struct Half {
  std::uint16_t bits;
};
struct Bfloat16 {
  std::uint16_t bits;
};

}  // namespace
template <>
inline constexpr DLDataType strided::kDlpackDtype<Half> = {kDLFloat, 16, 1};
template <>
inline constexpr DLDataType strided::kDlpackDtype<Bfloat16> = {kDLBfloat, 16, 1};

namespace {

using strided::Dims;
using strided::DlpackNullStrides;
using strided::DlpackTensor;
using strided::StridedView;

// Calls `call` with an element of the type that `dtype` names; false where it names none of these.
template <class... T, class Call>
bool with_one_of(const DLDataType& dtype, const Call& call) {
  const auto matches = [&]<class One>(std::type_identity<One>) {
    constexpr DLDataType kType = strided::kDlpackDtype<One>;
    if (kType.code != dtype.code || kType.bits != dtype.bits) return false;
    call(One());
    return true;
  };
  return (matches(std::type_identity<T>()) || ...);
}
template <class Call>
bool with_element(const DLDataType& dtype, const Call& call) {
  return with_one_of<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                     std::uint32_t, std::int64_t, std::uint64_t, Half, Bfloat16, float, double,
                     std::complex<float>, std::complex<double>, bool>(dtype, call);
}

std::string last_error;

template <class Call>
const char* error_of(const Call& call) {
  try {
    call();
    return nullptr;
  } catch (const strided::Error& error) {
    last_error = error.what();
  }
  return last_error.c_str();
}

// `call` with the tensor as a view of its own element type.
template <class Call>
const char* with_view(const DlpackTensor& tensor, DlpackNullStrides null_strides,
                      const Call& call) {
  return error_of([&] {
    const bool known = with_element(tensor.tensor().dtype,
                                    [&]<class T>(T) { call(tensor.view<T>(null_strides)); });
    if (!known) (void)tensor.view<int>();  // says what it is
  });
}

Dims dims(const std::int64_t* list, std::int64_t rank) {
  return Dims(std::span<const std::int64_t>(list, static_cast<std::size_t>(rank)));
}

// The memory of our own tensors, counted.
struct Storage {
  static inline std::int64_t living = 0;
  std::unique_ptr<std::max_align_t[]> memory;

  explicit Storage(std::size_t bytes)
      : memory(new std::max_align_t[bytes / sizeof(std::max_align_t) + 1]) {
    ++living;
  }
  ~Storage() { --living; }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
};

using Handle = std::shared_ptr<DlpackTensor>;

}  // namespace

extern "C" {

void* check_take(DLManagedTensor* managed) {
  return new Handle(std::make_shared<DlpackTensor>(DlpackTensor::take(managed)));
}
void check_drop(Handle* handle) {
  delete handle;
}
void check_end(DLManagedTensor* managed) {
  managed->deleter(managed);
}
std::int64_t check_living() {
  return Storage::living;
}

// The view in numbers: rank, shape and strides one after the other, the address of element
// (0, 0, ...) (0 where there is none), and the bytes of all elements in logical order.
const char* check_look(const Handle* handle, int strict, std::int64_t* rank, std::int64_t* lists,
                       std::uint64_t* address, unsigned char* bytes) {
  const auto null_strides = strict != 0 ? DlpackNullStrides::refused : DlpackNullStrides::row_major;
  return with_view(**handle, null_strides, [&]<class T>(const StridedView<T>& view) {
    *rank = view.rank();
    for (const std::int64_t size : view.shape()) *lists++ = size;
    for (const std::int64_t stride : view.strides()) *lists++ = stride;
    *address = view.empty() ? 0 : reinterpret_cast<std::uintptr_t>(&*view.begin());
    for (const T& element : view) {
      std::memcpy(bytes, &element, sizeof(T));
      bytes += sizeof(T);
    }
  });
}

// Writes through the view: every element becomes 0.
const char* check_clear(const Handle* handle) {
  return with_view(**handle, DlpackNullStrides::row_major, []<class T>(const StridedView<T>& view) {
    for (T& element : view) element = T();
  });
}

// Another tensor, of the same memory: axes permuted, then the first one mirrored. It keeps the
// tensor that it was made of.
const char* check_pass_on(const Handle* handle, const std::int64_t* axes, std::int64_t rank,
                          DLManagedTensor** passed_on) {
  return with_view(**handle, DlpackNullStrides::row_major,
                   [&]<class T>(const StridedView<T>& view) {
                     StridedView<T> turned = view.permute(dims(axes, rank));
                     if (rank > 0) turned = turned.flip(0);
                     *passed_on = strided::to_dlpack(turned, *handle);
                   });
}

// A tensor over `count` elements of our own, whose bytes count 0, 1, 2 ... modulo 251, and the
// address of the first of them.
const char* check_export(int code, int bits, std::int64_t count, std::int64_t rank,
                         const std::int64_t* shape, const std::int64_t* strides,
                         std::int64_t offset, DLManagedTensor** exported, std::uint64_t* address) {
  const DLDataType dtype{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
  return error_of([&] {
    with_element(dtype, [&]<class T>(T) {
      const auto elements = static_cast<std::size_t>(count);
      const auto storage = std::make_shared<Storage>(elements * sizeof(T));
      auto* const memory = reinterpret_cast<unsigned char*>(storage->memory.get());
      for (std::size_t i = 0; i < elements * sizeof(T); ++i) {
        memory[i] = static_cast<unsigned char>(i % 251);
      }
      *address = reinterpret_cast<std::uintptr_t>(memory);
      const std::span<T> span(reinterpret_cast<T*>(memory), elements);
      *exported = strided::to_dlpack(
          StridedView<T>(span, dims(shape, rank), dims(strides, rank), offset), storage);
    });
  });
}

}  // extern "C"
