// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What DenoiseMesh does with meshes that are damaged, uneven or no meshes, and when it is stopped.

#include "MeshDenoisingTest.h"

#include <limits>

using namespace meshtests;

namespace
{

class DamagedMeshes : public MeshDenoisingTest
{};

} // namespace

/** Doubled and flipped triangles, those without area, islands and points without triangles. */
TEST_P(DamagedMeshes, WorksOnDamagedMeshes)
{
  TestMesh mesh = NoisyTube(0.2);
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 7)
  {
    std::swap(mesh.triangles[i][0], mesh.triangles[i][1]);
  }
  for (std::size_t i = 3; i < 200; i += 9)
  {
    mesh.triangles.push_back(mesh.triangles[i]);
    mesh.triangles.push_back({ mesh.triangles[i][0], mesh.triangles[i][1], mesh.triangles[i][1] });
  }
  const auto count = static_cast<std::int32_t>(mesh.points.size());
  mesh.points.push_back({ 30.0, 0.0, 0.0 });
  mesh.points.push_back({ 31.0, 0.0, 0.0 });
  mesh.points.push_back({ 30.0, 1.0, 0.0 });
  mesh.points.push_back({ 0.0, 0.0, 5.0 });
  mesh.triangles.push_back({ count, count + 1, count + 2 });
  const TestMesh denoised = this->Denoised(mesh);
  for (const Vector & point : denoised.points)
  {
    ASSERT_TRUE(std::isfinite(point[0]) && std::isfinite(point[1]) && std::isfinite(point[2]));
  }
  EXPECT_EQ(denoised.points.back(), mesh.points.back());
  // A triangle by itself has the normal that it should have.
  for (int i = 0; i < 3; ++i)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      EXPECT_NEAR(denoised.points[count + i][axis], mesh.points[count + i][axis], 1e-4);
    }
  }
  TestMesh tube = denoised;
  tube.points.resize(static_cast<std::size_t>(count));
  const Heights after(tube, [](const Vector & p) { return std::hypot(p[0], p[1]) - tubeRadius; });
  EXPECT_LT(after.rootMeanSquare, 0.6 * 0.2);
}

/** A thousand triangles at one place, and others far away: there are bounds for the neighbors of a triangle. */
TEST_P(DamagedMeshes, WorksOnUnevenMeshes)
{
  TestMesh       mesh = NoisyTube(0.1);
  const auto     count = static_cast<std::int32_t>(mesh.points.size());
  const TestMesh small = Plane(30, 30).Mapped([](const Vector & p) {
    return Vector{ 100.0 + 1e-3 * p[0], 1e-3 * p[1], p[2] };
  });
  mesh.points.insert(mesh.points.end(), small.points.begin(), small.points.end());
  for (const Triangle & corners : small.triangles)
  {
    mesh.triangles.push_back({ corners[0] + count, corners[1] + count, corners[2] + count });
  }
  for (const Vector & point : this->Denoised(mesh).points)
  {
    ASSERT_TRUE(std::isfinite(point[0]) && std::isfinite(point[1]) && std::isfinite(point[2]));
  }
}

TEST_P(DamagedMeshes, RefusesWhatItCannotDenoise)
{
  const auto expectRefused = [this](const TestMesh & refused, const std::string & name, const std::string & value) {
    ExpectInvalidParameter([&] { this->Denoised(refused); }, name, value);
  };
  TestMesh mesh = NoisyTube(0.2);
  mesh.triangles[3][1] = 1600;
  expectRefused(mesh, "triangles[3][1]", "1600");
  mesh = NoisyTube(0.2);
  mesh.points[5][2] = std::numeric_limits<double>::quiet_NaN();
  expectRefused(mesh, "points[5][2]", "nan");
  mesh.points[5][2] = 1e13;
  expectRefused(mesh, "points[5][2]", "10000000000000");
  mesh.triangles.clear();
  expectRefused(mesh, "numberOfTriangles", "0");
  expectRefused(NoisyTube(0.2).Mapped([](const Vector &) {
    return Vector{ 1.0, 2.0, 3.0 };
  }),
                "the mean edge length",
                "0");
  mesh = NoisyTube(0.2);
  ExpectInvalidParameter([&] { this->Denoised(mesh, -1.0); }, "Noise", "-1");
  ExpectInvalidParameter([&] { DenoiseMesh(this->GetContext(), {}, mesh.View(), nullptr); }, "points", "absent");
}

/** An aborted run leaves the points as they are. */
TEST_P(DamagedMeshes, CanBeAborted)
{
  const TestMesh noisy = NoisyTube(0.2);
  TestMesh       result = noisy;
  float          last = 0.0f;
  this->GetContext().SetProgressFunction([&](float fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
    return fraction < 0.5f;
  });
  EXPECT_THROW(DenoiseMesh(this->GetContext(), {}, noisy.View(), result.points.data()->data()), cudaneuro::Aborted);
  EXPECT_EQ(result.points, noisy.points);
  this->GetContext().SetProgressFunction({});
}

CUDANEURO_TEST_ON_ALL_DEVICES(DamagedMeshes);
