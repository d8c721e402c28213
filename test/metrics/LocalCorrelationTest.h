// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LocalCorrelationTest_h
#define LocalCorrelationTest_h

#include "DeviceTest.h"
#include "ReferenceLocalCorrelation.h"
#include "TestVolumes.h"
#include "jobs/DeviceJob.h"
#include "metrics/MetricEvaluator.h"
#include "metrics/correlation/LocalCorrelationFormulas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

/** Pairs of images, the evaluation of their local correlation on a device, and the fixture that compares it with its
 * definition in double precision. */
namespace localcorrelation
{

using namespace cudaneuro;
using reference::ImagePair;
using reference::MetricValue;

using Size = std::array<int, 3>;

inline std::vector<float>
SmoothNoise(const Size & size, double phase, std::uint64_t seed)
{
  std::vector<float> values;
  ForEachVoxel(size, [&](int x, int y, int z) {
    const double smooth = std::sin(0.8 * x + phase) + std::cos(0.7 * y - phase) + std::sin(0.6 * z + 2.0 * phase);
    values.push_back(static_cast<float>(smooth + 0.2 * testvolumes::UniformNoise(seed, values.size())));
  });
  return values;
}

inline ImagePair
MakeImages(const Size & fixedSize, const Size & movingSize, bool withMasks)
{
  ImagePair images{
    fixedSize, movingSize, SmoothNoise(fixedSize, 0.3, 1), SmoothNoise(movingSize, 0.7, 2), {}, {}, {}
  };
  if (withMasks)
  {
    images.fixedMask = testvolumes::BallMask(testvolumes::MakeGrid({ fixedSize[0], fixedSize[1], fixedSize[2] }));
    images.movingMask = testvolumes::BallMask(testvolumes::MakeGrid({ movingSize[0], movingSize[1], movingSize[2] }));
  }
  return images;
}

/** A rotation with shear and scales about the center of the fixed image. In 2D the third axis stays as it is. */
inline AffineMap
MakeMap(const ImagePair & images, double strength, const std::array<double, 3> & shift)
{
  const double rows[3][3] = { { 0.03, -0.11, 0.07 }, { 0.09, -0.04, -0.05 }, { -0.06, 0.08, 0.05 } };
  const bool   isFlat = images.fixedSize[2] == 1;
  AffineMap    map;
  for (int r = 0; r < 3; ++r)
  {
    map.offset[r] = isFlat && r == 2 ? 0.0 : shift[r] + 0.5 * (images.movingSize[r] - 1);
    for (int c = 0; c < 3; ++c)
    {
      const double change = isFlat && (r == 2 || c == 2) ? 0.0 : strength * rows[r][c];
      map.matrix[3 * r + c] = (r == c ? 1.0 : 0.0) + change;
      map.offset[r] -= isFlat && r == 2 ? 0.0 : map.matrix[3 * r + c] * 0.5 * (images.fixedSize[c] - 1);
    }
  }
  return map;
}

/** The same images in the memory of a device. */
class ImagesOnDevice
{
public:
  ImagesOnDevice(Context & context, const ImagePair & images)
    : m_Fixed(Copy(context, images.fixed))
    , m_Moving(Copy(context, images.moving))
    , m_FixedMask(Copy(context, images.fixedMask))
    , m_MovingMask(Copy(context, images.movingMask))
    , m_FixedWeights(Copy(context, images.fixedWeights))
  {
    m_Comparison.fixedExtent = { images.fixedSize[0], images.fixedSize[1], images.fixedSize[2] };
    m_Comparison.fixed = static_cast<const float *>(m_Fixed.Data());
    m_Comparison.fixedMask = static_cast<const unsigned char *>(m_FixedMask.Data());
    m_Comparison.movingExtent = { images.movingSize[0], images.movingSize[1], images.movingSize[2] };
    m_Comparison.moving = static_cast<const float *>(m_Moving.Data());
    m_Comparison.movingMask = static_cast<const unsigned char *>(m_MovingMask.Data());
    m_Comparison.fixedWeights = static_cast<const unsigned char *>(m_FixedWeights.Data());
  }

  const ImageComparison &
  GetComparison() const
  {
    return m_Comparison;
  }

private:
  template <typename T>
  static DeviceMemory
  Copy(Context & context, const std::vector<T> & values)
  {
    if (values.empty())
    {
      return {};
    }
    const DeviceMemory memory = context.Allocate(values.size() * sizeof(T));
    const MemorySpace  space = context.GetDevice().IsCuda() ? MemorySpace::Device : MemorySpace::Host;
    CopyVolume(context,
               { { static_cast<std::int64_t>(values.size()), 1, 1 } },
               ConstView(values),
               { memory.Data(), PixelTypeOf<T>::value, space });
    return memory;
  }

  DeviceMemory    m_Fixed;
  DeviceMemory    m_Moving;
  DeviceMemory    m_FixedMask;
  DeviceMemory    m_MovingMask;
  DeviceMemory    m_FixedWeights;
  ImageComparison m_Comparison;
};

inline MapEvaluation
AtMap(const AffineMap & map)
{
  MapEvaluation evaluation;
  evaluation.indexMap = map;
  return evaluation;
}

/** Evaluates the maps with an evaluator of their own. */
inline std::vector<MapEvaluation>
Evaluate(Context &                      context,
         const ImagePair &              images,
         int                            radius,
         const std::vector<AffineMap> & maps,
         bool                           withDerivatives = true)
{
  std::vector<MapEvaluation> evaluations;
  std::transform(maps.begin(), maps.end(), std::back_inserter(evaluations), AtMap);
  const ImagesOnDevice onDevice(context, images);
  RunDeviceJob(context, [&] {
    const MetricShape shape{ RegistrationMetric::LocalCorrelation, 32, radius };
    const auto        evaluator = MakeMetricEvaluator(context, shape, onDevice.GetComparison());
    evaluator->Evaluate(evaluations.data(), static_cast<int>(evaluations.size()), withDerivatives);
  });
  return evaluations;
}

inline MetricValue
ByDefinition(const ImagePair & images, int radius, const AffineMap & map)
{
  return reference::LocalCorrelation(images, radius, static_cast<double>(correlationVarianceFloor), map);
}

/** The 12 derivatives, the matrix first. */
inline std::array<double, 12>
DerivativesOf(const MapEvaluation & evaluation)
{
  std::array<double, 12> derivatives{};
  std::copy_n(evaluation.derivativeByMatrix, 9, derivatives.begin());
  std::copy_n(evaluation.derivativeByOffset, 3, derivatives.begin() + 9);
  return derivatives;
}

inline std::array<double, 12>
DerivativesByDifferences(const ImagePair & images, int radius, const AffineMap & map)
{
  // So small that no position crosses the center of a voxel, where the interpolation has a kink, or the border.
  constexpr double       step = 1e-6;
  std::array<double, 12> derivatives{};
  for (std::size_t i = 0; i < derivatives.size(); ++i)
  {
    AffineMap  above = map;
    AffineMap  below = map;
    const auto element = [i](AffineMap & of) -> double & { return i < 9 ? of.matrix[i] : of.offset[i - 9]; };
    element(above) += step;
    element(below) -= step;
    derivatives[i] =
      (ByDefinition(images, radius, above).value - ByDefinition(images, radius, below).value) / (2.0 * step);
  }
  return derivatives;
}

/** Expects derivatives that agree to a fraction of the largest. */
inline void
ExpectDerivatives(const std::array<double, 12> & actual, const std::array<double, 12> & expected, double tolerance)
{
  double largest = 0.0;
  for (const double value : expected)
  {
    largest = std::max(largest, std::abs(value));
  }
  for (std::size_t i = 0; i < actual.size(); ++i)
  {
    EXPECT_NEAR(actual[i], expected[i], tolerance * largest) << "derivative " << i;
  }
}

/** Weights of all sizes, a third of them 0. */
inline std::vector<unsigned char>
Weights(const std::vector<float> & image)
{
  std::vector<unsigned char> weights;
  for (std::size_t i = 0; i < image.size(); ++i)
  {
    weights.push_back(i % 3 == 0 ? 0 : static_cast<unsigned char>(i * 37 % 256));
  }
  return weights;
}

class LocalCorrelationTest : public DeviceTest
{
protected:
  void
  ExpectDefinition(const ImagePair & images, int radius, const AffineMap & map)
  {
    const MapEvaluation evaluation = Evaluate(this->GetContext(), images, radius, { map }).front();
    const MetricValue   expected = ByDefinition(images, radius, map);
    // Weights are float32; without them the number is exact.
    EXPECT_NEAR(evaluation.count, expected.count, images.fixedWeights.empty() ? 0.0 : 1e-6 * expected.count);
    EXPECT_GT(evaluation.count, 20);
    // Sums of some hundred float32 numbers, of which variances are differences.
    EXPECT_NEAR(evaluation.value, expected.value, 1e-5);
    // The same error, in derivatives of single voxels, which have both signs.
    ExpectDerivatives(DerivativesOf(evaluation), DerivativesByDifferences(images, radius, map), 1e-4);
  }
};

} // namespace localcorrelation

#endif
