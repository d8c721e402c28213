# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Settings of the whole module, whichever way it is built.

if(NOT CMAKE_CXX_STANDARD OR CMAKE_CXX_STANDARD LESS 17)
  set(CMAKE_CXX_STANDARD 17)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE
      Release
      CACHE STRING "Kind of build" FORCE
  )
endif()

# Whether the compiler has GCC's options; Clang on Windows may have those of Microsoft's.
set(CudaNeuro_HAS_GNU_OPTIONS OFF)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT MSVC)
  set(CudaNeuro_HAS_GNU_OPTIONS ON)
endif()

option(CudaNeuro_WARNINGS_AS_ERRORS "Stop at a compiler warning in this module's own sources" OFF)

# What projects that find the module need to know. Static libraries leave their dependencies to them.
function(cudaneuro_set_find_code shared)
  set(code "")
  if(NOT shared)
    string(APPEND code "find_package(Threads REQUIRED)\n")
    if(CudaNeuro_USE_CUDA)
      string(APPEND code "find_package(CUDAToolkit REQUIRED)\n")
    endif()
  endif()
  set(CudaNeuro_FIND_CODE "${code}" PARENT_SCOPE)
  set(CudaNeuro_EXPORT_CODE_BUILD "set(CudaNeuro_USE_CUDA ${CudaNeuro_USE_CUDA})\n${code}" PARENT_SCOPE)
  set(CudaNeuro_EXPORT_CODE_INSTALL "set(CudaNeuro_USE_CUDA ${CudaNeuro_USE_CUDA})\n${code}" PARENT_SCOPE)
endfunction()

# Warnings and C++17 for a target of this module.
function(cudaneuro_target_settings target)
  set_target_properties(
    ${target}
    PROPERTIES
      CXX_VISIBILITY_PRESET hidden
      CUDA_VISIBILITY_PRESET hidden
      VISIBILITY_INLINES_HIDDEN ON
      POSITION_INDEPENDENT_CODE ON
      CUDA_RUNTIME_LIBRARY Static
  )
  target_compile_features(${target} PUBLIC cxx_std_17)
  # Formulas for both compilers use constexpr functions of the standard library.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--expt-relaxed-constexpr>)
  if(CudaNeuro_HAS_GNU_OPTIONS)
    target_compile_options(
      ${target}
      PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra>
        $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wall,-Wextra>
    )
    if(MINGW AND NOT target STREQUAL CudaNeuroEngine)
      # Templates of images need more sections than objects have by default.
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wa,-mbig-obj>)
    endif()
    if(CudaNeuro_WARNINGS_AS_ERRORS)
      target_compile_options(
        ${target}
        PRIVATE
          $<$<COMPILE_LANGUAGE:CXX>:-Werror>
          $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Werror=all-warnings>
      )
    endif()
  elseif(MSVC)
    # Sources are UTF-8, large templates of images need more sections than objects have by default, and windows.h has macros
    # min and max. Functions of the C library that Microsoft would replace by others are fine.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:/W3;/utf-8;/bigobj;/permissive-;/Zc:__cplusplus>)
    target_compile_definitions(${target} PRIVATE NOMINMAX _CRT_SECURE_NO_WARNINGS _USE_MATH_DEFINES)
    if(CudaNeuro_WARNINGS_AS_ERRORS)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:/WX>)
    endif()
  endif()
endfunction()

# Gives a target include folders and libraries of ITK modules: cudaneuro_link_itk(<target> <modules...>)
function(cudaneuro_link_itk target)
  foreach(_module IN LISTS ARGN)
    if(TARGET ITK::${_module}Module)
      target_link_libraries(${target} PUBLIC ITK::${_module}Module)
    elseif(CudaNeuro_PLAIN)
      itk_module_config(CudaNeuro_ITK ${_module})
      target_include_directories(${target} SYSTEM PUBLIC "$<BUILD_INTERFACE:${CudaNeuro_ITK_INCLUDE_DIRS}>")
      target_link_libraries(${target} PUBLIC ${CudaNeuro_ITK_LIBRARIES})
    else()
      target_link_libraries(${target} PUBLIC ${${_module}_LIBRARIES})
    endif()
  endforeach()
endfunction()
