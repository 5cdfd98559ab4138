# NONSMOOTH_SANITIZE builds everything with AddressSanitizer and UndefinedBehaviorSanitizer. The
# first finding ends the program, so that a test cannot pass over it. -O1 keeps the stacks readable
# and the tests quick.
option(NONSMOOTH_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
if(NONSMOOTH_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1 -O1)
  add_link_options(-fsanitize=address,undefined)
endif()
