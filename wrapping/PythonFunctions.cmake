# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# The functions of cudaneuro.py, cudaneuro_device_images.py and cudaneuro_meshes.py, which are part of the package itk as modules of
# itk.support. Configuration files list what the package has; functions are listed as classes without template arguments are.
set(CudaNeuro_FUNCTIONS
    array_from_device_image
    array_view_from_device_image
    cuda_match_landmarks
    cuda_register_images
    device_image_from_array
)
foreach(_function IN LISTS CudaNeuro_FUNCTIONS)
  add_python_config_template("${_function}" "itk::${_function}" "${_function}" "")
endforeach()
list(JOIN CudaNeuro_FUNCTIONS ", " _functions)
string(
  APPEND
  ITK_WRAP_PYTHON_LIBRARY_IMPORTS
  "from itk.support.cudaneuro import ${_functions}\n"
  "from itk.support.cudaneuro import complete_functions as _complete_functions\n"
  "_complete_functions(globals())\n"
)
# For readers of files, which make transforms by their names.
list(GET CudaNeuro_DIMS 0 _dimension)
string(
  APPEND
  ITK_WRAP_PYTHON_LIBRARY_IMPORTS
  "from itk.itkLandmarksPython import itkGeodesicShootingTransformD${_dimension} as _transform\n"
  "_transform.RegisterWithObjectFactory()\n"
)
foreach(_file IN ITEMS cudaneuro.py cudaneuro_device_images.py cudaneuro_meshes.py)
  configure_file(${_file} "${ITK_PYTHON_PACKAGE_DIR}/support/${_file}" COPYONLY)
  wrap_itk_python_bindings_install(/itk/support "CudaNeuro" "${CMAKE_CURRENT_SOURCE_DIR}/${_file}")
endforeach()

# The package itk_cudaneuro: before the compiled part is loaded, whether that fits this ITK, because what else the loader says is hard
# to understand; and files and transforms.
set(_package "${ITK_PYTHON_PACKAGE_DIR}/../itk_cudaneuro")
configure_file(itk_cudaneuro/__init__.py.in "${_package}/__init__.py" @ONLY)
wrap_itk_python_bindings_install(/itk_cudaneuro "CudaNeuro" "${_package}/__init__.py")
foreach(_file IN ITEMS files.py series.py transforms.py)
  configure_file(itk_cudaneuro/${_file} "${_package}/${_file}" COPYONLY)
  wrap_itk_python_bindings_install(/itk_cudaneuro "CudaNeuro" "${_package}/${_file}")
endforeach()
string(APPEND ITK_WRAP_PYTHON_LIBRARY_IMPORTS "%}\n%pythonbegin %{\nimport itk_cudaneuro as _itk_cudaneuro\n%}\n%pythoncode %{\n")
