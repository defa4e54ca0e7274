# An overlay port of the tree that it lies in: vcpkg install strided --overlay-ports=packaging/vcpkg
# A registry's port has vcpkg_from_git in place of the first line.
cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_LIST_DIR NORMALIZE OUTPUT_VARIABLE port_dir)
cmake_path(SET SOURCE_PATH NORMALIZE "${port_dir}/../..")

set(VCPKG_BUILD_TYPE release)  # headers only

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DSTRIDED_BUILD_TESTS=OFF
    -DSTRIDED_BUILD_EXAMPLES=OFF
    -DSTRIDED_BUILD_BENCH=OFF
    -DSTRIDED_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/strided)
vcpkg_fixup_pkgconfig()

vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
