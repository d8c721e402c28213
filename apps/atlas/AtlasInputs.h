// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AtlasInputs_h
#define apps_atlas_AtlasInputs_h

#include "atlas/AtlasJob.h"
#include "itkImage.h"
#include "itkVector.h"

#include <functional>

/** An image of a population, and its mask, which may be null, in host memory. */
template <unsigned int VDimension>
struct MemberImage
{
  typename itk::Image<float, VDimension>::Pointer         image;
  typename itk::Image<unsigned char, VDimension>::Pointer mask;
  /** Exactly the template's if it is equal within the precision of files. */
  cudaneuro::Geometry geometry;

  cudaneuro::ConstVolume
  GetImage() const;
  /** Returns the mask, without data if there is none. */
  cudaneuro::ConstVolume
  GetMask() const;
};

/** Reads an image and its mask. Threads may call it at the same time.
 * \throws UserError that names the file, Interrupted */
template <unsigned int VDimension>
MemberImage<VDimension>
ReadMember(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, const PopulationImage & entry);

/** The initial map of an image: its alignment, or the transform of the list. */
template <unsigned int VDimension>
struct InitialMap
{
  cudaneuro::AffineMap transform;
  /** The part that is not linear; may be null. */
  typename itk::Image<itk::Vector<float, VDimension>, VDimension>::ConstPointer field;

  cudaneuro::ConstField
  GetField() const;
};

/** Reads the initial map of an image. Threads may call it at the same time.
 * \param grid of the template
 * \throws UserError that names the file, Interrupted */
template <unsigned int VDimension>
InitialMap<VDimension>
ReadInitialMap(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, std::size_t index);

/** An image of a population with its initial map, in the form that the atlas takes. */
template <unsigned int VDimension>
struct AtlasSource
{
  MemberImage<VDimension> member;
  InitialMap<VDimension>  initial;
  /** Images of the channels after the first one. */
  std::vector<MemberImage<VDimension>> channels;
  /** Refers to the images above. */
  cudaneuro::AtlasImage image;
};

/** Returns whether the atlas resamples an image of any channel: it is on another grid than the template, or has an
 * alignment or a transform. */
template <unsigned int VDimension>
bool
IsResampled(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, std::size_t index);

/** Reads an image of the population, its mask, and its alignment or the transform of the list. Threads may
 * call it at the same time.
 * \param grid of the template
 * \throws UserError that names the file, Interrupted */
template <unsigned int VDimension>
AtlasSource<VDimension>
ReadSource(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, std::size_t index);

/** Calls read(index) for several files in several threads, with a progress bar.
 * \throws UserError with the messages of all calls that threw one, Interrupted */
void
ReadInParallel(const AtlasJob &                               job,
               const char *                                   title,
               std::size_t                                    count,
               const std::function<void(std::size_t index)> & read);

/** Reads this process's images, several at once, and passes each with its initial map to the atlas, without keeping it.
 * \param grid of the template
 * \throws UserError that names all files that cannot be read, Interrupted, and what the atlas throws */
template <unsigned int VDimension>
void
ReadImages(AtlasJob & job, const itk::ImageBase<VDimension> & grid, cudaneuro::DiffeomorphicAtlas & atlas);

#endif
