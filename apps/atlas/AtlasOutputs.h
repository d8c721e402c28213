// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AtlasOutputs_h
#define apps_atlas_AtlasOutputs_h

#include "atlas/AtlasJob.h"
#include "itkImage.h"

/** Writes the outputs of this process's images, some images at a time.
 * \return the results of all processes' images */
template <unsigned int VDimension>
std::vector<cudaneuro::AtlasImageResult>
WriteImages(AtlasJob & job, const itk::ImageBase<VDimension> & grid, cudaneuro::DiffeomorphicAtlas & atlas);

/** Writes an image as the pixel type of --output-type, or of another where that is not given. */
template <unsigned int VDimension>
StagedFile
StageAs(const AtlasOptions &                  options,
        const OutputFile &                    file,
        const itk::Image<float, VDimension> * image,
        itk::IOComponentEnum                  otherType);

#endif
