// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TriangleTree.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

namespace cudaneuro
{

namespace
{

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/** Sample points of a surface, each with the area that it represents. */
struct Samples
{
  std::vector<Vector3> points;
  std::vector<double>  areas;
  /** For each center of a triangle, or of a part, the index of the triangle, and the area that its normal represents;
   * none for corners, which have no normal. */
  std::vector<std::size_t> triangles;
  std::vector<double>      areasOfNormals;

  void
  Add(const Vector3 & point, double area, std::size_t triangle, double areaOfNormal)
  {
    points.push_back(point);
    areas.push_back(area);
    triangles.push_back(triangle);
    areasOfNormals.push_back(areaOfNormal);
  }
};

double
LongestEdge(const std::array<Vector3, 3> & corners)
{
  return std::max({ Length(Difference(corners[0], corners[1])),
                    Length(Difference(corners[1], corners[2])),
                    Length(Difference(corners[2], corners[0])) });
}

/** Returns the point of a triangle with barycentric coordinates 1 - u - v, u and v. */
Vector3
PointIn(const std::array<Vector3, 3> & corners, double u, double v)
{
  Vector3 point;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    point[axis] = (1.0 - u - v) * corners[0][axis] + u * corners[1][axis] + v * corners[2][axis];
  }
  return point;
}

/** Divides a triangle into parts^2 equal ones by lines parallel to the edges, and adds their centers.
 * \param share the fraction of the triangle's area that they represent together */
void
AddCenters(const std::array<Vector3, 3> & corners, int parts, double share, std::size_t triangle, Samples & samples)
{
  const double area = AreaOf(corners) / (static_cast<double>(parts) * parts);
  const auto   add = [&](double row, double column) {
    samples.Add(PointIn(corners, row / parts, column / parts), share * area, triangle, area);
  };
  for (int row = 0; row < parts; ++row)
  {
    for (int column = 0; column < parts - row; ++column)
    {
      add(row + 1.0 / 3.0, column + 1.0 / 3.0);
      if (column < parts - row - 1)
      {
        add(row + 2.0 / 3.0, column + 2.0 / 3.0);
      }
    }
  }
}

/** Returns the corners and centers of a surface's triangles, as CompareSurfaces describes. Points that belong to no
 * triangle are excluded.
 * \param step triangles with a longer edge are cut */
Samples
SamplesOf(const SurfaceTriangles & surface, double step)
{
  constexpr double         shareOfCorner = 1.0 / 12.0;
  std::vector<std::size_t> sampleOfPoint(surface.GetNumberOfPoints(), none);
  Samples                  samples;
  for (std::size_t i = 0; i < surface.GetNumberOfTriangles(); ++i)
  {
    const auto corners = surface.GetCorners(i);
    // The limit of a million parts protects against a coarse triangle beside a very fine surface.
    const int    parts = static_cast<int>(std::clamp(std::ceil(LongestEdge(corners) / step), 1.0, 1000.0));
    const double share = parts > 1 ? 0.0 : shareOfCorner;
    for (int corner = 0; corner < 3; ++corner)
    {
      std::size_t & sample = sampleOfPoint[surface.GetIndex(i, corner)];
      if (sample == none)
      {
        sample = samples.points.size();
        samples.Add(corners[static_cast<std::size_t>(corner)], 0.0, none, 0.0);
      }
      samples.areas[sample] += share * AreaOf(corners);
    }
    AddCenters(corners, parts, 1.0 - 3.0 * share, i, samples);
  }
  return samples;
}

/** Distances, each with the area that it represents. */
using WeightedDistances = std::vector<std::pair<double, double>>;

/** Sums of the angles between normals, in degrees, weighted by area. */
struct AngleSums
{
  double area = 0.0;
  double angle = 0.0;
  double square = 0.0;

  void
  Add(double weight, double angleInRadians)
  {
    constexpr double degree = 0.017453292519943295;
    const double     degrees = angleInRadians / degree;
    area += weight;
    angle += weight * degrees;
    square += weight * degrees * degrees;
  }

  void
  Add(const AngleSums & other)
  {
    area += other.area;
    angle += other.angle;
    square += other.square;
  }
};

SurfaceAngles
Summarize(const AngleSums & sums)
{
  return sums.area > 0.0 ? SurfaceAngles{ sums.angle / sums.area, std::sqrt(sums.square / sums.area) }
                         : SurfaceAngles{};
}

/** Returns the normal of a triangle, with twice its area as length. */
Vector3
NormalOf(const std::array<Vector3, 3> & corners)
{
  return CrossProduct(Difference(corners[1], corners[0]), Difference(corners[2], corners[0]));
}

/** Returns the angle between two normals, neither of which is 0. */
double
AngleBetween(const Vector3 & a, const Vector3 & b)
{
  return std::atan2(Length(CrossProduct(a, b)), DotProduct(a, b));
}

/** Results of a measurement from one surface to another. */
struct Measured
{
  /** The distances in ascending order. */
  WeightedDistances distances;
  AngleSums         angles;
  /** Sum, weighted by area, of the cosines of the angles to the triangles that were found first. */
  double cosine = 0.0;
};

/** Measures from a surface to another one. Where the surfaces of two parts coincide, as those of neighboring labels do,
 * triangles of both orientations are equally close: one of the same orientation is used.
 * \param isTurned whether the normals of the other are reversed
 * \param step triangles with a longer edge are cut */
Measured
Measure(Context & context, const SurfaceTriangles & from, const SurfaceTriangles & to, bool isTurned, double step)
{
  constexpr double   samePlace = 1e-6; // in units of an edge
  const double       slack = samePlace * to.GetMeanEdgeLength();
  const Samples      samples = SamplesOf(from, step);
  const TriangleTree tree(to);
  const auto         normalOf = [&](std::size_t triangle) {
    const auto corners = to.GetCorners(triangle);
    return isTurned ? NormalOf({ corners[0], corners[2], corners[1] }) : NormalOf(corners);
  };
  const auto found = tree.FindAll(context, samples.points.size(), [&](std::size_t i) { return samples.points[i]; });
  Measured   measured;
  measured.distances.resize(found.size());
  for (std::size_t i = 0; i < found.size(); ++i)
  {
    const double distance = std::sqrt(found[i].squaredDistance);
    measured.distances[i] = { distance, samples.areas[i] };
    if (samples.triangles[i] == none)
    {
      continue;
    }
    const Vector3 own = NormalOf(from.GetCorners(samples.triangles[i]));
    const Vector3 other = normalOf(found[i].triangle);
    if (DotProduct(own, own) == 0.0 || DotProduct(other, other) == 0.0)
    {
      continue;
    }
    double angle = AngleBetween(own, other);
    measured.cosine += samples.areasOfNormals[i] * std::cos(angle);
    if (DotProduct(own, other) < 0.0)
    {
      const double limit = distance + slack;
      tree.ForEachWithin(samples.points[i], limit * limit, [&](std::size_t triangle) {
        const Vector3 normal = normalOf(triangle);
        angle = DotProduct(normal, normal) > 0.0 ? std::min(angle, AngleBetween(own, normal)) : angle;
      });
    }
    measured.angles.Add(samples.areasOfNormals[i], angle);
  }
  std::sort(measured.distances.begin(), measured.distances.end());
  return measured;
}

/** \param distances in ascending order */
SurfaceDistances
Summarize(const WeightedDistances & distances)
{
  SurfaceDistances summary;
  double           area = 0.0;
  for (const auto & [distance, weight] : distances)
  {
    area += weight;
    summary.mean += weight * distance;
    summary.rootMeanSquare += weight * distance * distance;
  }
  summary.mean /= area;
  summary.rootMeanSquare = std::sqrt(summary.rootMeanSquare / area);
  summary.maximum = distances.back().first;
  double below = 0.0;
  for (const auto & [distance, weight] : distances)
  {
    below += weight;
    summary.percentile95 = distance;
    if (below >= 0.95 * area)
    {
      break;
    }
  }
  return summary;
}

/** Computes volumes as sums over the tetrahedra between the triangles and a point near them, which keeps rounding
 * errors small. They are exact, while vtkMassProperties estimates volumes from normals. */
SurfaceSize
SizeOf(const SurfaceTriangles & surface)
{
  const auto  bounds = surface.GetBounds();
  SurfaceSize size;
  for (std::size_t i = 0; i < surface.GetNumberOfTriangles(); ++i)
  {
    const auto    corners = surface.GetCorners(i);
    const Vector3 a = Difference(corners[0], bounds[0]);
    const Vector3 b = Difference(corners[1], bounds[0]);
    const Vector3 c = Difference(corners[2], bounds[0]);
    size.volume += DotProduct(a, CrossProduct(b, c)) / 6.0;
    size.area += AreaOf(corners);
  }
  return size;
}

} // namespace

SurfaceSize
MeasureSurface(vtkPolyData * surface)
{
  return SizeOf(SurfaceTriangles(ToTriangles(surface)));
}

SurfaceComparison
CompareSurfaces(Context & context, vtkPolyData * first, vtkPolyData * second)
{
  const SurfaceTriangles firstTriangles(ToTriangles(first));
  const SurfaceTriangles secondTriangles(ToTriangles(second));
  const double           step = 2.0 * std::min(firstTriangles.GetMeanEdgeLength(), secondTriangles.GetMeanEdgeLength());

  Context::ProgressSteps progress(context);
  const auto             measure = [&](bool isTurned) {
    progress.UpTo(isTurned ? 0.8 : 0.3);
    Measured forth = Measure(context, firstTriangles, secondTriangles, isTurned, step);
    progress.UpTo(isTurned ? 1.0 : 0.6);
    return std::pair(std::move(forth), Measure(context, secondTriangles, firstTriangles, isTurned, step));
  };
  auto [forth, back] = measure(false);
  if (forth.cosine + back.cosine < 0.0)
  {
    std::tie(forth, back) = measure(true);
  }
  progress.UpTo(1.0);

  WeightedDistances both;
  std::merge(forth.distances.begin(),
             forth.distances.end(),
             back.distances.begin(),
             back.distances.end(),
             std::back_inserter(both));
  AngleSums angles = forth.angles;
  angles.Add(back.angles);
  SurfaceComparison comparison;
  comparison.firstToSecond = Summarize(forth.distances);
  comparison.secondToFirst = Summarize(back.distances);
  comparison.symmetric = Summarize(both);
  comparison.anglesOfFirst = Summarize(forth.angles);
  comparison.anglesOfSecond = Summarize(back.angles);
  comparison.symmetricAngles = Summarize(angles);
  comparison.first = SizeOf(firstTriangles);
  comparison.second = SizeOf(secondTriangles);
  return comparison;
}

} // namespace cudaneuro
