// NumPy's .npy files as views, without copying, and views as .npy files. Needs no NumPy.
//
// The format is that of numpy.lib.format (and of NumPy's enhancement proposal 1), versions 1.0, 2.0
// and 3.0, in C and in Fortran order, with every element type whose items are plain bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/error.hpp"
#include "strided/interop/npy/dtype.hpp"
#include "strided/interop/npy/header.hpp"
#include "strided/interop/npy/literal.hpp"
#include "strided/interop/npy/memory.hpp"
#include "strided/interop/npy/view.hpp"
#include "strided/interop/npy/writer.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

// A .npy file to read. The views it gives look at the memory it holds: keep it as long as them. The
// header is checked completely on opening, so that no view reaches past the array, whatever the
// file says. A mapped file must not be shortened by others meanwhile: reading what is gone ends the
// process, as with any mapping; NpyMemory::owned is for files that may be.
//
// Errors (thrown as strided::Error, the file named): file_access, file_format, unsupported,
// out_of_memory.
//
//   const NpyFile file = NpyFile::open("image.npy");
//   StridedView<const std::uint8_t> image = file.view<std::uint8_t>();
class NpyFile {
 public:
  // Maps the file, or reads it, and checks the header.
  [[nodiscard]] static NpyFile open(const std::filesystem::path& path,
                                    NpyMemory memory = NpyMemory::mapped) {
    NpyFile file;
    file.path_ = path;
    file.where_ = path.string();
    // Opening a pipe would wait for its other end.
    std::error_code failure;
    const std::filesystem::file_status status = std::filesystem::status(path, failure);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      detail::npy_fail(ErrorCode::file_access, file.where_,
                       "cannot be read: it is no regular file");
    }
    if (memory == NpyMemory::mapped) file.mapped_ = detail::NpyMappedBytes::read_only(path);
    std::span<const std::byte> whole = file.mapped_.span();
    if (whole.empty()) {
      file.owned_ = detail::NpyOwnedBytes::read(path, file.where_);
      whole = file.owned_.span();
    }
    file.header_ = NpyHeader::parse(whole, file.where_);
    const auto begin = static_cast<std::size_t>(file.header_.data_begin);
    const auto size = static_cast<std::size_t>(file.header_.data_bytes);
    // Not every writer pads its header, and a view needs aligned elements.
    constexpr std::size_t kStrictest = alignof(std::max_align_t);
    if (begin % kStrictest != 0) {
      detail::NpyOwnedBytes aligned = detail::NpyOwnedBytes::allocate(size, file.where_);
      if (size > 0) std::memcpy(aligned.span().data(), whole.data() + begin, size);
      file.owned_ = std::move(aligned);
      file.mapped_ = detail::NpyMappedBytes();
      file.data_ = file.owned_.span();
    } else {
      file.data_ = whole.subspan(begin, size);
    }
    return file;
  }

  // Moves the memory: views stay valid, and look at what the new owner holds.
  NpyFile(NpyFile&&) noexcept = default;
  NpyFile& operator=(NpyFile&&) noexcept = default;
  ~NpyFile() = default;  // ends the memory that the views look at

  // What open() was given, and what the header says.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] const NpyHeader& header() const noexcept { return header_; }
  [[nodiscard]] const NpyDtype& dtype() const noexcept { return header_.dtype; }
  [[nodiscard]] const Dims& shape() const noexcept { return header_.shape; }
  // In elements, from the start of data(): column-major strides for an array in Fortran order.
  [[nodiscard]] Layout layout() const { return header_.layout(); }
  // The bytes of the array, in the order of layout().
  [[nodiscard]] std::span<const std::byte> data() const noexcept STRIDED_LIFETIMEBOUND {
    return data_;
  }
  // False where the bytes had to be read: asked for, no mmap, or a header without padding.
  [[nodiscard]] bool is_mapped() const noexcept { return !mapped_.span().empty(); }

  // The array as elements of type T, of which kind and size are checked against the dtype: float
  // for "<f4", std::complex<float> for "<c8", std::int64_t for "<i8". For bool every byte is looked
  // at once, since a bool that is neither 0 nor 1 is undefined. Errors: unsupported.
  template <class T>
    requires(kNpyKind<std::remove_const_t<T>> != '\0')
  [[nodiscard]] StridedView<const T> view() const STRIDED_LIFETIMEBOUND {
    constexpr const char* kCall = "NpyFile::view";
    detail::npy_require_type<T>(header_.dtype, where_, kCall);
    if constexpr (std::is_same_v<std::remove_const_t<T>, bool>) {
      for (const std::byte byte : data_) {
        if (byte > std::byte{1}) {
          detail::npy_fail(
              ErrorCode::file_format, kCall,
              where_ + " holds a bool that is neither 0 nor 1; view_as<std::uint8_t>() takes it");
        }
      }
    }
    return view_as<T>();
  }

  // The same, where the size alone is checked: for elements that C++ has no type for, such as
  // 2-byte floats. T is any struct of plain bytes. Errors: unsupported.
  //
  //   struct Half { std::uint16_t bits; };
  //   StridedView<const Half> halves = file.view_as<Half>();      // of a file of "<f2"
  template <class T>
  [[nodiscard]] StridedView<const T> view_as() const STRIDED_LIFETIMEBOUND {
    return detail::npy_view<const T>(data_.data(), header_, where_, "NpyFile::view_as");
  }

 private:
  NpyFile() = default;

  std::filesystem::path path_;
  std::string where_;
  NpyHeader header_;
  detail::NpyMappedBytes mapped_;
  detail::NpyOwnedBytes owned_;
  std::span<const std::byte> data_;
};

}  // namespace strided::inline STRIDED_ABI
