// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelFits_h
#define cudaneuro_labels_levels_LabelFits_h

#include "meshes/MeshDenoisingScales.h"

#include <algorithm>
#include <array>
#include <cstddef>

/** The constants of MakeLabelSurfaces. Lengths are in voxels; if these are anisotropic, in units of their shortest
 * side. */
namespace cudaneuro
{

/** The parameters of a level set's fit to the labels. */
struct LabelFit
{
  /** Standard deviation of the Gaussian that smooths the label initially. */
  float pilotSigma;
  /** Width tau of the likelihood. */
  float width;
  /** Factor of the roughness penalty. */
  float penalty;
  int   rounds;
  int   steps;
  /** Reach of the labels, which have the weight exp(-(distance / reach)^4). */
  float reach;
};

constexpr int numberOfFits = 9;
/** The fits, from rough to smooth; fits with the same pilot are adjacent. */
constexpr std::array<LabelFit, numberOfFits> labelFits = { { { 1.5f, 0.1f, 0.001f, 2, 40, 3.0f },
                                                             { 1.5f, 0.05f, 0.1f, 2, 40, 3.0f },
                                                             { 1.5f, 0.1f, 1.0f, 2, 25, 3.0f },
                                                             { 1.5f, 0.2f, 3.0f, 2, 25, 3.0f },
                                                             { 1.5f, 0.3f, 30.0f, 3, 25, 3.0f },
                                                             { 2.5f, 0.3f, 30.0f, 3, 25, 3.0f },
                                                             { 3.5f, 0.35f, 100.0f, 4, 25, 3.0f },
                                                             { 3.5f, 0.5f, 3000.0f, 4, 25, 3.0f },
                                                             { 5.0f, 0.5f, 3000.0f, 4, 25, 3.0f } } };
/** From this fit on, changes are so smooth that cubic B-splines with nodes at every second voxel represent them. */
constexpr std::size_t firstSplineFit = 2;
/** From this fit on, nodes at every fourth voxel suffice. */
constexpr std::size_t firstCoarseFit = 6;
/** The last step of the vertices. Its tau is the width of the likelihood, clamped to [0.05, 0.5]. */
constexpr LabelFit
LastFit(float width)
{
  return { 0.0f, std::clamp(width, 0.05f, 0.5f), 30.0f, 1, 60, 2.0f };
}
/** Maximum distance from the surface at which labels count in the last step. */
constexpr float reachOfLastFit = 2.6f;

/** Labels within this distance of the surface in one of these fits judge the fits and the meshes. */
constexpr int   firstJudgingFit = 3;
constexpr int   lastJudgingFit = 6;
constexpr float judgedDistance = 1.6f;

/** Labels are divided at random into this number of parts. Version 0 of a level set or mesh uses all of them; version i
 * leaves out part i. Part 0 is never left out, because four versions fill a vector register. */
constexpr int numberOfParts = 4;
static_assert(numberOfParts == versions, "level sets have as many versions as meshes");

/** Candidates for the width of the logistic function in the likelihood of left-out labels. */
constexpr int                               numberOfWidths = 10;
constexpr std::array<float, numberOfWidths> judgingWidths = { 0.03f, 0.05f, 0.08f, 0.12f, 0.18f,
                                                              0.25f, 0.35f, 0.5f,  0.7f,  1.0f };
/** Probability of labels that are unrelated to the distance. */
constexpr float outlierProbability = 0.002f;
/** Standard deviation of the Gaussian that pools likelihoods. */
constexpr float poolingSigma = 6.0f;

/** Noise of labels may be correlated over voxels. These are the fractions of a label's noise that its distance has in
 * common with it in each fit that leaves the label out: the mean of (distance by the other labels - true distance)
 * (label - its probability) over the noise's variance, for Gaussian fields smoothed by 1.5 voxels, on balls of radius
 * 13. The loss of left-out labels is too small by the variance times this over the width (Efron 2004). */
constexpr std::array<float, numberOfFits> correlatedShares = { 0.28f,  0.26f,  0.235f, 0.21f, 0.183f,
                                                               0.145f, 0.105f, 0.086f, 0.062f };
/** Standard deviation of the distances by which the penalty measures noise where it is correlated, and the exponent of
 * the likelihood there. */
constexpr float correlatedNoise = 0.5f;
constexpr float correlatedPower = 0.3f;
/** From this width of the likelihood on, the noise is that of single voxels. */
constexpr float widthOfSingleVoxels = 0.2f;
/** Noise is correlated everywhere if the lower quartile of the difference of fits 1 and 2 (counted from 0), a root mean
 * square in this Gaussian, is above the second number, and the mean index of the fits is at most the third. */
constexpr double sigmaOfFineNoise = 2.5;
constexpr float  leastFineNoise = 0.104f;
constexpr float  mostRankOfNoise = 1.2f;
/** With this noise presumed, noise is correlated where the mean index of the fits is above the second number, and the
 * surface moves by more than the third; these places are smoothed by a Gaussian of the fourth. */
constexpr float  presumedNoise = 0.4f;
constexpr float  rankOfSmooth = 5.5f;
constexpr float  leastMove = 0.13f;
constexpr double sigmaOfCorrelation = 3.0;
/** Such places are shape, not noise, unless they are at least this fraction of the surface; the second number applies
 * if the finest fits show noise of at least the third, measured with the factor of the fourth. */
constexpr float leastPart = 0.97f;
constexpr float leastPartOfEvident = 0.1f;
constexpr float evidentNoise = 0.2f;
constexpr float stepOfNoise = 0.0765f;

/** Candidates for the mesh: the contour itself, then filters of the normals at four of the scales of DenoiseMesh. */
constexpr int                                         numberOfMeshScales = 4;
constexpr std::array<NormalScale, numberOfMeshScales> meshScales = {
  normalScales[0], normalScales[2], normalScales[3], normalScales[5]
};
constexpr int numberOfMeshCandidates = 1 + numberOfMeshScales;

/** The fraction of correlatedShares that remains in each candidate. */
constexpr std::array<float, numberOfMeshCandidates> sharesOfCandidates = { 1.0f, 0.77f, 0.84f, 0.89f, 0.97f };

/** Half-width of the computed band, for isotropic voxels. */
constexpr float bandRadius = 6.0f;
/** Maximum number of parts of a longer voxel: farther apart, the surface between slices is smooth anyway. */
constexpr int mostDivision = 12;
/** Number of free voxels between the band and the faces of its box. */
constexpr float bandMargin = 1.5f;

/** Parts of a label are thin where the volume within the pooling's Gaussian is less than the area times the first
 * thickness, which is that of rods of radius 2.2, balls of 3.3, and plates 2.2 thick. The volume of thin parts is kept
 * locally, that of parts above the second thickness with the volume of the whole. */
constexpr float thinThickness = 1.1f;
constexpr float thickThickness = 1.5f;
/** Vertices of thin parts move in at most this number of rounds, by steps of at most the first length in voxels, until
 * all steps are shorter than the second. */
constexpr int   volumeRounds = 6;
constexpr float longestVolumeStep = 0.3f;
constexpr float shortestVolumeStep = 0.005f;
/** The volume of the whole is kept if at most the first fraction of the boundary's voxels is isolated, and not from the
 * second fraction on. Segmentations of heads mostly have 0.005; flips with a probability of 0.15 give 0.045. */
constexpr double fewSingleVoxels = 0.02;
constexpr double mostSingleVoxels = 0.08;
/** Reach of the distances from which the volume is computed. */
constexpr double reachOfVolume = 1.5;
/** Minimum local area by which is divided. */
constexpr float leastArea = 1e-6f;

/** Maximum error of a polynomial of the Laplacian. */
constexpr double seriesTolerance = 1e-3;
/** Maximum error of the pooling's polynomial, whose Gaussian is at most 3e-4. */
constexpr double poolingTolerance = 1e-7;

} // namespace cudaneuro

#endif
