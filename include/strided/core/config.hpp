// Version, compiler facts and the ABI namespace: the only file that defines flags.
#pragma once

#if defined(_MSVC_LANG)
#define STRIDED_LANGUAGE _MSVC_LANG
#else
#define STRIDED_LANGUAGE __cplusplus
#endif
#if STRIDED_LANGUAGE < 202002L
#error "strided needs C++20: compile with -std=c++20 (MSVC: /std:c++20)"
#include <cxx20_is_needed>  // not found, which ends the compilation: pages of errors would follow
#endif
#undef STRIDED_LANGUAGE

// Defined at the end of the library in one file.
#if defined(STRIDED_SINGLE_HEADER)
#error "strided's headers beside the library in one file: include one of the two"
#endif

#define STRIDED_VERSION_MAJOR 0
#define STRIDED_VERSION_MINOR 1
#define STRIDED_VERSION_PATCH 0

// Exceptions: without them the throwing forms end in strided::failure_handler (error.hpp).
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define STRIDED_HAS_EXCEPTIONS 1
#define STRIDED_ABI_EXCEPTIONS x
#else
#define STRIDED_HAS_EXCEPTIONS 0
#define STRIDED_ABI_EXCEPTIONS n
#endif

// Index checks in operator(): on in debug builds.
#if !defined(STRIDED_DEBUG_CHECKS)
#if defined(NDEBUG)
#define STRIDED_DEBUG_CHECKS 0
#else
#define STRIDED_DEBUG_CHECKS 1
#endif
#endif

// Clang and MSVC warn where the result of a member outlives the object, which must hold the memory.
#if defined(__clang__) && __has_cpp_attribute(clang::lifetimebound)
#define STRIDED_LIFETIMEBOUND [[clang::lifetimebound]]
#elif defined(_MSC_VER) && __has_cpp_attribute(msvc::lifetimebound)
#define STRIDED_LIFETIMEBOUND [[msvc::lifetimebound]]
#else
#define STRIDED_LIFETIMEBOUND
#endif

// A file that copies compiles the kernels, most of its compile time. STRIDED_EXTERN_KERNELS,
// defined for a whole program, leaves them to the one file that defines STRIDED_DEFINE_KERNELS,
// too; both go before the first header of the library. Files whose STRIDED_ABI (below) differs have
// one each.

// Vector kernels need GNU vector types and per-function targets; others use the portable kernels.
#if (defined(__GNUC__) && __GNUC__ >= 12) || (defined(__clang__) && __clang_major__ >= 14)
#define STRIDED_HAS_GNU_VECTORS 1
#else
#define STRIDED_HAS_GNU_VECTORS 0
#endif
#if STRIDED_HAS_GNU_VECTORS && defined(__x86_64__)
#define STRIDED_HAS_X86_VECTORS 1
#else
#define STRIDED_HAS_X86_VECTORS 0
#endif
#if STRIDED_HAS_GNU_VECTORS && defined(__aarch64__)
#define STRIDED_HAS_NEON 1
#else
#define STRIDED_HAS_NEON 0
#endif

// Two files built with different -m flags must not share inline functions: the linker keeps one
// body of each, and the kept one may use instructions that the machine lacks. So everything lives
// in an inline namespace named after what the file's flags allow: the vector instructions, and a
// letter for each other extension that compilers use unasked. The price: a view cannot cross from
// one such file into another as a function argument; pass its pointer, shape and strides.
#if defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define STRIDED_ABI_ISA avx512
#elif defined(__AVX512F__)
#define STRIDED_ABI_ISA avx512f
#elif defined(__AVX2__)
#define STRIDED_ABI_ISA avx2
#elif defined(__AVX__)
#define STRIDED_ABI_ISA avx
#elif defined(__SSE4_2__)
#define STRIDED_ABI_ISA sse42
#elif defined(__SSE4_1__)
#define STRIDED_ABI_ISA sse41
#elif defined(__SSSE3__)
#define STRIDED_ABI_ISA ssse3
#else
#define STRIDED_ABI_ISA base
#endif
#if defined(__BMI__)
#define STRIDED_ABI_BMI b
#else
#define STRIDED_ABI_BMI
#endif
#if defined(__BMI2__)
#define STRIDED_ABI_BMI2 c
#else
#define STRIDED_ABI_BMI2
#endif
#if defined(__FMA__)
#define STRIDED_ABI_FMA f
#else
#define STRIDED_ABI_FMA
#endif
#if defined(__LZCNT__)
#define STRIDED_ABI_LZCNT l
#else
#define STRIDED_ABI_LZCNT
#endif
#if defined(__MOVBE__)
#define STRIDED_ABI_MOVBE m
#else
#define STRIDED_ABI_MOVBE
#endif
#if defined(__POPCNT__)
#define STRIDED_ABI_POPCNT p
#else
#define STRIDED_ABI_POPCNT
#endif

#if STRIDED_DEBUG_CHECKS
#define STRIDED_ABI_CHECKS d
#else
#define STRIDED_ABI_CHECKS r
#endif

#define STRIDED_PASTE_EXPANDED(isa, b, c, f, l, m, p, x, r) abi_##isa##_##b##c##f##l##m##p##x##r
#define STRIDED_PASTE(isa, b, c, f, l, m, p, x, r) \
  STRIDED_PASTE_EXPANDED(isa, b, c, f, l, m, p, x, r)
#define STRIDED_ABI                                                                               \
  STRIDED_PASTE(STRIDED_ABI_ISA, STRIDED_ABI_BMI, STRIDED_ABI_BMI2, STRIDED_ABI_FMA,              \
                STRIDED_ABI_LZCNT, STRIDED_ABI_MOVBE, STRIDED_ABI_POPCNT, STRIDED_ABI_EXCEPTIONS, \
                STRIDED_ABI_CHECKS)
