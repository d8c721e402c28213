// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ExpectedErrors.h"
#include "cudaneuro/PointAlignment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

/** The map that aligns points is exact where there is one, the best of all maps nearby where there is none, and an
 * error where points leave it open. */

using namespace cudaneuro;

namespace
{

constexpr double degree = 3.141592653589793 / 180.0;

/** Points without symmetry, at some distance from the origin. */
std::vector<double>
MakePoints(int dimension, int count)
{
  std::vector<double> points;
  for (int i = 0; i < count; ++i)
  {
    points.push_back(31.0 + 20.0 * std::sin(1.3 * i));
    points.push_back(-12.0 + 30.0 * std::cos(0.7 * i + 0.2));
    if (dimension == 3)
    {
      points.push_back(55.0 + 12.0 * std::sin(2.1 * i + 1.0));
    }
  }
  return points;
}

/** A turn about the third axis and, in 3D, after that about the first, a scale and a translation. */
AffineMap
MakeMap(int dimension, double angle, double scale)
{
  const double    c = std::cos(angle);
  const double    s = std::sin(angle);
  const AffineMap third{ { c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0 }, {} };
  const AffineMap first{ { 1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c }, {} };
  AffineMap       map = dimension == 3 ? Compose(first, third) : third;
  for (std::size_t i = 0; i < 9; ++i)
  {
    map.matrix[i] *= dimension == 2 && i == 8 ? 1.0 : scale;
  }
  map.offset = { 3.0, -7.0, dimension == 3 ? 11.0 : 0.0 };
  return map;
}

double
SumOfSquares(const std::vector<double> & a,
             const std::vector<double> & b,
             int                         dimension,
             const std::vector<double> & weights)
{
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    const double weight = weights.empty() ? 1.0 : weights[i / static_cast<std::size_t>(dimension)];
    sum += weight * (a[i] - b[i]) * (a[i] - b[i]);
  }
  return sum;
}

void
ExpectRefused(int                         dimension,
              const std::vector<double> & from,
              const std::vector<double> & to,
              const std::string &         words)
{
  ::ExpectRefused([&] { AlignPoints(PointAlignment::Rigid, dimension, from, to); }, words);
}

} // namespace

TEST(PointAlignmentTest, FindsTheMapOfMovedPoints)
{
  for (const int dimension : { 2, 3 })
  {
    for (const double angle : { 0.0, 40.0, 90.0, 179.0, -120.0 })
    {
      for (const auto type : { PointAlignment::Rigid, PointAlignment::Similarity })
      {
        const double              scale = type == PointAlignment::Rigid ? 1.0 : 1.7;
        const AffineMap           truth = MakeMap(dimension, angle * degree, scale);
        const std::vector<double> from = MakePoints(dimension, 7);
        const auto                aligned = AlignPoints(type, dimension, from, MapPoints(truth, dimension, from));
        EXPECT_NEAR(aligned.scale, scale, 1e-12);
        for (std::size_t i = 0; i < 9; ++i)
        {
          EXPECT_NEAR(aligned.map.matrix[i], truth.matrix[i], 1e-12) << dimension << ' ' << angle;
        }
        for (std::size_t i = 0; i < 3; ++i)
        {
          // Coordinates of some 100 mm.
          EXPECT_NEAR(aligned.map.offset[i], truth.offset[i], 1e-10) << dimension << ' ' << angle;
        }
      }
    }
  }
}

/** Independent of the closed form: any small turn, scale or shift makes the sum of squares larger. */
TEST(PointAlignmentTest, NoMapNearbyFitsBetter)
{
  for (const int dimension : { 2, 3 })
  {
    const std::vector<double> from = MakePoints(dimension, 9);
    std::vector<double>       to = MapPoints(MakeMap(dimension, 50.0 * degree, 1.2), dimension, from);
    std::vector<double>       weights;
    for (std::size_t i = 0; i < to.size(); ++i)
    {
      to[i] += 2.0 * std::sin(5.0 * static_cast<double>(i));
    }
    for (int i = 0; i < 9; ++i)
    {
      weights.push_back(i == 4 ? 0.0 : 0.5 + i % 3);
    }
    for (const auto type : { PointAlignment::Rigid, PointAlignment::Similarity })
    {
      const AlignedPoints aligned = AlignPoints(type, dimension, from, to, weights);
      const double        best = SumOfSquares(MapPoints(aligned.map, dimension, from), to, dimension, weights);
      for (const double step : { -1e-3, 1e-3 })
      {
        const auto expectWorse = [&](const AffineMap & change, const char * what) {
          const AffineMap map = Compose(aligned.map, change);
          EXPECT_GT(SumOfSquares(MapPoints(map, dimension, from), to, dimension, weights), best) << what;
        };
        const double    c = std::cos(step);
        const double    s = std::sin(step);
        const AffineMap toCenter{ AffineMap().matrix, { -aligned.center[0], -aligned.center[1], -aligned.center[2] } };
        const auto      about = [&](const std::array<double, 9> & matrix) {
          return Compose(Inverse(toCenter), Compose({ matrix, {} }, toCenter));
        };
        expectWorse(about({ c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0 }), "third axis");
        if (dimension == 3)
        {
          expectWorse(about({ 1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c }), "first axis");
          expectWorse(about({ c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c }), "second axis");
        }
        if (type == PointAlignment::Similarity)
        {
          const double scale = 1.0 + step;
          expectWorse(about({ scale, 0.0, 0.0, 0.0, scale, 0.0, 0.0, 0.0, dimension == 3 ? scale : 1.0 }), "scale");
        }
        expectWorse({ AffineMap().matrix, { step, 0.0, 0.0 } }, "shift");
      }
    }
  }
}

TEST(PointAlignmentTest, ExcludesReflections)
{
  for (const int dimension : { 2, 3 })
  {
    const std::vector<double> from = MakePoints(dimension, 7);
    std::vector<double>       mirrored = from;
    for (std::size_t i = 0; i < mirrored.size(); i += static_cast<std::size_t>(dimension))
    {
      mirrored[i] = -mirrored[i];
    }
    const auto   m = AlignPoints(PointAlignment::Similarity, dimension, from, mirrored).map.matrix;
    const double determinant =
      m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    EXPECT_GT(determinant, 0.0);
  }
}

TEST(PointAlignmentTest, RefusesWhatLeavesTheRotationOpen)
{
  const std::vector<double> line{ 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 5.0, 10.0, 15.0 };
  const std::vector<double> four = MakePoints(3, 4);
  ExpectRefused(3, line, four, "the width of the points of the template, as a fraction of their length, is");
  ExpectRefused(3, four, line, "the width of the points of the target, as a fraction of their length, is");
  ExpectRefused(
    3, MakePoints(3, 2), MakePoints(3, 2), "the number of points of positive weight is 2; it must be 3 or greater");
  ExpectRefused(2, { 1.0, 2.0 }, { 3.0, 4.0 }, "the number of points of positive weight is 1; it must be 2 or greater");
  const std::vector<double> place{ 7.1, 8.2, 9.3, 7.1, 8.2, 9.3, 7.1, 8.2, 9.3, 7.1, 8.2, 9.3 };
  ExpectRefused(3, place, four, "the root mean square distance of the points of the template from their center is");
  ExpectRefused(3, four, place, "the root mean square distance of the points of the target from their center is");
  // The corners of a square, and the same square turned over: each rotation fits as badly.
  const std::vector<double> square{ 1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0 };
  const std::vector<double> turnedOver{ 1.0, 0.0, 0.0, -1.0, -1.0, 0.0, 0.0, 1.0 };
  ExpectRefused(2, square, turnedOver, "the fit of the best rotation");
  // Two points determine a rotation in 2D.
  EXPECT_NO_THROW(AlignPoints(PointAlignment::Rigid, 2, { 1.0, 2.0, 4.0, 4.0 }, { 3.0, 4.0, 1.0, 6.0 }));
  // Nothing is asked of points that are not aligned.
  EXPECT_EQ(AlignPoints(PointAlignment::None, 3, line, four).map.matrix, AffineMap().matrix);
}
