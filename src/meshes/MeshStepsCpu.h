// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshStepsCpu_h
#define cudaneuro_meshes_MeshStepsCpu_h

#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"
#include "meshes/MeshDenoising.h"
#include "meshes/TrianglePairsCpu.h"
#include "meshes/VersionArray.h"

#include <algorithm>
#include <array>

namespace cudaneuro::cpu
{

/** The steps of RunMeshDenoising on the CPU. */
class MeshSteps
{
public:
  MeshSteps(Context & context, const MeshTopology & mesh);
  /** Runs the low-pass filters of all versions. */
  void
  SmoothByBands();
  /** Computes area vectors of the noisy versions, and the first guides, which are normals of the pilots; centers and
   * areas of the first pilot's triangles. */
  void
  StartGuide();
  /** \returns the standard deviation of the noise, from residuals of the noisy mesh relative to its pilot */
  double
  EstimateNoise();
  void
  FindPairs(float radius);
  void
  WeighPairs(const NormalScale & scale);
  void
  FilterNormals(const NormalScale & scale);
  /** Moves the vertices from the noisy positions to fit the filtered normals. */
  void
  MoveVertices(const NormalScale & scale);
  /** Stores the normals of the vertices' surface for probes and risks. */
  void
  TakeNormals();
  /** Moves the noisy vertices of all versions except the first. */
  void
  Probe(float noise);
  /** Stores the vertices as a candidate, with their risks. */
  void
  Measure(int candidate);
  /** Stores the result of a low-pass filter as a candidate, with its risks. */
  void
  MeasureBand(int band);
  void
  PoolRisks();
  /** Computes the displacements of the candidates' weighted mean. */
  void
  Mix();
  /** Returns shape that the mixture has removed (MeshRemainderFormulas.h). */
  void
  ReturnRemainders();

  DenoisedVertices
  TakeResult(double noise, bool keepsRisks);

  /** Sets the noisy versions. */
  void
  TakeVersions(const VersionPositions & moves);
  /** The moves from the vertices of the mesh to the current ones. */
  VersionPositions
  GetMoves() const;

private:
  using MovesArray = std::vector<NormalMoves>;
  struct Risks
  {
    float numbers[numberOfCandidates];
  };

  /** Calls body(i) for all i, compiled for the processor's vectors. */
  template <typename TBody>
  void
  ForEach(std::int64_t count, const TBody & body);
  template <typename TBody>
  void
  ForEachVertex(const TBody & body)
  {
    this->ForEach(m_Mesh.numberOfVertices, body);
  }
  template <typename TBody>
  void
  ForEachTriangle(const TBody & body)
  {
    this->ForEach(m_Mesh.numberOfTriangles, body);
  }
  /** Replaces the numbers of vertices by means over many vertices around each vertex. */
  template <typename TNumbers>
  void
  Pool(std::vector<TNumbers> & ofVertices);
  /** Adds the weighted means of the residuals to the mean normals, and computes new residuals or guides from them. */
  void
  PassOverNeighbors(const NormalScale & scale, bool isFirst, bool isLast);
  /** The mean over the neighbors that low-pass filters use of their vectors minus the vertex's vector. */
  VersionVectors
  MeanOfNeighbors(const VersionArray & vectors, std::int64_t vertex) const;
  Vector3
  NoisyVertex(std::int64_t vertex) const;
  /** The normal of the triangles around a vertex, of the first version. */
  Vector3
  NormalAt(const VersionArray & vertices, std::int64_t vertex) const;

  Context &            m_Context;
  const MeshTopology & m_Mesh;
  /** Arrays of vertices: the noisy ones, the moved ones, and the displacements of low-pass filters. */
  VersionArray                            m_Noisy;
  VersionArray                            m_Vertices;
  std::array<VersionArray, numberOfBands> m_Bands;
  /** Arrays of triangles. */
  VersionArray                m_AreaVectors;
  VersionArray                m_FirstGuides;
  VersionArray                m_Guides;
  VersionArray                m_NextGuides;
  VersionArray                m_Means;
  VersionArray                m_Residuals;
  VersionArray                m_NextResiduals;
  std::vector<VersionNumbers> m_Offsets;
  std::vector<float>          m_Centers;
  std::vector<float>          m_Areas;
  TrianglePairs               m_Pairs;

  VectorArray                                 m_Normals;
  std::vector<std::uint8_t>                   m_Signs;
  RiskNoise                                   m_Noise;
  std::array<VectorArray, numberOfCandidates> m_Candidates;
  std::array<MovesArray, numberOfCandidates>  m_CandidateMoves;
  std::vector<Risks>                          m_Risks;
  /** Results of the mixture. */
  MovesArray         m_Moves;
  std::vector<float> m_Displacements;
};

/** Number of vertices or triangles that a task processes. */
constexpr std::int64_t elementsPerTask = 1024;

template <typename TBody>
void
MeshSteps::ForEach(std::int64_t count, const TBody & body)
{
  const Context::ProgressPause pause(m_Context);
  m_Context.ParallelFor(DivideUp(count, elementsPerTask), [&](std::int64_t task) {
    const std::int64_t end = std::min((task + 1) * elementsPerTask, count);
    VectorDispatch([&] {
      for (std::int64_t i = task * elementsPerTask; i < end; ++i)
      {
        body(i);
      }
    });
  });
}

template <typename TNumbers>
void
MeshSteps::Pool(std::vector<TNumbers> & ofVertices)
{
  const std::vector<float> coefficients = PoolingCoefficients();
  std::vector<TNumbers>    last = ofVertices;
  std::vector<TNumbers>    before(last.size());
  this->ForEachVertex([&](std::int64_t i) {
    for (float & number : ofVertices[i].numbers)
    {
      number *= coefficients[0];
    }
  });
  for (int step = 1; step <= poolingDegree; ++step)
  {
    this->ForEachVertex([&](std::int64_t i) {
      TNumbers           sum = last[i];
      const std::int32_t first = m_Mesh.firstNeighbor[i];
      const std::int32_t end = m_Mesh.firstNeighbor[i + 1];
      for (std::int32_t k = first; k < end; ++k)
      {
        const TNumbers & other = last[m_Mesh.neighborsOf[k]];
        for (std::size_t number = 0; number < std::size(sum.numbers); ++number)
        {
          sum.numbers[number] += other.numbers[number];
        }
      }
      const float scale = (step == 1 ? 1.0f : 2.0f) / static_cast<float>(1 + end - first);
      for (std::size_t number = 0; number < std::size(sum.numbers); ++number)
      {
        float & next = before[i].numbers[number];
        next = scale * sum.numbers[number] - next;
        ofVertices[i].numbers[number] += coefficients[step] * next;
      }
    });
    before.swap(last);
  }
}

} // namespace cudaneuro::cpu

#endif
