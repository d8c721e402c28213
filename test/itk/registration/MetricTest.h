// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MetricTest_h
#define MetricTest_h

#include "DeviceTest.h"
#include "MetricImages.h"
#include "itkEuler2DTransform.h"
#include "itkEuler3DTransform.h"
#include "itkMattesMutualInformationImageToImageMetricv4.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

/** The test of the metric on a device: transforms, derivatives against finite differences, and values beside ITK's. */
namespace metrictests
{

using namespace metricimages;

using MetricEnum = cudaneuro::RegistrationMetric;
template <unsigned int VDimension>
using MattesOf = itk::MattesMutualInformationImageToImageMetricv4<ImageOf<VDimension>, ImageOf<VDimension>>;

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

inline Euler3DType::Pointer
SomeRigid()
{
  return Around<Euler3DType>({ 0.05, -0.08, 0.1, 1.3, -0.7, 0.9 });
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

} // namespace metrictests

#endif
