# What the tests of replay, the command line and other people's files need beside recorders_tests.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
target_link_libraries(recorders_tests PRIVATE
  nonsmooth_report nlohmann_json::nlohmann_json fmt::fmt)
target_link_libraries(recorders_test_support
  PUBLIC nlohmann_json::nlohmann_json PRIVATE ZLIB::ZLIB)

# FCLIB files made by others, for tests that skip themselves where there are none: also read from
# the environment variable of the same name.
set(NONSMOOTH_FCLIB_DIR "" CACHE PATH "Folder with FCLIB problems (*.hdf5) to test with")
target_compile_definitions(recorders_tests PRIVATE NONSMOOTH_FCLIB_DIR="${NONSMOOTH_FCLIB_DIR}")

# Scripts that share no code with the library. The first Python that has h5py is taken.
find_package(Python3 COMPONENTS Interpreter)
if(TARGET nonsmooth_mpi AND Python3_EXECUTABLE AND MPIEXEC_EXECUTABLE)
  add_test(NAME NonsmoothMpi.RanksAndKilledRanksGiveTheSame
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/recorders/mpi_ranks.py
    --mpirun ${MPIEXEC_EXECUTABLE} --mpi $<TARGET_FILE:nonsmooth_mpi>
    --cli $<TARGET_FILE:nonsmooth_cli> ${CMAKE_CURRENT_SOURCE_DIR}/data/balls.h5
    ${CMAKE_CURRENT_SOURCE_DIR}/data/chain.fclib-global.hdf5
    ${CMAKE_CURRENT_SOURCE_DIR}/data/bullet/brick_wall.h5)
  set_tests_properties(NonsmoothMpi.RanksAndKilledRanksGiveTheSame PROPERTIES TIMEOUT 300)
endif()
set(h5py_python "")
foreach(candidate ${Python3_EXECUTABLE} /usr/bin/python3)
  if(NOT h5py_python)
    execute_process(COMMAND ${candidate} -c "import h5py, numpy"
      RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
    if(code EQUAL 0)
      set(h5py_python ${candidate})
    endif()
  endif()
endforeach()
if(NOT h5py_python)
  nonsmooth_part("tests in Python" LEFT_OUT "no python3 with h5py and numpy")
  return()
endif()
set(scripts ${CMAKE_CURRENT_SOURCE_DIR}/recorders)
set(data ${CMAKE_CURRENT_SOURCE_DIR}/data)
add_test(NAME FclibErrorByAnotherProgram.OwnFiles COMMAND ${h5py_python} ${scripts}/fclib_error.py
  --cli $<TARGET_FILE:nonsmooth_cli> --solver psor,apgd
  ${data}/balls.fclib-local.hdf5 ${data}/chain.fclib-global.hdf5 ${data}/balls.h5 ${data}/chain.h5)
add_test(NAME FclibErrorByAnotherProgram.RealFiles COMMAND ${h5py_python} ${scripts}/fclib_error.py
  --cli $<TARGET_FILE:nonsmooth_cli> --solver psor,apgd --folder "${NONSMOOTH_FCLIB_DIR}")
set_tests_properties(FclibErrorByAnotherProgram.RealFiles PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME H5py.ReadsWhatTheDocumentsShow COMMAND ${h5py_python} ${scripts}/h5py_capture.py
  ${PROJECT_SOURCE_DIR}/docs/replay.md $<TARGET_FILE:nonsmooth_cli> ${data}/balls.h5)
add_executable(killed_writer recorders/recording/killed_writer.cpp)
target_link_libraries(killed_writer PRIVATE recorders_test_support nonsmooth_warnings)
add_test(NAME H5py.FindsTheFileAsItIsDescribed COMMAND ${h5py_python} ${scripts}/file_format.py
  ${PROJECT_SOURCE_DIR}/docs/file_format.md $<TARGET_FILE:killed_writer>
  ${data}/balls.h5 ${data}/balls_float32.h5 ${data}/chain.h5 ${data}/rolling.h5)
