# SPDX-License-Identifier: Apache-2.0
# One set of variables feeds the manifest, the C++ side and the library's file name, so they cannot disagree.
#
# glove_add_api_layer(TARGET NAME XR_APILAYER_… DESCRIPTION … DISABLE_ENVIRONMENT … EXTENSIONS name:version … SOURCES …)
# makes a loadable module that exports the negotiation function alone, and its implicit manifest, in the build tree as
# in the install tree: lib/<module>, share/openxr/1/api_layers/implicit.d/<manifest>.

set(GLOVE_IMPLEMENTATION_VERSION 1)  # loaders from 1.1.59 on take an integer only

function(glove_add_api_layer target)
    cmake_parse_arguments(LAYER "" "NAME;DESCRIPTION;DISABLE_ENVIRONMENT" "EXTENSIONS;SOURCES" ${ARGN})
    string(REGEX REPLACE "^XR_APILAYER_[A-Z]+_" "" short_name ${LAYER_NAME})
    set(file_name XrApiLayer_${short_name})

    add_library(${target} MODULE ${LAYER_SOURCES})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${file_name})
    list(TRANSFORM LAYER_EXTENSIONS REPLACE "(.*):.*" "\"\\1\"" OUTPUT_VARIABLE extension_names)
    list(TRANSFORM LAYER_EXTENSIONS REPLACE ".*:" "" OUTPUT_VARIABLE extension_versions)
    list(JOIN extension_names "," extension_names)
    list(JOIN extension_versions "," extension_versions)
    target_compile_definitions(${target} PRIVATE
        GLOVE_LAYER_NAME="${LAYER_NAME}"
        GLOVE_LAYER_EXTENSIONS=${extension_names}
        GLOVE_LAYER_EXTENSION_VERSIONS=${extension_versions}
        GLOVE_LAYER_DISABLE_ENVIRONMENT="${LAYER_DISABLE_ENVIRONMENT}")
    if(WIN32)
        set_target_properties(${target} PROPERTIES PREFIX "")
        target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/api_layer.def)
        target_link_options(${target} PRIVATE -static -static-libgcc -static-libstdc++)
        set(module_file ${file_name}.dll)
        set(from_manifest_to_module .\\\\${module_file})
    else()
        set(map ${PROJECT_SOURCE_DIR}/cmake/api_layer.map)
        # One exported symbol, so no unique ones: a host with its own libstdc++ is not disturbed, and dlclose unloads.
        target_link_options(${target} PRIVATE -Wl,--version-script=${map} -Wl,-z,now)
        if(NOT GLOVE_SANITIZE)
            target_link_options(${target} PRIVATE -Wl,-z,defs -static-libstdc++ -static-libgcc)
        endif()
        set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
        set(module_file lib${file_name}.so)
        set(from_manifest_to_module ../../../../../${CMAKE_INSTALL_LIBDIR}/${module_file})
    endif()

    set(extensions "")
    foreach(extension IN LISTS LAYER_EXTENSIONS)
        string(REPLACE ":" ";" parts ${extension})
        list(GET parts 0 name)
        list(GET parts 1 version)
        if(extensions)
            string(APPEND extensions ",\n")
        endif()
        string(APPEND extensions "            { \"name\": \"${name}\", \"extension_version\": \"${version}\" }")
    endforeach()

    set(MANIFEST_NAME ${LAYER_NAME})
    set(MANIFEST_DESCRIPTION ${LAYER_DESCRIPTION})
    set(MANIFEST_DISABLE_ENVIRONMENT ${LAYER_DISABLE_ENVIRONMENT})
    set(MANIFEST_IMPLEMENTATION_VERSION ${GLOVE_IMPLEMENTATION_VERSION})
    set(MANIFEST_EXTENSIONS ${extensions})
    set(template ${PROJECT_SOURCE_DIR}/manifest/api_layer.json.in)
    set(implicit_dir share/openxr/1/api_layers/implicit.d)

    if(WIN32)
        set(MANIFEST_LIBRARY_PATH ${from_manifest_to_module})
        configure_file(${template} ${PROJECT_BINARY_DIR}/bin/${file_name}.json @ONLY)
        set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
        install(TARGETS ${target} LIBRARY DESTINATION . RUNTIME DESTINATION .)
        install(FILES ${PROJECT_BINARY_DIR}/bin/${file_name}.json DESTINATION .)
    else()
        set(MANIFEST_LIBRARY_PATH ../../../../../lib/${module_file})
        configure_file(${template} ${PROJECT_BINARY_DIR}/${implicit_dir}/${file_name}.json @ONLY)
        set(MANIFEST_LIBRARY_PATH ${from_manifest_to_module})
        configure_file(${template} ${PROJECT_BINARY_DIR}/install/${file_name}.json @ONLY)
        install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
        install(FILES ${PROJECT_BINARY_DIR}/install/${file_name}.json DESTINATION ${implicit_dir})
    endif()
endfunction()
