// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef DisplacementFieldTest_h
#define DisplacementFieldTest_h

#include "itk/FieldImages.h"
#include "itk/ItkDeviceTest.h"
#include "itk/TestImages.h"
#include "itkAffineTransform.h"
#include "itkCudaWarpImageFilter.h"

/** What the tests of all filters of displacement fields have in common: a filter that warps, and a map. */
namespace displacementfields
{

using namespace testimages;

template <typename TImage>
using WarpFilterOf = itk::CudaWarpImageFilter<TImage>;

template <typename TImage>
typename WarpFilterOf<TImage>::Pointer
MakeWarp(const TImage * input, const FieldImageOf<TImage::ImageDimension> * field, const itk::ComputeDevice & device)
{
  const auto filter = OnDevice<WarpFilterOf<TImage>>(device, input);
  filter->SetDisplacementField(field);
  filter->SetEdgePaddingValue(7);
  return filter;
}

inline itk::AffineTransform<double, 3>::Pointer
SomeAffine()
{
  const auto             affine = itk::AffineTransform<double, 3>::New();
  itk::Vector<double, 3> axis;
  itk::Point<double, 3>  center;
  itk::Vector<double, 3> shift;
  axis[0] = 0.3;
  axis[1] = -0.5;
  axis[2] = 1.0;
  center.Fill(3.0);
  shift.Fill(-0.7);
  affine->SetCenter(center);
  affine->Rotate3D(axis, 0.2);
  affine->Scale(1.1);
  affine->Translate(shift);
  return affine;
}

class CudaDisplacementFieldFilters : public ItkDeviceTest
{};

} // namespace displacementfields

#endif
