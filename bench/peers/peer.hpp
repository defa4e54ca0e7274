// Peer: another way to do a case, to compare with.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cases.hpp"
#include "timing.hpp"

namespace bench {

struct Peer {
  std::string name;
  bool (*can)(const Case&);
  // The arguments of the work: where the two storages start.
  Timed (*prepare)(const Case&, const std::byte* src, std::byte* dst);
};

// All peers that were found when this was built; compiled for this machine's processor.
std::vector<Peer> all_peers();

}  // namespace bench
