# SPDX-License-Identifier: Apache-2.0
# Every library that is not ours, each as one imported target. Debian packages: cmake/install-dependencies.sh.
find_package(Threads REQUIRED)
if(CMAKE_CROSSCOMPILING)
    include(HostHeaders)
endif()

find_path(OPENXR_INCLUDE_DIR openxr/openxr.h REQUIRED)
add_library(glove_openxr_headers INTERFACE)
target_include_directories(glove_openxr_headers SYSTEM INTERFACE ${OPENXR_INCLUDE_DIR})
# The layer calls the next element of the chain through pointers; a prototype called by mistake must not compile.
add_library(glove_openxr_types INTERFACE)
target_link_libraries(glove_openxr_types INTERFACE glove_openxr_headers)
target_compile_definitions(glove_openxr_types INTERFACE XR_NO_PROTOTYPES)

find_path(ASIO_INCLUDE_DIR asio.hpp REQUIRED)
add_library(glove_asio INTERFACE)
target_include_directories(glove_asio SYSTEM INTERFACE ${ASIO_INCLUDE_DIR})
target_compile_definitions(glove_asio INTERFACE ASIO_STANDALONE ASIO_NO_DEPRECATED)
target_link_libraries(glove_asio INTERFACE Threads::Threads)
if(GLOVE_SANITIZE MATCHES thread)  # which knows no fences; asio's mutexes order the same
    target_compile_definitions(glove_asio INTERFACE ASIO_DISABLE_FENCED_BLOCK)
endif()
if(WIN32)
    target_compile_definitions(glove_asio INTERFACE _WIN32_WINNT=0x0A00)
    target_link_libraries(glove_asio INTERFACE ws2_32 mswsock)
endif()

find_path(EIGEN3_INCLUDE_DIR Eigen/Core PATH_SUFFIXES eigen3 REQUIRED)
add_library(glove_eigen INTERFACE)
target_include_directories(glove_eigen SYSTEM INTERFACE ${EIGEN3_INCLUDE_DIR})

find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
add_library(glove_toml INTERFACE)
target_include_directories(glove_toml SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE_DIR})

if(GLOVE_BUILD_SAMPLES OR GLOVE_BUILD_TESTS)
    find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
    add_library(glove_cli11 INTERFACE)
    target_include_directories(glove_cli11 SYSTEM INTERFACE ${CLI11_INCLUDE_DIR})

    find_path(NLOHMANN_JSON_INCLUDE_DIR nlohmann/json.hpp REQUIRED)
    add_library(glove_json INTERFACE)
    target_include_directories(glove_json SYSTEM INTERFACE ${NLOHMANN_JSON_INCLUDE_DIR})

    # The loader is for programs and tests only. The layer never links it.
    if(NOT WIN32)
        find_library(OPENXR_LOADER_LIBRARY openxr_loader REQUIRED)
        add_library(glove_openxr_loader INTERFACE)
        target_link_libraries(glove_openxr_loader INTERFACE glove_openxr_headers ${OPENXR_LOADER_LIBRARY})
    endif()
endif()
