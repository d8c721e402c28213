// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The order of vertices, low-pass filters, risks and the mixture of candidates, against a reference in double
// precision.

#include "DeviceTest.h"
#include "meshes/LowPass.h"
#include "meshes/MeshDenoising.h"
#include "meshes/MeshTestCases.h"
#include "meshes/ReferenceMeshDenoising.h"

#include "jobs/DeviceJob.h"

#include <algorithm>
#include <cmath>

using namespace meshtests;

namespace
{

/** The factor by which a low-pass filter multiplies what has an eigenvalue of the umbrella operator. */
double
ResponseAt(const std::vector<double> & coefficients, double eigenvalue)
{
  double before = 1.0;
  double last = 1.0 - 0.5 * eigenvalue;
  double sum = coefficients[0] + coefficients[1] * last;
  for (std::size_t i = 2; i < coefficients.size(); ++i)
  {
    const double next = (2.0 - eigenvalue) * last - before;
    sum += coefficients[i] * next;
    before = last;
    last = next;
  }
  return sum;
}

class MeshDenoisingSteps : public DeviceTest
{
protected:
  /** Compares risks and displacements with the reference. */
  void
  ExpectReference(const TestMesh & mesh, double noise)
  {
    const cudaneuro::MeshMeasures measures = cudaneuro::MeasureMesh(this->GetContext(), mesh.View());
    reference::MeshInput          input{ {}, mesh.triangles, noise, {} };
    std::vector<double>           distances;
    for (const Vector & point : mesh.points)
    {
      Vector position{};
      for (int axis = 0; axis < 3; ++axis)
      {
        position[axis] = (point[axis] - measures.center[axis]) / measures.edgeLength;
      }
      input.points.push_back(position);
      distances.push_back(std::hypot(position[0], position[1], position[2]));
    }
    for (const double distance : distances)
    {
      const auto rank =
        std::count_if(distances.begin(), distances.end(), [&](double other) { return other < distance; });
      const int signs = cudaneuro::SignsOfProbes(static_cast<std::int32_t>(rank));
      input.signs.push_back({});
      for (int probe = 0; probe < cudaneuro::numberOfProbes; ++probe)
      {
        input.signs.back()[probe] = (signs >> probe) % 2 == 1 ? 1.0 : -1.0;
      }
    }
    const reference::MeshOutput expected = reference::DenoiseMesh(input);
    cudaneuro::DenoisedVertices denoised;
    cudaneuro::RunDeviceJob(
      this->GetContext(), [&] { denoised = DenoiseVertices(this->GetContext(), mesh.View(), measures, noise, true); });
    ASSERT_EQ(denoised.displacements.size(), 3 * mesh.points.size());
    ASSERT_EQ(denoised.risks.size(), cudaneuro::numberOfCandidates * mesh.points.size());
    // Positions of about 10 in single precision are wrong by 5e-7, some ten of which are subtracted for each step of a
    // filter; the response to a probe of 0.02 by 1e-4 of it. Weights change by the risk over a fiftieth of the squared
    // noise.
    const double riskTolerance = 2e-4 * noise * noise;
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
    {
      for (int candidate = 0; candidate < cudaneuro::numberOfCandidates; ++candidate)
      {
        ASSERT_NEAR(
          denoised.risks[cudaneuro::numberOfCandidates * i + candidate], expected.risks[i][candidate], riskTolerance)
          << "candidate " << candidate << " at vertex " << i;
      }
      for (int axis = 0; axis < 3; ++axis)
      {
        ASSERT_NEAR(denoised.displacements[3 * i + axis], expected.displacements[i][axis], 1e-3) << "vertex " << i;
      }
    }
  }
};

} // namespace

TEST(LowPass, PassesWhatItShould)
{
  for (const double band : { 0.001, 0.1, 0.2, 0.3, 0.5 })
  {
    SCOPED_TRACE(band);
    const std::vector<double> coefficients = cudaneuro::LowPassCoefficients(band, 20);
    ASSERT_EQ(coefficients.size(), 21u);
    // Constants stay, to rounding of 21 terms; the end of the band stays to the tolerance of the search, and its step.
    EXPECT_NEAR(ResponseAt(coefficients, 0.0), 1.0, 1e-14);
    EXPECT_NEAR(ResponseAt(coefficients, band), 1.0, 0.005);
    // The side lobes of Hamming's window are below 1 %.
    EXPECT_NEAR(ResponseAt(coefficients, 1.9), 0.0, 0.01);
    EXPECT_NEAR(ResponseAt(coefficients, 2.0), 0.0, 0.01);
  }
}

/** Numbers of vertices are a permutation, triangles are the same, and every edge is known at both ends. */
TEST(MeshTopology, HasTheMesh)
{
  cudaneuro::Context            context{ cudaneuro::Device{} };
  const TestMesh                mesh = Plane(9, 8);
  const cudaneuro::MeshTopology topology =
    cudaneuro::MakeMeshTopology(context, mesh.View(), cudaneuro::MeasureMesh(context, mesh.View()));
  std::vector<std::int32_t> inputs = topology.inputVertex;
  std::sort(inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < mesh.points.size(); ++i)
  {
    EXPECT_EQ(inputs[i], static_cast<std::int32_t>(i));
  }
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
  {
    const std::int32_t * const corners = topology.corners.data() + 3 * i;
    triangles.push_back(
      { topology.inputVertex[corners[0]], topology.inputVertex[corners[1]], topology.inputVertex[corners[2]] });
  }
  std::vector<Triangle> expected = mesh.triangles;
  std::sort(triangles.begin(), triangles.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(triangles, expected);
  EXPECT_EQ(topology.trianglesOf.size(), 3 * mesh.triangles.size());
  // Euler: vertices - edges + triangles = 1 for a disk.
  EXPECT_EQ(topology.neighborsOf.size() / 2, mesh.points.size() + mesh.triangles.size() - 1);
  // Once around.
  EXPECT_EQ(topology.borderEdges, 2 * (9 - 1) + 2 * (8 - 1));
}

TEST_P(MeshDenoisingSteps, AgreeWithReference)
{
  const TestMesh tube = Cylinder(16, 13);
  const double   radius = 16.0 / 6.283185307179586;
  this->ExpectReference(WithNoise(tube,
                                  0.2,
                                  [&](const Vector & p) {
                                    return Vector{ p[0] / radius, p[1] / radius, 0.0 };
                                  }),
                        0.2);
}

/** A roof, whose ridge filters are to keep. */
TEST_P(MeshDenoisingSteps, AgreeWithReferenceAtEdges)
{
  const TestMesh plane = Plane(16, 15);
  const TestMesh roof = plane.Mapped([](const Vector & p) { return Vector{ p[0], p[1], -std::abs(p[0] - 8.0) }; });
  this->ExpectReference(WithNoise(roof, 0.15, [](const Vector &) { return Vector{ 0.0, 0.0, 1.0 }; }), 0.15);
}

CUDANEURO_TEST_ON_ALL_DEVICES(MeshDenoisingSteps);
