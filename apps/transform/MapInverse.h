// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_MapInverse_h
#define apps_transform_MapInverse_h

#include "cudaneuro/DisplacementField.h"
#include "itkTransform.h"
#include "shared/ComputeOptions.h"

#include <string>
#include <vector>

/** Newton's method makes of 0.01 voxels, where the engine stops, hardly anything in one more iteration. */
inline cudaneuro::InversionParameters
InversionOfMaps()
{
  cudaneuro::InversionParameters parameters;
  parameters.tolerance = 1e-3;
  return parameters;
}

/** Inverts a map part by part: linear transforms and geodesic shooting exactly, displacement fields on their own grids
 * by the engine.
 * \param path the file, for messages
 * \param results how the inversion of each field went; null where nobody asks
 * \throws UserError that names the file and the part that has no inverse */
template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
InverseOf(const itk::Transform<double, VDimension, VDimension> & transform,
          const std::string &                                    path,
          const ComputeOptions &                                 compute,
          const cudaneuro::InversionParameters &                 parameters = InversionOfMaps(),
          std::vector<cudaneuro::InversionResult> *              results = nullptr);

#endif
