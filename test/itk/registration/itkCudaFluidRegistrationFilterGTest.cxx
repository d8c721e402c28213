// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What the registration filters compute: known deformations, geometry, transforms, masks.

#include "FluidRegistrationTest.h"
#include "RegistrationChecks.h"
#include "RegistrationPhantom.h"
#include "itk/TestImages.h"
#include "itkCompositeTransform.h"
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "itkCudaSymmetricRegistrationFilter.h"
#include "itkCudaUnbiasedFluidRegistrationFilter.h"
#include "itkTranslationTransform.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace testimages;
using namespace registrationphantom;
using namespace registrationchecks;
using namespace fluidregistration;

namespace
{

using CompositeType = itk::CompositeTransform<double, 3>;

} // namespace

TEST_P(CudaFluidRegistrationFilter, UnbiasedRecoversKnownDeformation)
{
  const auto filter = MakeFilter<UnbiasedType>(Fixed<ImageType>(), Moving<ImageType>(), this->GetDevice());
  filter->Update();
  const auto difference = DifferenceInside<3>(filter->GetDisplacementField(), KnownField<3>(filter->GetFixedImage()));
  EXPECT_LT(difference.mean, recoveryTolerance);
  EXPECT_EQ(filter->GetNumberOfFoldedVoxels(), 0u);
  EXPECT_GT(filter->GetMinimumJacobian(), 0.0);
  EXPECT_GT(filter->GetMaximumJacobian(), 1.0);
  ExpectSameGeometry<3>(filter->GetOutput(), filter->GetFixedImage());
  EXPECT_LT(MeanDifference(filter->GetWarpedImage(), filter->GetFixedImage()),
            0.2 * MeanDifference(filter->GetMovingImage(), filter->GetFixedImage()));
}

TEST_P(CudaFluidRegistrationFilter, GreedyRecoversKnownDeformation)
{
  const auto filter = MakeFilter<GreedyType>(Fixed<ImageType>(), Moving<ImageType>(), this->GetDevice());
  for (const char * const solver : { "SuccessiveOverRelaxation", "FourierTransform" })
  {
    filter->SetVelocityMethod(solver);
    filter->Update();
    const auto difference = DifferenceInside<3>(filter->GetDisplacementField(), KnownField<3>(filter->GetFixedImage()));
    EXPECT_LT(difference.mean, recoveryTolerance) << solver;
    EXPECT_EQ(filter->GetNumberOfFoldedVoxels(), 0u) << solver;
    EXPECT_EQ(filter->GetBiasEnergy(), 0.0) << solver;
  }
}

TEST_P(CudaFluidRegistrationFilter, CorrelationRecoversKnownDeformation)
{
  // Another contrast, which a linear function of neighborhoods explains and the mean of squares does not.
  const auto fixed = Fixed<ImageType>();
  Fill<float, 3>(fixed,
                 [](const PointOf<3> & p) { return 1000.0 - (2.0 + 0.02 * p[0]) * Intensity<3>(Deformed<3>(p)); });
  const auto filter = MakeFilter<UnbiasedType>(fixed, Moving<ImageType>(), this->GetDevice());
  filter->SetMetric("LocalCorrelation");
  filter->SetCorrelationRadius(2);
  filter->Update();
  const auto difference = DifferenceInside<3>(filter->GetDisplacementField(), KnownField<3>(fixed));
  EXPECT_LT(difference.mean, recoveryTolerance);
}

TEST_P(CudaFluidRegistrationFilter, MutualInformationRecoversKnownDeformation)
{
  // Another contrast: what is dark and what is bright in the moving image is dark.
  const auto fixed = Fixed<ImageType>();
  Fill<float, 3>(fixed, [](const PointOf<3> & p) { return 50.0 * std::sin(0.02 * Intensity<3>(Deformed<3>(p))); });
  const auto filter = MakeFilter<UnbiasedType>(fixed, Moving<ImageType>(), this->GetDevice());
  filter->SetMetric("MutualInformation");
  filter->Update();
  const auto difference = DifferenceInside<3>(filter->GetDisplacementField(), KnownField<3>(fixed));
  EXPECT_LT(difference.mean, recoveryTolerance);
  EXPECT_LT(filter->GetImageEnergy(), 0.0);
}

TEST_P(CudaFluidRegistrationFilter, MatchesIntensities)
{
  const auto fixed = Fixed<ImageType>();
  const auto moving = Moving<ImageType>();
  const auto known = KnownField<3>(fixed);
  Fill<float, 3>(moving, [](const PointOf<3> & p) { return 40.0 + 0.01 * std::pow(Intensity<3>(p), 2.0); });
  const auto filter = MakeFilter<UnbiasedType>(fixed, moving, this->GetDevice());
  filter->Update();
  const double without = DifferenceInside<3>(filter->GetDisplacementField(), known).mean;
  filter->MatchIntensitiesOn();
  filter->Update();
  EXPECT_LT(DifferenceInside<3>(filter->GetDisplacementField(), known).mean, recoveryTolerance);
  EXPECT_GT(without, recoveryTolerance);
  // The warped image keeps its intensities.
  const auto warped = Pixels(filter->GetWarpedImage());
  EXPECT_GT(*std::max_element(warped.begin(), warped.end()), 300.0);
}

/** Each grid against the same images on the common grid. */
TEST_P(CudaFluidRegistrationFilter, TakesImagesOnAnyGrid)
{
  const auto fixed = Fixed<ImageType>();
  const auto common = MakeFilter<UnbiasedType>(fixed, Moving<ImageType>(), this->GetDevice());
  common->Update();

  const auto moving = Moving<ImageType>(ObliqueGrid<ImageType>());
  const auto ofOblique = MakeFilter<UnbiasedType>(fixed, moving, this->GetDevice());
  ofOblique->Update();
  EXPECT_LT(DifferenceInside<3>(ofOblique->GetOutput(), common->GetOutput()).mean, 0.15);
  EXPECT_LT(DifferenceInside<3>(ofOblique->GetOutput(), KnownField<3>(fixed)).mean, recoveryTolerance);

  const auto obliqueFixed = Fixed<ImageType>(ObliqueGrid<ImageType>());
  for (const auto & other : { moving, Moving<ImageType>() })
  {
    const auto onOblique = MakeFilter<UnbiasedType>(obliqueFixed, other, this->GetDevice());
    onOblique->Update();
    ExpectSameGeometry<3>(onOblique->GetOutput(), obliqueFixed);
    ExpectSameGeometry<3>(onOblique->GetWarpedImage(), obliqueFixed);
    EXPECT_LT(DifferenceInside<3>(onOblique->GetOutput(), KnownField<3>(obliqueFixed)).mean, recoveryTolerance);
  }
}

/** Vectors are along the axes of space, whatever the axes of the grid are. */
TEST_P(CudaFluidRegistrationFilter, GivesVectorsInSpace)
{
  const auto fixed = Fixed<ImageType>();
  const auto moving = Moving<ImageType>();
  const auto straight = MakeFilter<UnbiasedType>(fixed, moving, this->GetDevice());
  straight->Update();
  // The whole space turned about the z axis by a quarter, and made four times as small.
  const auto turn = [](ImageType * image) {
    ImageType::DirectionType direction;
    direction.Fill(0.0);
    direction[0][1] = -1.0;
    direction[1][0] = 1.0;
    direction[2][2] = 1.0;
    image->SetDirection(direction);
    image->SetSpacing(image->GetSpacing() * 0.25);
  };
  turn(fixed);
  turn(moving);
  const auto turned = MakeFilter<UnbiasedType>(fixed, moving, this->GetDevice());
  turned->Update();
  double largest = 0.0;
  for (std::size_t i = 0; i < fixed->GetLargestPossibleRegion().GetNumberOfPixels(); ++i)
  {
    const auto & a = straight->GetOutput()->GetBufferPointer()[i];
    const auto & b = turned->GetOutput()->GetBufferPointer()[i];
    largest = std::max({ largest,
                         std::abs(static_cast<double>(b[0]) * 4.0 + a[1]),
                         std::abs(static_cast<double>(b[1]) * 4.0 - a[0]),
                         std::abs(static_cast<double>(b[2]) * 4.0 - a[2]) });
  }
  EXPECT_LT(largest, 1e-3);
}

TEST_P(CudaFluidRegistrationFilter, StartsFromLinearTransforms)
{
  const auto affine = SomeAffine();
  const auto fixed = Fixed<ImageType>();
  const auto filter = MakeFilter<UnbiasedType>(fixed, MovedBy(affine), this->GetDevice());
  filter->SetInitialTransform(affine);
  filter->Update();
  EXPECT_LT(DifferenceInside<3>(filter->GetOutput(), KnownField<3>(fixed)).mean, recoveryTolerance);

  // The same in two parts.
  const auto rest = AffineType::New();
  rest->SetMatrix(affine->GetMatrix());
  const auto translation = itk::TranslationTransform<double, 3>::New();
  translation->Translate(affine->GetTranslation());
  const auto composite = CompositeType::New();
  composite->AddTransform(translation); // applied last
  composite->AddTransform(rest);
  const auto before = filter->GetMTime();
  filter->SetInitialTransform(composite);
  EXPECT_GT(filter->GetMTime(), before);
  const auto result = Numbers<3>(filter->GetOutput());
  filter->Update();
  ExpectSame(Numbers<3>(filter->GetOutput()), result, 1e-2);
}

TEST_P(CudaFluidRegistrationFilter, StartsFromField)
{
  const auto fixed = Fixed<ImageType>();
  const auto known = KnownField<3>(fixed);
  const auto filter = MakeFilter<UnbiasedType>(fixed, Moving<ImageType>(), this->GetDevice());
  filter->SetInitialDisplacementField(known);
  filter->SetNumberOfLevels(1);
  filter->SetNumberOfIterations(0);
  filter->Update();
  EXPECT_EQ(filter->GetElapsedIterations(), 0u);
  ExpectSame(Numbers<3>(filter->GetOutput()), Numbers<3>(known), 1e-5);
  EXPECT_LT(MeanDifference(filter->GetWarpedImage(), fixed), 0.5);

  filter->SetNumberOfIterations(5);
  filter->Update();
  EXPECT_EQ(filter->GetElapsedIterations(), 5u);
  EXPECT_LT(DifferenceInside<3>(filter->GetOutput(), known).mean, recoveryTolerance);
}

/** Something bright that only one image has, outside the mask, does no harm. */
TEST_P(CudaFluidRegistrationFilter, HonorsMasks)
{
  const auto fixed = Fixed<ImageType>();
  const auto moving = Moving<ImageType>(ObliqueGrid<ImageType>());
  const auto known = KnownField<3>(fixed);
  const auto blob = BoxAround(28.0, 24.0, 20.0);
  const auto errorOf = [&](const MaskOf<3> * fixedMask, const MaskOf<3> * movingMask) {
    const auto filter = MakeFilter<UnbiasedType>(fixed, moving, this->GetDevice());
    filter->SetFixedMaskImage(fixedMask);
    filter->SetMovingMaskImage(movingMask);
    filter->Update();
    return DifferenceInside<3>(filter->GetOutput(), known).mean;
  };
  Brighten(fixed, blob, 400.0f);
  const double without = errorOf(nullptr, nullptr);
  const double with = errorOf(MaskWithout(blob, fixed), nullptr);
  EXPECT_LT(with, recoveryTolerance);
  EXPECT_LT(with, 0.5 * without);

  Fixed<ImageType>(fixed);
  Brighten(moving, blob, 400.0f);
  const double movingWithout = errorOf(nullptr, nullptr);
  const double movingWith = errorOf(nullptr, MaskWithout(blob, moving));
  EXPECT_LT(movingWith, recoveryTolerance);
  EXPECT_LT(movingWith, 0.5 * movingWithout);
}

/** Swapping the images gives the inverse, to what a registration is precise to. */
TEST_P(CudaFluidRegistrationFilter, SwappedImagesGiveTheInverse)
{
  const auto there = MakeFilter<UnbiasedType>(Fixed<ImageType>(), Moving<ImageType>(), this->GetDevice());
  there->Update();
  const auto back = MakeFilter<UnbiasedType>(Moving<ImageType>(), Fixed<ImageType>(), this->GetDevice());
  back->Update();
  EXPECT_LT(DifferenceInside<3>(back->GetDisplacementField(), there->GetInverseDisplacementField()).mean,
            recoveryTolerance);
}

TEST_P(CudaFluidRegistrationFilter, IdenticalImagesStay)
{
  const auto image = Phantom<ImageType>(0.2, { { 33, 29, 31 } });
  const auto check = [&](auto filter) {
    filter->SetNumberOfIterations(5);
    filter->Update();
    const std::vector<double> zeros(3 * image->GetLargestPossibleRegion().GetNumberOfPixels(), 0.0);
    ExpectSame(Numbers<3>(filter->GetDisplacementField()), zeros);
    ExpectSame(Numbers<3>(filter->GetInverseDisplacementField()), zeros);
    ExpectSame(Pixels(filter->GetWarpedImage()), Pixels(image.GetPointer()));
    EXPECT_EQ(filter->GetMinimumJacobian(), 1.0);
    EXPECT_EQ(filter->GetMaximumJacobian(), 1.0);
    EXPECT_EQ(filter->GetMeanLogJacobian(), 0.0);
  };
  check(MakeFilter<UnbiasedType>(image, image, this->GetDevice()));
  check(MakeFilter<GreedyType>(image, image, this->GetDevice()));
  check(MakeFilter<SymmetricType>(image, image, this->GetDevice()));
}

TEST_P(CudaFluidRegistrationFilter, WorksIn2D)
{
  using FlatType = itk::Image<float, 2>;
  const auto fixed = Fixed<FlatType>();
  for (const auto & moving : { Moving<FlatType>(), Moving<FlatType>(ObliqueGrid<FlatType>()) })
  {
    const auto unbiased =
      MakeFilter<itk::CudaUnbiasedFluidRegistrationFilter<FlatType>>(fixed, moving, this->GetDevice());
    unbiased->Update();
    EXPECT_LT(DifferenceInside<2>(unbiased->GetOutput(), KnownField<2>(fixed)).mean, recoveryTolerance);
    EXPECT_LT(unbiased->GetMeanInverseConsistency(), 0.1);
    EXPECT_EQ(unbiased->GetNumberOfFoldedVoxels(), 0u);
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaFluidRegistrationFilter);

class CudaFluidRegistrationFilterOnCuda : public DeviceTest
{};

/** 0.05 voxels after 100 iterations are promised. */
TEST_P(CudaFluidRegistrationFilterOnCuda, AgreesWithCpu)
{
  const auto check = [&](auto onDevice, auto onCpu) {
    for (const auto & filter : { onDevice, onCpu })
    {
      filter->SetNumberOfLevels(1);
      filter->SetNumberOfIterations(100);
      filter->Update();
    }
    const auto difference = DifferenceInside<3>(onDevice->GetOutput(), onCpu->GetOutput(), 100.0);
    EXPECT_LT(difference.maximum, 0.05);
  };
  const auto               fixed = Fixed<ImageType>();
  const auto               moving = Moving<ImageType>();
  const itk::ComputeDevice device(GetParam());
  check(MakeFilter<UnbiasedType>(fixed, moving, device), MakeFilter<UnbiasedType>(fixed, moving, itk::ComputeDevice()));
  check(MakeFilter<GreedyType>(fixed, moving, device), MakeFilter<GreedyType>(fixed, moving, itk::ComputeDevice()));
  check(MakeFilter<SymmetricType>(fixed, moving, device),
        MakeFilter<SymmetricType>(fixed, moving, itk::ComputeDevice()));
  // On a middle grid.
  const auto oblique = Moving<ImageType>(ObliqueGrid<ImageType>());
  check(MakeFilter<SymmetricType>(fixed, oblique, device),
        MakeFilter<SymmetricType>(fixed, oblique, itk::ComputeDevice()));
}

CUDANEURO_TEST_ON_CUDA(CudaFluidRegistrationFilterOnCuda);
