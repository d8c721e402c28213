// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef FluidRegistrationTest_h
#define FluidRegistrationTest_h

#include "RegistrationChecks.h"
#include "RegistrationPhantom.h"
#include "itk/ItkDeviceTest.h"
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "itkCudaSymmetricRegistrationFilter.h"
#include "itkCudaUnbiasedFluidRegistrationFilter.h"

/** The filters for deformations, and what the tests of their results have in common. */
namespace fluidregistration
{

using registrationchecks::ImageType;
using registrationphantom::FieldOf;

using FieldType = FieldOf<3>;
using UnbiasedType = itk::CudaUnbiasedFluidRegistrationFilter<ImageType>;
using GreedyType = itk::CudaGreedyFluidRegistrationFilter<ImageType>;
using SymmetricType = itk::CudaSymmetricRegistrationFilter<ImageType>;

/** How close a known deformation must be recovered: in voxels, on average, inside the object. */
inline constexpr double recoveryTolerance = 0.25;

class CudaFluidRegistrationFilter : public ItkDeviceTest
{};

} // namespace fluidregistration

#endif
