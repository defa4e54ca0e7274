// expect: strided needs C[+][+]20: compile with -std=c[+][+]20
// options: -std=c++17
#if !defined(STRIDED_CONTROL)
#include <strided/strided.hpp>
#endif

int main() {}
