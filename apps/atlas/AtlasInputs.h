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
  /** Exactly the template's where it is that within the precision of files. */
  cudaneuro::Geometry geometry;

  cudaneuro::ConstVolume
  GetImage() const;
  /** Without data where there is no mask. */
  cudaneuro::ConstVolume
  GetMask() const;
};

/** Threads may call it at the same time.
 * \throws UserError that names the file, Interrupted */
template <unsigned int VDimension>
MemberImage<VDimension>
ReadMember(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, const PopulationImage & entry);

/** The map that an image starts from: its alignment, or the transform of the list. */
template <unsigned int VDimension>
struct InitialMap
{
  cudaneuro::AffineMap transform;
  /** The part that is not linear; may be null. */
  typename itk::Image<itk::Vector<float, VDimension>, VDimension>::ConstPointer field;

  cudaneuro::ConstField
  GetField() const;
};

/** Threads may call it at the same time.
 * \param grid that of the template
 * \throws UserError that names the file, Interrupted */
template <unsigned int VDimension>
InitialMap<VDimension>
ReadInitialMap(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, std::size_t index);

/** An image of a population with the map that it starts from, as the atlas takes it. */
template <unsigned int VDimension>
struct AtlasSource
{
  MemberImage<VDimension> member;
  InitialMap<VDimension>  initial;
  /** Of the channels after the first one. */
  std::vector<MemberImage<VDimension>> channels;
  /** Points into the images above. */
  cudaneuro::AtlasImage image;
};

/** Whether the atlas resamples an image of any channel: it lies on another grid than the template, or has an alignment
 * or a transform. */
template <unsigned int VDimension>
bool
IsResampled(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, std::size_t index);

/** Reads an image of the population, with its mask, and with its alignment or the transform of the list. Threads may
 * call it at the same time.
 * \param grid that of the template
 * \throws UserError that names the file, Interrupted */
template <unsigned int VDimension>
AtlasSource<VDimension>
ReadSource(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, std::size_t index);

/** Calls read(index) for some files on several threads, with a progress bar.
 * \throws UserError with the messages of all that threw one, Interrupted */
void
ReadInParallel(const AtlasJob &                               job,
               const char *                                   title,
               std::size_t                                    count,
               const std::function<void(std::size_t index)> & read);

/** Reads this process's images, several at once, and gives each to the atlas, with the map that aligns it where there
 * is one, and forgets it.
 * \param grid that of the template
 * \throws UserError that names all files that cannot be read, Interrupted, and what the atlas throws */
template <unsigned int VDimension>
void
ReadImages(AtlasJob & job, const itk::ImageBase<VDimension> & grid, cudaneuro::DiffeomorphicAtlas & atlas);

#endif
