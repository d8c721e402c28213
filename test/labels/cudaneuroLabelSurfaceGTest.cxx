// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Surfaces of labels of known shapes.

#include "DeviceTest.h"
#include "ForEachVoxel.h"
#include "cudaneuro/LabelSurface.h"
#include "cudaneuro/SyntheticSurfaces.h"
#include "labels/LabelTestCases.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace labeltests;
using cudaneuro::LabelSurface;

namespace
{

constexpr double pi = 3.14159265358979323846;
const Vector     centerOfBall{ 9.3, 9.1, 8.8 };

LabelImage
Ball(double radius)
{
  return MakeImage(
    { 19, 19, 18 }, { 1.0, 1.0, 1.0 }, [&](const Vector & p) { return Distance(p, centerOfBall) < radius ? 1 : 0; });
}

void
ExpectClosed(const LabelSurface & result)
{
  const cudaneuro::SurfaceDefects defects = FindDefects(result.surface.View());
  EXPECT_EQ(defects.openEdges, 0);
  EXPECT_EQ(defects.sharedEdges, 0);
  EXPECT_EQ(defects.flippedEdges, 0);
  EXPECT_EQ(defects.degenerateTriangles, 0);
  EXPECT_GT(result.surfaceVolume, 0.0);
  EXPECT_NEAR(result.surfaceVolume, cudaneuro::EnclosedVolume(result.surface.View()), 1e-9 * result.surfaceVolume);
}

class LabelSurfaces : public DeviceTest
{
protected:
  std::vector<LabelSurface>
  Make(const LabelImage & image, const std::vector<double> & wanted = {})
  {
    return MakeLabelSurfaces(this->GetContext(), image.geometry, image.View(), wanted);
  }
};

} // namespace

TEST_P(LabelSurfaces, BallIsRound)
{
  constexpr double   radius = 7.0;
  const LabelSurface result = this->Make(Ball(radius)).front();
  ExpectClosed(result);
  EXPECT_EQ(result.label, 1.0);
  // A mask tells where a sphere of 7 voxels is to about 1 / 20 of a voxel (the trials: 0.028 to 0.047); marching cubes
  // of it are off by 0.2.
  EXPECT_LT(RootMeanSquare(result.surface, [&](const Vector & p) { return Distance(p, centerOfBall) - radius; }), 0.06);
  EXPECT_NEAR(result.surfaceVolume, 4.0 / 3.0 * pi * radius * radius * radius, 0.02 * result.surfaceVolume);
  // No voxel is wrong: widths of a clean label are the smallest ones.
  EXPECT_LT(result.noise, 0.3);
}

TEST_P(LabelSurfaces, NoiseIsFoundAndRemoved)
{
  constexpr double   radius = 7.0;
  const LabelImage   image = WithFlips(Ball(radius), 0.2);
  const LabelSurface result = this->Make(image).front();
  ExpectClosed(result);
  // A fifth of the voxels within about one of the boundary is wrong; the faces of the voxels are off by 0.5.
  EXPECT_LT(RootMeanSquare(result.surface, [&](const Vector & p) { return Distance(p, centerOfBall) - radius; }), 0.2);
  EXPECT_GT(result.noise, 0.2);
  EXPECT_LT(result.noise, 1.3);
  EXPECT_EQ(result.labelVolume, static_cast<double>(std::count(image.labels.begin(), image.labels.end(), 1)));
}

TEST_P(LabelSurfaces, PlanesStay)
{
  // Faces are half-way between voxels: at 2.5, 16.5; 3.5, 15.5; 2.5, 14.5.
  const LabelImage   image = MakeImage({ 19, 18, 17 }, { 1.0, 1.0, 1.0 }, [](const Vector & p) {
    return p[0] > 2.5 && p[0] < 16.5 && p[1] > 3.5 && p[1] < 15.5 && p[2] > 2.5 && p[2] < 14.5 ? 1 : 0;
  });
  const LabelSurface result = this->Make(image).front();
  ExpectClosed(result);
  int inMiddle = 0;
  for (std::size_t i = 0; i < result.surface.points.size() / 3; ++i)
  {
    const Vector p = PointOf(result.surface, i);
    if (std::abs(p[0] - 9.5) < 3.0 && std::abs(p[1] - 9.5) < 3.0)
    {
      ++inMiddle;
      // A mask does not tell where a plane along the axes is within a voxel: labels have the same likelihood for all of
      // these. By symmetry it is in the middle, up to what the rounded edges do.
      EXPECT_NEAR(std::abs(p[2] - 8.5), 6.0, 0.1);
    }
  }
  EXPECT_GT(inMiddle, 20);
  EXPECT_NEAR(result.surfaceVolume, 2016.0, 0.04 * 2016.0); // edges are rounded
}

TEST_P(LabelSurfaces, ShiftedLabelGivesShiftedSurface)
{
  const Index      shift{ 2, 1, 3 };
  const LabelImage image = MakeImage({ 16, 16, 16 }, { 1.0, 0.9, 1.1 }, [](const Vector & p) {
    return Distance(p, { 6.2, 5.4, 6.0 }) < 4.0 ? 1 : 0;
  });
  LabelImage       shifted = image;
  std::fill(shifted.labels.begin(), shifted.labels.end(), static_cast<unsigned char>(0));
  ForEachVoxel(std::array<std::int64_t, 3>{ 14, 15, 13 }, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    shifted.labels[shifted.Offset({ x + shift[0], y + shift[1], z + shift[2] })] =
      image.labels[image.Offset({ x, y, z })];
  });
  const cudaneuro::SurfaceContour a = this->Make(image).front().surface;
  const cudaneuro::SurfaceContour b = this->Make(shifted).front().surface;
  ASSERT_EQ(a.triangles, b.triangles);
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i)
  {
    const double step = static_cast<double>(shift[i % 3]) * image.geometry.grid.spacing[i % 3];
    EXPECT_NEAR(b.points[i], a.points[i] + step, 1e-12); // the rounding of positions of about 10
  }
}

TEST_P(LabelSurfaces, PermutedAxesGivePermutedSurface)
{
  const auto labelAt = [](const Vector & p) {
    return Distance(p, { 7.2, 6.4, 5.0 }) < 4.4 || p[0] + p[1] < 8.0 ? 1 : 0;
  };
  const LabelImage image = MakeImage({ 15, 14, 11 }, { 1.0, 1.0, 1.5 }, labelAt);
  // Axes (x, y, z) become (z, x, y).
  const LabelImage   permuted = MakeImage({ 11, 15, 14 }, { 1.5, 1.0, 1.0 }, [&](const Vector & p) {
    return labelAt({ p[1], p[2], p[0] });
  });
  const LabelSurface a = this->Make(image).front();
  LabelSurface       b = this->Make(permuted).front();
  for (std::size_t i = 0; i < b.surface.points.size(); i += 3)
  {
    std::rotate(b.surface.points.data() + i, b.surface.points.data() + i + 1, b.surface.points.data() + i + 3);
  }
  ASSERT_EQ(a.surface.points.size(), b.surface.points.size());
  EXPECT_NEAR(a.surfaceVolume, b.surfaceVolume, 2e-3 * a.surfaceVolume);
  // Marching cubes divide polygons into triangles by the numbers of the edges, so that normals differ.
  EXPECT_LT(LargestGap(a.surface, b.surface), 0.15);
  EXPECT_EQ(a.noise, b.noise);
}

TEST_P(LabelSurfaces, ThinRodsKeepTheirVolume)
{
  // Marching cubes take 8 to 32 % of such rods, windowed sinc half of them and more (the trials).
  for (const double radius : { 1.5, 2.0 })
  {
    const LabelImage   image = MakeImage({ 22, 22, 22 }, { 1.0, 1.0, 1.0 }, [&](const Vector & p) {
      const Vector q{ p[0] - 10.2, p[1] - 10.4, p[2] - 10.7 };
      const double along = 0.36 * q[0] + 0.48 * q[1] + 0.8 * q[2];
      return std::abs(along) < 8.0 && std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - along * along) < radius ? 1
                                                                                                                    : 0;
    });
    const LabelSurface result = this->Make(image).front();
    ExpectClosed(result);
    // The step by which volumes are summed is right to the third order of the curvature.
    EXPECT_NEAR(result.surfaceVolume, result.labelVolume, 0.02 * result.labelVolume) << radius;
  }
}

TEST_P(LabelSurfaces, FewVoxelsHaveSurfaces)
{
  for (const std::int64_t voxels : { 1, 2, 4 })
  {
    LabelImage image = MakeImage({ 5, 5, 5 }, { 1.0, 1.0, 1.0 }, [](const Vector &) { return 0; });
    for (std::int64_t i = 0; i < voxels; ++i)
    {
      image.labels[image.Offset({ 2 + i % 2, 2 + i / 2, 2 })] = 9;
    }
    const std::vector<LabelSurface> results = this->Make(image, { 9.0 });
    ASSERT_EQ(results.size(), 1u);
    ExpectClosed(results[0]);
    EXPECT_EQ(results[0].labelVolume, static_cast<double>(voxels));
    EXPECT_GT(results[0].surfaceVolume, 0.1 * static_cast<double>(voxels));
    EXPECT_LT(results[0].surfaceVolume, 3.0 * static_cast<double>(voxels));
  }
}

TEST_P(LabelSurfaces, LabelsAtTheBorderAreClosedThere)
{
  // The whole image is the label: its surface is that of the image, half a voxel outside the outermost centers.
  const LabelImage   image = MakeImage({ 14, 13, 12 }, { 1.0, 1.0, 1.0 }, [](const Vector &) { return 1; });
  const LabelSurface result = this->Make(image).front();
  ExpectClosed(result);
  // Edges are rounded, by some 1.5 voxels.
  EXPECT_NEAR(result.surfaceVolume, 2184.0, 0.04 * 2184.0);
  double highest = 0.0;
  for (std::size_t i = 0; i < result.surface.points.size(); i += 3)
  {
    highest = std::max(highest, result.surface.points[i]);
  }
  EXPECT_NEAR(highest, 13.5, 0.2);
}

TEST_P(LabelSurfaces, LongVoxelsHaveRoundSurfaces)
{
  const Vector     center{ 8.2, 8.0, 9.0 };
  const LabelImage image =
    MakeImage({ 17, 17, 7 }, { 1.0, 1.0, 3.0 }, [&](const Vector & p) { return Distance(p, center) < 6.5 ? 1 : 0; });
  const LabelSurface result = this->Make(image).front();
  ExpectClosed(result);
  // Marching cubes of the voxels are off by 0.5 voxels and more, windowed sinc by 0.2 (the trials; 0.06 on a larger
  // ball).
  EXPECT_LT(RootMeanSquare(result.surface, [&](const Vector & p) { return Distance(p, center) - 6.5; }), 0.2);
  EXPECT_NEAR(result.surfaceVolume, 4.0 / 3.0 * pi * 6.5 * 6.5 * 6.5, 0.04 * result.surfaceVolume);
}

TEST_P(LabelSurfaces, VeryLongVoxelsHaveSurfaces)
{
  const LabelImage   image = MakeImage({ 12, 12, 4 }, { 1.0, 1.0, 10.0 }, [](const Vector & p) {
    return std::hypot(p[0] - 5.3, p[1] - 5.6) < 4.0 && p[2] > 5.0 && p[2] < 25.0 ? 1 : 0;
  });
  const LabelSurface result = this->Make(image).front();
  ExpectClosed(result);
  // Of two slices, the ends are rounded, by 17 to 20 % of the volume, which the sides get back.
  EXPECT_NEAR(result.surfaceVolume, result.labelVolume, 0.01 * result.labelVolume);
}

TEST_P(LabelSurfaces, ReflectedImagesHaveOutwardNormals)
{
  LabelImage         image = Ball(5.0);
  const LabelSurface straight = this->Make(image).front();
  image.geometry.direction[0] = -1.0;
  image.geometry.origin = { 30.0, 1.0, 2.0 };
  const LabelSurface reflected = this->Make(image).front();
  EXPECT_NEAR(reflected.surfaceVolume, straight.surfaceVolume, 1e-9 * straight.surfaceVolume);
  for (std::size_t i = 0; i < straight.surface.points.size(); i += 3)
  {
    EXPECT_NEAR(reflected.surface.points[i], 30.0 - straight.surface.points[i], 1e-12);
    EXPECT_NEAR(reflected.surface.points[i + 1], 1.0 + straight.surface.points[i + 1], 1e-12);
  }
}

TEST_P(LabelSurfaces, NeighborsShareTheirBoundary)
{
  const Vector center{ 10.3, 10.1, 9.8 };
  const Vector normal{ 0.36, 0.48, 0.8 };
  const auto   heightAt = [&](const Vector & p) {
    return normal[0] * (p[0] - center[0]) + normal[1] * (p[1] - center[1]) + normal[2] * (p[2] - center[2]);
  };
  const LabelImage                image = MakeImage({ 21, 21, 20 }, { 1.0, 1.0, 1.0 }, [&](const Vector & p) {
    return Distance(p, center) < 7.5 ? (heightAt(p) < 0.0 ? 1 : 2) : 0;
  });
  const std::vector<LabelSurface> results = this->Make(image);
  std::set<Vector>                ofSecond;
  for (std::size_t i = 0; i < results[1].surface.points.size() / 3; ++i)
  {
    ofSecond.insert(PointOf(results[1].surface, i));
  }
  int    between = 0;
  int    shared = 0;
  double sum = 0.0;
  for (std::size_t i = 0; i < results[0].surface.points.size() / 3; ++i)
  {
    const Vector p = PointOf(results[0].surface, i);
    if (Distance(p, center) < 5.5)
    {
      ++between;
      shared += static_cast<int>(ofSecond.count(p));
      sum += heightAt(p) * heightAt(p);
    }
  }
  EXPECT_GT(between, 100);
  // The others are where smoothing gives a voxel to both labels, or to none.
  EXPECT_GT(shared, 0.95 * between);
  EXPECT_LT(std::sqrt(sum / between), 0.1);
  for (const LabelSurface & result : results)
  {
    ExpectClosed(result);
  }
}

TEST_P(LabelSurfaces, LabelsAreMadeInOrder)
{
  const LabelImage                image = MakeImage({ 16, 12, 12 }, { 1.0, 1.0, 1.0 }, [](const Vector & p) {
    return Distance(p, { 8.0, 6.0, 6.0 }) < 4.5 ? (p[0] < 7.5 ? 3 : 200) : 0;
  });
  const std::vector<LabelSurface> all = this->Make(image);
  const std::vector<LabelSurface> wanted = this->Make(image, { 200.0, 3.0 });
  ASSERT_EQ(all.size(), 2u);
  ASSERT_EQ(wanted.size(), 2u);
  EXPECT_EQ(all[0].label, 3.0);
  EXPECT_EQ(all[1].label, 200.0);
  EXPECT_EQ(wanted[0].label, 200.0);
  EXPECT_EQ(wanted[0].surface.points, all[1].surface.points) << "the same bits";
  EXPECT_EQ(wanted[1].surface.points, all[0].surface.points);
  EXPECT_EQ(wanted[1].surface.triangles, all[0].surface.triangles);
}

TEST_P(LabelSurfaces, AllPixelTypesGiveTheSame)
{
  const LabelImage image = Ball(3.0);
  const auto       expected = this->Make(image).front().surface.points;
  const auto       expectSame = [&](const auto & pixels) {
    const auto result = MakeLabelSurfaces(this->GetContext(), image.geometry, ConstView(pixels), { 1.0 });
    EXPECT_EQ(result.front().surface.points, expected);
  };
  expectSame(std::vector<short>(image.labels.begin(), image.labels.end()));
  expectSame(std::vector<unsigned short>(image.labels.begin(), image.labels.end()));
  expectSame(std::vector<float>(image.labels.begin(), image.labels.end()));
  expectSame(std::vector<double>(image.labels.begin(), image.labels.end()));
}

TEST_P(LabelSurfaces, AbsentLabelsAreNamed)
{
  const LabelImage image = Ball(3.0);
  ExpectInvalidParameter([&] { this->Make(image, { 1.0, 7.0 }); }, "label", "7");
  ExpectInvalidParameter([&] { this->Make(image, { std::nan("") }); }, "label", "nan");
  LabelImage empty = image;
  std::fill(empty.labels.begin(), empty.labels.end(), static_cast<unsigned char>(0));
  ExpectInvalidParameter([&] { this->Make(empty); }, "the number of labels other than 0", "0");
  std::vector<float> pixels(image.labels.begin(), image.labels.end());
  pixels[5] = std::numeric_limits<float>::infinity();
  ExpectInvalidParameter(
    [&] { FindLabels(this->GetContext(), image.geometry.grid, ConstView(pixels)); }, "labels[5]", "inf");
}

CUDANEURO_TEST_ON_ALL_DEVICES(LabelSurfaces);

TEST(LabelSurface, HasTheSameBitsWithOtherThreads)
{
  const LabelImage   image = WithFlips(Ball(6.0), 0.2);
  cudaneuro::Context one{ cudaneuro::Device{}, 1 };
  cudaneuro::Context three{ cudaneuro::Device{}, 3 };
  const auto         a = MakeLabelSurfaces(one, image.geometry, image.View());
  const auto         b = MakeLabelSurfaces(three, image.geometry, image.View());
  EXPECT_EQ(a.front().surface.points, b.front().surface.points);
  EXPECT_EQ(a.front().surface.triangles, b.front().surface.triangles);
}

namespace
{

class LabelSurfaceOnDevice : public DeviceTest
{};

} // namespace

TEST_P(LabelSurfaceOnDevice, AgreesWithCpu)
{
  cudaneuro::Context cpu{ cudaneuro::Device{} };
  for (const double flips : { 0.0, 0.2 })
  {
    const LabelImage   image = WithFlips(Ball(6.5), flips);
    const LabelSurface expected = MakeLabelSurfaces(cpu, image.geometry, image.View()).front();
    const LabelSurface result = MakeLabelSurfaces(this->GetContext(), image.geometry, image.View()).front();
    ExpectClosed(result);
    EXPECT_EQ(result.noise, expected.noise);
    // Exponentials differ in the last bits; the weights of nine level sets multiply that by losses of up to 1000.
    EXPECT_NEAR(result.surfaceVolume, expected.surfaceVolume, 1e-3 * expected.surfaceVolume);
    EXPECT_LT(LargestGap(result.surface, expected.surface), 0.02);
    const LabelSurface again = MakeLabelSurfaces(this->GetContext(), image.geometry, image.View()).front();
    EXPECT_EQ(again.surface.points, result.surface.points) << "the same bits in each run";
  }
}

CUDANEURO_TEST_ON_CUDA(LabelSurfaceOnDevice);
