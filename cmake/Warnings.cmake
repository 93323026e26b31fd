# SPDX-License-Identifier: Apache-2.0
# Link glove_warnings PRIVATE to everything we write; never to what others wrote.
add_library(glove_warnings INTERFACE)
target_compile_options(glove_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Wnon-virtual-dtor)
option(GLOVE_WERROR "Treat warnings as errors" ON)
if(GLOVE_WERROR)
    target_compile_options(glove_warnings INTERFACE -Werror)
endif()
