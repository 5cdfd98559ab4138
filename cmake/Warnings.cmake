# Warning flags for our own targets: link nonsmooth_warnings PRIVATE.
option(NONSMOOTH_WERROR "Treat warnings as errors" OFF)
add_library(nonsmooth_warnings INTERFACE)
target_compile_options(nonsmooth_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${NONSMOOTH_WERROR}>:-Werror>)
