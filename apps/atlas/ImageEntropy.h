// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_ImageEntropy_h
#define apps_atlas_ImageEntropy_h

#include <cstddef>

/** Shannon entropy of intensities in bits, over 256 bins between the least and the largest; 0 where they are equal. */
double
ComputeEntropy(const float * values, std::size_t count);

#endif
