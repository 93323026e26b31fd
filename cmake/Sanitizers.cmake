# SPDX-License-Identifier: Apache-2.0
# GLOVE_SANITIZE=address,undefined or thread: for the whole build, since a mixed one gives false reports.
set(GLOVE_SANITIZE "" CACHE STRING "Sanitizers for the whole build, as for -fsanitize=")
option(GLOVE_LIBFUZZER "Link fuzz targets with libFuzzer (clang) instead of the replaying main" OFF)
if(GLOVE_SANITIZE)
    add_compile_options(-fsanitize=${GLOVE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1)
    add_link_options(-fsanitize=${GLOVE_SANITIZE})
    if(GLOVE_SANITIZE MATCHES "undefined")  # numbers that have no integer; compilers leave it out of the rest
        add_compile_options(-fsanitize=float-cast-overflow)
    endif()
    if(GLOVE_LIBFUZZER)
        add_compile_options(-fsanitize=fuzzer-no-link)
    endif()
endif()
