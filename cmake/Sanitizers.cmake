# NONSMOOTH_SANITIZE=ON builds everything with AddressSanitizer and UndefinedBehaviorSanitizer,
# NONSMOOTH_SANITIZE=thread with ThreadSanitizer. The first finding ends the program, so that a test
# cannot pass over it. -O1 keeps the stacks readable and the tests quick.
set(NONSMOOTH_SANITIZE OFF CACHE STRING "ON: addresses and undefined behaviour; thread: data races")
set_property(CACHE NONSMOOTH_SANITIZE PROPERTY STRINGS OFF ON thread)
if(NONSMOOTH_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -g1 -O1)
  add_link_options(-fsanitize=thread)
elseif(NONSMOOTH_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1 -O1)
  add_link_options(-fsanitize=address,undefined)
endif()
