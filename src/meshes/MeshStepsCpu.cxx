// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/MeshStepsCpu.h"

#include "core/IntegerMath.h"
#include "meshes/LowPass.h"

#include <algorithm>

namespace cudaneuro::cpu
{
namespace
{

CUDANEURO_ALWAYS_INLINE const std::int32_t *
                              CornersOf(const MeshTopology & mesh, std::int64_t triangle)
{
  return mesh.corners.data() + 3 * triangle;
}

/** NeighborSum of all versions. */
struct VersionSums
{
  VersionLanes x;
  VersionLanes y;
  VersionLanes z;
  VersionLanes area;
};

/** Number of weights that are computed side by side. */
constexpr int neighborsAtOnce = 32;

/** Adds \p count neighbors of a triangle, beginning with \p first. */
CUDANEURO_ALWAYS_INLINE void
AddNeighbors(const TrianglePairs::Task & task,
             std::int64_t                first,
             int                         count,
             const VersionVectors &      guide,
             const VersionVectors *      guides,
             const VersionVectors *      vectors,
             const float *               areas,
             float                       cosineFactor,
             VersionSums &               sums)
{
  float              weights[versions * neighborsAtOnce];
  const VersionLanes guideX = cosineFactor * LanesAt(guide.x);
  const VersionLanes guideY = cosineFactor * LanesAt(guide.y);
  const VersionLanes guideZ = cosineFactor * LanesAt(guide.z);
  for (int i = 0; i < count; ++i)
  {
    const VersionVectors & other = guides[task.neighbors[first + i]];
    StoreLanes(guideX * LanesAt(other.x) + guideY * LanesAt(other.y) + guideZ * LanesAt(other.z) +
                 task.exponents[first + i],
               weights + versions * i);
  }
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (int i = 0; i < versions * count; ++i)
  {
    weights[i] = Exp2(weights[i]);
  }
  for (int i = 0; i < count; ++i)
  {
    const std::int32_t     other = task.neighbors[first + i];
    const VersionVectors & vector = vectors[other];
    const VersionLanes     weight = LanesAt(weights + versions * i);
    sums.x = sums.x + weight * LanesAt(vector.x);
    sums.y = sums.y + weight * LanesAt(vector.y);
    sums.z = sums.z + weight * LanesAt(vector.z);
    sums.area = sums.area + areas[other] * weight;
  }
}

} // namespace

MeshSteps::MeshSteps(Context & context, const MeshTopology & mesh)
  : m_Context(context)
  , m_Mesh(mesh)
{
  const auto vertices = static_cast<std::size_t>(mesh.numberOfVertices);
  const auto triangles = static_cast<std::size_t>(mesh.numberOfTriangles);
  m_Noisy.resize(vertices);
  m_Vertices.resize(vertices);
  for (VersionArray & band : m_Bands)
  {
    band.resize(vertices);
  }
  for (VersionArray * array :
       { &m_AreaVectors, &m_FirstGuides, &m_Guides, &m_NextGuides, &m_Means, &m_Residuals, &m_NextResiduals })
  {
    array->resize(triangles);
  }
  m_Offsets.resize(triangles);
  m_Centers.resize(3 * triangles);
  m_Areas.resize(triangles);
  m_Normals.resize(vertices);
  for (int candidate = 0; candidate < numberOfCandidates; ++candidate)
  {
    m_Candidates[candidate].resize(vertices);
    m_CandidateMoves[candidate].resize(vertices);
  }
  m_Risks.resize(vertices);
  m_Moves.resize(vertices);
  m_Displacements.resize(3 * vertices);
  for (std::int32_t i = 0; i < mesh.numberOfVertices; ++i)
  {
    m_Signs.push_back(SignsOfProbes(mesh.rank[i]));
    for (int version = 0; version < versions; ++version)
    {
      m_Noisy[i].Set(version, this->NoisyVertex(i));
    }
  }
}

Vector3
MeshSteps::NoisyVertex(std::int64_t vertex) const
{
  const float * const position = m_Mesh.positions.data() + 3 * vertex;
  return { position[0], position[1], position[2] };
}

CUDANEURO_ALWAYS_INLINE VersionVectors
MeshSteps::MeanOfNeighbors(const VersionArray & vectors, std::int64_t vertex) const
{
  VersionVectors       sum{};
  const std::int32_t   first = m_Mesh.firstNeighbor[vertex];
  const std::int32_t   count = m_Mesh.meanNeighbors[vertex];
  const VersionVectors own = vectors[vertex];
  for (std::int32_t i = first; i < first + count; ++i)
  {
    const VersionVectors & other = vectors[m_Mesh.neighborsOf[i]];
    CUDANEURO_INDEPENDENT_ITERATIONS
    for (int v = 0; v < versions; ++v)
    {
      sum.Set(v, sum.Get(v) + (other.Get(v) - own.Get(v)));
    }
  }
  const float scale = 1.0f / static_cast<float>(std::max(count, 1));
  for (int v = 0; v < versions; ++v)
  {
    sum.Set(v, scale * sum.Get(v));
  }
  return sum;
}

void
MeshSteps::SmoothByBands()
{
  std::array<std::vector<double>, numberOfBands> coefficients;
  for (int band = 0; band < numberOfBands; ++band)
  {
    coefficients[band] = LowPassCoefficients(passBands[band], sincSteps);
  }
  // Displacements T_i y - y of Chebyshev polynomials, and the mean over the neighbors of the input positions minus the
  // vertex's own.
  VersionArray before(m_Noisy.size(), VersionVectors{});
  VersionArray last(m_Noisy.size());
  VersionArray next(m_Noisy.size());
  VersionArray bends(m_Noisy.size());
  this->ForEachVertex([&](std::int64_t i) {
    bends[i] = this->MeanOfNeighbors(m_Noisy, i);
    for (int v = 0; v < versions; ++v)
    {
      last[i].Set(v, 0.5f * bends[i].Get(v));
      for (int band = 0; band < numberOfBands; ++band)
      {
        m_Bands[band][i].Set(v, static_cast<float>(coefficients[band][1]) * last[i].Get(v));
      }
    }
  });
  for (int step = 2; step <= sincSteps; ++step)
  {
    this->ForEachVertex([&](std::int64_t i) {
      const VersionVectors mean = this->MeanOfNeighbors(last, i);
      for (int v = 0; v < versions; ++v)
      {
        const Vector3 own = last[i].Get(v);
        const Vector3 moved = NextChebyshev(own, own + mean.Get(v), before[i].Get(v), bends[i].Get(v));
        next[i].Set(v, moved);
        for (int band = 0; band < numberOfBands; ++band)
        {
          VersionVectors & sum = m_Bands[band][i];
          sum.Set(v, sum.Get(v) + static_cast<float>(coefficients[band][step]) * moved);
        }
      }
    });
    before.swap(last);
    last.swap(next);
  }
}

void
MeshSteps::StartGuide()
{
  const VersionArray & pilot = m_Bands[0];
  this->ForEachTriangle([&](std::int64_t i) {
    const std::int32_t * const corners = CornersOf(m_Mesh, i);
    for (int v = 0; v < versions; ++v)
    {
      Vector3 noisy[3];
      Vector3 smooth[3];
      for (int k = 0; k < 3; ++k)
      {
        noisy[k] = m_Noisy[corners[k]].Get(v);
        smooth[k] = noisy[k] + pilot[corners[k]].Get(v);
      }
      const Vector3 area = AreaVector(smooth[0], smooth[1], smooth[2]);
      m_AreaVectors[i].Set(v, AreaVector(noisy[0], noisy[1], noisy[2]));
      m_FirstGuides[i].Set(v, Normalized(area, { 0.0f, 0.0f, 0.0f }));
      if (v == 0)
      {
        const Vector3 center = (1.0f / 3.0f) * (smooth[0] + smooth[1] + smooth[2]);
        m_Areas[i] = std::sqrt(Dot(area, area));
        m_Centers[3 * i] = center.x;
        m_Centers[3 * i + 1] = center.y;
        m_Centers[3 * i + 2] = center.z;
      }
    }
  });
}

void
MeshSteps::FindPairs(float radius)
{
  const Context::ProgressPause pause(m_Context);
  m_Pairs.Find(m_Context, m_Centers, radius);
}

void
MeshSteps::WeighPairs(const NormalScale & scale)
{
  const Context::ProgressPause pause(m_Context);
  m_Pairs.Weigh(m_Context, m_Centers, scale);
}

void
MeshSteps::PassOverNeighbors(const NormalScale & scale, bool isFirst, bool isLast)
{
  const Context::ProgressPause pause(m_Context);
  const float                  cosineFactor = CosineFactor(scale);
  const VersionArray &         vectors = isFirst ? m_AreaVectors : m_Residuals;
  m_Context.ParallelFor(m_Pairs.NumberOfTasks(), [&](std::int64_t number) {
    const TrianglePairs::Task & task = m_Pairs.GetTask(number);
    VectorDispatch([&] {
      for (std::size_t row = 0; row < task.first.size(); ++row)
      {
        const std::int64_t   triangle = number * trianglesPerTask + static_cast<std::int64_t>(row);
        const VersionVectors guide = m_Guides[triangle];
        const std::int64_t   end = task.first[row] + task.count[row];
        VersionSums          sums{};
        for (std::int64_t i = task.first[row]; i < end; i += neighborsAtOnce)
        {
          const int count = static_cast<int>(std::min<std::int64_t>(neighborsAtOnce, end - i));
          AddNeighbors(task, i, count, guide, m_Guides.data(), vectors.data(), m_Areas.data(), cosineFactor, sums);
        }
        VersionVectors vectorSums{};
        VersionNumbers areaSums{};
        StoreLanes(sums.x, vectorSums.x);
        StoreLanes(sums.y, vectorSums.y);
        StoreLanes(sums.z, vectorSums.z);
        StoreLanes(sums.area, areaSums.values);
        for (int v = 0; v < versions; ++v)
        {
          const Vector3 before = isFirst ? Vector3{ 0.0f, 0.0f, 0.0f } : m_Means[triangle].Get(v);
          const Vector3 mean =
            WithMean(before, { vectorSums.x[v], vectorSums.y[v], vectorSums.z[v], areaSums.values[v] });
          m_Means[triangle].Set(v, mean);
          m_NextResiduals[triangle].Set(v, ResidualOf(m_AreaVectors[triangle].Get(v), m_Areas[triangle], mean));
          if (isLast)
          {
            m_NextGuides[triangle].Set(v, Normalized(mean, guide.Get(v)));
          }
        }
      }
    });
  });
  m_Residuals.swap(m_NextResiduals);
  if (isLast)
  {
    m_Guides.swap(m_NextGuides);
  }
}

void
MeshSteps::FilterNormals(const NormalScale & scale)
{
  m_Guides = m_FirstGuides;
  for (int round = 0; round < scale.rounds; ++round)
  {
    for (int pass = 0; pass <= scale.twicings; ++pass)
    {
      this->PassOverNeighbors(scale, pass == 0, pass == scale.twicings);
    }
  }
}

void
MeshSteps::MoveVertices(const NormalScale & scale)
{
  m_Vertices = m_Noisy;
  for (int step = 0; step < scale.vertexSteps; ++step)
  {
    this->ForEachTriangle([&](std::int64_t i) {
      const std::int32_t * const corners = CornersOf(m_Mesh, i);
      CUDANEURO_INDEPENDENT_ITERATIONS
      for (int v = 0; v < versions; ++v)
      {
        m_Offsets[i].values[v] = PlaneOffset(m_Guides[i].Get(v),
                                             m_Vertices[corners[0]].Get(v),
                                             m_Vertices[corners[1]].Get(v),
                                             m_Vertices[corners[2]].Get(v));
      }
    });
    this->ForEachVertex([&](std::int64_t i) {
      const VersionVectors own = m_Vertices[i];
      const std::int32_t   first = m_Mesh.firstTriangle[i];
      const std::int32_t   end = m_Mesh.firstTriangle[i + 1];
      VersionVectors       sum{};
      for (std::int32_t k = first; k < end; ++k)
      {
        const std::int32_t     triangle = m_Mesh.trianglesOf[k];
        const VersionVectors & normal = m_Guides[triangle];
        const VersionNumbers & offset = m_Offsets[triangle];
        CUDANEURO_INDEPENDENT_ITERATIONS
        for (int v = 0; v < versions; ++v)
        {
          sum.Set(v, sum.Get(v) + PullOf(normal.Get(v), offset.values[v], own.Get(v)));
        }
      }
      const float scaleOfMean = 1.0f / static_cast<float>(std::max(end - first, 1));
      for (int v = 0; v < versions; ++v)
      {
        m_Vertices[i].Set(v, own.Get(v) + scaleOfMean * sum.Get(v));
      }
    });
  }
}

} // namespace cudaneuro::cpu
