# cmake -D BUILD= -D CONSUMER= -D GENERATOR= -D CONFIG= -D COMPILER= -P install_and_build.cmake
# Installs BUILD into a prefix of its own, then configures, builds and runs CONSUMER against it.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGV}")
    message(FATAL_ERROR "${command}\n${output}\nended with ${code}")
  endif()
endfunction()

set(work ${BUILD}/install_consumer)
file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${work}/build -G ${GENERATOR}
    -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CMAKE_PREFIX_PATH=${work}/prefix -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG})
run(${work}/build/consumer)
if(EXISTS ${work}/prefix/include/nonsmooth/recorders)
  run(${work}/build/recording_consumer ${work}/recorded.h5)
endif()

# Licence and documents come along.
file(GLOB_RECURSE licence ${work}/prefix/share/*/LICENSE)
if(NOT licence)
  message(FATAL_ERROR "LICENSE is not installed")
endif()
