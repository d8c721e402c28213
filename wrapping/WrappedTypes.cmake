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
if(NOT ITK_WRAP_vector_float)
  message(FATAL_ERROR "This ITK does not wrap vectors of float (ITK_WRAP_vector_float); displacement fields need them.")
endif()
if(NOT "F" IN_LIST CudaNeuro_PIXEL_TYPES OR NOT "UC" IN_LIST CudaNeuro_PIXEL_TYPES)
  message(FATAL_ERROR "This ITK wraps the pixel types \"${WRAP_ITK_SCALAR}\"; float (F) and unsigned char (UC) are needed.")
endif()

# Images and device images as itk_wrap_template names them: cudaneuro_image_type(OUT_NAME OUT_TYPE I|DI PIXEL DIM). The
# pixels VF and CVF are vectors and covariant vectors of float, one component an axis.
macro(cudaneuro_image_type name type kind pixel dim)
  set(_full_pixel "${pixel}")
  if("${pixel}" MATCHES "^(VF|CVF)$")
    set(_full_pixel "${pixel}${dim}")
  endif()
  if("${kind}" STREQUAL "I")
    set(${name} "${ITKM_I${_full_pixel}${dim}}")
    set(${type} "${ITKT_I${_full_pixel}${dim}}")
  else()
    set(${name} "DI${ITKM_${_full_pixel}}${dim}")
    set(${type} "itk::DeviceImage< ${ITKT_${_full_pixel}}, ${dim} >")
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

# cudaneuro_wrap_warp_filter(KIND PIXEL): images and labels of a pixel type, deformed by fields of the same kind.
macro(cudaneuro_wrap_warp_filter kind pixel)
  foreach(_dim IN LISTS CudaNeuro_DIMS)
    cudaneuro_image_type(_image_name _image_type ${kind} ${pixel} ${_dim})
    cudaneuro_image_type(_field_name _field_type ${kind} VF ${_dim})
    itk_wrap_template("${_image_name}${_image_name}${_field_name}" "${_image_type}, ${_image_type}, ${_field_type}")
  endforeach()
endmacro()

# The pixel types that images to be registered have.
set(CudaNeuro_REGISTRATION_PIXEL_TYPES "")
foreach(_pixel IN ITEMS F SS UC)
  if(_pixel IN_LIST CudaNeuro_PIXEL_TYPES)
    list(APPEND CudaNeuro_REGISTRATION_PIXEL_TYPES ${_pixel})
  endif()
endforeach()

# A registration filter: fixed image, moving image, displacement field; all of them images, or all device images. Files with
# text for SWIG may follow.
macro(cudaneuro_wrap_registration_filter)
  foreach(_pixel IN LISTS CudaNeuro_REGISTRATION_PIXEL_TYPES ITEMS DI)
    set(_kind I)
    if("${_pixel}" STREQUAL "DI")
      set(_kind DI)
      set(_pixel F)
    endif()
    foreach(_dim IN LISTS CudaNeuro_DIMS)
      cudaneuro_image_type(_image_name _image_type ${_kind} ${_pixel} ${_dim})
      cudaneuro_image_type(_field_name _field_type ${_kind} VF ${_dim})
      set(CudaNeuro_TEMPLATE "${_image_name}${_image_name}${_field_name}")
      set(CudaNeuro_DIM ${_dim})
      itk_wrap_template("${CudaNeuro_TEMPLATE}" "${_image_type}, ${_image_type}, ${_field_type}")
      foreach(_file IN ITEMS ${ARGN})
        cudaneuro_append_swig(${_file})
      endforeach()
    endforeach()
  endforeach()
endmacro()

# An atlas: images, template, displacement fields. Files with text for SWIG may follow.
macro(cudaneuro_wrap_atlas_filter)
  foreach(_pixel IN LISTS CudaNeuro_REGISTRATION_PIXEL_TYPES ITEMS DI)
    set(_kind I)
    if("${_pixel}" STREQUAL "DI")
      set(_kind DI)
      set(_pixel F)
    endif()
    foreach(_dim IN LISTS CudaNeuro_DIMS)
      cudaneuro_image_type(_image_name _image_type ${_kind} ${_pixel} ${_dim})
      cudaneuro_image_type(_template_name _template_type ${_kind} F ${_dim})
      cudaneuro_image_type(_field_name _field_type ${_kind} VF ${_dim})
      set(CudaNeuro_TEMPLATE "${_image_name}${_template_name}${_field_name}")
      set(CudaNeuro_DIM ${_dim})
      itk_wrap_template("${CudaNeuro_TEMPLATE}" "${_image_type}, ${_template_type}, ${_field_type}")
      foreach(_file IN ITEMS ${ARGN})
        cudaneuro_append_swig(${_file})
      endforeach()
    endforeach()
  endforeach()
endmacro()

# Adds text for SWIG, which may refer to variables as @NAME@, to the classes that are being wrapped.
macro(cudaneuro_append_swig file)
  file(READ "${CMAKE_CURRENT_SOURCE_DIR}/${file}" _swig)
  string(CONFIGURE "${_swig}" _swig @ONLY)
  set(ITK_WRAP_PYTHON_SWIG_EXT "${ITK_WRAP_PYTHON_SWIG_EXT}${_swig}")
endmacro()
