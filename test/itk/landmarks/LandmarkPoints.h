// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LandmarkPoints_h
#define LandmarkPoints_h

#include "itkCudaGeodesicShootingRegistration.h"
#include "itkPointSet.h"

#include <gtest/gtest.h>


#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

/** Landmarks for the tests of matching. */
namespace landmarkpoints
{

/** Distance between neighbors of Lattice in mm, and a sigma that matches them in few iterations. */
constexpr double latticeSpacing = 6.0;
constexpr double latticeSigma = 4.0;

/** Points near a regular lattice of \p perAxis points an axis: D coordinates each. */
template <unsigned int VDimension>
std::vector<double>
Lattice(int perAxis = 3)
{
  std::mt19937                           random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double>                    positions;
  const int                              count = static_cast<int>(std::lround(std::pow(perAxis, VDimension)));
  for (int i = 0; i < count; ++i)
  {
    int rest = i;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      positions.push_back(latticeSpacing * (rest % perAxis) + 20.0 + uniform(random));
      rest /= perAxis;
    }
  }
  return positions;
}

/** A smooth map of some mm that does not fold: each coordinate moves by a sine of the next one. */
template <unsigned int VDimension>
std::vector<double>
Moved(const std::vector<double> & positions, double millimeters = 1.5)
{
  std::vector<double> moved(positions);
  for (std::size_t i = 0; i < moved.size(); ++i)
  {
    const std::size_t next = i - i % VDimension + (i + 1) % VDimension;
    moved[i] += millimeters * std::sin(positions[next] / 5.0 + static_cast<double>(i % VDimension));
  }
  return moved;
}

template <typename TPointSet>
typename TPointSet::Pointer
MakePointSet(const std::vector<double> & positions)
{
  const auto points = TPointSet::New();
  for (std::size_t i = 0; i < positions.size() / TPointSet::PointDimension; ++i)
  {
    typename TPointSet::PointType point;
    for (unsigned int axis = 0; axis < TPointSet::PointDimension; ++axis)
    {
      point[axis] = static_cast<typename TPointSet::CoordRepType>(positions[i * TPointSet::PointDimension + axis]);
    }
    points->SetPoint(i, point);
  }
  return points;
}

/** Coordinates of all points, one point after the other. */
template <typename TPointSet>
std::vector<double>
Positions(const TPointSet * points)
{
  std::vector<double> positions;
  for (auto point = points->GetPoints()->Begin(); point != points->GetPoints()->End(); ++point)
  {
    for (unsigned int axis = 0; axis < TPointSet::PointDimension; ++axis)
    {
      positions.push_back(point.Value()[axis]);
    }
  }
  return positions;
}

/** Largest difference of two coordinates. */
inline double
LargestDifference(const std::vector<double> & a, const std::vector<double> & b)
{
  EXPECT_EQ(a.size(), b.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
  {
    // NaN counts.
    if (!(std::abs(a[i] - b[i]) <= largest))
    {
      largest = std::abs(a[i] - b[i]);
    }
  }
  return largest;
}

/** A set of points whose coordinates are double. */
template <unsigned int VDimension>
using PointsOf =
  itk::PointSet<double, VDimension, itk::DefaultStaticMeshTraits<double, VDimension, VDimension, double, double>>;

/** A registration of the lattice to the moved lattice, which finds the targets to some micrometers. */
template <typename TPointSet>
typename itk::CudaGeodesicShootingRegistration<TPointSet>::Pointer
MakeRegistration(const itk::ComputeDevice & device)
{
  constexpr unsigned int dimension = TPointSet::PointDimension;
  const auto             registration = itk::CudaGeodesicShootingRegistration<TPointSet>::New();
  const auto             positions = Lattice<dimension>();
  registration->SetComputeDevice(device);
  registration->SetTemplatePointSet(MakePointSet<TPointSet>(positions));
  registration->SetTargetPointSet(MakePointSet<TPointSet>(Moved<dimension>(positions)));
  registration->SetSigma(latticeSigma);
  registration->SetNumberOfTimeSteps(10);
  registration->SetMaximumNumberOfIterations(100);
  return registration;
}

/** A transform of template points that are matched to the moved lattice. */
template <unsigned int VDimension>
typename itk::GeodesicShootingTransform<double, VDimension>::Pointer
MakeTransform()
{
  const auto registration = MakeRegistration<PointsOf<VDimension>>(itk::ComputeDevice());
  registration->SetPrecision(cudaneuro::ShootingPrecision::Double);
  registration->Update();
  return registration->GetTransform();
}

} // namespace landmarkpoints

#endif
