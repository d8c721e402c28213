// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/IntegerMath.h"
#include "meshes/CellListsCpu.h"
#include "meshes/MeshNoiseFormulas.h"
#include "meshes/MeshStepsCpu.h"

#include <algorithm>

/** The measurement of the risk, and the mixture that follows from it. */
namespace cudaneuro::cpu
{
namespace
{

/** The first pilot, from which the noise is estimated. */
struct Pilot
{
  std::vector<float> positions;
  VectorArray        normals;
  /** Heights of the noisy vertices over the pilot. */
  std::vector<float> heights;
};

/** The residual of a cubic surface at a vertex; 0 if it has too few neighbors. \p near is scratch memory. */
float
ResidualAt(const Pilot & pilot, const CellLists & cells, std::int32_t vertex, std::vector<std::int32_t> & near)
{
  const Vector3 position = At(pilot.positions, vertex);
  const Vector3 normal = pilot.normals[vertex];
  CubicFit      fit;
  fit.Start(normal);
  fit.Add({ 0.0f, 0.0f, 0.0f });
  near.clear();
  cells.ForEachNear(pilot.positions, position, noiseRadius * noiseRadius, [&](std::int32_t other) {
    if (other != vertex && Dot(normal, pilot.normals[other]) > leastNoiseCosine)
    {
      near.push_back(other);
      fit.Add(At(pilot.positions, other) - position);
    }
    return fit.count < mostNeighbors;
  });
  if (fit.count < leastNoiseNeighbors)
  {
    return 0.0f;
  }
  fit.Solve();
  FitResidual residual;
  residual.Add(1.0f - fit.ShareOf({ 0.0f, 0.0f, 0.0f }), pilot.heights[vertex]);
  for (const std::int32_t other : near)
  {
    residual.Add(-fit.ShareOf(At(pilot.positions, other) - position), pilot.heights[other]);
  }
  return residual.Normalized();
}

} // namespace

double
MeshSteps::EstimateNoise()
{
  const auto count = static_cast<std::size_t>(m_Mesh.numberOfVertices);
  Pilot      pilot{ std::vector<float>(3 * count), VectorArray(count), std::vector<float>(count) };
  this->ForEachVertex([&](std::int64_t i) {
    m_Vertices[i].Set(0, m_Noisy[i].Get(0) + m_Bands[0][i].Get(0));
    const Vector3 position = m_Vertices[i].Get(0);
    pilot.positions[3 * i] = position.x;
    pilot.positions[3 * i + 1] = position.y;
    pilot.positions[3 * i + 2] = position.z;
  });
  this->ForEachVertex([&](std::int64_t i) {
    pilot.normals[i] = this->NormalAt(m_Vertices, i);
    pilot.heights[i] = -Dot(m_Bands[0][i].Get(0), pilot.normals[i]);
  });
  const CellLists              cells(pilot.positions, noiseRadius);
  const std::int64_t           tasks = DivideUp(std::int64_t{ m_Mesh.numberOfVertices }, elementsPerTask);
  std::vector<float>           residuals(count);
  const Context::ProgressPause pause(m_Context);
  m_Context.ParallelFor(tasks, [&](std::int64_t task) {
    std::vector<std::int32_t> near;
    const auto                end = std::min<std::int64_t>((task + 1) * elementsPerTask, m_Mesh.numberOfVertices);
    for (std::int64_t i = task * elementsPerTask; i < end; ++i)
    {
      residuals[i] = ResidualAt(pilot, cells, static_cast<std::int32_t>(i), near);
    }
  });
  SignCounts signs;
  for (std::int32_t i = 0; i < m_Mesh.numberOfVertices; ++i)
  {
    for (std::int32_t k = m_Mesh.firstNeighbor[i]; k < m_Mesh.firstNeighbor[i + 1]; ++k)
    {
      const float product = SignOf(residuals[i]) * SignOf(residuals[m_Mesh.neighborsOf[k]]);
      signs.equal += product > 0.0f ? 1 : 0;
      signs.unequal += product < 0.0f ? 1 : 0;
    }
  }
  return NoiseOfResiduals(std::move(residuals), signs);
}

Vector3
MeshSteps::NormalAt(const VersionArray & vertices, std::int64_t vertex) const
{
  Vector3 sum{ 0.0f, 0.0f, 0.0f };
  for (std::int32_t i = m_Mesh.firstTriangle[vertex]; i < m_Mesh.firstTriangle[vertex + 1]; ++i)
  {
    const std::int32_t * const corners = m_Mesh.corners.data() + 3 * std::int64_t{ m_Mesh.trianglesOf[i] };
    sum = sum + AreaVector(vertices[corners[0]].Get(0), vertices[corners[1]].Get(0), vertices[corners[2]].Get(0));
  }
  return Normalized(sum, { 0.0f, 0.0f, 0.0f });
}

void
MeshSteps::TakeNormals()
{
  this->ForEachVertex([&](std::int64_t i) { m_Normals[i] = this->NormalAt(m_Vertices, i); });
}

void
MeshSteps::Probe(float noise)
{
  m_Noise = RiskNoise(noise);
  this->ForEachVertex([&](std::int64_t i) {
    for (int probe = 0; probe < numberOfProbes; ++probe)
    {
      m_Noisy[i].Set(1 + probe, this->NoisyVertex(i) + (m_Noise.probe * SignOf(m_Signs[i], probe)) * m_Normals[i]);
    }
  });
}

void
MeshSteps::MeasureBand(int band)
{
  this->ForEachVertex([&](std::int64_t i) {
    for (int v = 0; v < versions; ++v)
    {
      m_Vertices[i].Set(v, m_Noisy[i].Get(v) + m_Bands[band][i].Get(v));
    }
  });
  this->Measure(numberOfScales + band);
}

void
MeshSteps::Measure(int candidate)
{
  MovesArray & moves = m_CandidateMoves[candidate];
  this->ForEachVertex([&](std::int64_t i) {
    Vector3 denoised[versions];
    for (int v = 0; v < versions; ++v)
    {
      denoised[v] = m_Vertices[i].Get(v);
    }
    m_Candidates[candidate][i] = denoised[0] - this->NoisyVertex(i);
    moves[i] = MovesOf(m_Normals[i], this->NoisyVertex(i), denoised);
  });
  this->ForEachVertex([&](std::int64_t i) {
    float              sum = 0.0f;
    const std::int32_t first = m_Mesh.firstNeighbor[i];
    const std::int32_t end = m_Mesh.firstNeighbor[i + 1];
    for (std::int32_t k = first; k < end; ++k)
    {
      const std::int32_t other = m_Mesh.neighborsOf[k];
      sum += RiskOfEdge(moves[i], m_Signs[i], moves[other], m_Signs[other], m_Noise.divergenceScale);
    }
    m_Risks[i].numbers[candidate] =
      RiskOfVertex(moves[i], m_Signs[i], m_Noise.divergenceScale) + sum / static_cast<float>(std::max(end - first, 1));
  });
}

void
MeshSteps::PoolRisks()
{
  this->Pool(m_Risks);
}

void
MeshSteps::Mix()
{
  this->ForEachVertex([&](std::int64_t i) {
    float       weights[numberOfCandidates];
    const float ofNoisy = WeightsOf(m_Risks[i].numbers, m_Noise.riskOfNoisy, m_Noise.exponent, weights);
    Vector3     moved{ 0.0f, 0.0f, 0.0f };
    NormalMoves moves = Plus(NormalMoves{}, ofNoisy, MovesOfNoisy(m_Signs[i], m_Noise.probe));
    for (int candidate = 0; candidate < numberOfCandidates; ++candidate)
    {
      moved = moved + weights[candidate] * m_Candidates[candidate][i];
      moves = Plus(moves, weights[candidate], m_CandidateMoves[candidate][i]);
    }
    m_Moves[i] = moves;
    if (m_Mesh.isOnBorder[i] != 0)
    {
      moved = Dot(moved, m_Normals[i]) * m_Normals[i];
    }
    m_Displacements[3 * i] = moved.x;
    m_Displacements[3 * i + 1] = moved.y;
    m_Displacements[3 * i + 2] = moved.z;
  });
}

DenoisedVertices
MeshSteps::TakeResult(double noise, bool keepsRisks)
{
  DenoisedVertices result{ noise,
                           m_Mesh.borderEdges,
                           std::vector<float>(m_Displacements.size()),
                           std::vector<float>(m_Displacements.size()),
                           {} };
  result.risks.resize(keepsRisks ? numberOfCandidates * m_Risks.size() : 0);
  for (std::size_t i = 0; i < m_Risks.size(); ++i)
  {
    const auto input = static_cast<std::size_t>(m_Mesh.inputVertex[i]);
    std::copy_n(m_Displacements.data() + 3 * i, 3, result.displacements.data() + 3 * input);
    std::copy_n(&m_Normals[i].x, 3, result.normals.data() + 3 * input);
    if (keepsRisks)
    {
      std::copy_n(m_Risks[i].numbers, numberOfCandidates, result.risks.data() + numberOfCandidates * input);
    }
  }
  return result;
}

DenoisedVertices
DenoiseVertices(
  Context & context, const ConstTriangles & surface, const MeshMeasures & measures, double noise, bool keepsRisks)
{
  MeshTopology mesh;
  {
    const Context::ProgressPause pause(context);
    mesh = MakeMeshTopology(context, surface, measures);
  }
  MeshSteps steps(context, mesh);
  RunMeshDenoising(context, steps, noise);
  return steps.TakeResult(noise, keepsRisks);
}

void
MeshSteps::TakeVersions(const VersionPositions & moves)
{
  this->ForEachVertex([&](std::int64_t i) {
    const float * const move = moves.data() + std::int64_t{ 3 } * versions * m_Mesh.inputVertex[i];
    for (int v = 0; v < versions; ++v)
    {
      const Vector3 step{ move[3 * v], move[3 * v + 1], move[3 * v + 2] };
      m_Noisy[i].Set(v, this->NoisyVertex(i) + step);
    }
  });
}

VersionPositions
MeshSteps::GetMoves() const
{
  VersionPositions moves(3 * versions * m_Vertices.size());
  for (std::size_t i = 0; i < m_Vertices.size(); ++i)
  {
    float * const move = moves.data() + std::size_t{ 3 } * versions * static_cast<std::size_t>(m_Mesh.inputVertex[i]);
    const Vector3 origin = this->NoisyVertex(static_cast<std::int64_t>(i));
    for (int v = 0; v < versions; ++v)
    {
      const Vector3 step = m_Vertices[i].Get(v) - origin;
      move[3 * v] = step.x;
      move[3 * v + 1] = step.y;
      move[3 * v + 2] = step.z;
    }
  }
  return moves;
}

std::vector<VersionPositions>
FilterVersions(Context &                        context,
               const ConstTriangles &           surface,
               const MeshMeasures &             measures,
               const std::vector<NormalScale> & scales,
               const VersionPositions &         moves)
{
  const Context::ProgressPause pause(context);
  const MeshTopology           mesh = MakeMeshTopology(context, surface, measures);
  MeshSteps                    steps(context, mesh);
  return RunVersionFilter(steps, scales, moves);
}

} // namespace cudaneuro::cpu
