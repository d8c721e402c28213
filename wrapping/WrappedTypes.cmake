# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# The types that the classes are wrapped for: of those that this ITK wraps, the pixel types and dimensions that the
# filters take. itk_wrap_template(NAME TYPES) adds one instantiation to the class that is being wrapped.

set(CudaNeuro_PIXEL_TYPES "")
foreach(_type IN ITEMS F UC SS US D)
  if(_type IN_LIST WRAP_ITK_SCALAR)
    list(APPEND CudaNeuro_PIXEL_TYPES ${_type})
  endif()
endforeach()
set(CudaNeuro_DIMS "")
foreach(_dim IN ITEMS 2 3)
  if(_dim IN_LIST ITK_WRAP_IMAGE_DIMS)
    list(APPEND CudaNeuro_DIMS ${_dim})
  endif()
endforeach()
if(NOT "F" IN_LIST CudaNeuro_PIXEL_TYPES OR NOT "UC" IN_LIST CudaNeuro_PIXEL_TYPES)
  message(FATAL_ERROR "This ITK wraps the pixel types \"${WRAP_ITK_SCALAR}\"; float (F) and unsigned char (UC) are needed.")
endif()

# Images and device images as itk_wrap_template names them: cudaneuro_image_type(OUT_NAME OUT_TYPE I|DI PIXEL DIM)
macro(cudaneuro_image_type name type kind pixel dim)
  if("${kind}" STREQUAL "I")
    set(${name} "${ITKM_I${pixel}${dim}}")
    set(${type} "${ITKT_I${pixel}${dim}}")
  else()
    set(${name} "DI${ITKM_${pixel}}${dim}")
    set(${type} "itk::DeviceImage< ${ITKT_${pixel}}, ${dim} >")
  endif()
endmacro()

# cudaneuro_wrap_filter(INPUT_KIND INPUT_PIXEL OUTPUT_KIND OUTPUT_PIXEL), for each dimension. Notes the names in
# CudaNeuro_WRAPPED.
macro(cudaneuro_wrap_filter input_kind input_pixel output_kind output_pixel)
  foreach(_dim IN LISTS CudaNeuro_DIMS)
    cudaneuro_image_type(_in_name _in_type ${input_kind} ${input_pixel} ${_dim})
    cudaneuro_image_type(_out_name _out_type ${output_kind} ${output_pixel} ${_dim})
    itk_wrap_template("${_in_name}${_out_name}" "${_in_type}, ${_out_type}")
    list(APPEND CudaNeuro_WRAPPED "${_in_name}${_out_name}")
  endforeach()
endmacro()

# A denoising filter. The output of the first that takes an input type is what the functions return for it.
macro(cudaneuro_wrap_denoising_filter)
  foreach(_pixel IN LISTS CudaNeuro_PIXEL_TYPES)
    cudaneuro_wrap_filter(I ${_pixel} I ${_pixel})
  endforeach()
  cudaneuro_wrap_filter(DI F DI F)
  cudaneuro_wrap_filter(I F DI F)
  cudaneuro_wrap_filter(DI F I F)
endmacro()

# Adds text for SWIG, which may refer to variables as @NAME@, to the classes that are being wrapped.
macro(cudaneuro_append_swig file)
  file(READ "${CMAKE_CURRENT_SOURCE_DIR}/${file}" _swig)
  string(CONFIGURE "${_swig}" _swig @ONLY)
  set(ITK_WRAP_PYTHON_SWIG_EXT "${ITK_WRAP_PYTHON_SWIG_EXT}${_swig}")
endmacro()
