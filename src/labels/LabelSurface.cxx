// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/LabelSurface.h"

#include "core/ParameterChecks.h"
#include "fields/FieldChecks.h"
#include "jobs/DeviceJob.h"
#include "labels/LabelMesh.h"
#include "labels/LabelTypes.h"
#include "labels/SharedVertices.h"
#include "meshes/MeshMeasures.h"

#include <algorithm>
#include <cmath>
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

/** From units along the axes of the box to mm. */
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

/** \param edges those of the vertices are added */
LabelSurface
MakeSurface(Context &                              context,
            const Geometry &                       geometry,
            const ConstVolume &                    labels,
            const LabelBox &                       box,
            std::vector<std::vector<VertexEdge>> & edges)
{
  constexpr double deviationOfLogistic = 1.81379936423; // pi / sqrt(3)
  const Grid &     grid = geometry.grid;
  const LabelGrid  labelGrid = MakeLabelGrid(context, grid, labels, box);
  const LabelBand  band = MakeLabelBand(context, labelGrid);
  LabelSurface     result;
  result.label = box.label;
  RunDeviceJob(context, [&] {
    const std::unique_ptr<LabelLevels> levels = MakeLabelLevels(context, labelGrid, band);
    levels->Fit();
    levels->Judge();
    const FitWeights fits = ChooseFits(labelGrid, band, *levels);
    LabelMesh        mesh(context, labelGrid, band, fits, *levels);
    const float      width = mesh.ChooseScales();
    mesh.Correct();
    mesh.KeepVolume();
    result.noise = static_cast<double>(width) * deviationOfLogistic * labelGrid.unit;
    result.surface = mesh.GetContour().surface;
    edges.push_back(EdgesInImage(grid, labelGrid, box, mesh.GetContour()));
  });
  MapToSpace(geometry, labelGrid, result.surface);
  result.labelVolume = static_cast<double>(box.count) * grid.spacing[0] * grid.spacing[1] * grid.spacing[2];
  result.surfaceVolume = MeasureMesh(context, result.surface.View()).volume;
  return result;
}

} // namespace

std::vector<double>
FindLabels(Context & context, const Grid & grid, const ConstVolume & labels)
{
  constexpr std::size_t most = 65536;
  RequireLabels(context, grid, labels);
  std::set<double> found;
  WithLabels(labels, [&](const auto * values) {
    const std::int64_t voxels = grid.NumberOfVoxels();
    for (std::int64_t i = 0; i < voxels; ++i)
    {
      const auto value = static_cast<double>(values[i]);
      if (i > 0 && values[i] == values[i - 1])
      {
        continue;
      }
      if (!std::isfinite(value))
      {
        ThrowInvalid("labels[" + std::to_string(i) + ']', value, "finite");
      }
      if (value != 0.0)
      {
        found.insert(value);
      }
      if (found.size() > most)
      {
        ThrowInvalid("the number of labels", found.size(), std::to_string(most) + " or less");
      }
    }
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
  std::vector<LabelBox> boxes;
  {
    const Context::ProgressPause pause(context);
    boxes = FindBoxes(context, geometry.grid, labels, all);
  }
  double total = 0.0;
  for (const LabelBox & box : boxes)
  {
    if (box.count == 0)
    {
      ThrowInvalid("label", box.label, "that of some voxel");
    }
    total += static_cast<double>(box.count);
  }
  std::vector<LabelSurface>            surfaces;
  std::vector<std::vector<VertexEdge>> edges;
  double                               done = 0.0;
  for (const LabelBox & box : boxes)
  {
    context.ReportProgress(done / total);
    const Context::ProgressPause pause(context);
    surfaces.push_back(MakeSurface(context, geometry, labels, box, edges));
    done += static_cast<double>(box.count);
  }
  if (JoinVertices(edges, surfaces))
  {
    for (LabelSurface & surface : surfaces)
    {
      surface.surfaceVolume = MeasureMesh(context, surface.surface.View()).volume;
    }
  }
  context.ReportProgress(1.0);
  return surfaces;
}

} // namespace cudaneuro
