// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/LabelVolumes.h"

#include "core/ParallelRanges.h"
#include "meshes/MeshMeasures.h"
#include "meshes/PointVectors.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cudaneuro
{
namespace
{

using namespace pointvectors;

/** The derivative of the volume by the position of each vertex: a third of the sum of its triangles' area vectors. The
 * volume grows by its scalar product with a move of the vertex. */
std::vector<Vector>
GrowthOf(const SurfaceContour & surface)
{
  const ConstTriangles view = surface.View();
  std::vector<Vector>  growth(surface.points.size() / 3, Vector{});
  for (std::size_t i = 0; i < surface.triangles.size(); i += 3)
  {
    const std::int32_t * const corners = surface.triangles.data() + i;
    const Vector               first = PointAt(view, corners[0]);
    const Vector               a = Difference(PointAt(view, corners[1]), first);
    const Vector               b = Difference(PointAt(view, corners[2]), first);
    const Vector product{ a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
    for (int corner = 0; corner < 3; ++corner)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        growth[static_cast<std::size_t>(corners[corner])][axis] += product[axis] / 6.0;
      }
    }
  }
  return growth;
}

/** The linear system of the volumes' growth by the steps of the surfaces. */
class VolumeSystem
{
public:
  VolumeSystem(Context & context, const std::vector<VertexPair> & pairs, const std::vector<LabelSurface> & surfaces)
    : m_Growth(surfaces.size())
    , m_Own(surfaces.size(), 0.0)
    , m_Shared(surfaces.size())
  {
    context.ParallelFor(static_cast<std::int64_t>(surfaces.size()), [&](std::int64_t surface) {
      const auto i = static_cast<std::size_t>(surface);
      m_Growth[i] = GrowthOf(surfaces[i].surface);
      for (const Vector & growth : m_Growth[i])
      {
        m_Own[i] += Length(growth);
      }
    });
    for (const VertexPair & pair : pairs)
    {
      for (std::size_t side = 0; side < 2; ++side)
      {
        const SurfaceVertex & vertex = pair[side];
        m_Shared[vertex.surface][pair[1 - side].surface] += Length(m_Growth[vertex.surface][vertex.vertex]);
      }
    }
  }

  /** The steps by which the volumes grow by the wanted amounts, by the method of Gauss and Seidel. Each step is clamped
   * to the longest one. */
  std::vector<double>
  Solve(const std::vector<double> & wanted, double longest) const
  {
    constexpr int       sweeps = 100;
    std::vector<double> steps(wanted.size(), 0.0);
    for (int sweep = 0; sweep < sweeps; ++sweep)
    {
      for (std::size_t i = 0; i < steps.size(); ++i)
      {
        double sum = wanted[i];
        for (const auto & [neighbor, growth] : m_Shared[i])
        {
          sum += growth * steps[neighbor];
        }
        steps[i] = m_Own[i] > 0.0 ? std::clamp(sum / m_Own[i], -longest, longest) : 0.0;
      }
    }
    return steps;
  }

  /** Moves a vertex by a step along its normal. */
  void
  Move(const SurfaceVertex & vertex, double step, std::vector<LabelSurface> & surfaces) const
  {
    const Vector & growth = m_Growth[vertex.surface][vertex.vertex];
    const double   length = Length(growth);
    double * const point = surfaces[vertex.surface].surface.points.data() + 3 * vertex.vertex;
    for (std::size_t axis = 0; axis < 3 && length > 0.0; ++axis)
    {
      point[axis] += step / length * growth[axis];
    }
  }

private:
  std::vector<std::vector<Vector>> m_Growth;
  /** Growth per step, over all vertices of a surface, and over the vertices that it shares with each other surface. */
  std::vector<double>                        m_Own;
  std::vector<std::map<std::size_t, double>> m_Shared;
};

/** Sets the volumes that the surfaces enclose. */
void
MeasureVolumes(Context & context, std::vector<LabelSurface> & surfaces)
{
  context.ParallelFor(static_cast<std::int64_t>(surfaces.size()), [&](std::int64_t i) {
    Context              own(Device{}, 1);
    LabelSurface &       surface = surfaces[static_cast<std::size_t>(i)];
    const ConstTriangles triangles = surface.surface.View();
    surface.surfaceVolume = VolumeAround(own, triangles, PointAt(triangles, 0));
  });
}

} // namespace

void
RestoreVolumes(Context &                       context,
               const std::vector<VertexPair> & pairs,
               const std::vector<double> &     shares,
               double                          longest,
               std::vector<LabelSurface> &     surfaces)
{
  std::vector<double> goals(surfaces.size());
  MeasureVolumes(context, surfaces);
  for (std::size_t i = 0; i < surfaces.size(); ++i)
  {
    goals[i] = surfaces[i].surfaceVolume + shares[i] * (surfaces[i].labelVolume - surfaces[i].surfaceVolume);
  }
  // The second round corrects for curvature.
  for (int round = 0; round < 2; ++round)
  {
    const VolumeSystem  system(context, pairs, surfaces);
    std::vector<double> wanted(surfaces.size());
    for (std::size_t i = 0; i < surfaces.size(); ++i)
    {
      wanted[i] = goals[i] - surfaces[i].surfaceVolume;
    }
    const std::vector<double> steps = system.Solve(wanted, longest);
    context.ParallelFor(static_cast<std::int64_t>(surfaces.size()), [&](std::int64_t i) {
      const auto surface = static_cast<std::size_t>(i);
      for (std::size_t vertex = 0; vertex < surfaces[surface].surface.points.size() / 3; ++vertex)
      {
        system.Move({ surface, vertex }, steps[surface], surfaces);
      }
    });
    ForEachInRanges(context, static_cast<std::int64_t>(pairs.size()), [&](std::int64_t i) {
      const auto & [a, b] = pairs[static_cast<std::size_t>(i)];
      system.Move(a, -steps[b.surface], surfaces);
      system.Move(b, -steps[a.surface], surfaces);
    });
    JoinVertices(context, pairs, surfaces);
    MeasureVolumes(context, surfaces);
  }
}

} // namespace cudaneuro
