// The peers, in a file of their own: unlike the library they are compiled with -march=native.
#include "loops.hpp"
#include "peer.hpp"

#if STRIDED_BENCH_HAS_EIGEN
#include "eigen.hpp"
#endif
#if STRIDED_BENCH_HAS_ONEDNN
#include "onednn.hpp"
#endif
#if STRIDED_BENCH_HAS_OPENBLAS
#include "openblas.hpp"
#endif

namespace bench {

std::vector<Peer> all_peers() {
  std::vector<Peer> peers;
  peers.push_back({"loops", loops::can, loops::prepare});
#if STRIDED_BENCH_HAS_EIGEN
  peers.push_back({"Eigen", eigen::can, eigen::prepare});
#endif
#if STRIDED_BENCH_HAS_ONEDNN
  peers.push_back({"oneDNN", onednn::can, onednn::prepare});
#endif
#if STRIDED_BENCH_HAS_OPENBLAS
  peers.push_back({"OpenBLAS", openblas::can, openblas::prepare});
#endif
  return peers;
}

}  // namespace bench
