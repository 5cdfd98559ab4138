# cmake -D README= -D BUILD= -D GENERATOR= -D CONFIG= -D COMPILER= -D CHRONO_DIR= -P ...
# Installs BUILD into a prefix of its own, takes the project and the program out of the README, and
# builds and runs them against that prefix.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output
                  WORKING_DIRECTORY ${work})
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGV}")
    message(FATAL_ERROR "${command}\n${output}\nended with ${code}")
  endif()
endfunction()

# The first block of a language into a file; regular expressions would stumble over the semicolons.
function(take language file)
  file(READ ${README} text)
  string(FIND "${text}" "```${language}\n" start)
  if(start LESS 0)
    message(FATAL_ERROR "${README} has no block of ${language}")
  endif()
  string(LENGTH "```${language}\n" skip)
  math(EXPR start "${start} + ${skip}")
  string(SUBSTRING "${text}" ${start} -1 text)
  string(FIND "${text}" "```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  file(WRITE ${file} "${text}")
endfunction()

set(work ${BUILD}/chrono_readme)
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
take(cmake ${work}/source/CMakeLists.txt)
take(cpp ${work}/source/main.cpp)
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${work}/source -B ${work}/build -G ${GENERATOR}
    -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_CXX_COMPILER=${COMPILER} -D Chrono_DIR=${CHRONO_DIR}
    -D CMAKE_PREFIX_PATH=${work}/prefix -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG})
run(${work}/build/my_simulation)
if(NOT EXISTS ${work}/sliding_box.h5)
  message(FATAL_ERROR "the program has recorded nothing")
endif()
