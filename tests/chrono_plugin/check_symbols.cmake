# cmake -D NM= -D LIBRARIES=<a;b> -P check_symbols.cmake
# No library of ours that is compiled without Chrono's flags may define or use a function of Eigen's
# under Eigen's own name: the linker would take one copy for all, whatever it was compiled for, and
# Chrono adds virtual functions to Eigen's sparse matrices.
foreach(library ${LIBRARIES})
  execute_process(COMMAND ${NM} ${library} OUTPUT_VARIABLE symbols ERROR_QUIET RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${NM} ${library} ended with ${code}")
  endif()
  string(REGEX MATCHALL "[^0-9]5Eigen[^\n]*" foreign "${symbols}")
  list(LENGTH foreign count)
  if(count GREATER 0)
    list(GET foreign 0 first)
    message(FATAL_ERROR "${library} has ${count} symbols of namespace Eigen, such as ${first}")
  endif()
  string(REGEX MATCHALL "15nonsmooth_eigen" own "${symbols}")
  list(LENGTH own count)
  math(EXPR total "${total} + ${count}")
endforeach()
if(total EQUAL 0)
  message(FATAL_ERROR "no symbol of namespace nonsmooth_eigen either: this test looks at nothing")
endif()
