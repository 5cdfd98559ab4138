# The libraries of `nonsmooth run`, installed beside each other and found from the program.
include(GNUInstallDirs)
set(NONSMOOTH_RUN_DIR ${CMAKE_INSTALL_LIBDIR}/nonsmooth)

# nonsmooth_run_library(<component> <library of the engine> <source>...)
#
# libnonsmooth_run_<component>.so: the plugin for worlds of programs that know nothing of it. All but
# its entries is hidden, so that nothing of the program's is taken for ours, or the other way round.
function(nonsmooth_run_library component engine)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_OBJDUMP)
    return()
  endif()
  # The one version it is for: an engine's objects may be laid out otherwise in another.
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${engine} OUTPUT_VARIABLE headers)
  string(REGEX MATCH "SONAME +([^ \n]+)" matched "${headers}")
  set_property(GLOBAL PROPERTY NONSMOOTH_RUN_SONAME_${component} "${CMAKE_MATCH_1}")
  set(target nonsmooth_run_${component})
  add_library(${target} MODULE ${ARGN} ${PROJECT_SOURCE_DIR}/preload/never_destroyed.cpp)
  target_compile_options(${target} PRIVATE -fvisibility=hidden)
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,--wrap=__cxa_atexit)
  target_link_libraries(${target} PRIVATE Nonsmooth::${component} nonsmooth_warnings)
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${NONSMOOTH_RUN_DIR})
  install(TARGETS ${target} LIBRARY DESTINATION ${NONSMOOTH_RUN_DIR})
endfunction()
