# Other people's files, replay and the command line. Included by CMakeLists.txt beside it.
find_package(Eigen3 3.3 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

target_sources(nonsmooth_recorders PRIVATE
  collection/collect.cpp
  collection/collection_file.cpp
  collection/collection_source.cpp
  collection/features.cpp
  collection/sample.cpp
  hdf5/replacement_file.cpp
  interchange/fclib/fclib_export.cpp
  interchange/fclib/fclib_file.cpp
  interchange/fclib/fclib_import.cpp
  interchange/fclib/fclib_matrix.cpp
  interchange/fclib/mass_form.cpp
  interchange/lu_et_al/lu_export.cpp
  interchange/lu_et_al/lu_import.cpp
  interchange/lu_et_al/lu_reader.cpp
  interchange/lu_et_al/lu_writer.cpp
  interchange/lu_et_al/ode_dialect.cpp
  interchange/problem_source.cpp
  replay/comparison.cpp
  replay/comparison_report.cpp
  replay/console_report.cpp
  replay/csv_report.cpp
  replay/fclib_sink.cpp
  replay/json_report.cpp
  replay/machine_times.cpp
  replay/provenance.cpp
  replay/replay.cpp
  replay/results_file.cpp
  replay/results_reader.cpp
  replay/step_solver.cpp
  replay/summary.cpp
  replay/text_table.cpp
  tasks/calibration.cpp
  tasks/file_look.cpp
  tasks/machine.cpp
  tasks/merge.cpp
  tasks/plan_file.cpp
  tasks/result_store.cpp
  tasks/shard.cpp
  tasks/task_plan.cpp
  tasks/task_pool.cpp
  tasks/task_runner.cpp)
target_compile_definitions(nonsmooth_recorders PRIVATE Eigen=nonsmooth_eigen)  # as in common
target_link_libraries(nonsmooth_recorders PRIVATE
  $<BUILD_INTERFACE:Eigen3::Eigen> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
set_source_files_properties(replay/provenance.cpp PROPERTIES COMPILE_DEFINITIONS
  "NONSMOOTH_VERSION=\"${PROJECT_VERSION}\";NONSMOOTH_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\"")

add_executable(nonsmooth_cli
  cli/browser.cpp
  cli/collect_command.cpp
  cli/compare_command.cpp
  cli/convert_command.cpp
  cli/explain_command.cpp
  cli/info_command.cpp
  cli/main.cpp
  cli/merge_command.cpp
  cli/messages.cpp
  cli/output_file.cpp
  cli/progress_bar.cpp
  cli/replay_command.cpp
  cli/replay_flags.cpp
  cli/report_command.cpp
  cli/run_command.cpp
  cli/shard_command.cpp
  cli/solvers_command.cpp
  cli/step_range.cpp
  cli/task_progress.cpp
  cli/validate_command.cpp)
# CLI11 takes long to compile: once, and without much optimisation, is enough.
set_target_properties(nonsmooth_cli PROPERTIES OUTPUT_NAME nonsmooth UNITY_BUILD ON
  UNITY_BUILD_BATCH_SIZE 0)
target_compile_options(nonsmooth_cli PRIVATE -O1)
target_compile_definitions(nonsmooth_cli PRIVATE NONSMOOTH_RUN_DIR="${NONSMOOTH_RUN_DIR}")
target_link_libraries(nonsmooth_cli PRIVATE
  nonsmooth_report CLI11::CLI11 nlohmann_json::nlohmann_json fmt::fmt nonsmooth_warnings)
install(TARGETS nonsmooth_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

add_subdirectory(mpi)
