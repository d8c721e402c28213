// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshDenoisingScales_h
#define cudaneuro_meshes_MeshDenoisingScales_h

#include <array>

/** The constants of DenoiseMesh. Lengths are in mean edge lengths. */
namespace cudaneuro
{

/** A filter of the normals, and of the vertices that follow them. */
struct NormalScale
{
  /** Triangles take part whose centers are within the radius; their weights have this Gaussian of the distance of
   * centers, and one of the difference of unit normals. */
  float radius;
  float centerSigma;
  float normalSigma;
  /** Rounds of guidance; steps of the vertices; how often the residuals are smoothed, too. */
  int rounds;
  int vertexSteps;
  int twicings;
};

constexpr int numberOfScales = 12;
/** From smooth to rough; radii do not increase. */
constexpr std::array<NormalScale, numberOfScales> normalScales = { { { 5.0f, 2.6f, 0.35f, 8, 30, 0 },
                                                                     { 4.5f, 2.3f, 0.35f, 8, 30, 0 },
                                                                     { 4.5f, 2.3f, 0.6f, 4, 30, 1 },
                                                                     { 4.0f, 2.0f, 0.6f, 4, 20, 1 },
                                                                     { 3.5f, 1.7f, 0.6f, 2, 20, 1 },
                                                                     { 3.5f, 1.8f, 1.0f, 2, 20, 4 },
                                                                     { 3.0f, 1.5f, 1.0f, 2, 15, 3 },
                                                                     { 2.5f, 1.2f, 1.0f, 2, 15, 2 },
                                                                     { 2.2f, 1.0f, 1.0f, 2, 15, 2 },
                                                                     { 2.0f, 0.8f, 1.0f, 2, 15, 3 },
                                                                     { 1.6f, 0.6f, 1.0f, 1, 15, 3 },
                                                                     { 1.4f, 0.5f, 1.0f, 1, 10, 5 } } };
/** The scale whose result has the normals along which probes move the vertices, and along which the risk is
 * measured. */
constexpr int normalsOfScale = 4;

/** Windowed sinc filters: the pilot is the first, whose surface has the distances between triangles and the first
 * guide. */
constexpr int                               numberOfBands = 4;
constexpr std::array<double, numberOfBands> passBands = { 0.1, 0.02, 0.2, 0.5 };
constexpr int                               sincSteps = 20;

/** The scales, then the bands. The noisy mesh itself comes after them. */
constexpr int numberOfCandidates = numberOfScales + numberOfBands;

/** Random probes of the divergence, and the versions of the mesh: the noisy one, and one for each probe. */
constexpr int numberOfProbes = 3;
constexpr int versions = 1 + numberOfProbes;
/** How far a probe moves the vertices: so many deviations of the noise, but at least the second number, below which the
 * differences of single precision would tell nothing. */
constexpr float probeOfNoise = 0.1f;
constexpr float leastProbe = 0.003f;
/** Risks are measured with at least so much noise, which single precision resolves, and at most so much, beyond
 * which no filter tells more. */
constexpr float leastNoise = 1e-5f;
constexpr float mostNoise = 10.0f;

/** Factor of the divergence in the risk. It is 1 in Stein's estimate, which takes scales that are somewhat too
 * rough. */
constexpr float divergenceFactor = 1.1f;
/** The power of the mean over a vertex and its neighbors that the risk is pooled by: some 500 vertices; and the degree of
 * Chebyshev's polynomials of the mean that add up to this power within 1e-6. */
constexpr int poolingSteps = 200;
constexpr int poolingDegree = 70;
/** Weights fall by 1 / e with so much risk, in squares of the noise. */
constexpr float riskScale = 0.02f;

/** What the mixture has taken is divided by low-pass filters with these pass bands, in eigenvalues of 1 less the mean
 * over the neighbors. Of a part that is noise alone, chance makes shares up to the second number: it becomes 0. */
constexpr int                                remainderParts = 4;
constexpr std::array<double, remainderParts> remainderBands = { 0.01, 0.05, 0.1, 0.25 };
constexpr float                              leastShare = 0.2f;

/** The noise is estimated in neighborhoods of this radius. */
constexpr float noiseRadius = 2.6f;
/** What cubic surfaces leave of noise changes its sign along edges, and what they leave of a shape does not: the
 * fraction of edges with equal signs, less that of edges with unequal signs, is the first number where there is
 * noise only, or less, and the second where there is none, or more. On 13 shapes and two cortices it is -0.10 to
 * -0.16 for noise of 0.3 edges, and 0.06 to 0.39 without. */
constexpr double agreementOfNoise = -0.12;
constexpr double agreementOfShape = 0.06;

/** Where a triangle has more neighbors than this, its radius is smaller. */
constexpr int mostNeighbors = 512;

} // namespace cudaneuro

#endif
