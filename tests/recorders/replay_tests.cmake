# What the tests of replay, the command line and other people's files need beside recorders_tests.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
target_link_libraries(recorders_tests PRIVATE test_support nlohmann_json::nlohmann_json fmt::fmt)
target_compile_definitions(recorders_tests PRIVATE
  NONSMOOTH_CLI="$<TARGET_FILE:nonsmooth_cli>"
  NONSMOOTH_FCLIB_ERROR_SCRIPT="${CMAKE_CURRENT_SOURCE_DIR}/recorders/fclib_error.py")
add_dependencies(recorders_tests nonsmooth_cli)

# FCLIB files made by others, for tests that skip themselves where there are none: also read from
# the environment variable of the same name.
set(NONSMOOTH_FCLIB_DIR "" CACHE PATH "Folder with FCLIB problems (*.hdf5) to test with")
target_compile_definitions(recorders_tests PRIVATE NONSMOOTH_FCLIB_DIR="${NONSMOOTH_FCLIB_DIR}")
