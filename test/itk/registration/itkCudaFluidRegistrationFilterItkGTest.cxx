// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The registration filters among ITK's classes: transforms, resampling, interpolation. Needs ITK's modules
// ITKDisplacementField and ITKImageGrid.

#if !__has_include("itkDisplacementFieldTransform.h") || !__has_include("itkResampleImageFilter.h")

#  include <gtest/gtest.h>

TEST(CudaFluidRegistrationFilterInItk, NeedsOtherModules)
{
  GTEST_SKIP() << "this ITK has no ITKDisplacementField or no ITKImageGrid";
}

#else

#  include "RegistrationPhantom.h"
#  include "itk/ItkDeviceTest.h"
#  include "itkCommand.h"
#  include "itkCudaGreedyFluidRegistrationFilter.h"
#  include "itkCudaUnbiasedFluidRegistrationFilter.h"
#  include "itkDisplacementFieldTransform.h"
#  include "itkResampleImageFilter.h"
#  include "itkVectorLinearInterpolateImageFunction.h"
#  include "itkWarpImageFilter.h"
#  include "itkTranslationTransform.h"

#  include <algorithm>
#  include <limits>

using namespace testimages;
using namespace registrationphantom;

namespace
{

using ImageType = itk::Image<float, 3>;
using FieldType = FieldOf<3>;
using UnbiasedType = itk::CudaUnbiasedFluidRegistrationFilter<ImageType>;
using GreedyType = itk::CudaGreedyFluidRegistrationFilter<ImageType>;
using TransformType = itk::Transform<double, 3, 3>;
using FieldTransformType = itk::DisplacementFieldTransform<double, 3>;
using CompositeType = itk::CompositeTransform<double, 3>;

/** What ITK makes of the moving image by a transform, on the fixed image's grid. */
ImageType::Pointer
Resampled(const ImageType * moving, const TransformType * transform, const ImageType * fixed)
{
  const auto resample = itk::ResampleImageFilter<ImageType, ImageType>::New();
  resample->SetInput(moving);
  resample->SetTransform(transform);
  resample->SetReferenceImage(fixed);
  resample->UseReferenceImageOn();
  resample->Update();
  return resample->GetOutput();
}

/** Mean length of inverse(p) + field(p + inverse(p)) where both are, in mm, by ITK's interpolation. */
double
InverseError(const FieldType * field, const FieldType * inverse)
{
  const auto interpolate = itk::VectorLinearInterpolateImageFunction<FieldType, double>::New();
  interpolate->SetInputImage(field);
  double      sum = 0.0;
  std::size_t count = 0;
  ForEachVoxel<3>(inverse, [&](itk::OffsetValueType i, const PointOf<3> & point) {
    itk::Vector<double, 3> there;
    there.CastFrom(inverse->GetBufferPointer()[i]);
    const PointOf<3> moved = point + there;
    if (interpolate->IsInsideBuffer(moved))
    {
      sum += (there + interpolate->Evaluate(moved)).GetNorm();
      ++count;
    }
  });
  return sum / static_cast<double>(count);
}

} // namespace

class CudaFluidRegistrationFilterInItk : public ItkDeviceTest
{};

/** The warped image is what ITK makes of the transform and of the field. */
TEST_P(CudaFluidRegistrationFilterInItk, AgreesWithItk)
{
  const auto affine = SomeAffine();
  const auto fixed = Fixed<ImageType>();
  const auto moving = MovedBy(affine);
  const auto filter = MakeFilter<GreedyType>(fixed, moving, this->GetDevice());
  filter->SetInitialTransform(affine);
  filter->Update();
  const auto transform = filter->GetTransform();
  ASSERT_EQ(transform->GetNumberOfTransforms(), 2u);
  const auto resampled = Resampled(moving, transform, fixed);
  const auto pixels = Pixels(resampled.GetPointer());
  EXPECT_GT(*std::max_element(pixels.begin(), pixels.end()), 100.0);
  ExpectSame(Pixels(filter->GetWarpedImage()), pixels, 2e-3); // of 200; of rounding the point where the image is read

  // Back again: the inverse takes points to where they were, and the images to each other.
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
  EXPECT_LT(sum / static_cast<double>(count), 0.1);

  // Without a transform, itk::WarpImageFilter takes the field as it is.
  const auto plain = MakeFilter<UnbiasedType>(fixed, Moving<ImageType>(), this->GetDevice());
  plain->Update();
  const auto warp = itk::WarpImageFilter<ImageType, ImageType, FieldType>::New();
  warp->SetInput(plain->GetMovingImage());
  warp->SetDisplacementField(plain->GetDisplacementField());
  warp->SetOutputParametersFromImage(fixed);
  warp->Update();
  ExpectSame(Pixels(plain->GetWarpedImage()), Pixels(warp->GetOutput()), 2e-3);
}

TEST_P(CudaFluidRegistrationFilterInItk, StartsFromNonlinearTransform)
{
  const auto affine = SomeAffine();
  const auto fixed = Fixed<ImageType>();
  const auto known = KnownField<3>(fixed);
  const auto moving = MovedBy(affine);
  const auto deformation = FieldTransformType::New();
  deformation->SetDisplacementField(itk::CudaNeuroDetail::FieldInDouble<3>(known));
  const auto composite = CompositeType::New();
  composite->AddTransform(affine);
  composite->AddTransform(deformation);
  const auto filter = MakeFilter<UnbiasedType>(fixed, moving, this->GetDevice());
  filter->SetInitialTransform(composite);
  filter->SetNumberOfIterations(0);
  filter->Update();
  ExpectSame(Numbers<3>(filter->GetOutput()), std::vector<double>(3 * 40 * 40 * 40, 0.0));
  ExpectSame(Pixels(filter->GetWarpedImage()), Pixels(Resampled(moving, composite, fixed).GetPointer()), 1e-2);

  // What is registered already stays about there, and the exported transform says so.
  filter->SetNumberOfIterations(10);
  filter->Update();
  EXPECT_LT(MeanDifference(filter->GetWarpedImage(), fixed), 1.0);
  EXPECT_LT(MeanDifference(filter->GetWarpedImage(), Resampled(moving, filter->GetTransform(), fixed)), 0.05);
}

TEST_P(CudaFluidRegistrationFilterInItk, InverseIsConsistent)
{
  const auto filter =
    MakeFilter<UnbiasedType>(Fixed<ImageType>(ObliqueGrid<ImageType>()), Moving<ImageType>(), this->GetDevice());
  filter->Update();
  EXPECT_GT(filter->GetMeanInverseConsistency(), 0.0);
  EXPECT_LT(filter->GetMeanInverseConsistency(), 0.1);
  EXPECT_GE(filter->GetMaximumInverseConsistency(), filter->GetMeanInverseConsistency());
  EXPECT_GT(filter->GetMeanInverseConsistencyInMillimeters(), 0.0);
  EXPECT_GE(filter->GetMaximumInverseConsistencyInMillimeters(), filter->GetMeanInverseConsistencyInMillimeters());
  EXPECT_LT(InverseError(filter->GetDisplacementField(), filter->GetInverseDisplacementField()), 0.1);
  EXPECT_LT(InverseError(filter->GetInverseDisplacementField(), filter->GetDisplacementField()), 0.1);
}

TEST_P(CudaFluidRegistrationFilterInItk, ExportsWhatThereIs)
{
  const auto fixed = Fixed<ImageType>();
  const auto filter = MakeFilter<UnbiasedType>(fixed, Moving<ImageType>(), this->GetDevice());
  EXPECT_TRUE(Contains(MessageOf([&] { filter->GetTransform(); }), "There is no transform yet"));
  filter->SetNumberOfIterations(10);
  filter->Update();
  EXPECT_EQ(filter->GetTransform()->GetNumberOfTransforms(), 1u);
  EXPECT_TRUE(filter->GetTransform()->GetInverseTransform().IsNotNull());

  // It is that of the update: with the transform of then, and with the inverse, whose owner may have taken it.
  const itk::Point<double, 3> point(std::array<double, 3>{ { 10.0, 9.0, 8.0 } });
  const auto                  expected = filter->GetTransform()->TransformPoint(point);
  const auto                  shift = itk::TranslationTransform<double, 3>::New();
  shift->SetOffset(itk::Vector<double, 3>(50.0));
  filter->SetInitialTransform(shift);
  filter->GetInverseDisplacementField()->ReleaseData();
  EXPECT_EQ(filter->GetTransform()->TransformPoint(point), expected);
  EXPECT_TRUE(filter->GetTransform()->GetInverseTransform().IsNotNull());
  filter->SetInitialTransform(nullptr);

  filter->ComputeInverseOff();
  filter->Update();
  EXPECT_TRUE(filter->GetTransform()->GetInverseTransform().IsNull());

  // After an abort there is a transform, without an inverse.
  filter->ComputeInverseOn();
  filter->AddObserver(itk::IterationEvent(), [&](const itk::EventObject &) { filter->AbortGenerateDataOn(); });
  EXPECT_THROW(filter->Update(), itk::ProcessAborted);
  EXPECT_EQ(filter->GetTransform()->GetNumberOfTransforms(), 1u);
  EXPECT_TRUE(filter->GetTransform()->GetInverseTransform().IsNull());
}

/** An update that fails before its first iteration leaves the map of the last one, whatever the sizes of their
 * outputs. */
TEST_P(CudaFluidRegistrationFilterInItk, FailuresOfOtherSizesLeaveTheMap)
{
  const auto moving = Moving<ImageType>();
  const auto filter = MakeFilter<UnbiasedType>(Fixed<ImageType>(), moving, this->GetDevice());
  filter->SetNumberOfIterations(5);
  filter->Update();
  const auto                  last = Numbers<3>(filter->GetLastDisplacementField());
  const itk::Point<double, 3> point(std::array<double, 3>{ { 25.0, 29.0, 31.0 } });
  const auto                  expected = filter->GetTransform()->TransformPoint(point);
  const auto                  expectedBack = filter->GetTransform()->GetInverseTransform()->TransformPoint(point);
  EXPECT_NE(expected, point);
  EXPECT_NE(expectedBack, point);

  const auto notFinite = Moving<ImageType>();
  notFinite->FillBuffer(std::numeric_limits<float>::quiet_NaN());
  filter->SetMovingImage(notFinite);
  const auto fixedOf = [](itk::SizeValueType size) {
    const auto grid = ImageType::New();
    grid->SetRegions(ImageType::SizeType{ { size, size, size } });
    grid->Allocate();
    return Fixed<ImageType>(grid);
  };
  for (const itk::SizeValueType size : { 24, 48, 40 })
  {
    filter->SetFixedImage(fixedOf(size));
    EXPECT_THROW(filter->Update(), itk::ExceptionObject);
    ExpectSame(Numbers<3>(filter->GetLastDisplacementField()), last);
    EXPECT_EQ(filter->GetTransform()->TransformPoint(point), expected) << size;
    EXPECT_EQ(filter->GetTransform()->GetInverseTransform()->TransformPoint(point), expectedBack) << size;
  }
  filter->SetMovingImage(moving);
  filter->SetFixedImage(fixedOf(36));
  filter->Update();
  ExpectSame(Numbers<3>(filter->GetLastDisplacementField()), Numbers<3>(filter->GetOutput()));
}

/** A transform that is changed in place, as a part of a composite, is another one. */
TEST_P(CudaFluidRegistrationFilterInItk, NoticesChangedTransforms)
{
  const NestedTranslation nested;
  const auto              make = [&] {
    const auto filter = MakeFilter<UnbiasedType>(Fixed<ImageType>(), Moving<ImageType>(), this->GetDevice());
    filter->SetNumberOfIterations(3);
    filter->SetInitialTransform(nested.composite);
    return filter;
  };
  const auto filter = make();
  filter->Update();
  const auto unchanged = Numbers<3>(filter->GetOutput());
  const auto time = filter->GetOutput()->GetUpdateMTime();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetUpdateMTime(), time);
  nested.Move(1.5);
  filter->Update();
  EXPECT_NE(Numbers<3>(filter->GetOutput()), unchanged);
  const auto other = make();
  other->Update();
  ExpectSame(Numbers<3>(filter->GetOutput()), Numbers<3>(other->GetOutput()));
}

/** A map that was handed out, and the filter's own, are not changed with the initial transform that they were made
 * of. */
TEST_P(CudaFluidRegistrationFilterInItk, KeepsMapsWhenTransformsChange)
{
  const auto shift = itk::TranslationTransform<double, 3>::New();
  const auto deformation = FieldTransformType::New();
  const auto field = itk::CudaNeuroDetail::FieldInDouble<3>(KnownField<3>(CommonGrid<ImageType>().GetPointer()));
  deformation->SetDisplacementField(field);
  deformation->SetInverseDisplacementField(field); // no matter which
  const auto composite = CompositeType::New();
  composite->AddTransform(shift);
  composite->AddTransform(deformation);
  const auto filter = MakeFilter<GreedyType>(Fixed<ImageType>(), Moving<ImageType>(), this->GetDevice());
  filter->SetNumberOfIterations(2);
  filter->SetInitialTransform(composite);
  filter->Update();
  const itk::Point<double, 3> point(12.0);
  const auto                  before = filter->GetTransform();
  const auto                  expected = before->TransformPoint(point);
  const auto                  expectedBack = before->GetInverseTransform()->TransformPoint(point);
  const auto                  expectSame = [&] {
    for (const auto & map : { before, filter->GetTransform() })
    {
      EXPECT_EQ(map->TransformPoint(point), expected);
      EXPECT_EQ(map->GetInverseTransform()->TransformPoint(point), expectedBack);
    }
  };

  auto offset = shift->GetParameters();
  offset.Fill(50.0);
  shift->SetParameters(offset);
  expectSame();
  const auto zeros = itk::CudaNeuroDetail::FieldInDouble<3>(KnownField<3>(CommonGrid<ImageType>().GetPointer()));
  zeros->FillBuffer(itk::Vector<double, 3>(0.0));
  deformation->SetDisplacementField(zeros);
  expectSame();

  // What is handed out is the caller's.
  dynamic_cast<itk::TranslationTransform<double, 3> &>(*filter->GetTransform()->GetNthTransformModifiablePointer(0))
    .SetParameters(offset);
  expectSame();
}

TEST_P(CudaFluidRegistrationFilterInItk, RejectsFieldsThatCannotBeUsed)
{
  const auto transform = FieldTransformType::New();
  const auto filter = MakeFilter<UnbiasedType>(Fixed<ImageType>(), Moving<ImageType>(), this->GetDevice());
  filter->SetInitialTransform(transform);
  const std::string message = MessageOf([&] { filter->Update(); });
  EXPECT_TRUE(Contains(message, "The initial transform (DisplacementFieldTransform) cannot be used: "));
  EXPECT_TRUE(Contains(message, "No displacement field is specified"));
  const auto field = itk::CudaNeuroDetail::FieldInDouble<3>(KnownField<3>(CommonGrid<ImageType>().GetPointer()));
  field->GetBufferPointer()[20000][1] = std::numeric_limits<double>::infinity();
  transform->SetDisplacementField(field);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "it takes the point ["));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaFluidRegistrationFilterInItk);

#endif
