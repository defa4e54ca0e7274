#define STRIDED_DEFINE_KERNELS
#include <strided/strided.hpp>
