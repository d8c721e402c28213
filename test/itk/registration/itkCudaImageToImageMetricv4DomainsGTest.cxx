// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Where the metric looks at images: virtual domains, masks and single slices. itkCudaImageToImageMetricv4GTest.cxx
// instantiates these tests.

#include "MetricImages.h"
#include "MetricTest.h"
#include "RegistrationPhantom.h"
#include "itk/TestImages.h"
#include "itkDisplacementFieldTransform.h"
#include "itkImageAlgorithm.h"
#include "itkImageRegionRange.h"
#include "itkLinearInterpolateImageFunction.h"
#include "itkMeanSquaresImageToImageMetricv4.h"

#include <limits>
#include <utility>

using namespace metricimages;
using namespace metrictests;

// The fixed image through a transform that is not linear, on a virtual domain of its own, and masks.
TEST_P(CudaImageToImageMetricv4, VirtualDomainAndMasks)
{
  using SquaresType = itk::MeanSquaresImageToImageMetricv4<ImageOf<3>, ImageOf<3>>;
  const auto fixed = FixedImage<3>();
  const auto moving = MovingImage<3>(TrueTransform<3>(), false);
  const auto fixedTransform = itk::DisplacementFieldTransform<double, 3>::New();
  const auto field = itk::DisplacementFieldTransform<double, 3>::DisplacementFieldType::New();
  field->SetRegions(itk::Size<3>{ { 40, 40, 40 } });
  field->Allocate();
  ForEachVoxel<3>(field.GetPointer(), [&](itk::OffsetValueType i, const PointOf<3> & point) {
    field->GetBufferPointer()[i] = Displacement<3>(point);
  });
  fixedTransform->SetDisplacementField(field);
  const auto domain = ObliqueGrid<ImageOf<3>>();
  auto       spacing = domain->GetSpacing();
  spacing *= 1.3;
  const auto rigid = SomeRigid();

  const auto setUp = [&](auto * metric) {
    metric->SetFixedTransform(fixedTransform);
    metric->SetVirtualDomain(spacing, domain->GetOrigin(), domain->GetDirection(), domain->GetLargestPossibleRegion());
    // Where the moving mask ends, the image is nearly constant: what lies outside counts for ITK in the interpolation.
    metric->SetFixedImageMask(CutBall<3>(fixed, 18.0, 22.0));
    metric->SetMovingImageMask(CutBall<3>(moving, 22.0, 100.0));
    metric->Initialize();
  };
  const auto metric = metricimages::MakeMetric<3>(fixed, moving, rigid, this->GetParam());
  metric->SetMetric("MeanSquares");
  setUp(metric.GetPointer());
  const auto expected = metricimages::MakeMetric<SquaresType>(fixed, moving, rigid);
  expected->SetUseMovingImageGradientFilter(false);
  setUp(expected.GetPointer());

  // The variance of what is seen of the fixed image.
  const auto interpolator = itk::LinearInterpolateImageFunction<ImageOf<3>>::New();
  interpolator->SetInputImage(fixed);
  double sum = 0.0, squares = 0.0, count = 0.0;
  ForEachVoxel<3>(metric->GetVirtualImage(), [&](itk::OffsetValueType, const PointOf<3> & point) {
    const auto mapped = fixedTransform->TransformPoint(point);
    if (interpolator->IsInsideBuffer(mapped) && metric->GetFixedImageMask()->IsInsideInWorldSpace(mapped))
    {
      const double value = interpolator->Evaluate(mapped);
      sum += value;
      squares += value * value;
      count += 1.0;
    }
  });
  const double variance = squares / count - (sum / count) * (sum / count);

  itk::MeanSquaresImageToImageMetricv4<ImageOf<3>, ImageOf<3>>::DerivativeType derivative, expectedDerivative;
  double                                                                       value = 0.0, expectedValue = 0.0;
  metric->GetValueAndDerivative(value, derivative);
  expected->GetValueAndDerivative(expectedValue, expectedDerivative);
  EXPECT_GT(metric->GetNumberOfValidPoints(), 2000u);
  EXPECT_EQ(metric->GetNumberOfValidPoints(), expected->GetNumberOfValidPoints());
  // The variance is that of a sample: n - 1 or n of some 10^4.
  EXPECT_NEAR(2.0 * variance * value, expectedValue, 1e-3 * expectedValue);
  EXPECT_GT(Cosine(PerMillimeter<3>(metric, derivative), PerMillimeter<3>(expected, expectedDerivative)), 0.99);
}

/** Virtual domains and images of one slice are in space, too. */
TEST_P(CudaImageToImageMetricv4, SlicesIn3D)
{
  using SquaresType = itk::MeanSquaresImageToImageMetricv4<ImageOf<3>, ImageOf<3>>;
  const auto sliceOf = [](ImageOf<3> * image) {
    ImageOf<3>::RegionType region = image->GetLargestPossibleRegion();
    region.SetIndex(2, 20);
    region.SetSize(2, 1);
    const auto slice = ImageOf<3>::New();
    slice->CopyInformation(image);
    slice->SetRegions(region);
    slice->Allocate();
    itk::ImageAlgorithm::Copy(image, slice.GetPointer(), region, region);
    return slice;
  };
  const auto volume = FixedImage<3>();
  const auto slice = sliceOf(volume);
  const auto moving = MovingImage<3>(TrueTransform<3>(), false);
  const auto nearSlice = sliceOf(volume);
  const auto farSlice = sliceOf(volume);
  auto       origin = volume->GetOrigin();
  origin[2] += 0.3;
  nearSlice->SetOrigin(origin);
  origin[2] += 50.0;
  farSlice->SetOrigin(origin);

  const auto variance = [&] {
    double sum = 0.0, squares = 0.0;
    for (const float value : itk::ImageRegionRange<ImageOf<3>>(*slice, slice->GetBufferedRegion()))
    {
      sum += value;
      squares += value * value;
    }
    const double count = slice->GetBufferedRegion().GetNumberOfPixels();
    return squares / count - (sum / count) * (sum / count);
  }();
  const auto check = [&](ImageOf<3> * fixedImage, ImageOf<3> * movingImage, TransformOf<3> * transform) {
    const auto evaluate = [&](auto * metric) {
      metric->SetVirtualDomainFromImage(slice);
      metric->Initialize();
      MetricOf<3>::DerivativeType derivative;
      double                      value = 0.0;
      metric->GetValueAndDerivative(value, derivative);
      return std::make_pair(value, derivative);
    };
    const auto metric = metricimages::MakeMetric<3>(fixedImage, movingImage, transform, this->GetParam());
    metric->SetMetric(MetricEnum::MeanSquares);
    const auto actual = evaluate(metric.GetPointer());
    const auto reference = metricimages::MakeMetric<SquaresType>(fixedImage, movingImage, transform);
    reference->SetUseMovingImageGradientFilter(false);
    const auto expected = evaluate(reference.GetPointer());
    EXPECT_EQ(metric->GetNumberOfValidPoints(), reference->GetNumberOfValidPoints());
    if (reference->GetNumberOfValidPoints() > 0)
    {
      EXPECT_NEAR(2.0 * variance * actual.first, expected.first, 2e-3 * expected.first); // n - 1 or n of 1,600
      EXPECT_GT(Cosine(PerMillimeter<3>(metric, actual.second), PerMillimeter<3>(reference, expected.second)), 0.98);
    }
    return metric->GetNumberOfValidPoints();
  };
  const auto inPlane = Around<Euler3DType>({ 0.0, 0.0, 0.1, 1.3, -0.7, 0.0 });
  EXPECT_GT(check(volume, moving, SomeRigid()), 800u);
  EXPECT_GT(check(slice, moving, SomeRigid()), 800u);
  EXPECT_GT(check(slice, nearSlice, inPlane), 800u);
  const testimages::WarningCapture warnings;
  EXPECT_EQ(check(slice, farSlice, inPlane), 0u);
}

TEST_P(CudaImageToImageMetricv4, VoxelsOutsideMasksAreNotLookedAt)
{
  const auto rigid = SomeRigid();
  const auto fixed = FixedImage<3>();
  const auto moving = MovingImage<3>(TrueTransform<3>());
  const auto valueOf = [&] {
    const auto metric = metricimages::MakeMetric<3>(fixed, moving, rigid, this->GetParam());
    metric->SetFixedImageMask(CutBall<3>(fixed, 12.0, 25.0));
    metric->SetMovingImageMask(CutBall<3>(moving, 14.0, 24.0));
    metric->Initialize();
    return metric->GetValue();
  };
  const double                value = valueOf();
  const ImageOf<3>::IndexType last{ { 39, 39, 39 } };
  fixed->SetPixel(last, std::numeric_limits<float>::quiet_NaN());
  moving->GetBufferPointer()[0] = 1e6f;
  EXPECT_EQ(valueOf(), value);
}
