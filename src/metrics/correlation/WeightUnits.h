// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_correlation_WeightUnits_h
#define cudaneuro_metrics_correlation_WeightUnits_h

/** Units of the weights of voxels, and of the boxes around them: bytes, in 255ths. */
namespace cudaneuro
{

/** The weight of a unit of ImageComparison::fixedWeights. */
constexpr float weightPerUnit = 1.0f / 255.0f;

} // namespace cudaneuro

#endif
