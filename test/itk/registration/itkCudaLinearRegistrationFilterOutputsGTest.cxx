// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Outputs of CudaLinearRegistrationFilter: warped images, their pixel types, and images on devices.
// itkCudaLinearRegistrationFilterGTest.cxx instantiates these tests.

#include "LinearPhantom.h"
#include "LinearRegistrationTest.h"
#include "RegistrationChecks.h"
#include "RegistrationPhantom.h"
#include "itk/TestImages.h"
#include "itkCudaLinearRegistrationFilter.h"

#include <limits>
#include <type_traits>
#include <vector>

using namespace testimages;
using namespace registrationphantom;
using namespace linearphantom;
using namespace registrationchecks;
using namespace linearregistration;

namespace
{

std::vector<double>
ParametersOf(const TransformOf<3> * transform)
{
  const auto & parameters = transform->GetParameters();
  return std::vector<double>(parameters.begin(), parameters.end());
}

} // namespace

/** Voxels that are infinite or NaN are excluded as those outside a mask are: they do not spread into the warped
 * image. */
TEST_P(CudaLinearRegistrationFilter, WarpsFiniteVoxelsAlone)
{
  const auto moving = Moving<ImageType>(ObliqueGrid<ImageType>());
  const auto filter = MakeLinearFilter(SeenThrough<ImageType>(KnownTransform<3>("Rigid")), moving, this->GetDevice());
  filter->ExtendBackgroundOff(); // a mask ends the image, too
  const auto hole = BoxAround(19.0, 21.0, 20.0);
  filter->SetMovingMaskImage(MaskWithout(hole, moving));
  filter->Update();
  const auto masked = Pixels(filter->GetWarpedImage());
  filter->SetMovingMaskImage(nullptr);
  for (const double value : { notANumber, std::numeric_limits<double>::infinity() })
  {
    Brighten(moving, hole, static_cast<float>(value));
    moving->Modified();
    filter->Update();
    ExpectSame(Pixels(filter->GetWarpedImage()), masked);
  }
}

/** Integer pixels hold the phantom to half a unit; each image has its own type. */
TEST_P(CudaLinearRegistrationFilter, TakesOtherPixelTypes)
{
  const auto known = KnownTransform<3>("Rigid");
  const auto check = [&](auto fixedPixel, auto movingPixel) {
    using FixedType = itk::Image<decltype(fixedPixel), 3>;
    using MovingType = itk::Image<decltype(movingPixel), 3>;
    using OfTypes = itk::CudaLinearRegistrationFilter<FixedType, MovingType>;
    static_assert(std::is_same_v<typename OfTypes::WarpedImageType, MovingType>);
    // Unsigned types do not hold the least intensities, which are a little below 0.
    const auto intensity = [](const PointOf<3> & p) { return 30.0 + Intensity<3>(p); };
    const auto fixed = CommonGrid<FixedType>();
    Fill<decltype(fixedPixel), 3>(fixed, [&](const PointOf<3> & p) { return intensity(known->TransformPoint(p)); });
    const auto moving = CommonGrid<MovingType>();
    Fill<decltype(movingPixel), 3>(moving, intensity);
    const auto filter = MakeLinearFilter<OfTypes>(fixed, moving, this->GetDevice());
    filter->Update();
    EXPECT_LT(LargestDistance<3>(filter->GetTransform(), known), recoveryTolerance);
  };
  check(short{}, static_cast<unsigned char>(0));
  check(static_cast<unsigned short>(0), double{});
}

/** Device images have the bits of images, also where only one of them is one. */
TEST_P(CudaLinearRegistrationFilter, TakesAndGivesDeviceImages)
{
  using DeviceType = itk::DeviceImage<float, 3>;
  const auto fixed = SeenThrough<ImageType>(KnownTransform<3>("Rigid"));
  const auto moving = Moving<ImageType>();
  const auto onHost = MakeLinearFilter(fixed, moving, this->GetDevice());
  onHost->Update();
  const auto fixedOnDevice = Upload(fixed.GetPointer(), this->GetDevice());
  const auto filter = itk::CudaLinearRegistrationFilter<DeviceType>::New(); // the device is taken from the input
  filter->SetFixedImage(fixedOnDevice);
  filter->SetMovingImage(Upload(moving.GetPointer(), this->GetDevice()));
  filter->SetTransformType("Rigid");
  filter->SetNumberOfLevels(2);
  filter->SetNumberOfIterations(60);
  filter->Update();
  EXPECT_EQ(filter->GetComputeDevice(), this->GetDevice());
  EXPECT_EQ(filter->GetWarpedImage()->GetComputeDevice(), this->GetDevice());
  ExpectSame(ParametersOf(filter->GetTransform()), ParametersOf(onHost->GetTransform()));
  ExpectSameGeometry<3>(filter->GetWarpedImage(), fixed);
  ExpectSame(Pixels(filter->GetWarpedImage()), Pixels(onHost->GetWarpedImage()));

  using MixedType = itk::CudaLinearRegistrationFilter<DeviceType, ImageType>;
  const auto mixed = MakeLinearFilter<MixedType>(fixedOnDevice, moving, this->GetDevice());
  mixed->Update();
  ExpectSame(ParametersOf(mixed->GetTransform()), ParametersOf(onHost->GetTransform()));
  ExpectSame(Pixels(mixed->GetWarpedImage()), Pixels(onHost->GetWarpedImage()));
}

TEST_P(CudaLinearRegistrationFilter, WarpsAsAsked)
{
  const auto filter =
    MakeLinearFilter(Fixed<ImageType>(), Moving<ImageType>(ObliqueGrid<ImageType>()), this->GetDevice());
  filter->SetNumberOfIterations(2);
  ExpectWarpedAsByItk(filter.GetPointer());
}

TEST_P(CudaLinearRegistrationFilter, WarpedImageIsOptional)
{
  const auto filter =
    MakeLinearFilter(SeenThrough<ImageType>(KnownTransform<3>("Rigid")), Moving<ImageType>(), this->GetDevice());
  filter->Update();
  const auto parameters = ParametersOf(filter->GetTransform());
  const auto warped = Pixels(filter->GetWarpedImage());
  filter->ComputeWarpedOff();
  filter->Update();
  EXPECT_EQ(filter->GetWarpedImage()->GetBufferedRegion().GetNumberOfPixels(), 0u);
  ExpectSame(ParametersOf(filter->GetTransform()), parameters);
  filter->ComputeWarpedOn();
  filter->GetWarpedImage()->Update(); // as any output
  ExpectSame(Pixels(filter->GetWarpedImage()), warped);
}
