// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AlignmentRound_h
#define apps_atlas_AlignmentRound_h

#include "atlas/AtlasInputs.h"

/** The image to which others are aligned. */
template <unsigned int VDimension>
struct AlignmentTarget
{
  MemberImage<VDimension> member;
  /** For messages. */
  std::string name;
};

/** Reads this process's images and registers each to the target, on all devices of the job at once. A device reads the
 * next image while it registers one. An image starts from its map in the job's alignment if that is a success,
 * else from the centers of mass. Its map does not depend on the other images, nor on the number of devices.
 * \param grid of the template
 * \return the alignment of all processes' images
 * \throws UserError that names all files that cannot be used, Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
Alignment
AlignTo(AtlasJob &                          job,
        const itk::ImageBase<VDimension> &  grid,
        const AlignmentTarget<VDimension> & target,
        const std::vector<int> &            own);

#endif
