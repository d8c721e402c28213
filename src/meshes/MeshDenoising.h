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

/** What DenoiseMesh computes on a device, for the vertices in their order. Lengths are in mean edge lengths. */
struct DenoisedVertices
{
  /** The noise that was given, or is estimated where that is 0. */
  double       noise = 0.0;
  std::int64_t borderEdges = 0;
  /** Three coordinates for each vertex. */
  std::vector<float> displacements;
  /** The same of the normals of a smooth version of the mesh. */
  std::vector<float> normals;
  /** The pooled risk of each candidate at each vertex, as an array of shape (vertices, numberOfCandidates), for
   * tests. */
  std::vector<float> risks;
};

/** How often residuals at both ends of an edge have one sign, and how often they have two. Edges count at both ends. */
struct SignCounts
{
  std::int64_t equal = 0;
  std::int64_t unequal = 0;
};

/** The noise that leaves these residuals, whose deviation is that of the noise; 0 stands for none. */
double
NoiseOfResiduals(std::vector<float> residuals, const SignCounts & signs);

/** What the noise makes of the scales of the risk. */
struct RiskNoise
{
  /** How far a probe moves a vertex. */
  float probe = 0.0f;
  /** Of the sum of all probes' responses. */
  float divergenceScale = 0.0f;
  /** Twice the noise at a vertex, and twice that along an edge, of whose independent signs the mean square of the
   * difference is 2. */
  float riskOfNoisy = 0.0f;
  /** Of 2, for the weights. */
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

/** For the steps of the low-pass filters of what the mixture has taken, from 0 to sincSteps. */
std::vector<PartCoefficients>
CoefficientsOfParts();

/** The coefficients of Chebyshev's polynomials of the mean over a vertex and its neighbors, by which numbers are pooled:
 * x^n is the sum of 2^(1 - n) (n over (n - k) / 2) T_k(x) over even k, for even n; half of that for k = 0. What is left
 * out goes to the first, so that constants stay. */
std::vector<float>
PoolingCoefficients();

/** Versions of a mesh that differ by where its vertices are: three coordinates of version v of vertex i from element
 * 3 (versions i + v) on. */
using VersionPositions = std::vector<float>;

/** Filters normals of a mesh at some scales, as DenoiseVertices, with the mesh itself as the pilot.
 * \param scales of radii that do not increase
 * \param moves from the vertices of \p surface to those of the versions, in mean edge lengths
 * \returns the same after each scale */
std::vector<VersionPositions>
FilterVersions(Context &                        context,
               const ConstTriangles &           surface,
               const MeshMeasures &             measures,
               const std::vector<NormalScale> & scales,
               const VersionPositions &         moves);

/** The order of FilterVersions. */
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

/** The order of the computation, on a device whose steps these are. */
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

/** Noise of 0 is estimated. */
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

/** On the context's device. */
DenoisedVertices
DenoiseVertices(Context &              context,
                const ConstTriangles & surface,
                const MeshMeasures &   measures,
                double                 noise,
                bool                   keepsRisks = false);

} // namespace cudaneuro

#endif
