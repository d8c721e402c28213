// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Topics_h
#define Topics_h

#include "Settings.h"

/** The rows of each topic. Settings must outlive them. Rows throw what the engine and the filters throw. */
namespace cudaneuro::benchmark
{

/** Filters of one volume: their kernels on volumes in device memory, and ITK's classes from host to host. */
Table
DenoisingRows(const Settings & settings);

/** The unbiased and the greedy method, their parts and their device memory, and operations on images and fields. */
Table
RegistrationRows(const Settings & settings);

/** Linear registration and its metrics, on images of at least 48 voxels along each axis; their results are checked. */
Table
LinearRows(const Settings & settings);

/** Atlases of synthetic heads, whole; and the time of their iterations and of the means. */
Table
AtlasRows(const Settings & settings);

/** Gradients, matchings and displacement fields of landmarks. Sizes are points x time steps x targets. */
Table
LandmarkRows(const Settings & settings);

/** The search for nearest neighbors. The limit is the product of the vectors' matrix with itself, at the rate that
 * cuBLAS has for half precision. Sizes are vectors x components x neighbors. */
Table
NeighborRows(const Settings & settings);

/** The denoising of surfaces, from distances to distances in device memory, with the search for neighbors as its limit,
 * and its steps. Sizes are voxels of the band x voxels of a patch x neighbors. */
Table
SurfaceRows(const Settings & settings);

/** The denoising of meshes, from host memory to host memory. The limit is that of the multiply-adds of the means of
 * normals. Sizes are vertices x triangles x 1. */
Table
MeshRows(const Settings & settings);

/** The surfaces of one label and of 54, from host memory to host memory. No limit of the machine is known for them.
 * Sizes are those of the image. */
Table
LabelRows(const Settings & settings);

} // namespace cudaneuro::benchmark

#endif
