// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef GeodesicShootingTest_h
#define GeodesicShootingTest_h

#include "LandmarkPoints.h"
#include "itk/ItkDeviceTest.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

/** The test of registrations of landmarks on a device, and what is checked of each. */
namespace landmarkregistration
{

using namespace landmarkpoints;

using PointSetType = PointsOf<3>;

/** Mean and largest distance of points. */
template <unsigned int VDimension>
std::pair<double, double>
Distances(const std::vector<double> & a, const std::vector<double> & b)
{
  double sum = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); i += VDimension)
  {
    double square = 0.0;
    for (std::size_t k = i; k < i + VDimension; ++k)
    {
      square += (a[k] - b[k]) * (a[k] - b[k]);
    }
    sum += std::sqrt(square);
    largest = std::max(largest, std::sqrt(square));
  }
  return { sum * VDimension / static_cast<double>(a.size()), largest };
}

class CudaGeodesicShootingRegistration : public ItkDeviceTest
{
protected:
  template <typename TPointSet>
  void
  CheckMatching()
  {
    constexpr unsigned int dimension = TPointSet::PointDimension;
    const auto             registration = MakeRegistration<TPointSet>(this->GetDevice());
    registration->Update();
    const std::vector<double> from = Positions(registration->GetTemplatePointSet());
    const std::vector<double> to = Positions(registration->GetTargetPointSet());
    const std::vector<double> moved = Positions(registration->GetOutput());
    const auto [mean, largest] = Distances<dimension>(moved, to);
    const auto [meanBefore, largestBefore] = Distances<dimension>(from, to);
    // The trajectory of the output may be computed by another sum than that of the loss, in single precision.
    EXPECT_NEAR(registration->GetMeanDistance(), mean, 2e-5);
    EXPECT_NEAR(registration->GetMaximumDistance(), largest, 2e-5);
    EXPECT_NEAR(registration->GetInitialMeanDistance(), meanBefore, 1e-12);
    EXPECT_NEAR(registration->GetInitialMaximumDistance(), largestBefore, 1e-12);
    EXPECT_GT(meanBefore, 0.5);
    EXPECT_LT(largest, 0.01); // of 1.5 mm; lambda leaves a distance of p / lambda, some micrometers
    EXPECT_EQ(registration->GetOutput()->GetNumberOfPoints(), from.size() / dimension);

    // The transform takes the template to the output, and back.
    const auto transform = registration->GetTransform();
    const auto inverse = transform->GetInverseTransform();
    for (std::size_t i = 0; i < from.size() / dimension; ++i)
    {
      const typename decltype(transform)::ObjectType::InputPointType point(&from[dimension * i]);
      const auto                                                     there = transform->TransformPoint(point);
      EXPECT_LT(inverse->TransformPoint(there).EuclideanDistanceTo(point), 1e-9);
      for (unsigned int axis = 0; axis < dimension; ++axis)
      {
        EXPECT_NEAR(there[axis], moved[dimension * i + axis], 2e-5); // single precision of coordinates of 30 mm
      }
    }
  }
};

} // namespace landmarkregistration

#endif
