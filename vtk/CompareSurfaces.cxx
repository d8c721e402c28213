// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TriangleTree.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace cudaneuro
{

namespace
{

/** Points of a surface, and the area that each stands for. */
struct Samples
{
  std::vector<Vector3> points;
  std::vector<double>  areas;
};

double
LongestEdge(const std::array<Vector3, 3> & corners)
{
  return std::max({ Length(Difference(corners[0], corners[1])),
                    Length(Difference(corners[1], corners[2])),
                    Length(Difference(corners[2], corners[0])) });
}

/** The point of a triangle with barycentric coordinates 1 - u - v, u and v. */
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

/** Adds the centers of the parts^2 equal triangles that lines parallel to the edges cut a triangle into. */
void
AddPartsOf(const std::array<Vector3, 3> & corners, int parts, Samples & samples)
{
  const double area = AreaOf(corners) / (static_cast<double>(parts) * parts);
  for (int row = 0; row < parts; ++row)
  {
    for (int column = 0; column < parts - row; ++column)
    {
      samples.points.push_back(PointIn(corners, (row + 1.0 / 3.0) / parts, (column + 1.0 / 3.0) / parts));
      samples.areas.push_back(area);
      if (column < parts - row - 1)
      {
        samples.points.push_back(PointIn(corners, (row + 2.0 / 3.0) / parts, (column + 2.0 / 3.0) / parts));
        samples.areas.push_back(area);
      }
    }
  }
}

/** The corners of a surface's triangles, each with a third of the area of its triangles; and points within triangles
 * that have an edge longer than \p step, with the area of those. Points of no triangle are not of the surface. */
Samples
SamplesOf(const SurfaceTriangles & surface, double step)
{
  constexpr std::size_t    none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> sampleOfPoint(surface.GetNumberOfPoints(), none);
  Samples                  samples;
  for (std::size_t i = 0; i < surface.GetNumberOfTriangles(); ++i)
  {
    const auto   corners = surface.GetCorners(i);
    const double parts = std::ceil(LongestEdge(corners) / step);
    const double areaOfCorner = parts > 1.0 ? 0.0 : AreaOf(corners) / 3.0;
    for (int corner = 0; corner < 3; ++corner)
    {
      std::size_t & sample = sampleOfPoint[surface.GetIndex(i, corner)];
      if (sample == none)
      {
        sample = samples.points.size();
        samples.points.push_back(corners[corner]);
        samples.areas.push_back(0.0);
      }
      samples.areas[sample] += areaOfCorner;
    }
    if (parts > 1.0)
    {
      // A triangle of a fine and a coarse surface is cut into a million parts at most.
      AddPartsOf(corners, static_cast<int>(std::min(parts, 1000.0)), samples);
    }
  }
  return samples;
}

/** Distances, each with the area that it stands for. */
using WeightedDistances = std::vector<std::pair<double, double>>;

WeightedDistances
DistancesTo(Context & context, const SurfaceTriangles & surface, const Samples & samples)
{
  const TriangleTree tree(surface);
  const auto found = tree.FindAll(context, samples.points.size(), [&](std::size_t i) { return samples.points[i]; });
  WeightedDistances distances(found.size());
  for (std::size_t i = 0; i < found.size(); ++i)
  {
    distances[i] = { std::sqrt(found[i].squaredDistance), samples.areas[i] };
  }
  std::sort(distances.begin(), distances.end());
  return distances;
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

/** Volumes are sums over the tetrahedra between the triangles and a point near them, which keeps rounding small.
 * That is exact, while vtkMassProperties estimates them from normals. */
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
  progress.UpTo(0.5);
  const auto forth = DistancesTo(context, secondTriangles, SamplesOf(firstTriangles, step));
  progress.UpTo(1.0);
  const auto back = DistancesTo(context, firstTriangles, SamplesOf(secondTriangles, step));

  WeightedDistances both;
  std::merge(forth.begin(), forth.end(), back.begin(), back.end(), std::back_inserter(both));
  SurfaceComparison comparison;
  comparison.firstToSecond = Summarize(forth);
  comparison.secondToFirst = Summarize(back);
  comparison.symmetric = Summarize(both);
  comparison.first = SizeOf(firstTriangles);
  comparison.second = SizeOf(secondTriangles);
  return comparison;
}

} // namespace cudaneuro
