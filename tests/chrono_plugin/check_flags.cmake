# A program compiled without Chrono's vector flags is refused by the linker, which names the reason.
# Variables: COMPILER, OBJECT, LIBRARY.
execute_process(COMMAND ${COMPILER} ${OBJECT} ${LIBRARY} -o ${OBJECT}.program
  RESULT_VARIABLE result ERROR_VARIABLE errors)
if(result EQUAL 0)
  message(FATAL_ERROR "linked without Chrono's flags")
elseif(NOT errors MATCHES "undefined reference to [^\n]*compiled_with_eigen_aligned_to_[0-9]+::Solver::Solver")
  message(FATAL_ERROR "failed, but not for the flags:\n${errors}")
endif()
