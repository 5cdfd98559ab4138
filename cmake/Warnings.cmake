# Warning flags for our own targets: link nonsmooth_warnings PRIVATE. An int as index into a vector
# is fine with us; clang counts that under -Wconversion, GCC does not.
option(NONSMOOTH_WERROR "Treat warnings as errors" OFF)
add_library(nonsmooth_warnings INTERFACE)
target_compile_options(nonsmooth_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wno-sign-conversion -Wshadow $<$<BOOL:${NONSMOOTH_WERROR}>:-Werror>)
