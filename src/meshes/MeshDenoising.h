// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshDenoising_h
#define cudaneuro_meshes_MeshDenoising_h

#include "cudaneuro/MeshDenoising.h"
#include "core/ApproximateMath.h"
#include "core/Dispatch.h"
#include "meshes/MeshDenoisingScales.h"
#include "meshes/MeshRemainderFormulas.h"
#include "meshes/MeshTopology.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** The output of a device for DenoiseMesh, with vertices in their original order. Lengths are in mean edge lengths. */
struct DenoisedVertices
{
  /** The given noise, or the estimate if that is 0. */
  double       noise = 0.0;
  std::int64_t borderEdges = 0;
  /** Three coordinates for each vertex. */
  std::vector<float> displacements;
  /** Normals of a smooth version of the mesh, three coordinates for each vertex. */
  std::vector<float> normals;
  /** The pooled risk of each candidate at each vertex, as an array of shape (vertices, numberOfCandidates), for
   * tests. */
  std::vector<float> risks;
};

/** Numbers of edges whose residuals have equal signs at both ends, and unequal signs. Edges count at both ends. */
struct SignCounts
{
  std::int64_t equal = 0;
  std::int64_t unequal = 0;
};

/** The noise of a mesh with these residuals, whose standard deviation is that of the noise; 0 if there is none. */
double
NoiseOfResiduals(std::vector<float> residuals, const SignCounts & signs);

/** The scales of the risk, which depend on the noise. */
struct RiskNoise
{
  /** The distance by which a probe moves a vertex. */
  float probe = 0.0f;
  /** Factor of the sum of all probes' responses. */
  float divergenceScale = 0.0f;
  /** Risk of the noisy mesh: twice the noise's square at a vertex, and twice that along an edge, where the difference
   * of independent signs has the mean square 2. */
  float riskOfNoisy = 0.0f;
  /** Factor of a risk in the weight's exponent of 2. */
  float exponent = 0.0f;

  RiskNoise() = default;
  explicit RiskNoise(float noise)
  {
    const float bounded = std::clamp(noise, leastNoise, mostNoise);
    const float squared = bounded * bounded;
    probe = std::max(probeOfNoise * bounded, leastProbe);
    divergenceScale = divergenceFactor * 2.0f * squared / (probe * static_cast<float>(numberOfProbes));
    riskOfNoisy = divergenceFactor * (2.0f + 4.0f) * squared;
    exponent = -static_cast<float>(log2OfE) / (riskScale * squared);
  }
};

/** The coefficients of the remainder's low-pass filters for each step from 0 to sincSteps. */
std::vector<PartCoefficients>
CoefficientsOfParts();

/** Coefficients of Chebyshev polynomials of the mean over a vertex and its neighbors, for pooling: x^n is the sum of
 * 2^(1 - n) (n over (n - k) / 2) T_k(x) over even k, for even n; half of that for k = 0. The truncated rest is added to
 * the first one, so that constants are kept. */
std::vector<float>
PoolingCoefficients();

/** Versions of a mesh with different positions of its vertices: the three coordinates of version v of vertex i begin at
 * element 3 (versions i + v). */
using VersionPositions = std::vector<float>;

/** Filters the normals of a mesh at several scales, like DenoiseVertices, with the mesh itself as the pilot.
 * \param scales with radii that do not increase
 * \param moves from the vertices of \p surface to those of the versions, in mean edge lengths
 * \returns the moves after each scale */
std::vector<VersionPositions>
FilterVersions(Context &                        context,
               const ConstTriangles &           surface,
               const MeshMeasures &             measures,
               const std::vector<NormalScale> & scales,
               const VersionPositions &         moves);

/** The sequence of FilterVersions for a device. */
template <typename TSteps>
std::vector<VersionPositions>
RunVersionFilter(TSteps & steps, const std::vector<NormalScale> & scales, const VersionPositions & moves)
{
  std::vector<VersionPositions> results;
  steps.TakeVersions(moves);
  steps.StartGuide();
  steps.FindPairs(scales.front().radius);
  for (const NormalScale & scale : scales)
  {
    steps.WeighPairs(scale);
    steps.FilterNormals(scale);
    steps.MoveVertices(scale);
    results.push_back(steps.GetMoves());
  }
  return results;
}

/** The sequence of the denoising for a device with these steps. */
template <typename TSteps>
void
RunMeshDenoising(Context & context, TSteps & steps, double & noise)
{
  Context::ProgressSteps progress(context);
  const auto             report = [&](double end) {
    progress.UpTo(end);
    context.ReportProgress(0.0);
  };
  const auto denoise = [&](const NormalScale & scale) {
    steps.WeighPairs(scale);
    steps.FilterNormals(scale);
    steps.MoveVertices(scale);
  };
  report(0.05);
  steps.SmoothByBands();
  steps.StartGuide();
  noise = noise > 0.0 ? noise : steps.EstimateNoise();
  const NormalScale & scaleOfNormals = normalScales[normalsOfScale];
  report(0.15);
  steps.FindPairs(scaleOfNormals.radius);
  denoise(scaleOfNormals);
  steps.TakeNormals();

  steps.Probe(static_cast<float>(noise));
  steps.SmoothByBands();
  steps.StartGuide();
  for (int band = 0; band < numberOfBands; ++band)
  {
    steps.MeasureBand(band);
  }
  report(0.2);
  steps.FindPairs(normalScales[0].radius);
  for (int i = 0; i < numberOfScales; ++i)
  {
    report(0.2 + 0.7 * (i + 1) / numberOfScales);
    denoise(normalScales[i]);
    steps.Measure(i);
  }
  report(1.0);
  steps.PoolRisks();
  steps.Mix();
  steps.ReturnRemainders();
}

/** Denoises the vertices of a mesh; a noise of 0 is estimated. */
CUDANEURO_ON_BOTH(DenoisedVertices DenoiseVertices(Context &              context,
                                                   const ConstTriangles & surface,
                                                   const MeshMeasures &   measures,
                                                   double                 noise,
                                                   bool                   keepsRisks = false));
CUDANEURO_ON_BOTH(std::vector<VersionPositions> FilterVersions(Context &                        context,
                                                               const ConstTriangles &           surface,
                                                               const MeshMeasures &             measures,
                                                               const std::vector<NormalScale> & scales,
                                                               const VersionPositions &         moves));

/** Denoises the vertices of a mesh on the context's device. */
DenoisedVertices
DenoiseVertices(Context &              context,
                const ConstTriangles & surface,
                const MeshMeasures &   measures,
                double                 noise,
                bool                   keepsRisks = false);

} // namespace cudaneuro

#endif
