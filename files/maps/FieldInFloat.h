// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_FieldInFloat_h
#define files_maps_FieldInFloat_h

#include "itkImage.h"
#include "itkVector.h"

#include <cstddef>

namespace cudaneuro::files
{

/** Converts a field to float, for the engine. */
template <unsigned int VDimension>
typename itk::Image<itk::Vector<float, VDimension>, VDimension>::Pointer
FieldInFloat(const itk::Image<itk::Vector<double, VDimension>, VDimension> & field)
{
  const auto result = itk::Image<itk::Vector<float, VDimension>, VDimension>::New();
  result->CopyInformation(&field);
  result->SetRegions(field.GetLargestPossibleRegion());
  result->Allocate();
  const std::size_t count = field.GetLargestPossibleRegion().GetNumberOfPixels();
  for (std::size_t i = 0; i < count; ++i)
  {
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      result->GetBufferPointer()[i][axis] = static_cast<float>(field.GetBufferPointer()[i][axis]);
    }
  }
  return result;
}

} // namespace cudaneuro::files

#endif
