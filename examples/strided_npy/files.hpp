// Care with files.
#pragma once

#include <string>

namespace strided_npy {

// Throws UsageError if writing `output` would write over `input`.
void require_other_file(const std::string& output, const std::string& input);

// Writes a text file, whole or not at all.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace strided_npy
