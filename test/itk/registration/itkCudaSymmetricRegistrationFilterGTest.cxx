// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What the symmetric registration filter computes, and that its surroundings are those of the other filters.

#include "RegistrationChecks.h"
#include "itkCudaSymmetricRegistrationFilter.h"

using namespace testimages;
using namespace registrationphantom;
using namespace registrationchecks;

namespace
{

using SymmetricType = itk::CudaSymmetricRegistrationFilter<ImageType>;

/** How close a known deformation must be recovered: in voxels, on average, inside the object. */
constexpr double recoveryTolerance = 0.25;

} // namespace

class CudaSymmetricRegistrationFilter : public ItkDeviceTest
{
protected:
  SymmetricType::Pointer
  Make(const ImageType * fixed = Fixed<ImageType>(), const ImageType * moving = Moving<ImageType>()) const
  {
    return MakeFilter<SymmetricType>(fixed, moving, this->GetDevice());
  }
};

TEST_P(CudaSymmetricRegistrationFilter, RecoversKnownDeformation)
{
  const auto filter = this->Make();
  const auto known = KnownField<3>(filter->GetFixedImage());
  for (const char * const method : { "Gaussian", "SuccessiveOverRelaxation", "FourierTransform" })
  {
    filter->SetVelocityMethod(method);
    filter->Update();
    EXPECT_LT(DifferenceInside<3>(filter->GetDisplacementField(), known).mean, recoveryTolerance) << method;
    EXPECT_EQ(filter->GetNumberOfFoldedVoxels(), 0u) << method;
    EXPECT_LT(MeanDifference(filter->GetWarpedImage(), filter->GetFixedImage()),
              0.2 * MeanDifference(filter->GetMovingImage(), filter->GetFixedImage()))
      << method;
    EXPECT_LT(filter->GetMeanInverseConsistency(), 0.02) << method;
  }
  ExpectSameGeometry<3>(filter->GetOutput(), filter->GetFixedImage());
}

TEST_P(CudaSymmetricRegistrationFilter, SwappedImagesGiveTheInverseToTheBit)
{
  for (const char * const metric : { "MeanSquares", "LocalCorrelation" })
  {
    const auto there = this->Make();
    const auto back = this->Make(Moving<ImageType>(), Fixed<ImageType>());
    for (const auto & filter : { there, back })
    {
      filter->SetMetric(metric);
      filter->SetNumberOfIterations(15);
      filter->Update();
    }
    EXPECT_GT(there->GetStandardDeviationLogJacobian(), 0.01);
    ExpectSame(Numbers<3>(there->GetDisplacementField()), Numbers<3>(back->GetInverseDisplacementField()));
    ExpectSame(Numbers<3>(there->GetInverseDisplacementField()), Numbers<3>(back->GetDisplacementField()));
    EXPECT_EQ(there->GetEnergies(), back->GetEnergies());
  }
}

/** Masks as of a field of view: none of the two images is asked where the other has nothing. */
TEST_P(CudaSymmetricRegistrationFilter, HonorsBothMasks)
{
  const auto fixed = Fixed<ImageType>();
  const auto moving = Moving<ImageType>();
  const auto known = KnownField<3>(fixed);
  const auto blob = BoxAround(28.0, 24.0, 20.0);
  Brighten(fixed, blob, 400.0f);
  const auto filter = this->Make(fixed, moving);
  filter->Update();
  const double without = DifferenceInside<3>(filter->GetOutput(), known).mean;
  filter->SetFixedMaskImage(MaskWithout(blob, fixed));
  filter->Update();
  const double with = DifferenceInside<3>(filter->GetOutput(), known).mean;
  EXPECT_LT(with, recoveryTolerance);
  EXPECT_LT(with, 0.5 * without);

  // The same the other way round.
  const auto back = this->Make(moving, fixed);
  back->SetMovingMaskImage(MaskWithout(blob, fixed));
  back->Update();
  ExpectSame(Numbers<3>(back->GetInverseDisplacementField()), Numbers<3>(filter->GetDisplacementField()));
}

TEST_P(CudaSymmetricRegistrationFilter, StartsFromLinearTransforms)
{
  const auto affine = SomeAffine();
  const auto fixed = Fixed<ImageType>();
  const auto filter = this->Make(fixed, MovedBy(affine));
  filter->SetInitialTransform(affine);
  filter->Update();
  EXPECT_LT(DifferenceInside<3>(filter->GetOutput(), KnownField<3>(fixed)).mean, recoveryTolerance);
  EXPECT_LT(MeanDifference(filter->GetWarpedImage(), fixed), 3.0);
}

TEST_P(CudaSymmetricRegistrationFilter, TakesImagesOnAnyGrid)
{
  const auto fixed = Fixed<ImageType>(ObliqueGrid<ImageType>());
  const auto filter = this->Make(fixed);
  filter->Update();
  ExpectSameGeometry<3>(filter->GetOutput(), fixed);
  EXPECT_LT(DifferenceInside<3>(filter->GetOutput(), KnownField<3>(fixed)).mean, recoveryTolerance);
}

TEST_P(CudaSymmetricRegistrationFilter, MakesTheInverseWhateverIsAskedFor)
{
  const auto filter = this->Make();
  filter->SetNumberOfIterations(5);
  filter->Update();
  const auto   field = Numbers<3>(filter->GetOutput());
  const double consistency = filter->GetMeanInverseConsistency();
  EXPECT_GT(consistency, 0.0);
  filter->ComputeInverseOff();
  filter->ComputeWarpedOff();
  filter->ComputeJacobianOff();
  filter->Update();
  EXPECT_EQ(filter->GetInverseDisplacementField()->GetBufferedRegion().GetNumberOfPixels(), 0u);
  ExpectSame(Numbers<3>(filter->GetOutput()), field);
  EXPECT_EQ(filter->GetMeanInverseConsistency(), consistency);
}

TEST_P(CudaSymmetricRegistrationFilter, TellsIterations)
{
  const auto filter = this->Make();
  filter->SetUnbiasedWeight(0.1);
  filter->SetNumberOfIterationsPerLevel({ 6, 4 });
  unsigned int seen = 0;
  filter->AddObserver(itk::IterationEvent(), [&](const itk::EventObject &) {
    ++seen;
    EXPECT_EQ(filter->GetElapsedIterations(), seen);
    EXPECT_NEAR(
      filter->GetEnergy(), filter->GetImageEnergy() + 0.1 * filter->GetBiasEnergy(), 1e-6 * filter->GetEnergy());
  });
  filter->Update();
  EXPECT_EQ(seen, 10u);
  EXPECT_LT(filter->GetEnergy(), filter->GetEnergies().front());
  EXPECT_GT(filter->GetBiasEnergy(), 0.0);

  AtIteration(filter.GetPointer(), 3, [&] { filter->StopRegistration(); });
  filter->SetNumberOfIterations(200);
  seen = 0;
  filter->Update();
  EXPECT_LT(filter->GetElapsedIterations(), 400u);
  EXPECT_LT(filter->GetMeanInverseConsistency(), 0.02);
}

TEST_P(CudaSymmetricRegistrationFilter, WorksIn2D)
{
  using FlatType = itk::Image<short, 2>;
  const auto filter = MakeFilter<itk::CudaSymmetricRegistrationFilter<FlatType>>(
    Fixed<FlatType>(), Moving<FlatType>(), this->GetDevice());
  filter->Update();
  EXPECT_LT(DifferenceInside<2>(filter->GetOutput(), KnownField<2>(filter->GetFixedImage())).mean, recoveryTolerance);
  EXPECT_EQ(filter->GetNumberOfFoldedVoxels(), 0u);
}

TEST_P(CudaSymmetricRegistrationFilter, StartsFromField)
{
  // On another grid than the middle, and without iterations, the field is resampled there and back.
  const auto fixed = Fixed<ImageType>();
  const auto known = KnownField<3>(fixed);
  const auto affine = SomeAffine();
  const auto filter = this->Make(fixed, MovedBy(affine));
  filter->SetInitialTransform(affine);
  filter->SetInitialDisplacementField(known);
  filter->SetNumberOfLevels(1);
  filter->SetNumberOfIterations(0);
  filter->Update();
  // Linear interpolation, twice, of 2 mm of a wave 39 mm long that a ball of 12 mm cuts off.
  EXPECT_LT(DifferenceInside<3>(filter->GetOutput(), known).maximum, 0.1);
  EXPECT_LT(MeanDifference(filter->GetWarpedImage(), fixed), 1.0);
}

TEST_P(CudaSymmetricRegistrationFilter, TellsWhetherItsMapIsDamped)
{
  const auto filter = this->Make();
  filter->SetNumberOfLevels(1);
  filter->SetNumberOfIterations(0);
  filter->SetJacobianBound(0.5);
  filter->SetInitialDisplacementField(KnownField<3>(filter->GetFixedImage()));
  filter->Update();
  EXPECT_FALSE(filter->GetIsDamped());
  // Half as large again: J = 3.4, and 0.3 of the inverse, which smoothing leaves as it is.
  const auto field = KnownField<3>(filter->GetFixedImage());
  const auto size = field->GetBufferedRegion().GetSize();
  ForEachVoxel<3>(field.GetPointer(), [&](itk::OffsetValueType i, const PointOf<3> &) {
    const auto index = field->ComputeIndex(i);
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      const double fromMiddle = static_cast<double>(index[axis]) - 0.5 * static_cast<double>(size[axis]);
      field->GetBufferPointer()[i][axis] = static_cast<float>(0.5 * field->GetSpacing()[axis] * fromMiddle);
    }
  });
  filter->SetInitialDisplacementField(field);
  filter->Update();
  EXPECT_TRUE(filter->GetIsDamped());
  EXPECT_GT(filter->GetNumberOfMendingRounds(), 60u);
}

TEST_P(CudaSymmetricRegistrationFilter, NeedsTransformsThatHaveHalves)
{
  const auto affine = AffineType::New();
  const auto filter = this->Make();
  filter->SetInitialTransform(affine);
  filter->SetNumberOfIterations(2);
  const auto message = [&](double xx, double yy, double zz) {
    AffineType::MatrixType matrix;
    matrix.Fill(0.0);
    matrix[0][0] = xx;
    matrix[1][1] = yy;
    matrix[2][2] = zz;
    affine->SetMatrix(matrix);
    // The middle of the object stays.
    itk::Vector<double, 3> translation;
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      translation[axis] = center * (1.0 - matrix[axis][axis]);
    }
    affine->SetTranslation(translation);
    return MessageOf([&] { filter->Update(); });
  };
  EXPECT_EQ(message(1.1, 0.9, 1.0), "");
  EXPECT_TRUE(Contains(message(-1.0, 1.0, 1.0), "the initial transform has no half"));
  EXPECT_TRUE(Contains(message(-1.0, -1.0, 1.0), "the initial transform has no half"));
}

#if __has_include("itkDisplacementFieldTransform.h")
/** Not the fixed image's grid decides, nor do the schedules that follow from it. */
TEST_P(CudaSymmetricRegistrationFilter, SwappedImagesGiveTheInverseThroughTransforms)
{
  const auto affine = SomeAffine();
  const auto back = AffineType::New();
  affine->GetInverse(back);
  const auto fixed = Fixed<ImageType>();
  const auto moving = MovedBy(affine);
  for (const char * const metric : { "MeanSquares", "LocalCorrelation" })
  {
    const auto there = this->Make(fixed, moving);
    there->SetInitialTransform(affine);
    const auto swapped = this->Make(moving, fixed);
    swapped->SetInitialTransform(back);
    for (const auto & filter : { there, swapped })
    {
      filter->SetMetric(metric);
      filter->Update();
    }
    EXPECT_NEAR(there->GetEnergy(), swapped->GetEnergy(), 1e-3 * there->GetEnergy());
    const auto  map = there->GetTransform();
    const auto  inverse = swapped->GetTransform()->GetInverseTransform();
    Difference  difference;
    std::size_t count = 0;
    ForEachVoxel<3>(fixed.GetPointer(), [&](itk::OffsetValueType, const PointOf<3> & point) {
      if (DistanceFromCenter<3>(point) < radius)
      {
        const double distance = (map->TransformPoint(point) - inverse->TransformPoint(point)).GetNorm();
        difference.mean += distance;
        difference.maximum = std::max(difference.maximum, distance);
        ++count;
      }
    });
    // The two maps lie on grids of other voxels and are interpolated linearly; registrations of one side differ by 0.2
    // mm.
    EXPECT_LT(difference.mean / static_cast<double>(count), 0.02) << metric;
    EXPECT_LT(difference.maximum, 0.1) << metric;
  }
}

/** A field has no half: the fixed grid is the middle. */
TEST_P(CudaSymmetricRegistrationFilter, StartsFromNonlinearTransform)
{
  const auto affine = SomeAffine();
  const auto fixed = Fixed<ImageType>();
  const auto deformation = itk::DisplacementFieldTransform<double, 3>::New();
  deformation->SetDisplacementField(itk::CudaNeuroDetail::FieldInDouble<3>(KnownField<3>(fixed)));
  const auto composite = itk::CompositeTransform<double, 3>::New();
  composite->AddTransform(affine);
  composite->AddTransform(deformation);
  const auto filter = this->Make(fixed, MovedBy(affine));
  filter->SetInitialTransform(composite);
  filter->SetNumberOfIterations(10);
  filter->Update();
  EXPECT_LT(MeanDifference(filter->GetWarpedImage(), fixed), 1.0);
}

TEST_P(CudaSymmetricRegistrationFilter, GivesATransformWithAnInverse)
{
  const auto affine = SomeAffine();
  const auto fixed = Fixed<ImageType>();
  const auto filter = this->Make(fixed, MovedBy(affine));
  filter->SetInitialTransform(affine);
  filter->Update();
  const auto transform = filter->GetTransform();
  const auto inverse = transform->GetInverseTransform();
  ASSERT_TRUE(inverse.IsNotNull());
  double      sum = 0.0;
  std::size_t count = 0;
  ForEachVoxel<3>(fixed.GetPointer(), [&](itk::OffsetValueType, const PointOf<3> & point) {
    if (DistanceFromCenter<3>(point) < radius)
    {
      sum += (inverse->TransformPoint(transform->TransformPoint(point)) - point).GetNorm();
      ++count;
    }
  });
  EXPECT_LT(sum / static_cast<double>(count), 0.05);
}
#endif

CUDANEURO_TEST_ON_ALL_DEVICES(CudaSymmetricRegistrationFilter);
