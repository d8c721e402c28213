// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MetricImages_h
#define MetricImages_h

#include "DeviceTest.h"
#include "RegistrationPhantom.h"
#include "itkCudaImageToImageMetricv4.h"
#include "itkImageMaskSpatialObject.h"

#include <algorithm>
#include <cmath>

/** Images for the metric, and derivatives of a metric by finite differences. */
namespace metricimages
{

using namespace registrationphantom;

template <unsigned int VDimension>
using ImageOf = itk::Image<float, VDimension>;
template <unsigned int VDimension>
using MetricOf = itk::CudaImageToImageMetricv4<ImageOf<VDimension>>;
template <unsigned int VDimension>
using TransformOf = itk::Transform<double, VDimension, VDimension>;
template <unsigned int VDimension>
using MetricBaseOf = itk::ImageToImageMetricv4<ImageOf<VDimension>, ImageOf<VDimension>>;

/** The phantom. */
template <unsigned int VDimension>
typename ImageOf<VDimension>::Pointer
FixedImage()
{
  return Moving<ImageOf<VDimension>>();
}

/** The phantom in another contrast, as it is seen through the inverse of a transform: at T(q) is what was at q. On
 * an oblique grid around it. */
template <unsigned int VDimension>
typename ImageOf<VDimension>::Pointer
MovingImage(const TransformOf<VDimension> * transform, bool otherContrast = true)
{
  const auto image = ObliqueGrid<ImageOf<VDimension>>();
  const auto inverse = transform->GetInverseTransform();
  Fill<float, VDimension>(image, [&](const PointOf<VDimension> & p) {
    const double value = Intensity<VDimension>(inverse->TransformPoint(p));
    return otherContrast ? 0.01 * (value - 160.0) * (value - 160.0) : value;
  });
  return image;
}

/** A ball around the center of the phantom, as a mask on the grid of \p image, with what is on one side of a plane
 * cut off. */
template <unsigned int VDimension>
typename itk::ImageMaskSpatialObject<VDimension>::Pointer
CutBall(const itk::ImageBase<VDimension> * image, double ballRadius, double cut)
{
  const auto mask = testimages::ConstantMask<VDimension>(image, 0);
  Fill<unsigned char, VDimension>(mask, [&](const PointOf<VDimension> & p) {
    return DistanceFromCenter<VDimension>(p) < ballRadius && p[0] < cut ? 1.0 : 0.0;
  });
  const auto object = itk::ImageMaskSpatialObject<VDimension>::New();
  object->SetImage(mask);
  object->Update();
  return object;
}

/** A metric of the fixed with the moving image, not initialized. */
template <typename TMetric>
typename TMetric::Pointer
MakeMetric(const typename TMetric::FixedImageType *  fixed,
           const typename TMetric::MovingImageType * moving,
           typename TMetric::MovingTransformType *   transform)
{
  const auto metric = TMetric::New();
  metric->SetFixedImage(fixed);
  metric->SetMovingImage(moving);
  metric->SetMovingTransform(transform);
  return metric;
}

template <unsigned int VDimension>
typename MetricOf<VDimension>::Pointer
MakeMetric(const ImageOf<VDimension> * fixed,
           const ImageOf<VDimension> * moving,
           TransformOf<VDimension> *   transform,
           const cudaneuro::Device &   device)
{
  const auto metric = MakeMetric<MetricOf<VDimension>>(fixed, moving, transform);
  metric->SetComputeDevice(itk::ComputeDevice(device));
  return metric;
}

/** How far a unit of each parameter of a metric's transform moves the fastest corner of the fixed image, in mm. */
template <unsigned int VDimension>
std::vector<double>
MillimetersPerUnit(const MetricBaseOf<VDimension> * metric)
{
  std::vector<double> lengths(metric->GetNumberOfParameters(), 0.0);
  for (unsigned int corner = 0; corner < (1u << VDimension); ++corner)
  {
    PointOf<VDimension> point;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      point[axis] = (corner >> axis) & 1u ? 39.0 : 0.0;
    }
    typename TransformOf<VDimension>::JacobianType jacobian;
    metric->GetMovingTransform()->ComputeJacobianWithRespectToParameters(point, jacobian);
    for (std::size_t k = 0; k < lengths.size(); ++k)
    {
      double square = 0.0;
      for (unsigned int row = 0; row < VDimension; ++row)
      {
        square += jacobian(row, k) * jacobian(row, k);
      }
      lengths[k] = std::max(lengths[k], std::sqrt(square));
    }
  }
  return lengths;
}

/** A derivative per mm that the fastest corner moves. */
template <unsigned int VDimension>
std::vector<double>
PerMillimeter(const MetricBaseOf<VDimension> *                          metric,
              const typename MetricBaseOf<VDimension>::DerivativeType & derivative)
{
  std::vector<double> result = MillimetersPerUnit<VDimension>(metric);
  for (std::size_t k = 0; k < result.size(); ++k)
  {
    result[k] = derivative[k] / result[k];
  }
  return result;
}

/** Minus the differences of a metric's value by its parameters, per mm that the fastest corner moves. */
template <unsigned int VDimension>
std::vector<double>
FiniteDifferences(MetricBaseOf<VDimension> * metric, double millimeters)
{
  const typename TransformOf<VDimension>::ParametersType parameters = metric->GetParameters();
  const std::vector<double>                              lengths = MillimetersPerUnit<VDimension>(metric);
  std::vector<double>                                    differences;
  for (std::size_t k = 0; k < lengths.size(); ++k)
  {
    const auto valueAt = [&](double side) {
      auto changed = parameters;
      changed[k] += side * millimeters / lengths[k];
      metric->SetParameters(changed);
      return metric->GetValue();
    };
    differences.push_back((valueAt(-1.0) - valueAt(1.0)) / (2.0 * millimeters));
  }
  auto restored = parameters;
  metric->SetParameters(restored);
  return differences;
}

/** Of the angle between two directions. */
inline double
Cosine(const std::vector<double> & a, const std::vector<double> & b)
{
  double ab = 0.0;
  double aa = 0.0;
  double bb = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
  {
    ab += a[k] * b[k];
    aa += a[k] * a[k];
    bb += b[k] * b[k];
  }
  return ab / std::sqrt(aa * bb);
}

/** Largest magnitude. */
inline double
Largest(const std::vector<double> & values)
{
  double largest = 0.0;
  for (const double value : values)
  {
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

} // namespace metricimages

#endif
