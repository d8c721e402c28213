// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AtlasSteps_h
#define apps_atlas_AtlasSteps_h

#include "atlas/AtlasJob.h"
#include "itkImage.h"

#include <cstddef>
#include <vector>

/** The steps from the images of a job to an atlas in its files. */

/** Returns the engine's parameters for the command line's options.
 * \param grid of the template, which determines the shrink factors of levels.
 * \throws UserError, itk::ExceptionObject */
template <unsigned int VDimension>
cudaneuro::AtlasParameters
MakeAtlasParameters(const AtlasOptions & options, const itk::ImageBase<VDimension> & grid);

/** Reports all parameters that have an effect. */
void
NoteParameters(Report & report, const AtlasOptions & options, const cudaneuro::AtlasParameters & parameters);

/** Finds the linear map of each image, if the options ask for it, and sets the maps of all processes' images in the
 * job. A run that goes on from a checkpoint takes them from there. Images are read again in each round, so that few
 * are in memory at once.
 * \param grid of the template
 * \param parameters of the atlas, with the method of the mean between the rounds
 * \param own the images of this process
 * \throws UserError that names all files that cannot be used, Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
void
AlignImages(AtlasJob &                         job,
            const itk::ImageBase<VDimension> & grid,
            const cudaneuro::AtlasParameters & parameters,
            const std::vector<int> &           own);

/** Computes how much of each image is beyond the template's grid, after this process's images were passed to the atlas.
 * The first process warns of images that lose more than cudaneuro::noticeableCut, and names the remedy.
 * \return fractions of the images' intensity above the background, of all processes */
std::vector<double>
WarnOfCutImages(AtlasJob & job, const cudaneuro::DiffeomorphicAtlas & atlas);

/** Reports the fractions, after AtlasReport::SetImages. */
void
NoteCutImages(AtlasReport & report, const std::vector<double> & fractions);

/** Runs the iterations, from a checkpoint if the options ask for it, with a progress bar, and writes checkpoints.
 * If a signal asks one process to end, all write a checkpoint and end.
 * \throws Interrupted, and exceptions of the atlas */
cudaneuro::AtlasResult
RunAtlas(AtlasJob & job, const cudaneuro::AtlasParameters & parameters, cudaneuro::DiffeomorphicAtlas & atlas);

/** Returns the Shannon entropy of intensities in bits, over 256 bins from the smallest to the largest; 0 if these are
 * equal. */
double
ComputeEntropy(const float * values, std::size_t count);

/** Writes the outputs of this process's images, a few images at a time.
 * \return the results of all processes' images */
template <unsigned int VDimension>
std::vector<cudaneuro::AtlasImageResult>
WriteImages(AtlasJob & job, const itk::ImageBase<VDimension> & grid, cudaneuro::DiffeomorphicAtlas & atlas);

/** Writes an image as the pixel type of --output-type, or as another type if that is not given. The job counts the
 * voxels whose values the type does not hold. */
template <unsigned int VDimension>
StagedFile
StageAs(const AtlasJob &                      job,
        const OutputFile &                    file,
        const itk::Image<float, VDimension> * image,
        itk::IOComponentEnum                  otherType);

/** Checks the parameters of a job on the template's grid.
 * \throws UserError, itk::ExceptionObject */
void
CheckParameters(const AtlasJob & job);

/** Reads the images of a job, builds the atlas and writes it, without the report, and waits for all processes.
 * \throws UserError, Interrupted */
void
BuildAtlas(AtlasJob & job);

#endif
