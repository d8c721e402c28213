// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Volumes that surfaces of labels enclose.

#include "DeviceTest.h"
#include "cudaneuro/LabelSurface.h"
#include "labels/LabelTestCases.h"

#include <cmath>

using namespace labeltests;
using cudaneuro::LabelSurface;

namespace
{

class LabelVolumes : public DeviceTest
{
protected:
  std::vector<LabelSurface>
  Make(const LabelImage & image)
  {
    return MakeLabelSurfaces(this->GetContext(), image.geometry, image.View());
  }
};

} // namespace

TEST_P(LabelVolumes, NeighborsHaveTheVolumesOfTheirVoxels)
{
  // A ball in four parts with sharp edges, which smoothing would take from each; the parts share most of their surface.
  const Vector                    center{ 11.3, 11.1, 10.8 };
  const LabelImage                image = MakeImage({ 23, 23, 18 }, { 1.0, 1.0, 1.3 }, [&](const Vector & p) {
    const double a = 0.6 * (p[0] - center[0]) + 0.8 * (p[1] - center[1]);
    const double b = 0.36 * (p[0] - center[0]) - 0.48 * (p[1] - center[1]) + 0.8 * (p[2] - center[2]);
    return Distance(p, center) < 9.0 ? 1 + (a < 0.0 ? 1 : 0) + (b < 1.5 ? 2 : 0) : 0;
  });
  const std::vector<LabelSurface> results = this->Make(image);
  ASSERT_EQ(results.size(), 4u);
  for (const LabelSurface & result : results)
  {
    // Two rounds of a linear system leave what is of third order in the steps, which are some hundredths of a voxel.
    EXPECT_NEAR(result.surfaceVolume, result.labelVolume, 2e-3 * result.labelVolume) << result.label;
  }
}

TEST_P(LabelVolumes, LabelOfOneVoxelHasThatVolume)
{
  const LabelImage   image = MakeImage({ 9, 9, 9 }, { 1.0, 1.0, 1.0 }, [](const Vector & p) {
    return Distance(p, { 4.0, 4.0, 4.0 }) < 0.5 ? 1 : 0;
  });
  const LabelSurface result = this->Make(image).front();
  // The step is limited.
  EXPECT_NEAR(result.surfaceVolume, 1.0, 0.1);
}

TEST_P(LabelVolumes, SlicesFarApartHaveSurfaces)
{
  const LabelImage   image = MakeImage({ 8, 8, 3 }, { 1.0, 1.0, 40.0 }, [](const Vector & p) {
    return std::hypot(p[0] - 3.4, p[1] - 3.6) < 3.0 && p[2] > 20.0 && p[2] < 60.0 ? 1 : 0;
  });
  const LabelSurface result = this->Make(image).front();
  // One slice of one label: a pillar whose ends are rounded.
  EXPECT_NEAR(result.surfaceVolume, result.labelVolume, 0.05 * result.labelVolume);
}

TEST_P(LabelVolumes, CrumbsHaveSurfacesNearby)
{
  // Every tenth voxel at random: the band has many forms, and nothing may grow in it.
  LabelImage image = MakeImage({ 16, 15, 14 }, { 1.0, 1.0, 1.0 }, [](const Vector &) { return 0; });
  for (std::size_t i = 0; i < image.labels.size(); ++i)
  {
    image.labels[i] = cudaneuro::RandomUniform(3, i) < 0.1 ? 1 : 0;
  }
  const LabelSurface result = this->Make(image).front();
  for (std::size_t i = 0; i < result.surface.points.size() / 3; ++i)
  {
    const Vector p = PointOf(result.surface, i);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      // The surface of a voxel is not two voxels away from it.
      EXPECT_GT(p[axis], -2.0);
      EXPECT_LT(p[axis], 17.0);
    }
  }
  EXPECT_GT(result.surfaceVolume, 0.0);
}

TEST_P(LabelVolumes, SingleWrongVoxelsDoNotMakeBallsLarger)
{
  constexpr double radius = 8.0;
  constexpr double truth = 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
  const Vector     center{ 10.3, 10.1, 9.8 };
  const LabelImage ball = MakeImage(
    { 21, 21, 20 }, { 1.0, 1.0, 1.0 }, [&](const Vector & p) { return Distance(p, center) < radius ? 1 : 0; });
  const LabelSurface result = this->Make(WithFlips(ball, 0.3)).front();
  // There are more voxels around a ball than within its surface: by 24 / (4 / 3 pi radius) of them for each that is
  // flipped with this probability, which is 2 to 3 % of the volume.
  EXPECT_GT(result.labelVolume, 1.015 * truth);
  EXPECT_LT(std::abs(result.surfaceVolume - truth), 0.5 * (result.labelVolume - truth));
}

CUDANEURO_TEST_ON_ALL_DEVICES(LabelVolumes);
