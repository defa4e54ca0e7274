import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout


class StridedConan(ConanFile):
    name = "strided"
    description = "Strided views, AsStrided, StridedSliceAssign and a copy engine at the speed of memory"
    license = "MIT"
    topics = ("tensor", "strided", "view", "transpose", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"  # of the consumer; see package_id
    exports = "include/strided/core/config.hpp"  # where set_version reads it
    exports_sources = "include/*", "LICENSE"
    no_copy_source = True

    def set_version(self):
        config = load(self, os.path.join(self.recipe_folder, "include/strided/core/config.hpp"))
        self.version = ".".join(
            re.search(rf"^#define STRIDED_VERSION_{part} (\d+)$", config, re.MULTILINE).group(1)
            for part in ("MAJOR", "MINOR", "PATCH")
        )

    def layout(self):
        basic_layout(self)

    def package_id(self):
        self.info.clear()  # the same headers for all of them

    def validate(self):
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 20)

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for pattern in ("*.hpp", "*.inl"):
            copy(
                self,
                pattern,
                os.path.join(self.source_folder, "include"),
                os.path.join(self.package_folder, "include"),
            )

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "strided")
        self.cpp_info.set_property("cmake_target_name", "strided::strided")
        self.cpp_info.set_property("pkg_config_name", "strided")
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
