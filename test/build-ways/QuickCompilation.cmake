# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# For CMAKE_PROJECT_CudaNeuro_INCLUDE: compiles all but the engine with -O1, and without optimization the programs, which only have
# to start, and what hands Python's arguments on, in a build whose flags are those of a release build. The engine is then in the
# compiler cache, where the first way to build has left it, and the rest takes little time.

include("${CMAKE_CURRENT_LIST_DIR}/HeadersOnce.cmake")

# A level of a source would come after that of its target.
set(CudaNeuro_PROGRAMS_UNOPTIMIZED ON)

function(cudaneuro_compile_quickly directory)
  cudaneuro_get_targets(targets "${directory}")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(options ${target} COMPILE_OPTIONS)
    # Tests say themselves how they are compiled.
    if(type MATCHES "LIBRARY|EXECUTABLE" AND NOT type STREQUAL "INTERFACE_LIBRARY" AND NOT options MATCHES "-O"
       AND NOT target STREQUAL "CudaNeuroEngine"
    )
      set(level -O1)
      if(target MATCHES "^cudaneuro-|Python$")
        set(level -O0)
      endif()
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${level}>)
    endif()
  endforeach()
endfunction()

cmake_language(DEFER CALL cudaneuro_compile_quickly "${CMAKE_CURRENT_SOURCE_DIR}")
