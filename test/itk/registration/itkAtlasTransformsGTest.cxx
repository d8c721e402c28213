// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Transforms of the atlas filter: those that it starts from, and those that it gives.
// itkCudaDiffeomorphicAtlasFilterGTest.cxx instantiates these tests.

#include "AtlasPhantom.h"
#include "RegistrationChecks.h"
#include "RegistrationPhantom.h"
#include "itk/TestImages.h"
#include "itkDisplacementFieldTransform.h"
#include "itkResampleImageFilter.h"

#include <array>
#include <vector>

using namespace testimages;
using namespace registrationphantom;
using namespace atlasphantom;
using namespace registrationchecks;

/** An image that was moved, and the transform to it, are as the image that was not: what interpolation on another grid
 * makes of edges two voxels wide differs. */
TEST_P(CudaDiffeomorphicAtlasFilter, StartsFromTransforms)
{
  const auto affine = SomeAffine();
  auto       images = Population<ImageType>();
  images[1] = Moving<ImageType>();
  const auto unmoved = MakeAtlas(images, this->GetDevice());
  unmoved->Update();
  images[1] = MovedBy(affine);
  const auto atlas = MakeAtlas(images, this->GetDevice());
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->Update(); }), "image 1"));
  const auto before = atlas->GetMTime();
  atlas->SetInitialTransform(1, affine);
  EXPECT_GT(atlas->GetMTime(), before);
  EXPECT_EQ(atlas->GetInitialTransform(1), affine.GetPointer());
  EXPECT_EQ(atlas->GetInitialTransform(0), nullptr);
  atlas->Update();
  EXPECT_LT(MeanDifference(atlas->GetOutput(), unmoved->GetOutput()), 1.0);
  EXPECT_LT(DifferenceInside<3>(atlas->GetDisplacementField(0), unmoved->GetDisplacementField(0)).mean, 0.15);
}

/** A transform that is a field, which undoes the deformation of an image. */
TEST_P(CudaDiffeomorphicAtlasFilter, StartsFromFieldTransforms)
{
  using TransformType = itk::DisplacementFieldTransform<double, 3>;
  const auto fixed = Fixed<ImageType>();
  const auto transform = TransformType::New();
  transform->SetDisplacementField(itk::CudaNeuroDetail::FieldInDouble<3>(KnownField<3>(fixed).GetPointer()));
  // On the grid of both, Moving through the field is Fixed.
  const auto atlas = MakeAtlas(std::vector<ImageType::Pointer>{ fixed, Moving<ImageType>() }, this->GetDevice());
  atlas->SetInitialTransform(1, transform);
  atlas->SetNumberOfLevels(1);
  atlas->SetNumberOfIterations(0);
  atlas->ComputeDeformedImagesOn();
  atlas->Update();
  EXPECT_LT(MeanDifference(atlas->GetDeformedImage(1), fixed), 0.5);
  // The same as a field to start from.
  const auto other = MakeAtlas(std::vector<ImageType::Pointer>{ fixed, Moving<ImageType>() }, this->GetDevice());
  other->SetInitialDisplacementField(1, KnownField<3>(fixed));
  other->SetNumberOfLevels(1);
  other->SetNumberOfIterations(0);
  other->SetShapeUpdateInterval(0);
  other->ComputeDeformedImagesOn();
  other->Update();
  ExpectSame(Pixels(other->GetDeformedImage(1)), Pixels(atlas->GetDeformedImage(1)), 1e-2);
  ExpectSame(Numbers<3>(other->GetDisplacementField(1)), Numbers<3>(KnownField<3>(fixed)), 1e-5);
}

/** ITK's resampling by the transform makes the deformed image, also of image 1, which lies on another grid and is
 * interpolated once. Its map shrinks it by up to 1.1, so that it is smoothed by some 0.25 voxels before, which ITK's
 * resampling does not do: that changes intensities around 130 by 0.03 on average. */
TEST_P(CudaDiffeomorphicAtlasFilter, ExportsTransforms)
{
  auto       images = Population<ImageType>();
  const auto affine = SomeAffine();
  images[1] = MovedBy(affine);
  const auto atlas = MakeAtlas(images, this->GetDevice());
  atlas->SetInitialTransform(1, affine);
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetTransform(1); }), "There is no transform yet"));
  atlas->ComputeDeformedImagesOn();
  atlas->ComputeInverseDisplacementFieldsOn();
  atlas->Update();
  const auto differenceOf = [&](unsigned int image) {
    const auto resample = itk::ResampleImageFilter<ImageType, ImageType>::New();
    resample->SetInput(images[image]);
    resample->SetTransform(atlas->GetTransform(image));
    resample->SetReferenceImage(atlas->GetOutput());
    resample->UseReferenceImageOn();
    resample->Update();
    return MeanDifference(resample->GetOutput(), atlas->GetDeformedImage(image));
  };
  EXPECT_LT(differenceOf(0), 0.01);
  EXPECT_LT(differenceOf(1), 0.05);

  // What is set later does not change the maps of the update.
  const itk::Point<double, 3> point(12.0);
  const auto                  expected = atlas->GetTransform(1)->TransformPoint(point);
  affine->Translate(itk::Vector<double, 3>(20.0));
  EXPECT_EQ(atlas->GetTransform(1)->TransformPoint(point), expected);
  atlas->SetInitialTransform(1, nullptr);
  EXPECT_EQ(atlas->GetTransform(1)->TransformPoint(point), expected);
  EXPECT_NE(atlas->GetTransform(0)->GetInverseTransform(), nullptr);
}

/** The map of an image is that of the last update, whatever has become of the outputs and the inputs since. */
TEST_P(CudaDiffeomorphicAtlasFilter, TransformsOutliveOutputs)
{
  const auto atlas = MakeAtlas(this->GetDevice());
  atlas->SetNumberOfIterations(3);
  atlas->ComputeInverseDisplacementFieldsOn();
  atlas->Update();
  const itk::Point<double, 3> point(12.0);
  const auto                  pointsOf = [&](unsigned int image) {
    const auto transform = atlas->GetTransform(image);
    return std::array{ transform->TransformPoint(point), transform->GetInverseTransform()->TransformPoint(point) };
  };
  const std::array expected{ pointsOf(0), pointsOf(1), pointsOf(2) };
  EXPECT_NE(expected[0][0], point);
  EXPECT_NE(expected[1][0], point);
  const auto expectSame = [&] {
    for (unsigned int image = 0; image < 3; ++image)
    {
      EXPECT_EQ(pointsOf(image), expected[image]) << image;
    }
  };
  atlas->GetDisplacementField(0)->ReleaseData();
  atlas->GetInverseDisplacementField(0)->ReleaseData();
  const FieldType::Pointer field = atlas->GetDisplacementField(1);
  field->DisconnectPipeline();
  expectSame();
  atlas->ComputeDisplacementFieldsOff();
  atlas->ComputeInverseDisplacementFieldsOff();
  expectSame();

  // An image that came later has no map yet; one that has gone had one.
  atlas->PushBackInput(Moving<ImageType>());
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetTransform(3); }),
                       "There is no transform of image 3: the last update had 3 images, from 0"));
  atlas->PopBackInput();
  atlas->PopBackInput();
  expectSame();

  // What an update cannot begin with does not take the maps away; an update that fails later does.
  atlas->SetWeights({ 1.0 });
  EXPECT_THROW(atlas->Update(), itk::ExceptionObject);
  expectSame();
  atlas->SetWeights({});
  atlas->SetInput(1, NotFinite());
  EXPECT_THROW(atlas->Update(), itk::ExceptionObject);
  EXPECT_TRUE(Contains(MessageOf([&] { atlas->GetTransform(0); }), "There is no transform yet"));
}

/** Neither do the maps of device images need their outputs; the next update has no more memory for that. */
TEST_P(CudaDiffeomorphicAtlasFilter, TransformsOutliveDeviceOutputs)
{
  using DeviceFieldType = itk::DeviceImage<itk::Vector<float, 3>, 3>;
  using FilterType = itk::CudaDiffeomorphicAtlasFilter<ImageType, ImageType, DeviceFieldType>;
  const auto atlas = MakeAtlas<FilterType>(Population<ImageType>(), this->GetDevice());
  atlas->SetNumberOfIterations(3);
  atlas->Update();
  const void * const memory = atlas->GetDisplacementField(2)->GetDevicePointer();
  atlas->Modified();
  atlas->Update();
  EXPECT_EQ(atlas->GetDisplacementField(2)->GetDevicePointer(), memory);
  const itk::Point<double, 3> point(12.0);
  const auto                  expected = atlas->GetTransform(2)->TransformPoint(point);
  EXPECT_NE(expected, point);
  atlas->GetDisplacementField(2)->ReleaseData();
  const auto time = atlas->GetOutput()->GetUpdateMTime();
  EXPECT_EQ(atlas->GetTransform(2)->TransformPoint(point), expected);
  EXPECT_EQ(atlas->GetOutput()->GetUpdateMTime(), time) << "the atlas was made again";
}

/** A transform that is changed in place, as a part of a composite, is another one. */
TEST_P(CudaDiffeomorphicAtlasFilter, NoticesChangedTransforms)
{
  const NestedTranslation nested;
  const auto              atlas = MakeAtlas(this->GetDevice());
  atlas->SetNumberOfIterations(2);
  atlas->SetInitialTransform(1, nested.composite);
  atlas->Update();
  const auto unchanged = Pixels(atlas->GetOutput());
  const auto time = atlas->GetOutput()->GetUpdateMTime();
  atlas->Update();
  EXPECT_EQ(atlas->GetOutput()->GetUpdateMTime(), time);
  nested.Move(1.5);
  atlas->Update();
  EXPECT_NE(Pixels(atlas->GetOutput()), unchanged);
  const auto other = MakeAtlas(this->GetDevice());
  other->SetNumberOfIterations(2);
  other->SetInitialTransform(1, nested.composite);
  other->Update();
  ExpectSame(Pixels(atlas->GetOutput()), Pixels(other->GetOutput()));
}
