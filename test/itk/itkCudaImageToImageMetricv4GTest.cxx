// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The metric by itself: beside ITK's metrics, and its derivatives against finite differences.

#include "MetricImages.h"
#include "itkAffineTransform.h"
#include "itkCompositeTransform.h"
#include "itkEuler2DTransform.h"
#include "itkEuler3DTransform.h"
#include "itkImageAlgorithm.h"
#include "itkImageRegionRange.h"
#include "itkMattesMutualInformationImageToImageMetricv4.h"
#include "itkMeanSquaresImageToImageMetricv4.h"
#include "itkNearestNeighborInterpolateImageFunction.h"
#include "itkScaleTransform.h"
#include "itkSimilarity2DTransform.h"
#include "itkSimilarity3DTransform.h"
#include "itkTranslationTransform.h"
#include "itkVersorRigid3DTransform.h"

#include <thread>

using namespace metricimages;

namespace
{

using MetricEnum = cudaneuro::RegistrationMetric;
template <unsigned int VDimension>
using MattesOf = itk::MattesMutualInformationImageToImageMetricv4<ImageOf<VDimension>, ImageOf<VDimension>>;
using CompositeType = itk::CompositeTransform<double, 3>;

/** A transform of \p TTransform around the center of the phantom; its parameters are those of the identity and \p
 * change. */
template <typename TTransform>
typename TTransform::Pointer
Around(const std::vector<double> & change)
{
  const auto                               transform = TTransform::New();
  typename TTransform::FixedParametersType fixedParameters = transform->GetFixedParameters();
  for (unsigned int axis = 0; axis < std::min<std::size_t>(fixedParameters.GetSize(), TTransform::SpaceDimension);
       ++axis)
  {
    fixedParameters[axis] = center;
  }
  transform->SetFixedParameters(fixedParameters);
  auto parameters = transform->GetParameters();
  for (std::size_t k = 0; k < change.size(); ++k)
  {
    parameters[k] += change[k];
  }
  transform->SetParameters(parameters);
  return transform;
}

using Euler3DType = itk::Euler3DTransform<double>;
using Euler2DType = itk::Euler2DTransform<double>;

Euler3DType::Pointer
SomeRigid()
{
  return Around<Euler3DType>({ 0.05, -0.08, 0.1, 1.3, -0.7, 0.9 });
}

Euler2DType::Pointer
SomeRigid2D()
{
  return Around<Euler2DType>({ 0.1, 1.3, -0.7 });
}

/** The transform that the images of the tests fit for. */
template <unsigned int VDimension>
typename TransformOf<VDimension>::Pointer
TrueTransform()
{
  if constexpr (VDimension == 2)
  {
    return Around<Euler2DType>({ 0.03, 0.5, -0.4 }).GetPointer();
  }
  else
  {
    return Around<Euler3DType>({ 0.02, 0.03, -0.03, 0.5, 0.4, -0.6 }).GetPointer();
  }
}

} // namespace

class CudaImageToImageMetricv4 : public DeviceTest
{
protected:
  /** The derivative by the parameters of a transform is that of finite differences, for points that all overlap. */
  template <unsigned int VDimension>
  void
  CheckDerivative(TransformOf<VDimension> * transform, MetricEnum which = MetricEnum::MutualInformation)
  {
    SCOPED_TRACE(std::string(transform->GetNameOfClass()) + ", " + itk::CudaNeuroDetail::NameOf(which));
    const auto fixed = FixedImage<VDimension>();
    const auto moving = MovingImage<VDimension>(TrueTransform<VDimension>());
    const auto metric = metricimages::MakeMetric<VDimension>(fixed, moving, transform, this->GetParam());
    metric->SetMetric(which);
    metric->SetFixedImageMask(CutBall<VDimension>(fixed, 15.0, 100.0));
    metric->Initialize();
    typename MetricOf<VDimension>::DerivativeType derivative;
    double                                        value = 0.0;
    metric->GetValueAndDerivative(value, derivative);
    EXPECT_EQ(value, metric->GetValue());
    EXPECT_EQ(value, metric->GetCurrentValue());
    typename MetricOf<VDimension>::DerivativeType alone;
    metric->GetDerivative(alone);
    EXPECT_EQ(alone, derivative);

    const std::vector<double> actual = PerMillimeter<VDimension>(metric, derivative);
    const std::vector<double> expected = FiniteDifferences<VDimension>(metric, 0.0005);
    ASSERT_EQ(actual.size(), transform->GetNumberOfParameters());
    for (std::size_t k = 0; k < actual.size(); ++k)
    {
      // Linear interpolation has kinks, some of which lie in between.
      EXPECT_NEAR(actual[k], expected[k], 0.01 * Largest(expected)) << "parameter " << k;
    }
  }

  template <unsigned int VDimension>
  void
  CheckAgainstMattes(TransformOf<VDimension> * transform, unsigned int bins)
  {
    const auto fixed = FixedImage<VDimension>();
    const auto moving = MovingImage<VDimension>(TrueTransform<VDimension>());
    const auto metric = metricimages::MakeMetric<VDimension>(fixed, moving, transform, this->GetParam());
    metric->SetNumberOfHistogramBins(bins);
    metric->Initialize();
    const auto expected = metricimages::MakeMetric<MattesOf<VDimension>>(fixed, moving, transform);
    expected->SetNumberOfHistogramBins(bins);
    expected->SetUseMovingImageGradientFilter(false);
    expected->Initialize();

    typename MetricOf<VDimension>::DerivativeType derivative, expectedDerivative;
    double                                        value = 0.0, expectedValue = 0.0;
    metric->GetValueAndDerivative(value, derivative);
    expected->GetValueAndDerivative(expectedValue, expectedDerivative);
    // Sums of windows in double precision and in float: a voxel of the fixed image on the bound of two bins may count
    // for the other.
    EXPECT_NEAR(value, expectedValue, 1e-4);
    // Points at the very edge of the moving grid are inside or outside by rounding.
    EXPECT_NEAR(static_cast<double>(metric->GetNumberOfValidPoints()),
                static_cast<double>(expected->GetNumberOfValidPoints()),
                3.0);
    EXPECT_GT(metric->GetNumberOfValidPoints(), 0.5 * fixed->GetBufferedRegion().GetNumberOfPixels());
    // ITK's gradient is by central differences between voxels, ours that of linear interpolation.
    EXPECT_GT(
      Cosine(PerMillimeter<VDimension>(metric, derivative), PerMillimeter<VDimension>(expected, expectedDerivative)),
      0.99);
  }
};

TEST_P(CudaImageToImageMetricv4, ValueIsThatOfMattes)
{
  this->CheckAgainstMattes<3>(itk::TranslationTransform<double, 3>::New(), 32);
  this->CheckAgainstMattes<3>(SomeRigid(), 32);
  this->CheckAgainstMattes<3>(SomeRigid(), 50);
  this->CheckAgainstMattes<2>(SomeRigid2D(), 20);
}

TEST_P(CudaImageToImageMetricv4, DerivativesByParameters)
{
  this->CheckDerivative<3>(Around<itk::TranslationTransform<double, 3>>({ 0.6, -0.4, 0.9 }));
  this->CheckDerivative<3>(SomeRigid());
  this->CheckDerivative<3>(Around<itk::VersorRigid3DTransform<double>>({ 0.02, -0.04, 0.05, 1.3, -0.7, 0.9 }));
  this->CheckDerivative<3>(Around<itk::Similarity3DTransform<double>>({ 0.02, -0.04, 0.05, 1.3, -0.7, 0.9, 0.04 }));
  this->CheckDerivative<3>(Around<itk::ScaleTransform<double, 3>>({ 0.04, -0.03, 0.047 }));
  this->CheckDerivative<3>(Around<itk::AffineTransform<double, 3>>(
    { 0.03, 0.05, -0.02, 0.04, -0.03, 0.02, 0.01, -0.04, 0.03, 0.8, -0.6, 0.7 }));
  this->CheckDerivative<2>(SomeRigid2D());
  this->CheckDerivative<2>(Around<itk::Similarity2DTransform<double>>({ 0.03, 0.08, 0.6, -0.8 }));
  this->CheckDerivative<2>(Around<itk::AffineTransform<double, 2>>({ 0.03, 0.05, -0.02, 0.04, 0.7, -0.5 }));
}

TEST_P(CudaImageToImageMetricv4, DerivativesByParametersOfComposites)
{
  const auto affine =
    Around<itk::AffineTransform<double, 3>>({ 0.03, 0.05, -0.02, 0.04, -0.03, 0.02, 0.01, -0.04, 0.03 });
  const auto rigid = Around<Euler3DType>({ 0.03, -0.04, 0.06, 1.3, -0.7, 0.9 });
  const auto composite = CompositeType::New();
  composite->AddTransform(affine);
  composite->AddTransform(rigid);
  EXPECT_EQ(composite->GetNumberOfParameters(), 18u);
  this->CheckDerivative<3>(composite);

  composite->SetOnlyMostRecentTransformToOptimizeOn();
  EXPECT_EQ(composite->GetNumberOfParameters(), 6u);
  this->CheckDerivative<3>(composite);

  composite->SetAllTransformsToOptimizeOff();
  composite->SetNthTransformToOptimizeOn(0);
  EXPECT_EQ(composite->GetNumberOfParameters(), 12u);
  this->CheckDerivative<3>(composite);
}

TEST_P(CudaImageToImageMetricv4, DerivativesOfOtherMetrics)
{
  for (const MetricEnum which : { MetricEnum::MeanSquares, MetricEnum::LocalCorrelation })
  {
    this->CheckDerivative<3>(SomeRigid(), which);
    this->CheckDerivative<2>(SomeRigid2D(), which);
  }
}

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

TEST_P(CudaImageToImageMetricv4, IsRepeatableInManyThreads)
{
  const auto fixed = FixedImage<3>();
  const auto moving = MovingImage<3>(TrueTransform<3>());
  const auto evaluate = [&](std::vector<double> & numbers) {
    const auto metric = metricimages::MakeMetric<3>(fixed, moving, SomeRigid(), this->GetParam());
    metric->Initialize();
    MetricOf<3>::DerivativeType derivative;
    numbers.resize(1);
    metric->GetValueAndDerivative(numbers[0], derivative);
    numbers.insert(numbers.end(), derivative.begin(), derivative.end());
  };
  std::vector<std::vector<double>> results(3);
  evaluate(results[0]);
  std::thread second([&] { evaluate(results[1]); });
  std::thread third([&] { evaluate(results[2]); });
  second.join();
  third.join();
  EXPECT_EQ(results[0].size(), 7u);
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
}

TEST_P(CudaImageToImageMetricv4, TransformsOfFloatFarFromTheOrigin)
{
  const auto fixed = FixedImage<3>();
  const auto moving = MovingImage<3>(TrueTransform<3>());
  for (const auto & image : { fixed, moving })
  {
    auto origin = image->GetOrigin();
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      origin[axis] += 10000.0;
    }
    image->SetOrigin(origin);
  }
  double              value = 0.0;
  std::vector<double> derivative;
  const auto          evaluate = [&](auto real) {
    using RealType = decltype(real);
    using MetricType = itk::CudaImageToImageMetricv4<ImageOf<3>, ImageOf<3>, ImageOf<3>, RealType>;
    const auto                                               transform = itk::Euler3DTransform<RealType>::New();
    typename itk::Euler3DTransform<RealType>::InputPointType around;
    around.Fill(static_cast<RealType>(10000.0 + center));
    transform->SetCenter(around);
    transform->SetRotation(static_cast<RealType>(0.1), static_cast<RealType>(-0.05), static_cast<RealType>(0.07));
    const auto metric = MakeMetric<MetricType>(fixed, moving, transform);
    metric->SetComputeDevice(itk::ComputeDevice(this->GetParam()));
    metric->SetMetric(MetricEnum::MeanSquares);
    metric->Initialize();
    typename MetricType::MeasureType    measure;
    typename MetricType::DerivativeType byParameters;
    metric->GetValueAndDerivative(measure, byParameters);
    value = static_cast<double>(measure);
    derivative.assign(byParameters.begin(), byParameters.end());
  };
  evaluate(0.0f);
  const double              actualValue = value;
  const std::vector<double> actual = derivative;
  evaluate(0.0);
  // Numbers of float near 10,000 are 0.001 mm apart.
  EXPECT_NEAR(actualValue, value, 0.002 * value);
  ASSERT_EQ(actual.size(), 6u);
  for (std::size_t block = 0; block < 6; block += 3)
  {
    const std::vector<double> expected(derivative.begin() + block, derivative.begin() + block + 3);
    for (std::size_t k = 0; k < 3; ++k)
    {
      EXPECT_NEAR(actual[block + k], expected[k], 0.005 * Largest(expected)) << "parameter " << block + k;
    }
  }
}

TEST_P(CudaImageToImageMetricv4, ImagesThatDoNotOverlap)
{
  const auto translation = Around<itk::TranslationTransform<double, 3>>({ 500.0, 0.0, 0.0 });
  const auto fixed = FixedImage<3>();
  const auto moving = MovingImage<3>(TrueTransform<3>());
  const auto metric = metricimages::MakeMetric<3>(fixed, moving, translation, this->GetParam());
  metric->Initialize();
  const testimages::WarningCapture warnings;
  EXPECT_EQ(metric->GetValue(), std::numeric_limits<double>::max());
  double                      value = 0.0;
  MetricOf<3>::DerivativeType derivative;
  metric->GetValueAndDerivative(value, derivative);
  EXPECT_EQ(value, std::numeric_limits<double>::max());
  EXPECT_EQ(metric->GetCurrentValue(), value);
  ASSERT_EQ(derivative.GetSize(), 3u);
  EXPECT_EQ(derivative.one_norm(), 0.0);
  EXPECT_EQ(metric->GetNumberOfValidPoints(), 0u);
  EXPECT_TRUE(testimages::Contains(warnings.GetText(), "No valid points were found"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaImageToImageMetricv4);
