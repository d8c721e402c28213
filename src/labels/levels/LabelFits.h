// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelFits_h
#define cudaneuro_labels_levels_LabelFits_h

#include "meshes/MeshDenoisingScales.h"

#include <algorithm>
#include <array>
#include <cstddef>

/** The constants of MakeLabelSurfaces. Lengths are in voxels, or where these are longer along some axis, in their
 * shortest side. */
namespace cudaneuro
{

/** How a level set is fitted to the labels. */
struct LabelFit
{
  /** Of the Gaussian that the label is smoothed with at first. */
  float pilotSigma;
  /** The tau of the likelihood. */
  float width;
  /** The factor of the penalty. */
  float penalty;
  int   rounds;
  int   steps;
  /** Labels count exp(-(distance / reach)^4). */
  float reach;
};

constexpr int numberOfFits = 9;
/** From rough to smooth; fits with one pilot follow each other. */
constexpr std::array<LabelFit, numberOfFits> labelFits = { { { 1.5f, 0.1f, 0.001f, 2, 40, 3.0f },
                                                             { 1.5f, 0.05f, 0.1f, 2, 40, 3.0f },
                                                             { 1.5f, 0.1f, 1.0f, 2, 25, 3.0f },
                                                             { 1.5f, 0.2f, 3.0f, 2, 25, 3.0f },
                                                             { 1.5f, 0.3f, 30.0f, 3, 25, 3.0f },
                                                             { 2.5f, 0.3f, 30.0f, 3, 25, 3.0f },
                                                             { 3.5f, 0.35f, 100.0f, 4, 25, 3.0f },
                                                             { 3.5f, 0.5f, 3000.0f, 4, 25, 3.0f },
                                                             { 5.0f, 0.5f, 3000.0f, 4, 25, 3.0f } } };
/** From here on, changes are so smooth that cubic B-splines of every second voxel have them. */
constexpr std::size_t firstSplineFit = 2;
/** And from here on, those of every fourth one. */
constexpr std::size_t firstCoarseFit = 6;
/** The last step of the vertices. Its tau is the width that the likelihood has, but from 0.05 to 0.5. */
constexpr LabelFit
LastFit(float width)
{
  return { 0.0f, std::clamp(width, 0.05f, 0.5f), 30.0f, 1, 60, 2.0f };
}
/** How far from the surface labels count in it. */
constexpr float reachOfLastFit = 2.6f;

/** Labels whose distance in one of these fits is less than the width judge the fits and the meshes. */
constexpr int   firstJudgingFit = 3;
constexpr int   lastJudgingFit = 6;
constexpr float judgedDistance = 1.6f;

/** Labels are divided into so many parts at random. Version 0 of a level set or mesh has all of them; version i leaves
 * out part i. Part 0 is never left out: four versions fill a vector register. */
constexpr int numberOfParts = 4;
static_assert(numberOfParts == versions, "level sets have as many versions as meshes");

/** Widths of the logistic function that the likelihood of labels that are left out may have. */
constexpr int                               numberOfWidths = 10;
constexpr std::array<float, numberOfWidths> judgingWidths = { 0.03f, 0.05f, 0.08f, 0.12f, 0.18f,
                                                              0.25f, 0.35f, 0.5f,  0.7f,  1.0f };
/** Of labels that have nothing to do with the distance. */
constexpr float outlierProbability = 0.002f;
/** Of the Gaussian by which likelihoods are pooled. */
constexpr float poolingSigma = 6.0f;

/** Labels' noise may be correlated over voxels. Of a fit that does not know a label, the part that its distance has in
 * common with the label's noise: the mean of (distance by the other labels - true distance) (label - its probability)
 * over the noise's variance, for Gaussian fields smoothed by 1.5 voxels, on balls of radius 13. The loss of labels that
 * are left out is too small by the variance times this over the width (Efron 2004). */
constexpr std::array<float, numberOfFits> correlatedShares = { 0.28f,  0.26f,  0.235f, 0.21f, 0.183f,
                                                               0.145f, 0.105f, 0.086f, 0.062f };
/** The noise, as a deviation of distances, that the penalty has where noise is correlated, and the power of the
 * likelihood there. */
constexpr float correlatedNoise = 0.5f;
constexpr float correlatedPower = 0.3f;
/** From this width of the likelihood on, noise is that of single voxels. */
constexpr float widthOfSingleVoxels = 0.2f;
/** Noise is correlated everywhere where the lower quartile of what the second fit does to the first, as a root mean
 * square within this Gaussian, is more than the second number, while the mean number of the fits is at most the third. */
constexpr double sigmaOfFineNoise = 2.5;
constexpr float  leastFineNoise = 0.104f;
constexpr float  mostRankOfNoise = 1.2f;
/** Where this noise is presumed, it is correlated if the mean number of the fits is then more than the second number,
 * and the surface is moved by more than the third; these places are smoothed by a Gaussian of the fourth. */
constexpr float  presumedNoise = 0.4f;
constexpr float  rankOfSmooth = 5.5f;
constexpr float  leastMove = 0.13f;
constexpr double sigmaOfCorrelation = 3.0;
/** Such places are shapes unless they are so large a part of the surface; the second number holds where the finest steps
 * tell that there is noise of at least the third, by the factor of the fourth. */
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

/** What each candidate leaves of correlatedShares. */
constexpr std::array<float, numberOfMeshCandidates> sharesOfCandidates = { 1.0f, 0.77f, 0.84f, 0.89f, 0.97f };

/** The half-width of the band that is computed on, for voxels of one spacing. */
constexpr float bandRadius = 6.0f;
/** Longer voxels are divided into so many: farther apart, the surface between slices is smooth anyway. */
constexpr int mostDivision = 12;
/** Free voxels between the band and the faces of its box. */
constexpr float bandMargin = 1.5f;

/** Parts of a label are thin where the volume within the pooling's Gaussian is less than the area times the first
 * thickness, which is that of rods of radius 2.2, balls of 3.3, and plates 2.2 thick. Their volume is kept by itself;
 * that of parts above the second thickness, with that of the whole. */
constexpr float thinThickness = 1.1f;
constexpr float thickThickness = 1.5f;
/** For this, vertices move in so many rounds, by steps of at most so many voxels, until all are shorter than the second
 * number. */
constexpr int   volumeRounds = 6;
constexpr float longestVolumeStep = 0.3f;
constexpr float shortestVolumeStep = 0.005f;
/** The volume of the whole is kept where at most the first share of the boundary's voxels is single ones, and not at
 * all from the second share on. Segmentations of heads have 0.005 mostly; flips with a probability of 0.15, 0.045. */
constexpr double fewSingleVoxels = 0.02;
constexpr double mostSingleVoxels = 0.08;
/** How far distances are needed for it. */
constexpr double reachOfVolume = 1.5;
/** Below this, the area nearby is too small to be divided by. */
constexpr float leastArea = 1e-6f;

/** How far from its exact values a polynomial of the Laplacian may be. */
constexpr double seriesTolerance = 1e-3;
/** The same for the pooling, whose Gaussian is 3e-4 at most. */
constexpr double poolingTolerance = 1e-7;

} // namespace cudaneuro

#endif
