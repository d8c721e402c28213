// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/LabelSurface.h"

#include "core/ParallelRanges.h"
#include "core/ParameterChecks.h"
#include "fields/FieldChecks.h"
#include "jobs/ConcurrentTasks.h"
#include "jobs/DeviceJob.h"
#include "labels/LabelMesh.h"
#include "labels/levels/LabelTypes.h"
#include "labels/LabelVolumes.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <string>

namespace cudaneuro
{
namespace
{

void
RequireLabels(const Context & context, const Grid & grid, const ConstVolume & labels)
{
  RequireGrid(grid);
  RequireVolume("labels", context, labels);
  if (labels.space != MemorySpace::Host)
  {
    throw InvalidParameterError("The labels must be in host memory");
  }
}

/** Maps points from units along the axes of the box to mm in space. */
void
MapToSpace(const Geometry & geometry, const LabelGrid & grid, SurfaceContour & surface)
{
  const AffineMap map = IndexToPoint(geometry);
  const auto &    m = map.matrix;
  for (std::size_t i = 0; i < surface.points.size(); i += 3)
  {
    double * const              point = surface.points.data() + i;
    const std::array<double, 3> index{ grid.ImageIndex(0, point[0]),
                                       grid.ImageIndex(1, point[1]),
                                       grid.ImageIndex(2, point[2]) };
    for (std::size_t row = 0; row < 3; ++row)
    {
      point[row] = m[3 * row] * index[0] + m[3 * row + 1] * index[1] + m[3 * row + 2] * index[2] + map.offset[row];
    }
  }
  const double determinant =
    m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  for (std::size_t i = 0; determinant < 0.0 && i < surface.triangles.size(); i += 3)
  {
    std::swap(surface.triangles[i + 1], surface.triangles[i + 2]);
  }
}

/** The fraction of the volume change by smoothing that is to be restored. It falls with noise of single voxels, which
 * adds voxels to convex labels, so that their true volume is not that of their voxels. */
double
RestoredShare(const LabelDomain & domain)
{
  const double single = ShareOfSingleVoxels(domain.grid, domain.band);
  return std::clamp((mostSingleVoxels - single) / (mostSingleVoxels - fewSingleVoxels), 0.0, 1.0);
}

/** \param edges receives the edges of the vertices
 * \param restoredShare receives the RestoredShare of the label */
LabelSurface
MakeSurface(Context &                 context,
            const Geometry &          geometry,
            const ConstVolume &       labels,
            const LabelBox &          box,
            std::vector<VertexEdge> & edges,
            double &                  restoredShare)
{
  constexpr double  deviationOfLogistic = 1.81379936423; // pi / sqrt(3)
  const Grid &      grid = geometry.grid;
  const LabelDomain domain = MakeLabelDomain(context, grid, labels, box);
  LabelSurface      result;
  result.label = box.label;
  result.labelVolume = static_cast<double>(box.count) * grid.spacing[0] * grid.spacing[1] * grid.spacing[2];
  RunDeviceJob(context, [&] {
    const std::unique_ptr<LabelLevels> levels = MakeLabelLevels(context, domain);
    levels->Fit();
    levels->Judge();
    const FitWeights fits = ChooseFits(context, domain, *levels);
    LabelMesh        mesh(context, domain, fits, *levels);
    const float      width = mesh.ChooseScales();
    mesh.Correct(width);
    mesh.KeepVolumeOfThinParts();
    result.noise = static_cast<double>(width) * deviationOfLogistic * domain.grid.unit;
    result.surface = mesh.GetContour().surface;
    edges = EdgesInImage(grid, domain.grid, box, mesh.GetContour());
    restoredShare = RestoredShare(domain);
  });
  MapToSpace(geometry, domain.grid, result.surface);
  return result;
}

/** Approximate memory for the surface of a label: sums of the pilot in the whole box, and level sets in the band, which
 * is about a third of the box. */
std::size_t
BytesForLabel(const Grid & grid, const LabelBox & box)
{
  constexpr double bytesOfVoxel = 300.0;
  return static_cast<std::size_t>(bytesOfVoxel * VoxelsOfBox(grid, box));
}

} // namespace

std::vector<double>
FindLabels(Context & context, const Grid & grid, const ConstVolume & labels)
{
  constexpr std::size_t most = 65536;
  RequireLabels(context, grid, labels);
  std::set<double> found;
  std::mutex       mutex;
  WithLabels(labels, [&](const auto * values) {
    const Context::ProgressPause pause(context);
    ForEachRange(context, grid.NumberOfVoxels(), grid.VoxelsPerPlane(), [&](std::int64_t begin, std::int64_t end) {
      std::set<double> here;
      for (std::int64_t i = begin; i < end; ++i)
      {
        if (i > begin && values[i] == values[i - 1])
        {
          continue;
        }
        const auto value = static_cast<double>(values[i]);
        if (!std::isfinite(value))
        {
          ThrowInvalid("labels[" + std::to_string(i) + ']', value, "finite");
        }
        if (value != 0.0)
        {
          here.insert(value);
        }
      }
      const std::lock_guard<std::mutex> lock(mutex);
      found.insert(here.begin(), here.end());
      if (found.size() > most)
      {
        ThrowInvalid("the number of labels", found.size(), std::to_string(most) + " or less");
      }
    });
  });
  return { found.begin(), found.end() };
}

std::vector<LabelSurface>
MakeLabelSurfaces(Context &                   context,
                  const Geometry &            geometry,
                  const ConstVolume &         labels,
                  const std::vector<double> & wanted)
{
  RequireLabels(context, geometry.grid, labels);
  RequireGeometry("geometry", geometry);
  const std::vector<double> all = wanted.empty() ? FindLabels(context, geometry.grid, labels) : wanted;
  if (all.empty())
  {
    ThrowInvalid("the number of labels other than 0", 0, "1 or greater");
  }
  std::vector<double> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
  {
    ThrowInvalid("label", *twice, "given once");
  }
  std::vector<LabelBox> boxes;
  {
    const Context::ProgressPause pause(context);
    boxes = FindBoxes(context, geometry.grid, labels, all);
  }
  std::vector<std::size_t> bytes;
  for (const LabelBox & box : boxes)
  {
    if (box.count == 0)
    {
      ThrowInvalid("label", box.label, "that of some voxel");
    }
    bytes.push_back(BytesForLabel(geometry.grid, box));
  }
  std::vector<LabelSurface>            surfaces(boxes.size());
  std::vector<std::vector<VertexEdge>> edges(boxes.size());
  std::vector<double>                  restoredShares(boxes.size());
  RunConcurrently(context, bytes, [&](Context & own, std::size_t i) {
    surfaces[i] = MakeSurface(own, geometry, labels, boxes[i], edges[i], restoredShares[i]);
  });
  const Context::ProgressPause  pause(context);
  const std::vector<VertexPair> pairs = FindPairs(context, edges);
  JoinVertices(context, pairs, surfaces);
  const auto & spacing = geometry.grid.spacing;
  const double longestStep = static_cast<double>(longestVolumeStep) * *std::min_element(spacing.begin(), spacing.end());
  RestoreVolumes(context, pairs, restoredShares, longestStep, surfaces);
  return surfaces;
}

} // namespace cudaneuro
