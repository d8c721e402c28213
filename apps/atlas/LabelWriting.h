// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_LabelWriting_h
#define apps_atlas_LabelWriting_h

#include "atlas/AtlasJob.h"
#include "atlas/LabelNumbers.h"
#include "files/output/StagedFiles.h"
#include "itkImage.h"

/** The labels of this process's images, numbered: 2 bytes a voxel. Nothing where no image has labels. */
template <unsigned int VDimension>
class PopulationLabels
{
public:
  /** Reads them, before the iterations, so that what is wrong with them is known then. All processes call it.
   * \throws UserError that names all files that cannot be used, Interrupted */
  PopulationLabels(const AtlasJob & job, const Processes & processes, const std::vector<int> & own);

  /** Gives them to the atlas, after it was run, and forgets them. */
  void
  GiveTo(cudaneuro::DiffeomorphicAtlas & atlas, const itk::ImageBase<VDimension> & grid);

  const LabelNumbers &
  GetNumbers() const
  {
    return m_Numbers;
  }

private:
  using CodeImage = itk::Image<unsigned short, VDimension>;

  const AtlasJob &                         m_Job;
  std::vector<int>                         m_Own;
  LabelNumbers                             m_Numbers;
  std::vector<typename CodeImage::Pointer> m_Codes; // null for images without labels
};

/** The labels of a population on its template, after the atlas was run. Does nothing where no image has labels. */
template <unsigned int VDimension>
class LabelWriting
{
public:
  /** Counts the votes of all images, and begins to write their result in the first process. All processes call it.
   * \throws Interrupted, itk::ExceptionObject */
  LabelWriting(AtlasJob &                         job,
               const itk::ImageBase<VDimension> & grid,
               PopulationLabels<VDimension> &     labels,
               cudaneuro::DiffeomorphicAtlas &    atlas);

  /** Moves the files into their places when they are complete, and notes them. */
  void
  Commit();

private:
  using CodeImage = itk::Image<unsigned short, VDimension>;
  using ShareImage = itk::Image<float, VDimension>;

  AtlasJob &                   m_Job;
  typename ShareImage::Pointer m_Probability;
  std::size_t                  m_NumberOfLabels = 0;
  double                       m_MeanProbability = 0.0;
  StagedFiles                  m_Files;
};

#endif
