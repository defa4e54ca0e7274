// expect: an executor has workers
#include <strided/strided.hpp>

struct Pool {
  int workers() const { return 2; }
#ifdef STRIDED_CONTROL
  template <class Task>
  void run(std::int64_t tasks, Task&& task) {
    for (std::int64_t i = 0; i < tasks; ++i) task(i);
  }
#endif
};

void move(strided::StridedView<const float> from, strided::StridedView<float> to, Pool& pool) {
  strided::copy(from, to, {.executor = pool});
}
