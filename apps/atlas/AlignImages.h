// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AlignImages_h
#define apps_atlas_AlignImages_h

#include "atlas/AtlasJob.h"
#include "itkImageBase.h"

/** Finds the linear map of each image, if the options say so, and gives the maps of all processes' images to the job.
 * Where the run goes on from a checkpoint, they are taken from there. Images are read in each round anew, so that few
 * are in memory at once.
 * \param grid that of the template
 * \param parameters of the atlas, whose mean the template has between the rounds
 * \param own the images of this process
 * \throws UserError that names all files that cannot be used, Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
void
AlignImages(AtlasJob &                         job,
            const itk::ImageBase<VDimension> & grid,
            const cudaneuro::AtlasParameters & parameters,
            const std::vector<int> &           own);

#endif
