// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshRemainderFormulas_h
#define cudaneuro_meshes_MeshRemainderFormulas_h

#include "meshes/MeshDenoisingFormulas.h"

#include <cstdint>

/** The mixture of the candidates has removed from the mesh a remainder of noise and some of the shape. The remainder's
 * moves along the normals are divided into parts by low-pass filters, and the share of each part with the minimum local
 * risk is returned to the mesh. A mesh is MeshTopology or DeviceMesh here. */
namespace cudaneuro
{

/** The mean over the neighbors that low-pass filters use. */
template <typename TMesh>
CUDANEURO_HOST_DEVICE NormalMoves
MeanOfMoves(const TMesh & mesh, const NormalMoves * moves, std::int64_t vertex)
{
  const std::int32_t first = mesh.firstNeighbor[vertex];
  const std::int32_t count = mesh.meanNeighbors[vertex];
  NormalMoves        sum{};
  for (std::int32_t i = first; i < first + count; ++i)
  {
    sum = Plus(sum, 1.0f, moves[mesh.neighborsOf[i]]);
  }
  return count > 0 ? Plus(NormalMoves{}, 1.0f / static_cast<float>(count), sum) : moves[vertex];
}

/** T_{n+1} of the Chebyshev polynomials of the mean over the neighbors; \p mean is the mean of T_n. */
CUDANEURO_HOST_DEVICE NormalMoves
NextPolynomial(const NormalMoves & mean, const NormalMoves & beforeLast, bool isFirst)
{
  return isFirst ? mean : Plus(Plus(NormalMoves{}, 2.0f, mean), -1.0f, beforeLast);
}

/** The coefficients of a polynomial in all bands. */
struct PartCoefficients
{
  float ofParts[remainderParts];
};

/** The low-pass filters' results, from the narrowest band to the widest. */
struct RemainderBands
{
  NormalMoves * bands[remainderParts];

  /** The part between a band and the narrower one before it. */
  CUDANEURO_HOST_DEVICE NormalMoves
  PartAt(int part, std::int64_t vertex) const
  {
    const NormalMoves own = bands[part][vertex];
    return part == 0 ? own : Plus(own, -1.0f, bands[part - 1][vertex]);
  }

  /** Sets all bands to the first Chebyshev polynomial's terms. */
  CUDANEURO_HOST_DEVICE void
  Set(const PartCoefficients & coefficients, const NormalMoves & polynomial, std::int64_t vertex) const
  {
    for (int part = 0; part < remainderParts; ++part)
    {
      bands[part][vertex] = Plus(NormalMoves{}, coefficients.ofParts[part], polynomial);
    }
  }

  /** Adds a further polynomial's terms to all bands. */
  CUDANEURO_HOST_DEVICE void
  Add(const PartCoefficients & coefficients, const NormalMoves & polynomial, std::int64_t vertex) const
  {
    for (int part = 0; part < remainderParts; ++part)
    {
      bands[part][vertex] = Plus(bands[part][vertex], coefficients.ofParts[part], polynomial);
    }
  }
};

/** The risk as a function of the share f of part k that is returned: f^2 squares + 2 f slope + constant. */
struct alignas(16) ShareRisks
{
  /** The slopes of all parts, then the squares. */
  float numbers[2 * remainderParts];
};

/** The risk of shares at a vertex, plus the mean risk along its edges.
 * \param moves of the mixture
 * \param divergenceScale see RiskOfVertex */
template <typename TMesh>
CUDANEURO_HOST_DEVICE ShareRisks
ShareRisksAt(const TMesh &          mesh,
             const NormalMoves *    moves,
             const RemainderBands & bands,
             const unsigned char *  signs,
             float                  divergenceScale,
             std::int64_t           vertex)
{
  const std::int32_t first = mesh.firstNeighbor[vertex];
  const std::int32_t end = mesh.firstNeighbor[vertex + 1];
  const float        scaleOfEdges = 1.0f / static_cast<float>(end > first ? end - first : 1);
  ShareRisks         risks{};
  for (int k = 0; k < remainderParts; ++k)
  {
    const NormalMoves part = bands.PartAt(k, vertex);
    float             slope = 0.0f;
    float             squares = 0.0f;
    for (std::int32_t i = first; i < end; ++i)
    {
      const std::int32_t other = mesh.neighborsOf[i];
      const NormalMoves  ofOther = bands.PartAt(k, other);
      const float        change = part.move - ofOther.move;
      slope += (moves[vertex].move - moves[other].move) * change +
               0.5f * divergenceScale * DivergenceAlongEdge(part, signs[vertex], ofOther, signs[other]);
      squares += change * change;
    }
    risks.numbers[k] = moves[vertex].move * part.move +
                       0.5f * divergenceScale * DivergenceAtVertex(part, signs[vertex]) + scaleOfEdges * slope;
    risks.numbers[remainderParts + k] = part.move * part.move + scaleOfEdges * squares;
  }
  return risks;
}

/** The share of a part with the minimum risk, reduced by the amount that chance gives to pure noise. */
CUDANEURO_HOST_DEVICE float
ShareOf(float slope, float squares)
{
  const float best = squares > 0.0f ? -slope / squares : 0.0f;
  const float share = (best - leastShare) / (1.0f - leastShare);
  return share > 0.0f ? (share < 1.0f ? share : 1.0f) : 0.0f;
}

/** The distance by which a vertex moves back along its normal. \p pooled are local means of risks. */
CUDANEURO_HOST_DEVICE float
ReturnedAt(const ShareRisks & pooled, const RemainderBands & bands, std::int64_t vertex)
{
  float returned = 0.0f;
  for (int k = 0; k < remainderParts; ++k)
  {
    returned += ShareOf(pooled.numbers[k], pooled.numbers[remainderParts + k]) * bands.PartAt(k, vertex).move;
  }
  return returned;
}

} // namespace cudaneuro

#endif
