// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Cases_h
#define Cases_h

#include "Table.h"
#include "cudaneuro/AnisotropicDiffusion.h"
#include "cudaneuro/Context.h"
#include "cudaneuro/NonLocalMeans.h"

#include <string>
#include <vector>

namespace cudaneuro::benchmark
{

/** The float volumes of one size that all cases use. */
struct Volumes
{
  Grid        grid;
  ConstVolume image;
  /** The input image with different noise. */
  ConstVolume otherImage;
  Volume      output;
};

/** A filter with its parameters: how the engine runs it, and which limit bounds it. */
struct Case
{
  /** The name of its row, without ", kernel". */
  std::string name;

  /** Runs the filter once. */
  std::function<void(Context &, const Volumes &)> run;

  /** Returns the minimum time of the kernel on a CUDA device with these limits. */
  std::function<Floor(const Limits &, const Size &)> floor;

  /** The minimum number of bytes a voxel that a CPU moves; 0 where memory is not the limit. */
  double hostBytesPerVoxel = 0.0;

  /** Whether to time the call rather than the kernels, because its kernels are in several jobs. */
  bool timesWholeCall = false;
};

/** Parameters that suit the noise of FillNoisyVolume, shared by kernel and host-to-host cases. */
constexpr double bilateralRangeSigma = 75.0;
constexpr double diffusionKappa = 30.0;
constexpr int    diffusionIterations = 20;
constexpr double nonLocalMeansSmoothing = 30.0;
constexpr double adaptiveNoise = 30.0;
constexpr double similarityDataRange = 1000.0;

Case
BilateralCase(int radius);

/** The filter with a noise map, for which the other image is used: its values are not negative, and vary. */
Case
BilateralMapCase(int radius);

/** The study of Howison's section 4.1: five radii and eight domain sigmas, or two where memory is short. */
Case
BilateralSweepCase();

Case
DiffusionCase(DiffusionStencil stencil);

/** The filter with a noise map, like BilateralMapCase. */
Case
DiffusionMapCase(DiffusionStencil stencil);

Case
NonLocalMeansCase(NonLocalMeansWeighting weighting, int windowRadius, int patchRadius);

/** The filter for noise of one standard deviation everywhere. */
Case
AdaptiveNonLocalMeansCase();

/** The mean only, without the map. */
Case
StructuralSimilarityCase();

Case
NoiseEstimateCase();

/** The map of Gaussian noise. */
Case
NoiseMapCase();

std::vector<Case>
KernelCases();

} // namespace cudaneuro::benchmark

#endif
