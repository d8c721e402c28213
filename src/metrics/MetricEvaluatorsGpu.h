// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MetricEvaluatorsGpu_h
#define cudaneuro_metrics_MetricEvaluatorsGpu_h

#include "metrics/MetricEvaluator.h"

/** The evaluators of the GPU. Arguments as MakeMetricEvaluator's. */
namespace cudaneuro::gpu
{

/** What can be chosen of the launch; 0 is for what is best for the images and the device. Tiles and columns belong
 * to the order of sums, and change the last bits of derivatives; the rest changes no result. */
struct MutualInformationShape
{
  /** Copies of the histogram in a block's memory: 4, 8, 16 or 32. */
  int histogramCopies = 0;
  /** Threads of a block of the histogram's kernel: 512 or 1024. */
  int histogramThreads = 0;
  /** Blocks of the histogram's kernel on a multiprocessor, over all maps. */
  int histogramBlocks = 0;
  /** Columns of a tile along x: 4, 8, 16 or 32. */
  int tileWidth = 0;
  /** Packs of a column, 1 to 8. */
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
