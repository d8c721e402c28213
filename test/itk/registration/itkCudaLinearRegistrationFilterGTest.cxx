// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What CudaLinearRegistrationFilter computes: known transforms and their classes, geometry, masks, starts.

#include "LinearPhantom.h"
#include "LinearRegistrationTest.h"
#include "RegistrationChecks.h"
#include "RegistrationPhantom.h"
#include "itk/TestImages.h"
#include "itkCastImageFilter.h"
#include "itkCompositeTransform.h"
#include "itkSimilarity3DTransform.h"
#include "itkTranslationTransform.h"
#include "itkVector.h"

#include <cmath>
#include <string>

using namespace testimages;
using namespace registrationphantom;
using namespace linearphantom;
using namespace registrationchecks;
using namespace linearregistration;

namespace
{

using CompositeType = itk::CompositeTransform<double, 3>;

constexpr const char * transformTypes[] = { "Translation", "Rigid", "Similarity", "Affine" };

} // namespace

TEST_P(CudaLinearRegistrationFilter, RecoversKnownTransforms)
{
  for (const char * const type : transformTypes)
  {
    this->CheckRecovery<3>(type);
  }
}

TEST_P(CudaLinearRegistrationFilter, RecoversKnownTransformsIn2D)
{
  for (const char * const type : transformTypes)
  {
    this->CheckRecovery<2>(type);
  }
}

/** Images of one slice, on a plane through the middle of the object whose normal is KnownAxis(): the transforms
 * found stay in it. */
TEST_P(CudaLinearRegistrationFilter, RecoversKnownTransformsOfSlices)
{
  const VectorOf<3> normal = KnownAxis() / KnownAxis().GetNorm();
  VectorOf<3>       across;
  across.Fill(0.0);
  across[1] = 1.0;
  VectorOf<3> first = itk::CrossProduct(across, normal);
  first.Normalize();
  const VectorOf<3> second = itk::CrossProduct(normal, first);
  const auto        makeSlice = [&] {
    const auto               slice = ImageType::New();
    ImageType::DirectionType direction;
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      direction(axis, 0) = first[axis];
      direction(axis, 1) = second[axis];
      direction(axis, 2) = normal[axis];
    }
    slice->SetRegions(ImageType::SizeType{ { 60, 60, 1 } });
    slice->SetDirection(direction);
    slice->SetSpacing(0.8);
    slice->SetOrigin(Middle<3>() - 0.8 * 29.5 * (first + second));
    slice->Allocate();
    return slice;
  };
  const auto inPlane = itk::Similarity3DTransform<double>::New();
  inPlane->SetCenter(Middle<3>());
  inPlane->SetRotation(KnownAxis(), knownAngle);
  inPlane->SetTranslation(1.5 * first - 0.9 * second);
  for (const std::string type : { "Rigid", "Similarity", "Affine" })
  {
    inPlane->SetScale(type == "Rigid" ? 1.0 : 1.04);
    const auto filter =
      MakeLinearFilter(SeenThrough<ImageType>(inPlane, makeSlice()), Moving<ImageType>(makeSlice()), this->GetDevice());
    filter->SetTransformType(type);
    filter->SetMetric("MeanSquares");
    filter->Update();
    const auto grid = makeSlice();
    ForEachVoxel<3>(grid.GetPointer(), [&](itk::OffsetValueType, const PointOf<3> & p) {
      const auto found = filter->GetTransform()->TransformPoint(p);
      ASSERT_LT(std::abs((found - Middle<3>()) * normal), 1e-9) << type; // of rounding
      if (DistanceFromCenter<3>(p) < radius)
      {
        ASSERT_LT((found - inPlane->TransformPoint(p)).GetNorm(), recoveryTolerance) << type;
      }
    });
    EXPECT_TRUE(filter->GetIsSuccess()) << type << " with quality " << filter->GetQuality();
    EXPECT_STREQ(filter->GetTransform()->GetNameOfClass(),
                 type == "Rigid"        ? "VersorRigid3DTransform"
                 : type == "Similarity" ? "Similarity3DTransform"
                                        : "AffineTransform");
    EXPECT_LT(MeanDifference(filter->GetWarpedImage(), SeenThrough<ImageType>(inPlane, makeSlice())), 2.0) << type;
  }
}

TEST_P(CudaLinearRegistrationFilter, TakesOtherMetrics)
{
  const auto known = KnownTransform<3>("Rigid");
  const auto filter = MakeLinearFilter(SeenThrough<ImageType>(known), Moving<ImageType>(), this->GetDevice());
  for (const char * const metric : { "MeanSquares", "MutualInformation" })
  {
    filter->SetMetric(metric);
    filter->Update();
    EXPECT_LT(LargestDistance<3>(filter->GetTransform(), known), recoveryTolerance) << metric;
  }
}

/** Mutual information does not mind that one image is dark where the other is bright, and not in proportion. */
TEST_P(CudaLinearRegistrationFilter, AlignsOtherContrasts)
{
  const auto known = KnownTransform<3>("Rigid");
  const auto fixed = CommonGrid<ImageType>();
  Fill<float, 3>(
    fixed, [&](const PointOf<3> & p) { return 900.0 - 0.01 * std::pow(Intensity<3>(known->TransformPoint(p)), 2.0); });
  const auto filter = MakeLinearFilter(fixed, Moving<ImageType>(), this->GetDevice());
  filter->SetStart("GridCenters"); // there is mass outside the object
  filter->Update();
  EXPECT_LT(LargestDistance<3>(filter->GetTransform(), known), recoveryTolerance);
}

/** Points of space are what is mapped, wherever the voxels of the images are. */
TEST_P(CudaLinearRegistrationFilter, TakesImagesOnAnyGrid)
{
  const auto known = KnownTransform<3>("Affine");
  for (const auto & fixedGrid : { CommonGrid<ImageType>(), ObliqueGrid<ImageType>() })
  {
    const auto filter = MakeLinearFilter(
      SeenThrough<ImageType>(known, fixedGrid), Moving<ImageType>(ObliqueGrid<ImageType>()), this->GetDevice());
    filter->SetTransformType("Affine");
    filter->Update();
    EXPECT_LT(LargestDistance<3>(filter->GetTransform(), known), recoveryTolerance);
    ExpectSameGeometry<3>(filter->GetWarpedImage(), fixedGrid);
    // Interpolation is most of it: the moving image, as it is, differs by ten times as much.
    EXPECT_LT(MeanDifference(filter->GetWarpedImage(), fixedGrid), 2.0);
  }
}

TEST_P(CudaLinearRegistrationFilter, StartsAnywhere)
{
  // A moving image 60 mm away, where the images do not overlap.
  const auto           known = KnownTransform<3>("Rigid");
  const auto           fixed = SeenThrough<ImageType>(known);
  const auto           moving = Moving<ImageType>();
  const VectorOf<3>    away(60.0);
  ImageType::PointType origin;
  origin.Fill(60.0);
  moving->SetOrigin(origin);
  const auto shift = itk::TranslationTransform<double, 3>::New();
  shift->SetOffset(away);
  const auto expected = CompositeType::New();
  expected->AddTransform(shift); // applied last
  expected->AddTransform(known);

  const auto filter = MakeLinearFilter(fixed, moving, this->GetDevice());
  for (const char * const start : { "CentersOfMass", "GridCenters" })
  {
    filter->SetStart(start);
    filter->Update();
    EXPECT_LT(LargestDistance<3>(filter->GetTransform(), expected), recoveryTolerance) << start;
  }
  filter->SetStart("InitialTransform");
  filter->SetInitialTransform(shift);
  filter->Update();
  EXPECT_LT(LargestDistance<3>(filter->GetTransform(), expected), recoveryTolerance);
  EXPECT_STREQ(filter->GetTransform()->GetNameOfClass(), "VersorRigid3DTransform");
}

/** No iteration: the output is the initial transform, of the class of the output. */
TEST_P(CudaLinearRegistrationFilter, TakesLinearTransforms)
{
  const auto filter = MakeLinearFilter(Moving<ImageType>(), Moving<ImageType>(), this->GetDevice());
  filter->SetStart("InitialTransform");
  filter->SetNumberOfIterations(0);
  filter->SetSearchAngle(0.0);
  filter->SetSearchDistance(0.0);
  const auto expect = [&](const TransformOf<3> * initial, const char * type, const char * nameOfClass) {
    filter->SetInitialTransform(initial);
    filter->SetTransformType(type);
    filter->Update();
    EXPECT_LT(LargestDistance<3>(filter->GetTransform(), initial), 1e-9) << type; // of rounding
    EXPECT_STREQ(filter->GetTransform()->GetNameOfClass(), nameOfClass);
    EXPECT_EQ(filter->GetElapsedIterations(), 0u);
  };
  const auto translation = KnownTransform<3>("Translation");
  const auto rigid = KnownTransform<3>("Rigid");
  const auto similarity = KnownTransform<3>("Similarity");
  expect(translation, "Translation", "TranslationTransform");
  expect(translation, "Rigid", "VersorRigid3DTransform");
  expect(rigid, "Rigid", "VersorRigid3DTransform");
  expect(rigid, "Similarity", "Similarity3DTransform");
  expect(similarity, "Similarity", "Similarity3DTransform");
  expect(similarity, "Affine", "AffineTransform");
  expect(KnownTransform<3>("Affine"), "Affine", "AffineTransform");

  const auto composite = CompositeType::New();
  composite->AddTransform(translation);
  composite->AddTransform(rigid);
  const auto outer = CompositeType::New();
  outer->AddTransform(composite);
  outer->AddTransform(translation);
  expect(outer, "Rigid", "VersorRigid3DTransform");
}

/** The output of a registration starts another, which follows it. */
TEST_P(CudaLinearRegistrationFilter, IsAPipeline)
{
  const auto known = KnownTransform<3>("Affine");
  const auto fixed = SeenThrough<ImageType>(known);
  const auto moving = Moving<ImageType>();
  const auto rigid = MakeLinearFilter(fixed, moving, this->GetDevice());
  rigid->ComputeWarpedOff();
  const auto affine = MakeLinearFilter(fixed, moving, this->GetDevice());
  affine->SetTransformType("Affine");
  affine->SetStart("InitialTransform");
  affine->SetInitialTransformInput(rigid->GetOutput());
  affine->Update();
  EXPECT_GT(rigid->GetElapsedIterations(), 0u);
  EXPECT_LT(LargestDistance<3>(affine->GetTransform(), known), recoveryTolerance);
  EXPECT_EQ(affine->GetTransformOutput()->Get(), affine->GetTransform());

  const auto time = affine->GetOutput()->GetUpdateMTime();
  affine->Update();
  EXPECT_EQ(affine->GetOutput()->GetUpdateMTime(), time);
  rigid->SetNumberOfIterations(1);
  affine->Update();
  EXPECT_GT(affine->GetOutput()->GetUpdateMTime(), time);

  const auto initial = KnownTransform<3>("Rigid");
  affine->SetInitialTransform(initial);
  affine->Update();
  const auto another = affine->GetOutput()->GetUpdateMTime();
  initial->SetParameters(initial->GetParameters());
  initial->Modified();
  affine->Update();
  EXPECT_GT(affine->GetOutput()->GetUpdateMTime(), another);
}

/** ITK describes the outputs again when a source has run, and computes nothing. */
TEST_P(CudaLinearRegistrationFilter, KeepsItsTransformWithSources)
{
  const auto source = itk::CastImageFilter<ImageType, ImageType>::New();
  source->SetInput(SeenThrough<ImageType>(KnownTransform<3>("Rigid")));
  source->InPlaceOff();
  const auto filter = MakeLinearFilter(Moving<ImageType>(), Moving<ImageType>(), this->GetDevice());
  filter->SetFixedImage(source->GetOutput());
  filter->Update();
  const auto time = filter->GetOutput()->GetUpdateMTime();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetUpdateMTime(), time);
  EXPECT_EQ(filter->GetTransformOutput()->Get(), filter->GetTransform());
}

/** A transform that is changed in place, as a part of a composite, is another one. */
TEST_P(CudaLinearRegistrationFilter, NoticesChangedTransforms)
{
  const NestedTranslation nested;
  const auto              filter = MakeFilter<FilterType>(Moving<ImageType>(), Moving<ImageType>(), this->GetDevice());
  filter->SetStart("InitialTransform");
  filter->SetTransformType("Translation");
  filter->SetNumberOfIterations(0);
  filter->SetInitialTransform(nested.composite);
  filter->Update();
  const itk::Point<double, 3> point(12.0);
  EXPECT_EQ(filter->GetTransform()->TransformPoint(point), point);
  const auto time = filter->GetOutput()->GetUpdateMTime();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetUpdateMTime(), time);
  nested.Move(1.5);
  filter->Update();
  const itk::Point<double, 3> moved(13.5);
  EXPECT_EQ(filter->GetTransform()->TransformPoint(point), moved);
}

/** Something bright that only one image has, outside the mask, does no harm. */
TEST_P(CudaLinearRegistrationFilter, HonorsMasks)
{
  const auto known = KnownTransform<3>("Rigid");
  const auto fixed = SeenThrough<ImageType>(known);
  const auto moving = Moving<ImageType>(ObliqueGrid<ImageType>());
  const auto blob = BoxAround(29.0, 25.0, 20.0);
  const auto errorOf = [&](const itk::ImageBase<3> * fixedMask, const itk::ImageBase<3> * movingMask) {
    const auto filter = MakeLinearFilter(fixed, moving, this->GetDevice());
    filter->SetMetric("MeanSquares");
    filter->SetStart("InitialTransform");
    filter->SetFixedMaskImage(fixedMask);
    filter->SetMovingMaskImage(movingMask);
    filter->Update();
    return LargestDistance<3>(filter->GetTransform(), known);
  };
  Brighten(fixed, blob, 600.0f);
  EXPECT_GT(errorOf(nullptr, nullptr), 2.5 * recoveryTolerance);
  EXPECT_LT(errorOf(MaskWithout(blob, fixed), nullptr), recoveryTolerance);
  EXPECT_LT(errorOf(Upload(MaskWithout(blob, fixed).GetPointer(), this->GetDevice()), nullptr), recoveryTolerance);

  SeenThrough<ImageType>(known, fixed);
  Brighten(moving, blob, 600.0f);
  EXPECT_GT(errorOf(nullptr, nullptr), 2.5 * recoveryTolerance);
  EXPECT_LT(errorOf(nullptr, MaskWithout(blob, moving)), recoveryTolerance);
}

/** With the symmetric metric, what exchanging the images changes is where iterations end. */
TEST_P(CudaLinearRegistrationFilter, ExchangedImagesGiveTheInverse)
{
  const auto fixed = SeenThrough<ImageType>(KnownTransform<3>("Rigid"));
  const auto moving = Moving<ImageType>();
  const auto there = MakeLinearFilter(fixed, moving, this->GetDevice());
  there->UseSymmetricMetricOn();
  there->Update();
  const auto back = MakeLinearFilter(moving, fixed, this->GetDevice());
  back->UseSymmetricMetricOn();
  back->Update();
  EXPECT_LT(LargestDistance<3>(back->GetTransform(), there->GetInverseTransform()), recoveryTolerance);
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaLinearRegistrationFilter);

class CudaLinearRegistrationFilterOnCuda : public DeviceTest
{};

/** 0.01 mm is promised. */
TEST_P(CudaLinearRegistrationFilterOnCuda, AgreesWithCpu)
{
  const auto fixed = SeenThrough<ImageType>(KnownTransform<3>("Affine"));
  const auto moving = Moving<ImageType>();
  for (const char * const metric : { "MutualInformation", "MeanSquares" })
  {
    const auto onDevice = MakeLinearFilter(fixed, moving, itk::ComputeDevice(this->GetParam()));
    const auto onCpu = MakeLinearFilter(fixed, moving, itk::ComputeDevice());
    for (const auto & filter : { onDevice, onCpu })
    {
      filter->SetMetric(metric);
      filter->SetTransformType("Affine");
      filter->SetConvergenceThreshold(1e-4);
      filter->Update();
    }
    EXPECT_LT(LargestDistance<3>(onDevice->GetTransform(), onCpu->GetTransform()), 0.01) << metric;
  }
}

CUDANEURO_TEST_ON_CUDA(CudaLinearRegistrationFilterOnCuda);
