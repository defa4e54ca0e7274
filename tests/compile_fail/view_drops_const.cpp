// expect: conversion from .*StridedView.* to .*StridedView<float>
#include <strided/strided.hpp>

#ifdef STRIDED_CONTROL
using Element = float;
#else
using Element = const float;
#endif

void drop(strided::StridedView<Element> view) {
  strided::StridedView<float> writable = view;
  static_cast<void>(writable);
}
