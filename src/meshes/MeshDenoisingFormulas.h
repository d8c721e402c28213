// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshDenoisingFormulas_h
#define cudaneuro_meshes_MeshDenoisingFormulas_h

#include "core/ApproximateMath.h"
#include "core/HostDevice.h"
#include "meshes/MeshDenoisingScales.h"

#include <cmath>

/** The formulas of DenoiseMesh, for both compilers. */
namespace cudaneuro
{

struct Vector3
{
  float x;
  float y;
  float z;
};

CUDANEURO_HOST_DEVICE Vector3
operator+(const Vector3 & a, const Vector3 & b)
{
  return { a.x + b.x, a.y + b.y, a.z + b.z };
}

CUDANEURO_HOST_DEVICE Vector3
operator-(const Vector3 & a, const Vector3 & b)
{
  return { a.x - b.x, a.y - b.y, a.z - b.z };
}

CUDANEURO_HOST_DEVICE Vector3
operator*(float factor, const Vector3 & a)
{
  return { factor * a.x, factor * a.y, factor * a.z };
}

CUDANEURO_HOST_DEVICE float
Dot(const Vector3 & a, const Vector3 & b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

CUDANEURO_HOST_DEVICE Vector3
Cross(const Vector3 & a, const Vector3 & b)
{
  return { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

/** A vector along the triangle's normal whose length is the triangle's area. */
CUDANEURO_HOST_DEVICE Vector3
AreaVector(const Vector3 & a, const Vector3 & b, const Vector3 & c)
{
  return 0.5f * Cross(b - a, c - a);
}

/** Minimum length of a vector with a direction. Its square is not denormal. */
constexpr float leastLength = 1e-15f;

/** The vector divided by its length, or \p otherwise if it has no direction. */
CUDANEURO_HOST_DEVICE Vector3
Normalized(const Vector3 & a, const Vector3 & otherwise)
{
  const float length = std::sqrt(Dot(a, a));
  const float scale = 1.0f / (length > leastLength ? length : 1.0f);
  return length > leastLength ? scale * a : otherwise;
}

/** A neighbor has the weight exp(-|c|^2 / (2 centerSigma^2) - (1 - cos a) / normalSigma^2), where c is the vector
 * between centers, and a the angle between the guides: 1 - cos a is half the squared difference of unit normals. This
 * is the factor of the cosine in an exponent of 2. */
CUDANEURO_HOST_DEVICE float
CosineFactor(const NormalScale & scale)
{
  return static_cast<float>(log2OfE) / (scale.normalSigma * scale.normalSigma);
}

/** The part of the exponent that does not depend on the angle. */
CUDANEURO_HOST_DEVICE float
CenterExponent(const NormalScale & scale, float squaredDistance)
{
  const float factor = static_cast<float>(log2OfE) / (2.0f * scale.centerSigma * scale.centerSigma);
  return -factor * squaredDistance - CosineFactor(scale);
}

/** The weighted sum over a triangle's neighbors. */
struct NeighborSum
{
  float x;
  float y;
  float z;
  float area;
};

CUDANEURO_HOST_DEVICE void
AddNeighbor(float weight, const Vector3 & vector, float area, NeighborSum & sum)
{
  sum.x += weight * vector.x;
  sum.y += weight * vector.y;
  sum.z += weight * vector.z;
  sum.area += weight * area;
}

/** A mean normal plus the result of a pass over the neighbors. */
CUDANEURO_HOST_DEVICE Vector3
WithMean(const Vector3 & mean, const NeighborSum & sum)
{
  const float scale = sum.area > 0.0f ? 1.0f / sum.area : 0.0f;
  return { mean.x + scale * sum.x, mean.y + scale * sum.y, mean.z + scale * sum.z };
}

/** The residual of an area vector from a mean normal. */
CUDANEURO_HOST_DEVICE Vector3
ResidualOf(const Vector3 & areaVector, float area, const Vector3 & mean)
{
  return areaVector - area * mean;
}

/** The distance from the origin of the plane to which a triangle with its filtered normal is to move. */
CUDANEURO_HOST_DEVICE float
PlaneOffset(const Vector3 & normal, const Vector3 & a, const Vector3 & b, const Vector3 & c)
{
  return (1.0f / 3.0f) * Dot(normal, a + b + c);
}

/** The vector from a vertex to the plane of one of its triangles. */
CUDANEURO_HOST_DEVICE Vector3
PullOf(const Vector3 & normal, float offset, const Vector3 & vertex)
{
  return (offset - Dot(normal, vertex)) * normal;
}

/** A step of Chebyshev's recurrence for displacements from the input, T_{n+1} y - y. \p mean is that of the neighbors'
 * displacements, \p bend the mean of the neighbors' positions minus the vertex's position. */
CUDANEURO_HOST_DEVICE Vector3
NextChebyshev(const Vector3 & last, const Vector3 & mean, const Vector3 & beforeLast, const Vector3 & bend)
{
  return (last - beforeLast) + (mean + bend);
}

/** The move of a vertex along its normal by a candidate, and the change of that move in response to each probe, which
 * moved the vertex before. */
struct alignas(16) NormalMoves
{
  float move;
  float responses[numberOfProbes];
};

CUDANEURO_HOST_DEVICE NormalMoves
Plus(const NormalMoves & a, float factor, const NormalMoves & b)
{
  NormalMoves sum{ a.move + factor * b.move, {} };
  for (int probe = 0; probe < numberOfProbes; ++probe)
  {
    sum.responses[probe] = a.responses[probe] + factor * b.responses[probe];
  }
  return sum;
}

/** The moves of a vertex, from its positions in all versions of the mesh; \p noisy is its original position. */
CUDANEURO_HOST_DEVICE NormalMoves
MovesOf(const Vector3 & normal, const Vector3 & noisy, const Vector3 * denoised)
{
  NormalMoves moves{ Dot(denoised[0] - noisy, normal), {} };
  for (int probe = 0; probe < numberOfProbes; ++probe)
  {
    moves.responses[probe] = Dot(denoised[1 + probe] - denoised[0], normal);
  }
  return moves;
}

/** 1, -1, or 0. */
CUDANEURO_HOST_DEVICE float
SignOf(float x)
{
  return x > 0.0f ? 1.0f : (x < 0.0f ? -1.0f : 0.0f);
}

/** The sign of a probe at a vertex: \p signs has a bit for each probe. */
CUDANEURO_HOST_DEVICE float
SignOf(unsigned char signs, int probe)
{
  return (signs >> probe & 1) != 0 ? 1.0f : -1.0f;
}

/** The moves of the noisy mesh as a candidate, which has moved nothing and follows its probes. */
CUDANEURO_HOST_DEVICE NormalMoves
MovesOfNoisy(unsigned char signs, float probeLength)
{
  NormalMoves moves{};
  for (int probe = 0; probe < numberOfProbes; ++probe)
  {
    moves.responses[probe] = probeLength * SignOf(signs, probe);
  }
  return moves;
}

/** The divergence of the moves at a vertex: their response to the probes, summed over all of these. */
CUDANEURO_HOST_DEVICE float
DivergenceAtVertex(const NormalMoves & moves, unsigned char signs)
{
  float divergence = 0.0f;
  for (int probe = 0; probe < numberOfProbes; ++probe)
  {
    divergence += SignOf(signs, probe) * moves.responses[probe];
  }
  return divergence;
}

/** The divergence of the difference between the ends of an edge. */
CUDANEURO_HOST_DEVICE float
DivergenceAlongEdge(const NormalMoves & a, unsigned char signsOfA, const NormalMoves & b, unsigned char signsOfB)
{
  float divergence = 0.0f;
  for (int probe = 0; probe < numberOfProbes; ++probe)
  {
    divergence += (SignOf(signsOfA, probe) - SignOf(signsOfB, probe)) * (a.responses[probe] - b.responses[probe]);
  }
  return divergence;
}

/** The estimated risk of a vertex's position along its normal, up to a constant: the squared change, plus twice the
 * noise that was kept.
 * \param divergenceScale divergenceFactor * 2 * noise^2 / (length of the probe * number of probes) */
CUDANEURO_HOST_DEVICE float
RiskOfVertex(const NormalMoves & moves, unsigned char signs, float divergenceScale)
{
  return moves.move * moves.move + divergenceScale * DivergenceAtVertex(moves, signs);
}

/** The estimated risk of the difference between the ends of an edge. */
CUDANEURO_HOST_DEVICE float
RiskOfEdge(
  const NormalMoves & a, unsigned char signsOfA, const NormalMoves & b, unsigned char signsOfB, float divergenceScale)
{
  const float change = a.move - b.move;
  return change * change + divergenceScale * DivergenceAlongEdge(a, signsOfA, b, signsOfB);
}

/** Computes weights from the candidates' risks, and from that of the noisy mesh, which keeps all noise.
 * \param exponent -log2(e) / (riskScale * noise^2)
 * \returns the weight of the noisy mesh */
CUDANEURO_HOST_DEVICE float
WeightsOf(const float * risks, float riskOfNoisy, float exponent, float * weights)
{
  float least = riskOfNoisy;
  for (int i = 0; i < numberOfCandidates; ++i)
  {
    least = risks[i] < least ? risks[i] : least;
  }
  const float ofNoisy = Exp2(exponent * (riskOfNoisy - least));
  float       sum = ofNoisy;
  for (int i = 0; i < numberOfCandidates; ++i)
  {
    weights[i] = Exp2(exponent * (risks[i] - least));
    sum += weights[i];
  }
  for (int i = 0; i < numberOfCandidates; ++i)
  {
    weights[i] /= sum;
  }
  return ofNoisy / sum;
}

} // namespace cudaneuro

#endif
