// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Outputs of the registration filters: warped images and Jacobians, their pixel types, and images on devices.
// itkCudaFluidRegistrationFilterGTest.cxx instantiates these tests.

#include "FluidRegistrationTest.h"
#include "RegistrationChecks.h"
#include "RegistrationPhantom.h"
#include "itk/TestImages.h"
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "itkCudaSymmetricRegistrationFilter.h"
#include "itkCudaUnbiasedFluidRegistrationFilter.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

using namespace testimages;
using namespace registrationphantom;
using namespace registrationchecks;
using namespace fluidregistration;

TEST_P(CudaFluidRegistrationFilter, WarpsAsAsked)
{
  const auto fixed = Fixed<ImageType>();
  const auto moving = Moving<ImageType>(ObliqueGrid<ImageType>());
  const auto check = [&](auto filter) {
    filter->SetNumberOfIterations(5);
    ExpectWarpedAsByItk(filter.GetPointer());
  };
  check(MakeFilter<UnbiasedType>(fixed, moving, this->GetDevice()));
  check(MakeFilter<GreedyType>(fixed, moving, this->GetDevice()));
  check(MakeFilter<SymmetricType>(fixed, moving, this->GetDevice()));
}

TEST_P(CudaFluidRegistrationFilter, OutputsAreOptional)
{
  const auto filter = MakeFilter<UnbiasedType>(Fixed<ImageType>(), Moving<ImageType>(), this->GetDevice());
  filter->SetNumberOfIterations(5);
  filter->Update();
  const auto field = Numbers<3>(filter->GetOutput());
  const auto jacobian = Pixels(filter->GetJacobianImage());
  EXPECT_NEAR(*std::min_element(jacobian.begin(), jacobian.end()), filter->GetMinimumJacobian(), 1e-6);
  EXPECT_NEAR(*std::max_element(jacobian.begin(), jacobian.end()), filter->GetMaximumJacobian(), 1e-6);
  double sumOfLogarithms = 0.0;
  for (const double value : jacobian)
  {
    sumOfLogarithms += std::log(value);
  }
  EXPECT_NEAR(sumOfLogarithms / static_cast<double>(jacobian.size()), filter->GetMeanLogJacobian(), 1e-6);

  const double minimum = filter->GetMinimumJacobian();
  filter->ComputeInverseOff();
  filter->ComputeWarpedOff();
  filter->ComputeJacobianOff();
  filter->Update();
  EXPECT_EQ(filter->GetInverseDisplacementField()->GetBufferedRegion().GetNumberOfPixels(), 0u);
  EXPECT_EQ(filter->GetWarpedImage()->GetBufferedRegion().GetNumberOfPixels(), 0u);
  EXPECT_EQ(filter->GetJacobianImage()->GetBufferedRegion().GetNumberOfPixels(), 0u);
  ExpectSame(Numbers<3>(filter->GetOutput()), field);
  EXPECT_EQ(filter->GetMinimumJacobian(), minimum);

  filter->ComputeWarpedOn();
  filter->Update();
  EXPECT_EQ(filter->GetWarpedImage()->GetBufferedRegion(), filter->GetOutput()->GetBufferedRegion());
}

/** Integer pixels hold the phantom to half a unit; each image has its own type. */
TEST_P(CudaFluidRegistrationFilter, TakesOtherPixelTypes)
{
  using ShortType = itk::Image<short, 3>;
  using ByteType = itk::Image<unsigned char, 3>;
  using FilterType = itk::CudaUnbiasedFluidRegistrationFilter<ShortType, ByteType>;
  const auto filter = MakeFilter<FilterType>(Fixed<ShortType>(), Moving<ByteType>(), this->GetDevice());
  filter->Update();
  EXPECT_LT(DifferenceInside<3>(filter->GetOutput(), KnownField<3>(filter->GetFixedImage())).mean, recoveryTolerance);
  static_assert(std::is_same_v<FilterType::WarpedImageType, ByteType>);
  static_assert(std::is_same_v<FilterType::JacobianImageType, ImageType>);
}

/** Device images have the bits of images. */
TEST_P(CudaFluidRegistrationFilter, TakesAndGivesDeviceImages)
{
  using DeviceType = itk::DeviceImage<float, 3>;
  using DeviceFieldType = itk::DeviceImage<itk::Vector<float, 3>, 3>;
  using FilterType = itk::CudaUnbiasedFluidRegistrationFilter<DeviceType, DeviceType, DeviceFieldType>;
  const auto fixed = Fixed<ImageType>();
  const auto moving = Moving<ImageType>();
  const auto onHost = MakeFilter<UnbiasedType>(fixed, moving, this->GetDevice());
  onHost->SetNumberOfIterations(10);
  onHost->Update();
  const auto filter = FilterType::New(); // the device is taken from the input
  SmoothVelocity(*filter, 0);
  filter->SetFixedImage(Upload(fixed.GetPointer(), this->GetDevice()));
  filter->SetMovingImage(Upload(moving.GetPointer(), this->GetDevice()));
  filter->SetNumberOfLevels(2);
  filter->SetNumberOfIterations(10);
  filter->Update();
  EXPECT_EQ(filter->GetComputeDevice(), this->GetDevice());
  EXPECT_EQ(filter->GetOutput()->GetComputeDevice(), this->GetDevice());
  ExpectSameGeometry<3>(filter->GetOutput(), fixed);
  ExpectSame(Numbers<3>(itk::CudaNeuroDetail::HostField<3>(filter->GetOutput())), Numbers<3>(onHost->GetOutput()));
  ExpectSame(Numbers<3>(itk::CudaNeuroDetail::HostField<3>(filter->GetInverseDisplacementField())),
             Numbers<3>(onHost->GetInverseDisplacementField()));
  ExpectSame(Pixels(filter->GetWarpedImage()), Pixels(onHost->GetWarpedImage()));
  ExpectSame(Pixels(filter->GetJacobianImage()), Pixels(onHost->GetJacobianImage()));

  // A field on the device to start from.
  const typename DeviceFieldType::Pointer field = filter->GetOutput();
  field->DisconnectPipeline();
  filter->SetInitialDisplacementField(field);
  filter->SetNumberOfLevels(1);
  filter->SetNumberOfIterations(0);
  filter->Update();
  ExpectSame(
    Numbers<3>(itk::CudaNeuroDetail::HostField<3>(filter->GetOutput())), Numbers<3>(onHost->GetOutput()), 1e-6);
}
