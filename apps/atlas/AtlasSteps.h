// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AtlasSteps_h
#define apps_atlas_AtlasSteps_h

#include "atlas/AtlasJob.h"
#include "itkImage.h"

#include <cstddef>
#include <vector>

/** The steps from the images of a job to an atlas in its files. */

/** The engine's parameters of the command line's options.
 * \param grid that of the template, from which the shrink factors of levels follow.
 * \throws UserError, itk::ExceptionObject */
template <unsigned int VDimension>
cudaneuro::AtlasParameters
MakeAtlasParameters(const AtlasOptions & options, const itk::ImageBase<VDimension> & grid);

/** Notes all parameters that have an effect. */
void
NoteParameters(Report & report, const AtlasOptions & options, const cudaneuro::AtlasParameters & parameters);

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

/** How much of each image lies beyond the template's grid, after this process's images were given to the atlas. The
 * first process warns of those that lose more than cudaneuro::noticeableCut, and says what keeps it.
 * \return fractions of the images' intensity above the background, of all processes */
std::vector<double>
WarnOfCutImages(AtlasJob & job, const cudaneuro::DiffeomorphicAtlas & atlas);

/** Notes the fractions, after AtlasReport::SetImages. */
void
NoteCutImages(AtlasReport & report, const std::vector<double> & fractions);

/** Runs the iterations, from a checkpoint on where the options say so, with a progress bar, and writes checkpoints.
 * When a signal asks one process to end, all write a checkpoint and end.
 * \throws Interrupted, and what the atlas throws */
cudaneuro::AtlasResult
RunAtlas(AtlasJob & job, const cudaneuro::AtlasParameters & parameters, cudaneuro::DiffeomorphicAtlas & atlas);

/** Shannon entropy of intensities in bits, over 256 bins between the least and the largest; 0 where they are equal. */
double
ComputeEntropy(const float * values, std::size_t count);

/** Writes the outputs of this process's images, some images at a time.
 * \return the results of all processes' images */
template <unsigned int VDimension>
std::vector<cudaneuro::AtlasImageResult>
WriteImages(AtlasJob & job, const itk::ImageBase<VDimension> & grid, cudaneuro::DiffeomorphicAtlas & atlas);

/** Writes an image as the pixel type of --output-type, or of another where that is not given. Counts, in the job, the
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

/** Reads the images of a job, builds the atlas and writes it, without the report. Waits until all processes have.
 * \throws UserError, Interrupted */
void
BuildAtlas(AtlasJob & job);

#endif
