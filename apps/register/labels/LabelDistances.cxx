// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/labels/LabelDistances.h"

#include "cudaneuro/NearestNeighbors.h"
#include "files/base/Quantile.h"
#include "shared/Files.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace
{

using Place = std::array<std::int64_t, 3>;

/** The numbers of voxels in the image, in ascending order. */
using Boundary = std::vector<std::int64_t>;

/** The boundary of each label of a layer. */
using Boundaries = std::unordered_map<std::int64_t, Boundary>;

Place
PlaceOf(const LabelGrid & grid, std::int64_t voxel)
{
  return { voxel % grid.size[0], voxel / grid.size[0] % grid.size[1], voxel / (grid.size[0] * grid.size[1]) };
}

/** Distinguishes the labels of a layer. */
class LayerOfLabels
{
public:
  LayerOfLabels(const LabelGrid & grid, const LabelVoxels & image, std::size_t layer)
    : m_Grid(grid)
    , m_Image(image)
    , m_Layer(layer)
  {}

  Boundaries
  FindBoundaries() const
  {
    Boundaries         boundaries;
    const std::int64_t count = m_Grid.size[0] * m_Grid.size[1] * m_Grid.size[2];
    for (std::int64_t voxel = 0; voxel < count; ++voxel)
    {
      const std::int64_t label = this->LabelAt(voxel);
      if (label != 0 && this->IsAtBoundary(voxel, label))
      {
        boundaries[label].push_back(voxel);
      }
    }
    return boundaries;
  }

private:
  std::int64_t
  LabelAt(std::int64_t voxel) const
  {
    return m_Image.segmentation.LabelIn(m_Image.voxels[voxel], m_Layer);
  }

  bool
  IsAtBoundary(std::int64_t voxel, std::int64_t label) const
  {
    const Place  place = PlaceOf(m_Grid, voxel);
    std::int64_t stride = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const std::int64_t last = m_Grid.size[axis] - 1;
      if (last > 0 && (place[axis] == 0 || place[axis] == last || this->LabelAt(voxel - stride) != label ||
                       this->LabelAt(voxel + stride) != label))
      {
        return true;
      }
      stride *= m_Grid.size[axis];
    }
    return false;
  }

  const LabelGrid &   m_Grid;
  const LabelVoxels & m_Image;
  const std::size_t   m_Layer;
};

std::vector<Boundaries>
FindBoundariesOfLayers(const LabelGrid & grid, const LabelVoxels & image)
{
  std::vector<Boundaries> layers;
  for (std::size_t layer = 0; layer < image.segmentation.GetLayers(); ++layer)
  {
    layers.push_back(LayerOfLabels(grid, image, layer).FindBoundaries());
  }
  return layers;
}

/** Returns the boundary of a label; null if the label is nowhere. */
const Boundary *
BoundaryOf(const std::vector<Boundaries> & layers, std::size_t layer, std::int64_t label)
{
  const auto found = layers[layer].find(label);
  return found == layers[layer].end() ? nullptr : &found->second;
}

/** Computes the distance from each of several voxels to the nearest one of a boundary, in mm. */
class BoundarySearch
{
public:
  BoundarySearch(cudaneuro::Context & context, const LabelGrid & grid)
    : m_Context(context)
    , m_Grid(grid)
  {}

  std::vector<double>
  MeasureSorted(const Boundary & from, const Boundary & to) const
  {
    // Voxels of both boundaries are at distance 0 without a search: after a registration, these may be half of them.
    Boundary apart;
    std::set_difference(from.begin(), from.end(), to.begin(), to.end(), std::back_inserter(apart));
    std::vector<double> distances(from.size() - apart.size(), 0.0);
    if (!apart.empty())
    {
      for (const float square : this->FindSquares(apart, to))
      {
        distances.push_back(std::sqrt(static_cast<double>(square)));
      }
      std::sort(distances.begin(), distances.end());
    }
    return distances;
  }

private:
  std::vector<float>
  FindSquares(const Boundary & from, const Boundary & to) const
  {
    const Place                           corner = this->CornerOf(from, to);
    const std::vector<float>              queries = this->PositionsOf(from, corner);
    const std::vector<float>              points = this->PositionsOf(to, corner);
    std::vector<std::int32_t>             indices(from.size());
    std::vector<float>                    squares(from.size());
    cudaneuro::NearestNeighborsParameters parameters;
    parameters.dimension = static_cast<int>(m_Grid.dimension);
    cudaneuro::FindNearestNeighbors(m_Context,
                                    parameters,
                                    { queries.data(), static_cast<std::int64_t>(from.size()) },
                                    { points.data(), static_cast<std::int64_t>(to.size()) },
                                    { indices.data(), squares.data() });
    return squares;
  }

  /** Returns the first voxel of the box around two boundaries. */
  Place
  CornerOf(const Boundary & one, const Boundary & other) const
  {
    Place corner = m_Grid.size;
    for (const Boundary * const boundary : { &one, &other })
    {
      for (const std::int64_t voxel : *boundary)
      {
        const Place place = PlaceOf(m_Grid, voxel);
        std::transform(
          corner.begin(), corner.end(), place.begin(), corner.begin(), [](auto a, auto b) { return std::min(a, b); });
      }
    }
    return corner;
  }

  /** Returns positions in mm from a corner. Anywhere in space, they are not larger than the box: for 300 mm, the
   * rounding of float is at most 0.00002 mm, and that of a distance a few times as much, far below a voxel. */
  std::vector<float>
  PositionsOf(const Boundary & boundary, const Place & corner) const
  {
    std::vector<float> positions;
    positions.reserve(boundary.size() * m_Grid.dimension);
    for (const std::int64_t voxel : boundary)
    {
      const Place place = PlaceOf(m_Grid, voxel);
      for (unsigned int component = 0; component < m_Grid.dimension; ++component)
      {
        double position = 0.0;
        for (unsigned int axis = 0; axis < m_Grid.dimension; ++axis)
        {
          position += static_cast<double>(place[axis] - corner[axis]) * m_Grid.steps[axis][component];
        }
        positions.push_back(static_cast<float>(position));
      }
    }
    return positions;
  }

  cudaneuro::Context & m_Context;
  const LabelGrid &    m_Grid;
};

/** \param a may be null, like \p b: then there is no distance */
std::optional<BoundaryDistance>
MeasureDistance(cudaneuro::Context & context, const LabelGrid & grid, const Boundary * a, const Boundary * b)
{
  if (a == nullptr || b == nullptr)
  {
    return std::nullopt;
  }
  const BoundarySearch              search(context, grid);
  cudaneuro::Context::ProgressSteps progress(context);
  BoundaryDistance                  distance;
  double                            sum = 0.0;
  for (const auto & [from, to, end] : { std::tuple(a, b, 0.5), std::tuple(b, a, 1.0) })
  {
    progress.UpTo(end);
    const std::vector<double> sorted = search.MeasureSorted(*from, *to);
    distance.hausdorff95 = std::max(distance.hausdorff95, QuantileOf(sorted, 0.95));
    sum = std::accumulate(sorted.begin(), sorted.end(), sum);
  }
  distance.mean = sum / static_cast<double>(a->size() + b->size());
  return distance;
}

/** A label to measure, and its boundaries; null for an image that lacks it. */
struct Comparison
{
  std::optional<BoundaryDistance> * result;
  const Boundary *                  fixed;
  const Boundary *                  moving;
};

/** Returns the comparisons of all labels of two layers. */
std::vector<Comparison>
CompareLabels(const std::vector<Boundaries> & fixed, const std::vector<Boundaries> & moving, LabelDistances & distances)
{
  for (const Boundaries * const layer : { &fixed.front(), &moving.front() })
  {
    for (const auto & [label, boundary] : *layer)
    {
      distances.labels[label];
    }
  }
  std::vector<Comparison> comparisons;
  for (auto & [label, distance] : distances.labels)
  {
    comparisons.push_back({ &distance, BoundaryOf(fixed, 0, label), BoundaryOf(moving, 0, label) });
  }
  return comparisons;
}

/** Adds the comparisons of segments with the same name, in any layers. */
void
CompareSegments(const std::pair<const Segmentation &, const std::vector<Boundaries> &> & fixed,
                const std::pair<const Segmentation &, const std::vector<Boundaries> &> & moving,
                LabelDistances &                                                         distances,
                std::vector<Comparison> &                                                comparisons)
{
  for (const Segment & a : fixed.first.GetSegments())
  {
    for (const Segment & b : moving.first.GetSegments())
    {
      const Boundary * const first = BoundaryOf(fixed.second, a.layer, a.label);
      const Boundary * const second = BoundaryOf(moving.second, b.layer, b.label);
      if (a.name == b.name && (first != nullptr || second != nullptr))
      {
        comparisons.push_back({ &distances.segments[a.name], first, second });
      }
    }
  }
}

template <typename TKey>
void
Summarize(const std::map<TKey, std::optional<BoundaryDistance>> & each, LabelDistances & distances)
{
  double count = 0.0;
  for (const auto & [key, distance] : each)
  {
    if (!distance)
    {
      ++distances.inOneImage;
      continue;
    }
    BoundaryDistance & mean = count == 0.0 ? distances.mean.emplace() : *distances.mean;
    count += 1.0;
    mean.hausdorff95 += (distance->hausdorff95 - mean.hausdorff95) / count;
    mean.mean += (distance->mean - mean.mean) / count;
  }
}

} // namespace

LabelDistances
MeasureLabelDistances(cudaneuro::Context & context,
                      const LabelGrid &    grid,
                      const LabelVoxels &  fixed,
                      const LabelVoxels &  moving)
{
  const std::vector<Boundaries> fixedLayers = FindBoundariesOfLayers(grid, fixed);
  const std::vector<Boundaries> movingLayers = FindBoundariesOfLayers(grid, moving);
  LabelDistances                distances;
  std::vector<Comparison>       comparisons;
  if (fixedLayers.size() == 1 && movingLayers.size() == 1)
  {
    comparisons = CompareLabels(fixedLayers, movingLayers, distances);
  }
  CompareSegments({ fixed.segmentation, fixedLayers }, { moving.segmentation, movingLayers }, distances, comparisons);

  // A segment is also a label, and is measured once.
  std::map<std::pair<const Boundary *, const Boundary *>, std::optional<BoundaryDistance>> measured;
  cudaneuro::Context::ProgressSteps                                                        progress(context);
  for (std::size_t i = 0; i < comparisons.size(); ++i)
  {
    const auto & [result, a, b] = comparisons[i];
    progress.UpTo(static_cast<double>(i + 1) / static_cast<double>(comparisons.size()));
    const auto [known, isNew] = measured.try_emplace({ a, b });
    if (isNew)
    {
      known->second = MeasureDistance(context, grid, a, b);
    }
    *result = known->second;
  }
  distances.labels.empty() ? Summarize(distances.segments, distances) : Summarize(distances.labels, distances);
  return distances;
}
