// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/LabelMesh.h"

#include "core/ParallelRanges.h"
#include "surface/SignedDistanceAlongGrid.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace cudaneuro
{
namespace
{

Vector3
VectorAt(const std::vector<double> & points, std::int32_t i)
{
  const double * const point = points.data() + 3 * static_cast<std::ptrdiff_t>(i);
  return { static_cast<float>(point[0]), static_cast<float>(point[1]), static_cast<float>(point[2]) };
}

Vector3
VectorAt(const VersionPositions & positions, std::size_t vertex, std::size_t version)
{
  const float * const position = positions.data() + 3 * (versions * vertex + version);
  return { position[0], position[1], position[2] };
}

/** Levels whose contour follows the faces of the label's voxels. */
VersionValues
LevelsOfLabel(const LabelBand & band)
{
  VersionValues levels;
  for (const unsigned int code : band.codes)
  {
    levels.insert(levels.end(), versions, 0.5f * SideOf(code));
  }
  return levels;
}

BandContour
MakeContour(Context & context, const LabelDomain & domain, LabelLevels & levels)
{
  BandContour contour = ContourOfBand(context, domain.grid, domain.band, levels.GetLevels());
  // The contour of a label of few voxels may be empty; the faces of its voxels then replace it.
  return contour.places.empty() ? ContourOfBand(context, domain.grid, domain.band, LevelsOfLabel(domain.band))
                                : contour;
}

} // namespace

LabelMesh::LabelMesh(Context & context, const LabelDomain & domain, const FitWeights & fits, LabelLevels & levels)
  : m_Context(context)
  , m_Domain(domain)
  , m_Grid(domain.grid)
  , m_Band(domain.band)
  , m_Fits(fits)
  , m_Levels(levels)
  , m_Judges(levels.GetJudges())
  , m_Contour(MakeContour(context, domain, levels))
  , m_Normals(this->Normals())
{}

std::vector<Vector3>
LabelMesh::Normals() const
{
  const SurfaceContour & surface = m_Contour.surface;
  std::vector<Vector3>   normals(m_Contour.NumberOfVertices(), { 0.0f, 0.0f, 0.0f });
  for (std::size_t i = 0; i < surface.triangles.size(); i += 3)
  {
    const std::int32_t * const corners = surface.triangles.data() + i;
    const Vector3              a = VectorAt(surface.points, corners[0]);
    const Vector3 area = AreaVector(a, VectorAt(surface.points, corners[1]), VectorAt(surface.points, corners[2]));
    for (int corner = 0; corner < 3; ++corner)
    {
      Vector3 & normal = normals[static_cast<std::size_t>(corners[corner])];
      normal = normal + area;
    }
  }
  for (Vector3 & normal : normals)
  {
    normal = Normalized(normal, { 0.0f, 0.0f, 0.0f });
  }
  return normals;
}

VersionPositions
LabelMesh::MovesToVersions(const VersionValues & distances, double edgeLength) const
{
  // Beyond this distance, the version's contour is another surface.
  constexpr float  farthest = 2.0f;
  VersionPositions moves(3 * versions * m_Normals.size(), 0.0f);
  ForEachInRanges(m_Context, static_cast<std::int64_t>(m_Normals.size()), [&](std::int64_t vertex) {
    const auto i = static_cast<std::size_t>(vertex);
    for (int v = 1; v < versions; ++v)
    {
      const float   distance = std::clamp(m_Contour.Sample(distances, v, i), -farthest, farthest);
      const Vector3 move = distance / static_cast<float>(edgeLength) * m_Normals[i];
      float * const to = moves.data() + 3 * (versions * i + static_cast<std::size_t>(v));
      to[0] = move.x;
      to[1] = move.y;
      to[2] = move.z;
    }
  });
  return moves;
}

std::int32_t
LabelMesh::NearestVertex(std::int32_t voxel) const
{
  constexpr int            reach = 2;
  const std::int64_t       offset = m_Band.voxels[static_cast<std::size_t>(voxel)];
  const std::array<int, 3> index = m_Grid.IndexOf(offset);
  double                   least = std::numeric_limits<double>::infinity();
  std::int32_t             nearest = -1;
  for (int z = -reach - 1; z <= reach; ++z)
  {
    for (int y = -reach - 1; y <= reach; ++y)
    {
      for (int x = -reach - 1; x <= reach; ++x)
      {
        // The margin of the box is wider than the reach.
        const std::int64_t place = m_Grid.Offset(index[0] + x, index[1] + y, index[2] + z);
        const std::int32_t number = place >= 0 && place < static_cast<std::int64_t>(m_Band.numbers.size())
                                      ? m_Band.numbers[static_cast<std::size_t>(place)]
                                      : -1;
        for (std::size_t axis = 0; number >= 0 && axis < 3; ++axis)
        {
          const std::int32_t vertex = m_Contour.vertices[3 * static_cast<std::size_t>(number) + axis];
          if (vertex < 0)
          {
            continue;
          }
          double squared = 0.0;
          for (std::size_t i = 0; i < 3; ++i)
          {
            const double difference =
              m_Contour.surface.points[3 * static_cast<std::size_t>(vertex) + i] - index[i] * m_Grid.spacing[i];
            squared += difference * difference;
          }
          if (squared < least)
          {
            least = squared;
            nearest = vertex;
          }
        }
      }
    }
  }
  return nearest;
}

std::vector<std::int32_t>
LabelMesh::NearestVertices() const
{
  std::vector<std::int32_t> nearest(m_Judges.size(), -1);
  ForEachInRanges(m_Context, m_Band.count, [&](std::int64_t i) {
    if (m_Judges[static_cast<std::size_t>(i)] != 0)
    {
      nearest[static_cast<std::size_t>(i)] = this->NearestVertex(static_cast<std::int32_t>(i));
    }
  });
  return nearest;
}

CandidateValues
LabelMesh::DistancesOfCandidates(const VersionValues &                 distances,
                                 const VersionPositions &              start,
                                 const std::vector<VersionPositions> & filtered,
                                 double                                edgeLength) const
{
  const std::vector<std::int32_t> nearest = this->NearestVertices();
  CandidateValues                 result(numberOfMeshCandidates, std::vector<float>(m_Judges.size(), 0.0f));
  ForEachInRanges(m_Context, m_Band.count, [&](std::int64_t voxel) {
    const auto i = static_cast<std::size_t>(voxel);
    const auto part = static_cast<std::size_t>(PartOf(m_Band.codes[i]));
    for (std::size_t k = 0; m_Judges[i] != 0 && k < result.size(); ++k)
    {
      result[k][i] = distances[versions * i + part];
      if (k > 0 && nearest[i] >= 0)
      {
        const auto    vertex = static_cast<std::size_t>(nearest[i]);
        const Vector3 move = VectorAt(filtered[k - 1], vertex, part) - VectorAt(start, vertex, part);
        result[k][i] += static_cast<float>(edgeLength) * Dot(move, m_Normals[vertex]);
      }
    }
  });
  return result;
}

float
LabelMesh::MeanPenalty() const
{
  const std::vector<float> & judges = m_Fits.judges;
  double                     sum = 0.0;
  double                     all = 0.0;
  for (std::size_t i = 0; i < judges.size(); ++i)
  {
    sum += judges[i] * correlatedNoise * correlatedNoise * m_Fits.correlation[i] * m_Fits.share[i];
    all += judges[i];
  }
  return static_cast<float>(sum / std::max(all, 1.0));
}

float
LabelMesh::BestWidthOf(const CandidateValues & candidates) const
{
  LossSums    sums = m_Levels.SumLosses(candidates);
  const auto  judges = static_cast<double>(std::count(m_Judges.begin(), m_Judges.end(), 1));
  const float penalty = this->MeanPenalty();
  for (std::size_t k = 0; k < sums.size(); ++k)
  {
    for (std::size_t width = 0; width < numberOfWidths; ++width)
    {
      sums[k][width] += judges * static_cast<double>(penalty * sharesOfCandidates[k] / judgingWidths[width]);
    }
  }
  return BestWidth(sums);
}

CandidateValues
LabelMesh::PooledLosses(const CandidateValues & candidates, float width) const
{
  const float     factor = PoolingFactor(m_Grid);
  CandidateValues losses(candidates.size(), std::vector<float>(m_Judges.size(), 0.0f));
  ForEachInRanges(m_Context, m_Band.count, [&](std::int64_t voxel) {
    const auto i = static_cast<std::size_t>(voxel);
    if (m_Judges[i] == 0)
    {
      return;
    }
    const float correlation = m_Domain.SplineAt(m_Fits.correlation, static_cast<std::int32_t>(voxel));
    const float share = m_Domain.SplineAt(m_Fits.share, static_cast<std::int32_t>(voxel));
    const float power = 1.0f + correlation * (correlatedPower - 1.0f);
    const float penalty = correlatedNoise * correlatedNoise * correlation * share / width;
    for (std::size_t k = 0; k < candidates.size(); ++k)
    {
      const float loss = LossOf(SideOf(m_Band.codes[i]) * candidates[k][i], width);
      losses[k][i] = factor * power * (loss + sharesOfCandidates[k] * penalty);
    }
  });
  return m_Levels.Pool(losses, poolingSigma);
}

float
LabelMesh::ChooseScales()
{
  const VersionValues                 distances = m_Levels.GetDistances();
  const MeshMeasures                  measures = MeasureMesh(m_Context, m_Contour.surface.View());
  const double                        edge = measures.edgeLength;
  const VersionPositions              start = this->MovesToVersions(distances, edge);
  const std::vector<VersionPositions> filtered =
    FilterVersions(m_Context, m_Contour.surface.View(), measures, { meshScales.begin(), meshScales.end() }, start);
  const CandidateValues candidates = this->DistancesOfCandidates(distances, start, filtered, edge);
  const float           width = this->BestWidthOf(candidates);
  const CandidateValues losses = this->PooledLosses(candidates, width);
  ForEachInRanges(m_Context, static_cast<std::int64_t>(m_Normals.size()), [&](std::int64_t vertex) {
    const auto i = static_cast<std::size_t>(vertex);
    float      weights[numberOfMeshCandidates];
    for (std::size_t k = 0; k < losses.size(); ++k)
    {
      weights[k] = this->SampleNodes(losses[k], i);
    }
    WeightsOfLosses<numberOfMeshCandidates>(weights);
    double * const point = m_Contour.surface.points.data() + 3 * i;
    for (std::size_t k = 1; k < losses.size(); ++k)
    {
      const Vector3 move = VectorAt(filtered[k - 1], i, 0);
      point[0] += edge * static_cast<double>(weights[k] * move.x);
      point[1] += edge * static_cast<double>(weights[k] * move.y);
      point[2] += edge * static_cast<double>(weights[k] * move.z);
    }
  });
  return width;
}

float
LabelMesh::SampleNodes(const std::vector<float> & field, std::size_t vertex) const
{
  const BandContour::Place & place = m_Contour.places[vertex];
  return (1.0f - place.part) * m_Domain.SplineAt(field, place.low) + place.part * m_Domain.SplineAt(field, place.high);
}

std::vector<float>
LabelMesh::Distances(double reach, double shift) const
{
  std::vector<float> field(m_Grid.codes.size());
  SurfaceContour     shifted = m_Contour.surface;
  for (std::size_t i = 0; i < shifted.points.size(); ++i)
  {
    shifted.points[i] -= shift * m_Grid.spacing[i % 3];
  }
  const Grid box{ { m_Grid.extent.x, m_Grid.extent.y, m_Grid.extent.z }, m_Grid.spacing };
  SignedDistanceAlongGrid(m_Context, { reach }, shifted.View(), box, { field.data(), PixelType::Float });
  std::vector<float> distances(m_Band.voxels.size());
  std::transform(m_Band.voxels.begin(), m_Band.voxels.end(), distances.begin(), [&](std::int32_t voxel) {
    return -field[static_cast<std::size_t>(voxel)];
  });
  return distances;
}

void
LabelMesh::MoveAlongNormals(const std::vector<float> & steps)
{
  const std::vector<Vector3> normals = this->Normals();
  for (std::size_t i = 0; i < normals.size(); ++i)
  {
    double * const point = m_Contour.surface.points.data() + 3 * i;
    point[0] += static_cast<double>(steps[i] * normals[i].x);
    point[1] += static_cast<double>(steps[i] * normals[i].y);
    point[2] += static_cast<double>(steps[i] * normals[i].z);
  }
}

void
LabelMesh::Correct(float width)
{
  const std::vector<float> near = m_Levels.GetDistancesOfMixture();
  const std::vector<float> distances = this->Distances(reachOfLastFit, 0.0);
  std::vector<float>       weights(near.size());
  std::transform(
    near.begin(), near.end(), weights.begin(), [](float d) { return std::abs(d) < reachOfLastFit ? 1.0f : 0.0f; });
  const std::vector<float> change = m_Levels.Correct(width, distances, weights);
  std::vector<float>       steps(m_Normals.size());
  ForEachInRanges(m_Context, static_cast<std::int64_t>(steps.size()), [&](std::int64_t vertex) {
    // Where noise is correlated, the last step would restore it.
    const auto i = static_cast<std::size_t>(vertex);
    steps[i] = (1.0f - this->SampleNodes(m_Fits.correlation, i)) * m_Contour.Sample(change, i);
  });
  this->MoveAlongNormals(steps);
}

std::vector<float>
LabelMesh::ThinShares() const
{
  const std::vector<float> distances = m_Levels.GetDistancesOfMixture();
  CandidateValues          sums(2, std::vector<float>(distances.size()));
  ForEachInRanges(m_Context, m_Band.count, [&](std::int64_t voxel) {
    const auto i = static_cast<std::size_t>(voxel);
    sums[0][i] = InsideOf(distances[i]);
    sums[1][i] = SurfaceAt(distances[i]);
  });
  const CandidateValues nearby = m_Levels.Pool(sums, poolingSigma);
  std::vector<float>    shares(m_Normals.size());
  ForEachInRanges(m_Context, static_cast<std::int64_t>(shares.size()), [&](std::int64_t vertex) {
    const auto  i = static_cast<std::size_t>(vertex);
    const float thickness = this->SampleNodes(nearby[0], i) / std::max(this->SampleNodes(nearby[1], i), leastArea);
    shares[i] = std::clamp((thickThickness - thickness) / (thickThickness - thinThickness), 0.0f, 1.0f);
  });
  return shares;
}

std::vector<float>
LabelMesh::StepsToVolumeNearby() const
{
  // Centers of voxels alone do not suffice: the surface separates them as the label does, whatever its volume is.
  const std::vector<float> ofCenters = this->Distances(reachOfVolume, 0.0);
  const std::vector<float> ofCorners = this->Distances(reachOfVolume, 0.5);
  CandidateValues          sums(2, std::vector<float>(ofCenters.size()));
  ForEachInRanges(m_Context, m_Band.count, [&](std::int64_t voxel) {
    const auto  i = static_cast<std::size_t>(voxel);
    const float inside = 0.5f * (InsideOf(ofCenters[i]) + InsideOf(ofCorners[i]));
    sums[0][i] = ((m_Band.codes[i] & isInsideBit) != 0 ? 1.0f : 0.0f) - inside;
    sums[1][i] = 0.5f * (SurfaceAt(ofCenters[i]) + SurfaceAt(ofCorners[i]));
  });
  const CandidateValues nearby = m_Levels.Pool(sums, poolingSigma);
  std::vector<float>    steps(m_Normals.size());
  ForEachInRanges(m_Context, static_cast<std::int64_t>(steps.size()), [&](std::int64_t vertex) {
    const auto  i = static_cast<std::size_t>(vertex);
    const float area = std::max(this->SampleNodes(nearby[1], i), leastArea);
    steps[i] = std::clamp(this->SampleNodes(nearby[0], i) / area, -longestVolumeStep, longestVolumeStep);
  });
  return steps;
}

void
LabelMesh::KeepVolumeOfThinParts()
{
  const std::vector<float> shares = this->ThinShares();
  if (std::all_of(shares.begin(), shares.end(), [](float share) { return share == 0.0f; }))
  {
    return;
  }
  const auto isShort = [](float step) { return std::abs(step) < shortestVolumeStep; };
  for (int round = 0; round < volumeRounds; ++round)
  {
    std::vector<float> steps = this->StepsToVolumeNearby();
    std::transform(steps.begin(), steps.end(), shares.begin(), steps.begin(), std::multiplies<>());
    if (std::all_of(steps.begin(), steps.end(), isShort))
    {
      break;
    }
    this->MoveAlongNormals(steps);
  }
}

} // namespace cudaneuro
