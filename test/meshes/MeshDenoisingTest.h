// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MeshDenoisingTest_h
#define MeshDenoisingTest_h

#include "DeviceTest.h"
#include "cudaneuro/MeshDenoising.h"
#include "meshes/MeshTestCases.h"

#include <algorithm>
#include <cmath>

namespace meshtests
{

constexpr double tubeRadius = 40.0 / 6.283185307179586;

inline Vector
NormalOfTube(const Vector & point)
{
  const double radius = std::hypot(point[0], point[1]);
  return { point[0] / radius, point[1] / radius, 0.0 };
}

inline TestMesh
NoisyTube(double noise)
{
  return WithNoise(Cylinder(40, 40), noise, NormalOfTube);
}

/** The mean and the root mean square of how far points are from a surface. */
struct Heights
{
  double mean = 0.0;
  double rootMeanSquare = 0.0;

  Heights(const TestMesh & mesh, const std::function<double(const Vector &)> & heightAt)
  {
    for (const Vector & point : mesh.points)
    {
      const double height = heightAt(point);
      mean += height / static_cast<double>(mesh.points.size());
      rootMeanSquare += height * height / static_cast<double>(mesh.points.size());
    }
    rootMeanSquare = std::sqrt(rootMeanSquare);
  }
};

inline double
LargestDifference(const TestMesh & a, const TestMesh & b)
{
  double largest = 0.0;
  for (std::size_t i = 0; i < a.points.size(); ++i)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      largest = std::max(largest, std::abs(a.points[i][axis] - b.points[i][axis]));
    }
  }
  return largest;
}

/** Denoises on a device. */
class MeshDenoisingTest : public DeviceTest
{
protected:
  TestMesh
  Denoised(const TestMesh & mesh, double noise = 0.0)
  {
    TestMesh result = mesh;
    m_Result = cudaneuro::DenoiseMesh(this->GetContext(), { noise }, mesh.View(), result.points.data()->data());
    return result;
  }

  cudaneuro::MeshDenoisingResult m_Result;
};

} // namespace meshtests

#endif
