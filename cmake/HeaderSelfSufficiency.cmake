# nonsmooth_check_headers(<component> <target>): compiles every public header of the component's
# folder alone, with what `target` gives to its users and nothing else.
function(nonsmooth_check_headers folder target)
  if(NOT NONSMOOTH_CHECK_HEADERS)
    return()
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
       ${PROJECT_SOURCE_DIR}/${folder}/*.h)
  list(FILTER headers EXCLUDE REGEX "-inl\\.h$")
  set(sources)
  foreach(header ${headers})
    set(source ${PROJECT_BINARY_DIR}/header_check/${header}.cpp)
    # Twice, so that a forgotten #pragma once is found too.
    set(HEADER_CHECK "#include \"${header}\"\n#include \"${header}\"\n")
    file(CONFIGURE OUTPUT ${source} CONTENT "@HEADER_CHECK@" @ONLY)
    list(APPEND sources ${source})
  endforeach()
  add_library(header_check_${folder} OBJECT ${sources})
  target_link_libraries(header_check_${folder} PRIVATE ${target} nonsmooth_warnings)
endfunction()
