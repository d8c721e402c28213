// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MetricEvaluatorsGpu_h
#define cudaneuro_metrics_MetricEvaluatorsGpu_h

#include "metrics/MetricEvaluator.h"

/** The evaluators of the GPU. Arguments are those of MakeMetricEvaluator. */
namespace cudaneuro::gpu
{

/** The parameters of the launch; 0 selects the best value for the images and the device. Tiles and columns determine
 * the order of sums, and change the last bits of derivatives; the others do not change any result. */
struct MutualInformationShape
{
  /** The number of copies of the histogram in a block's memory: 4, 8, 16 or 32. */
  int histogramCopies = 0;
  /** The number of threads of a block of the histogram's kernel: 512 or 1024. */
  int histogramThreads = 0;
  /** The number of blocks of the histogram's kernel on a multiprocessor, over all maps. */
  int histogramBlocks = 0;
  /** The number of columns of a tile along x: 4, 8, 16 or 32. */
  int tileWidth = 0;
  /** The number of packs of a column, 1 to 8. */
  int packs = 0;
};

std::unique_ptr<MetricEvaluator>
MakeMutualInformationEvaluator(Context &                      context,
                               const MetricShape &            shape,
                               const ImageComparison &        comparison,
                               const MutualInformationShape & launch = {});

std::unique_ptr<MetricEvaluator>
MakeMeanSquaresEvaluator(Context & context, const ImageComparison & comparison);

} // namespace cudaneuro::gpu

#endif
