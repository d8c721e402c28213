# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Builds the module with a sanitizer of GCC or Clang: "address" looks for wrong addresses, leaks and undefined behavior,
# "thread" for data races. Sanitized builds are for the tests. They have no CUDA, whose code compute-sanitizer checks.
set(CudaNeuro_SANITIZE "" CACHE STRING "Build for the tests with a sanitizer: address, thread, or none")
set_property(CACHE CudaNeuro_SANITIZE PROPERTY STRINGS "" address thread)
if(NOT CudaNeuro_SANITIZE)
  return()
endif()
if(CudaNeuro_USE_CUDA)
  message(FATAL_ERROR "CudaNeuro_SANITIZE is \"${CudaNeuro_SANITIZE}\", which needs CudaNeuro_USE_CUDA=OFF.")
endif()
if(CudaNeuro_SANITIZE STREQUAL "address")
  set(_sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined)
elseif(CudaNeuro_SANITIZE STREQUAL "thread")
  set(_sanitizers -fsanitize=thread)
else()
  message(FATAL_ERROR "CudaNeuro_SANITIZE is \"${CudaNeuro_SANITIZE}\"; it must be address, thread or empty.")
endif()
add_compile_options(${_sanitizers} -fno-omit-frame-pointer -g1)
add_link_options(${_sanitizers})
