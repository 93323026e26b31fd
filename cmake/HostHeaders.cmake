# SPDX-License-Identifier: Apache-2.0
# In a cross-build the header-only packages come from the building machine. Only their own folders are let in, as links in
# the build tree: all of /usr/include would bring the machine's C library.
set(host_headers ${PROJECT_BINARY_DIR}/host-headers)
file(MAKE_DIRECTORY ${host_headers}/include)
foreach(name asio asio.hpp CLI eigen3 nlohmann openxr toml++)
    if(NOT EXISTS /usr/include/${name})
        message(FATAL_ERROR "/usr/include/${name} is missing: bash cmake/install-dependencies.sh ci")
    endif()
    file(CREATE_LINK /usr/include/${name} ${host_headers}/include/${name} SYMBOLIC)
endforeach()
list(APPEND CMAKE_FIND_ROOT_PATH ${host_headers})
