// What reading and writing .npy files say. The calls are made in an empty folder.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#if __has_include(<sys/resource.h>)
#include <sys/resource.h>

#include <csignal>
#endif

#include "interop/npy_support.hpp"
#include "messages/out_of_memory.hpp"
#include "messages/row.hpp"
#include "strided/interop/npy.hpp"

namespace strided_test::messages {

using npy_support::file_of;
using npy_support::kForeign;
using npy_support::kNative;

inline std::string of_system(int error) {
  return std::generic_category().message(error);
}

inline NpyFile open_file(const std::string& text, NpyMemory memory = NpyMemory::mapped) {
  std::ofstream("x.npy", std::ios::binary) << text;
  return NpyFile::open("x.npy", memory);
}
// A file of that header, of a field, of a shape, of a type.
inline void open_header(const std::string& header) {
  drop(open_file(file_of(1, header, "")));
}
inline void open_shape(const std::string& shape) {
  drop(open_file(file_of(1, "'|u1'", false, shape, "")));
}
inline NpyFile open_type(const std::string& descr) {
  return open_file(file_of(1, descr, false, "(1,)", std::string(64, '\2')));
}
inline void parse_type(const std::string& descr) {
  drop(NpyDtype::parse(descr));
}
inline std::string native(const std::string& type) {
  return npy_support::quoted(kNative + type);
}

// The table is written for machines that store numbers little end first.
inline Row of_this_machine(Row row) {
  if (kNative == "<") return row;
  for (std::size_t at = 1; at < row.sentence.size(); ++at) {
    char& order = row.sentence[at];
    if (row.sentence[at - 1] == '\'' && order == '<') {
      order = '>';
    } else if (row.sentence[at - 1] == '\'' && order == '>') {
      order = '<';
    }
  }
  if (const std::size_t at = row.sentence.find("big-endian"); at != std::string::npos) {
    row.sentence.replace(at, 3, "little");
  }
  return row;
}

inline NpyWriter writer(NpyMemory memory = NpyMemory::mapped) {
  return {"y.npy", NpyDtype::parse(kNative + "f4"), {2, 3}, false, memory};
}
inline void write_shape(const Dims& shape, const std::string& type = "|u1") {
  drop(NpyWriter("y.npy", NpyDtype::parse(type), shape));
}

#if __has_include(<sys/resource.h>)
// Files may be no longer than 64 KiB for as long as one exists.
class ShortFiles {
 public:
  ShortFiles() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit less{64 * 1024, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &less);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ShortFiles(const ShortFiles&) = delete;
  ShortFiles& operator=(const ShortFiles&) = delete;
  ~ShortFiles() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};
#endif

inline const std::string kLongDouble = "f" + std::to_string(sizeof(long double));

// clang-format off
inline const std::vector<Row> kNpyRows{
    {ErrorCode::file_access, [] { drop(NpyFile::open("absent.npy")); },
     "absent.npy: cannot be read: " + of_system(ENOENT)},
    {ErrorCode::file_access, [] { drop(NpyFile::open(".")); },
     ".: cannot be read: it is no regular file"},
#if __has_include(<sys/resource.h>)
    {ErrorCode::file_access, [] { const ShortFiles limit; write_shape({1 << 20}); },
     "y.npy: cannot be written: " + of_system(EFBIG)},
    {ErrorCode::file_access, [] { NpyWriter large("y.npy", NpyDtype::parse("|u1"), {1 << 20}, false, NpyMemory::owned); const ShortFiles limit; large.commit(); },
     "y.npy: cannot be written: ", true},
#endif
    {ErrorCode::file_access, [] { drop(NpyWriter("absent/y.npy", NpyDtype::parse("|u1"), {1})); },
     "absent/y.npy: cannot be written: " + of_system(ENOENT)},
    {ErrorCode::file_access, [] { drop(NpyWriter(".", NpyDtype::parse("|u1"), {1})); },
     ".: cannot be written: it exists and is no regular file"},
    {ErrorCode::file_access, [] { NpyWriter y = writer(); std::filesystem::create_directory("y.npy"); y.commit(); },
     "y.npy: cannot be written: ", true},
    {ErrorCode::file_access, [] { std::filesystem::remove("y.npy"); NpyWriter y = writer(); y.commit(); y.commit(); },
     "NpyWriter::commit: y.npy was committed before; another NpyWriter writes it again"},
    {ErrorCode::file_access, [] { NpyWriter y = writer(); const NpyWriter taken = std::move(y); y.commit(); },  // NOLINT(bugprone-use-after-move)
     "NpyWriter::commit: the writer is moved from"},
    {ErrorCode::out_of_memory, [] { throw_without_memory([] { drop(open_file(file_of(1, "'|u1'", false, "(4,)", "four"), NpyMemory::owned)); }); },
     "x.npy: a buffer of 132 bytes could not be allocated"},
    {ErrorCode::out_of_memory, [] { throw_without_memory([] { drop(writer(NpyMemory::owned)); }); },
     "y.npy: a buffer of 24 bytes could not be allocated"},

    {ErrorCode::unsupported, [] { drop(open_type(native("f4")).view<double>()); },
     "NpyFile::view: x.npy holds items of type '<f4', not '<f8'; view<float>() takes them"},
    {ErrorCode::unsupported, [] { drop(open_type(native("f8")).view<float>()); },
     "NpyFile::view: x.npy holds items of type '<f8', not '<f4'; view<double>() takes them"},
    {ErrorCode::unsupported, [] { drop(open_type(native("c8")).view<float>()); },
     "NpyFile::view: x.npy holds items of type '<c8', not '<f4'; view<std::complex<float>>() takes them"},
    {ErrorCode::unsupported, [] { drop(open_type(native("i4")).view<float>()); },
     "NpyFile::view: x.npy holds items of type '<i4', not '<f4'; view<std::int32_t>() takes them"},
    {ErrorCode::unsupported, [] { drop(open_type("'|u1'").view<float>()); },
     "NpyFile::view: x.npy holds items of type '|u1', not '<f4'; view<std::uint8_t>() takes them"},
    {ErrorCode::unsupported, [] { drop(open_type("'|b1'").view<float>()); },
     "NpyFile::view: x.npy holds items of type '|b1', not '<f4'; view<bool>() takes them"},
    {ErrorCode::unsupported, [] { drop(open_type(native("f2")).view<float>()); },
     "NpyFile::view: x.npy holds items of type '<f2', not '<f4'; view_as<T>() with a T of 2 bytes takes them"},
    {ErrorCode::unsupported, [] { drop(open_type(native(kLongDouble)).view<float>()); },
     "NpyFile::view: x.npy holds items of type '<" + kLongDouble + "', not '<f4'; view<" + (sizeof(long double) > sizeof(double) ? "long " : "") + "double>() takes them"},
    {ErrorCode::unsupported, [] { drop(open_type("[('red', '|u1'), ('green', '|u1'), ('blue', '|u1')]").view<std::uint8_t>()); },
     "NpyFile::view: x.npy holds items of type \"[('red', '|u1'), ('green', '|u1'), ('blu...\", not '|u1'; view_as<T>() with a T of 3 bytes takes them"},
    {ErrorCode::unsupported, [] { drop(open_type("'|S1'").view<std::uint8_t>()); },
     "NpyFile::view: x.npy holds items of type '|S1', not '|u1'; view_as<T>() with a T of 1 byte takes them"},
    {ErrorCode::unsupported, [] { drop(open_type(native("f4")).view_as<double>()); },
     "NpyFile::view_as: x.npy holds items of 4 bytes ('<f4'), not of 8; view<float>() takes them"},
    {ErrorCode::file_format, [] { drop(open_type("'|b1'").view<bool>()); },
     "NpyFile::view: x.npy holds a bool that is neither 0 nor 1; view_as<std::uint8_t>() takes it"},
    {ErrorCode::unsupported, [] { drop(writer().view<int>()); },
     "NpyWriter::view: y.npy holds items of type '<f4', not '<i4'; view<float>() takes them"},
    {ErrorCode::unsupported, [] { drop(writer().view_as<double>()); },
     "NpyWriter::view_as: y.npy holds items of 4 bytes ('<f4'), not of 8; view<float>() takes them"},
    {ErrorCode::negative_size, [] { write_shape({3, -1}); },
     "y.npy: shape[1] is -1, it must be at least 0"},
    {ErrorCode::overflow, [] { write_shape({kInt64Max, 2}); },
     "y.npy: shape[1] is 2, with it the number of elements no longer fits 64 bits"},
    {ErrorCode::overflow, [] { write_shape({kInt64Max / 2}, kNative + "f8"); },
     "y.npy: an array of shape (4611686018427387903,) and type '<f8' has more bytes than fit 64 bits"},
    {ErrorCode::overflow, [] { write_shape({kInt64Max}); },
     "y.npy: an array of shape (9223372036854775807,) does not fit a file of at most " + std::to_string(std::numeric_limits<std::size_t>::max() / 2) + " bytes"},
    {ErrorCode::size_mismatch, [] { write_npy("y.npy", NpyDtype::parse("|u1"), {2, 3}, std::vector<std::byte>(5)); },
     "y.npy: 5 bytes were given for an array of shape (2, 3), 6 are needed"},

    {ErrorCode::file_format, [] { drop(open_file("text")); },
     "x.npy: not a .npy file (it has no NUMPY mark); numpy.save() writes one"},
    {ErrorCode::file_format, [] { drop(open_file("PK\3\4")); },
     "x.npy: not a .npy file but a zip archive, perhaps .npz: unzip it and take the .npy inside"},
    {ErrorCode::file_format, [] { drop(open_file(std::string("\x93NUMPY\1\0\xff", 9))); },
     "x.npy: the file ends within its header: it has 9 bytes, more than 10 are needed"},
    {ErrorCode::file_format, [] { drop(open_file(std::string("\x93NUMPY\1\0\xff\xff{}", 12))); },
     "x.npy: its header of 65535 bytes reaches past its end, the file has 2 of them"},
    {ErrorCode::unsupported, [] { drop(open_file(file_of(4, "", ""))); },
     "x.npy: it is of format version 4.0, which is none of 1.0 to 3.0"},
    {ErrorCode::file_format, [] { drop(open_file(file_of(3, "[('\xe9', '|u1')]", false, "()", "x"))); },
     "x.npy: its header is not UTF-8, as version 3 needs"},
    {ErrorCode::file_format, [] { open_header(std::string("{}\0", 3)); },
     "x.npy: its header has a byte 0 in it"},
    {ErrorCode::file_format, [] { open_header("[1]"); },
     "x.npy: the header needs a '{' at its begin, not '[1]'"},
    {ErrorCode::file_format, [] { open_header(""); },
     "x.npy: the header needs a '{' at its begin, not its end"},
    {ErrorCode::file_format, [] { open_header("{7: 1}"); },
     "x.npy: the header needs a string as a key, not '7: 1}'"},
    {ErrorCode::file_format, [] { open_header("{'descr' '|u1'}"); },
     "x.npy: the header needs a ':' behind a key, not \"'|u1'}\""},
    {ErrorCode::file_format, [] { open_header("{'descr: 1}"); },
     "x.npy: a string in the header has no end"},
    {ErrorCode::file_format, [] { open_header("{'extra': 1}"); },
     "x.npy: the header has an unknown key 'extra'"},
    {ErrorCode::file_format, [] { open_header("{'fortran_order': False, 'fortran_order': False}"); },
     "x.npy: the header has the key 'fortran_order' twice"},
    {ErrorCode::file_format, [] { open_header("{'fortran_order': False}"); },
     "x.npy: the header has no key 'descr'"},
    {ErrorCode::file_format, [] { open_header("{'fortran_order': 0}"); },
     "x.npy: the header needs True or False for fortran_order, not '0}'"},
    {ErrorCode::file_format, [] { open_header("{'fortran_order': False 'shape': ()}"); },
     "x.npy: the header needs a '}' at its end, not \"'shape': ()}\""},
    {ErrorCode::file_format, [] { open_header("{'descr': '|u1', 'fortran_order': False, 'shape': ()} x"); },
     "x.npy: the header goes on after its end: 'x'"},
    {ErrorCode::file_format, [] { open_shape("2"); },
     "x.npy: the header needs a '(' before a shape, not '2, }'"},
    {ErrorCode::file_format, [] { open_shape("(2)"); },
     "x.npy: the header has a number where a shape is needed; (2,) is one"},
    {ErrorCode::file_format, [] { open_shape("(2 3)"); },
     "x.npy: the header needs a ',' between the sizes of a shape, not '3), }'"},
    {ErrorCode::file_format, [] { open_shape("(2.0,)"); },
     "x.npy: the header needs a ',' between the sizes of a shape, not '.0,), }'"},
    {ErrorCode::file_format, [] { open_shape("(x,)"); },
     "x.npy: the header needs a whole number as a size, not 'x,), }'"},
    {ErrorCode::file_format, [] { open_shape("(-1,)"); },
     "x.npy: a size in the header is negative: '-1,), }'"},
    {ErrorCode::file_format, [] { open_shape("(9223372036854775808,)"); },
     "x.npy: a size in the header does not fit 64 bits: '9223372036854775808,), }'"},
    {ErrorCode::unsupported, [] { std::string ones; for (int i = 0; i < 33; ++i) ones += "1,"; open_shape(std::string("(") + ones + ")"); },
     "x.npy: its shape has more than 32 dimensions"},
    {ErrorCode::file_format, [] { open_shape("(4294967296, 4294967296)"); },
     "x.npy: shape[1] is 4294967296, with it the number of elements no longer fits 64 bits"},
    {ErrorCode::file_format, [] { drop(open_file(file_of(1, native("f8"), false, "(4611686018427387904,)", ""))); },
     "x.npy: an array of shape (4611686018427387904,) and type '<f8' has more bytes than fit 64 bits"},
    {ErrorCode::file_format, [] { open_shape("(9,)"); },
     "x.npy: an array of shape (9,) and type '|u1' has 9 bytes, the file has 0 of them"},

    {ErrorCode::file_format, [] { parse_type("float32"); },
     "NpyDtype: 'float32' is not a type string of NumPy, such as '<f4'"},
    {ErrorCode::unsupported, [] { parse_type("|S2147483648"); },
     "NpyDtype: items of type '|S2147483648' are larger than 2147483647 bytes"},
    {ErrorCode::unsupported, [] { drop(open_type(npy_support::quoted(kForeign + "f4"))); },
     "x.npy: its numbers are big-endian ('>f4'), which is not this machine's byte order; in NumPy, x.astype(x.dtype.newbyteorder('=')) converts"},
    {ErrorCode::unsupported, [] { drop(open_type("'|O'")); },
     "x.npy: its items are Python objects; in NumPy, x.astype(dtype) makes them numbers or text"},
    {ErrorCode::unsupported, [] { drop(open_type("'|S0'")); },
     "x.npy: its items have no bytes, at least 1 is needed"},
    {ErrorCode::unsupported, [] { parse_type("|V0"); },
     "NpyDtype: its items have no bytes, at least 1 is needed"},
    {ErrorCode::unsupported, [] { drop(open_type("('|u1', (2,))")); },
     "x.npy: its items are arrays themselves; their sizes belong in the shape"},
    {ErrorCode::unsupported, [] { parse_type("[('a', '|S2147483647'), ('b', '|u1')]"); },
     "NpyDtype: its items are larger than 2147483647 bytes"},
    {ErrorCode::unsupported, [] { parse_type("[('a', '|V0', (2,))]"); },
     "NpyDtype: a field is an array of items of no bytes, at least 1 is needed"},
    {ErrorCode::unsupported, [] { std::string deep; for (int i = 0; i < 40; ++i) deep += "[('a', "; parse_type(deep); },
     "NpyDtype: its fields are nested more than 32 deep"},
    {ErrorCode::file_format, [] { parse_type("[('a', '|u1'), ('a', '|u1')]"); },
     "NpyDtype: the header has a field 'a' twice"},
    {ErrorCode::file_format, [] { parse_type("[('\\x1', '|u1')]"); },
     "NpyDtype: the header has the string '\\x1' with a wrong escape"},
    {ErrorCode::file_format, [] { parse_type("[('a', '|u1') ('b', '|u1')]"); },
     "NpyDtype: the header needs a ',' between fields, not \"('b', '|u1')]\""},
    {ErrorCode::file_format, [] { parse_type("['|u1']"); },
     "NpyDtype: the header needs a '(' before a field, not \"'|u1']\""},
    {ErrorCode::file_format, [] { parse_type("[(7, '|u1')]"); },
     "NpyDtype: the header needs a string as the name of a field, not \"7, '|u1')]\""},
    {ErrorCode::file_format, [] { parse_type("[('a' '|u1')]"); },
     "NpyDtype: the header needs a ',' behind the name of a field, not \"'|u1')]\""},
    {ErrorCode::file_format, [] { parse_type("[('a', 1)]"); },
     "NpyDtype: the header needs a string as a type, not '1)]'"},
    {ErrorCode::file_format, [] { parse_type("[('a', '|u1'"); },
     "NpyDtype: the header needs a ')' behind a field, not its end"},
    {ErrorCode::file_format, [] { parse_type("[((7, 'a'), '|u1')]"); },
     "NpyDtype: the header needs a string as the title of a field, not \"7, 'a'), '|u1')]\""},
    {ErrorCode::file_format, [] { parse_type("[(('title' 'a'), '|u1')]"); },
     "NpyDtype: the header needs a ',' between the title and the name of a field, not \"'a'), '|u1')]\""},
    {ErrorCode::file_format, [] { parse_type("[(('title', 'a', '|u1')]"); },
     "NpyDtype: the header needs a ')' behind the title and the name of a field, not \", '|u1')]\""},
    {ErrorCode::file_format, [] { parse_type("[('a', ('|u1'))]"); },
     "NpyDtype: the header needs a ',' between a type and its shape, not '))]'"},
    {ErrorCode::file_format, [] { parse_type("[('a', ('|u1', (2,), 3))]"); },
     "NpyDtype: the header needs a ')' behind a type and its shape, not ', 3))]'"},
};
// clang-format on

// Files of Linux that may be written only, or say that they are longer than what can be read of
// them.
inline const char kWrittenOnly[] = "/sys/bus/platform/uevent";
inline const char kEndsEarly[] = "/sys/kernel/mm/transparent_hugepage/enabled";

inline std::vector<Row> rows_of_system_files() {
  std::vector<Row> rows;
  const auto add = [&](const char* path, const std::string& why, bool goes_on) {
    if (!std::filesystem::exists(path)) return;
    rows.push_back({ErrorCode::file_access, [=] { drop(NpyFile::open(path)); },
                    std::string(path) + why, goes_on});
  };
  add(kWrittenOnly, std::string(": cannot be opened: ") + of_system(EACCES), false);
  add(kEndsEarly, ": cannot be read: it ends after ", true);
  return rows;
}

}  // namespace strided_test::messages
