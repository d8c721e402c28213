// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshDenoisingScales_h
#define cudaneuro_meshes_MeshDenoisingScales_h

#include <array>

/** The constants of DenoiseMesh. Lengths are in mean edge lengths. */
namespace cudaneuro
{

/** The parameters of a filter of the normals, and of the vertices that follow them. */
struct NormalScale
{
  /** Neighbors are the triangles whose centers are within the radius. Their weights are a Gaussian of the distance of
   * centers, times one of the difference of unit normals. */
  float radius;
  float centerSigma;
  float normalSigma;
  /** Rounds of guidance, steps of the vertices, and the number of times that residuals are smoothed and added. */
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
/** The scale whose result provides the normals along which probes move the vertices, and along which the risk is
 * measured. */
constexpr int normalsOfScale = 4;

/** Pass bands of windowed sinc filters. The first one yields the pilot, whose surface provides the distances between
 * triangles and the first guide. */
constexpr int                               numberOfBands = 4;
constexpr std::array<double, numberOfBands> passBands = { 0.1, 0.02, 0.2, 0.5 };
constexpr int                               sincSteps = 20;

/** The scales, then the bands. The noisy mesh itself follows them. */
constexpr int numberOfCandidates = numberOfScales + numberOfBands;

/** Number of random probes of the divergence, and of versions of the mesh: the noisy one, and one for each probe. */
constexpr int numberOfProbes = 3;
constexpr int versions = 1 + numberOfProbes;
/** Length by which a probe moves vertices, as a fraction of the noise, and its minimum, below which differences in
 * single precision would be meaningless. */
constexpr float probeOfNoise = 0.1f;
constexpr float leastProbe = 0.003f;
/** Range of the noise with which risks are measured: single precision resolves the minimum, and beyond the maximum no
 * filter recovers more. */
constexpr float leastNoise = 1e-5f;
constexpr float mostNoise = 10.0f;

/** Factor of the divergence in the risk. It is 1 in Stein's estimate, which chooses scales that are slightly too
 * rough. */
constexpr float divergenceFactor = 1.1f;
/** The power of the mean over a vertex and its neighbors by which the risk is pooled, over about 500 vertices; and the
 * degree of the Chebyshev series of the mean that approximates this power to 1e-6. */
constexpr int poolingSteps = 200;
constexpr int poolingDegree = 70;
/** The risk by which weights fall by 1 / e, in squares of the noise. */
constexpr float riskScale = 0.02f;

/** Pass bands of the filters that divide the remainder, which the mixture has removed, in eigenvalues of 1 minus the
 * mean over the neighbors. By chance, pure noise has shares up to the second number, which are set to 0. */
constexpr int                                remainderParts = 4;
constexpr std::array<double, remainderParts> remainderBands = { 0.01, 0.05, 0.1, 0.25 };
constexpr float                              leastShare = 0.2f;

/** Radius of the neighborhoods in which the noise is estimated. */
constexpr float noiseRadius = 2.6f;
/** Residuals from cubic surfaces change sign along edges if they are noise, but not if they are shape. The fraction of
 * edges with equal signs minus that with unequal signs is at most the first number for noise only, and at least the
 * second without noise. On 13 shapes and two cortices it is -0.10 to -0.16 for noise of 0.3 edges, and 0.06 to 0.39
 * without noise. */
constexpr double agreementOfNoise = -0.12;
constexpr double agreementOfShape = 0.06;

/** The radius of a triangle with more neighbors than this is reduced. */
constexpr int mostNeighbors = 512;

} // namespace cudaneuro

#endif
