# The page in the browser and what explains a step: only the command line needs them. Included by
# CMakeLists.txt beside it.
find_package(ZLIB REQUIRED)
find_package(Eigen3 3.3 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)

set(viewer_page ${PROJECT_SOURCE_DIR}/viewer/dist/page.html)
set(viewer_source ${CMAKE_CURRENT_BINARY_DIR}/viewer_page.cpp)
add_custom_command(OUTPUT ${viewer_source}
  COMMAND ${CMAKE_COMMAND} -DIN=${viewer_page} -DOUT=${viewer_source}
          -P ${CMAKE_CURRENT_SOURCE_DIR}/report/embed.cmake
  DEPENDS ${viewer_page} ${CMAKE_CURRENT_SOURCE_DIR}/report/embed.cmake
  COMMENT "Embedding the viewer")
add_library(nonsmooth_report STATIC
  explain/advice.cpp
  explain/condition.cpp
  explain/explanation.cpp
  explain/explanation_text.cpp
  explain/joint_rank.cpp
  explain/load_path.cpp
  explain/si_text.cpp
  report/contact_state.cpp
  report/curves.cpp
  report/file_report.cpp
  report/group_place.cpp
  report/packed_array.cpp
  report/page.cpp
  report/report.cpp
  report/world_frame.cpp
  report/world_json.cpp
  ${viewer_source})
target_compile_definitions(nonsmooth_report PRIVATE Eigen=nonsmooth_eigen)  # as in common
target_link_libraries(nonsmooth_report
  PUBLIC Nonsmooth::recorders
  PRIVATE ZLIB::ZLIB Eigen3::Eigen nlohmann_json::nlohmann_json fmt::fmt nonsmooth_warnings)
