# The installed package: find_package(Nonsmooth [COMPONENTS common ...]) and Nonsmooth::<component>.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(NONSMOOTH_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Nonsmooth)

# nonsmooth_install_component(<component> TARGETS <target>... [COMPONENTS <component>...]
#                             [PACKAGES "<find_package arguments>"...] [PACKAGE_TARGET <target>]
#                             [INTERNAL <folder or header>...])
#
# Called in the component's folder. Installs its targets as Nonsmooth::<name without nonsmooth_> and
# its headers under nonsmooth/<folder>/ with the tree kept. `COMPONENTS` are ours that it stands on,
# `PACKAGES` those of others that a program linked with it needs; one that defines `PACKAGE_TARGET`
# has been found whatever it says (Parts.cmake). `INTERNAL` headers, or
# folders of them, are not installed.
# Components are installed in the order of their layers.
function(nonsmooth_install_component component)
  cmake_parse_arguments(arg "" "PACKAGE_TARGET" "TARGETS;COMPONENTS;PACKAGES;INTERNAL" ${ARGN})
  foreach(target ${arg_TARGETS})
    string(REGEX REPLACE "^nonsmooth_" "" name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  endforeach()
  install(TARGETS ${arg_TARGETS} EXPORT Nonsmooth_${component}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT Nonsmooth_${component} NAMESPACE Nonsmooth::
          FILE Nonsmooth_${component}_targets.cmake DESTINATION ${NONSMOOTH_PACKAGE_DIR})

  nonsmooth_public_headers(headers)
  foreach(internal ${arg_INTERNAL})
    list(FILTER headers EXCLUDE REGEX "^${internal}(/|$)")
  endforeach()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(header ${headers})
    get_filename_component(parent ${header} DIRECTORY)
    install(FILES ${header}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nonsmooth/${folder}/${parent})
  endforeach()

  set(text "set(_nonsmooth_${component}_components ${arg_COMPONENTS})\n")
  string(APPEND text "set(_nonsmooth_${component}_target ${arg_PACKAGE_TARGET})\n")
  string(APPEND text "set(_nonsmooth_${component}_packages")
  foreach(package ${arg_PACKAGES})
    string(APPEND text " \"${package}\"")
  endforeach()
  set_property(GLOBAL APPEND_STRING PROPERTY NONSMOOTH_COMPONENT_TEXT "${text})\n")
  set_property(GLOBAL APPEND PROPERTY NONSMOOTH_COMPONENTS ${component})
endfunction()

# The headers of the present folder that users may include, relative to it: all but `*-inl.h`.
function(nonsmooth_public_headers result)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.h)
  list(FILTER headers EXCLUDE REGEX "-inl\\.h$")
  set(${result} ${headers} PARENT_SCOPE)
endfunction()

# Once, after all components: the package's own files, the licence and the documents.
function(nonsmooth_install_package)
  get_property(NONSMOOTH_COMPONENTS GLOBAL PROPERTY NONSMOOTH_COMPONENTS)
  get_property(NONSMOOTH_COMPONENT_TEXT GLOBAL PROPERTY NONSMOOTH_COMPONENT_TEXT)
  configure_package_config_file(cmake/NonsmoothConfig.cmake.in NonsmoothConfig.cmake
    INSTALL_DESTINATION ${NONSMOOTH_PACKAGE_DIR})
  write_basic_package_version_file(NonsmoothConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/NonsmoothConfig.cmake
                ${PROJECT_BINARY_DIR}/NonsmoothConfigVersion.cmake
          DESTINATION ${NONSMOOTH_PACKAGE_DIR})
  install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
endfunction()
