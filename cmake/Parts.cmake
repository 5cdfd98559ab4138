# The parts of the project: which were built, which were left out and why. `./test` prints the list.

# nonsmooth_part(<name> BUILT) or nonsmooth_part(<name> LEFT_OUT <reason>)
function(nonsmooth_part name state)
  if(state STREQUAL "BUILT")
    set(line "built: ${name}")
  elseif(state STREQUAL "LEFT_OUT")
    set(line "left out: ${name} (${ARGN})")
  else()
    message(FATAL_ERROR "nonsmooth_part(${name}): '${state}' is neither BUILT nor LEFT_OUT")
  endif()
  set_property(GLOBAL APPEND PROPERTY NONSMOOTH_PARTS "${name}")
  set_property(GLOBAL APPEND PROPERTY NONSMOOTH_PART_LINES "${line}")
endfunction()

# nonsmooth_add_part(<folder> [OPTION <variable>] [PACKAGE <name> <find_package arguments>...]
#                    [TARGET <target>])
#
# Adds the folder if it has a CMakeLists.txt. It is left out where the option is off or the package
# is not there; a folder that finds this out for itself calls
#     nonsmooth_part(<folder> LEFT_OUT "<reason>")
#     return()
# With TARGET, a package that defines it has been found whatever it says of itself: Chrono's does not
# count itself as found where only its core was built.
# A macro, so that the variables of the package reach the folder.
macro(nonsmooth_add_part folder)
  cmake_parse_arguments(_part "" "OPTION;TARGET" "PACKAGE" ${ARGN})
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
    if(_part_PACKAGE)
      list(GET _part_PACKAGE 0 _part_package)
      find_package(${_part_PACKAGE} QUIET)
      if(_part_TARGET AND TARGET "${_part_TARGET}")
        set(${_part_package}_FOUND TRUE)
      endif()
    endif()
    if(_part_OPTION AND NOT ${_part_OPTION})
      nonsmooth_part(${folder} LEFT_OUT "${_part_OPTION} is off")
    elseif(_part_PACKAGE AND NOT ${_part_package}_FOUND)
      string(REPLACE ";" " " _part_call "${_part_PACKAGE}")
      nonsmooth_part(${folder} LEFT_OUT "${_part_package} not found by find_package(${_part_call})")
    else()
      add_subdirectory(${folder})
      get_property(_part_names GLOBAL PROPERTY NONSMOOTH_PARTS)
      if(NOT "${folder}" IN_LIST _part_names)
        nonsmooth_part(${folder} BUILT)
      endif()
    endif()
  endif()
endmacro()

# Writes one line per part: "built: <name>" or "left out: <name> (<reason>)".
function(nonsmooth_write_parts file)
  get_property(lines GLOBAL PROPERTY NONSMOOTH_PART_LINES)
  string(REPLACE ";" "\n" text "${lines}")
  file(WRITE ${file} "${text}\n")
endfunction()
