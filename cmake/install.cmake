# Installs the headers, a package that find_package(strided) finds, and one for pkg-config. No file of it names the place
# it was installed to, so the tree can be moved.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Nothing here depends on the processor: the package belongs in share/, not in lib/.
set(strided_package_dir "${CMAKE_INSTALL_DATAROOTDIR}/cmake/strided")

install(TARGETS strided EXPORT strided-targets FILE_SET HEADERS)
install(EXPORT strided-targets NAMESPACE strided:: DESTINATION "${strided_package_dir}")

configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/strided-config.cmake.in" "${PROJECT_BINARY_DIR}/strided-config.cmake"
  INSTALL_DESTINATION "${strided_package_dir}"
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break its callers.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/strided-config-version.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(
  FILES
    "${PROJECT_BINARY_DIR}/strided-config.cmake"
    "${PROJECT_BINARY_DIR}/strided-config-version.cmake"
  DESTINATION "${strided_package_dir}")

set(strided_pc_dir "${CMAKE_INSTALL_DATAROOTDIR}/pkgconfig")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY "${CMAKE_INSTALL_FULL_DATAROOTDIR}/pkgconfig"
  OUTPUT_VARIABLE strided_prefix_from_pc)
cmake_path(APPEND strided_pc_includedir "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/strided.pc.in" "${PROJECT_BINARY_DIR}/strided.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/strided.pc" DESTINATION "${strided_pc_dir}")
