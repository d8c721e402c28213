// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_LabelWriting_h
#define apps_atlas_LabelWriting_h

#include "atlas/AtlasJob.h"
#include "atlas/LabelNumbers.h"
#include "files/output/StagedFiles.h"
#include "itkImage.h"

/** The numbered labels of this process's images, 2 bytes per voxel. Empty if no image has labels. */
template <unsigned int VDimension>
class PopulationLabels
{
public:
  /** Reads the labels, before the iterations, so that errors are found early. All processes call it.
   * \throws UserError that names all files that cannot be used, Interrupted */
  PopulationLabels(const AtlasJob & job, const Processes & processes, const std::vector<int> & own);

  /** Moves the labels to the atlas, after it was run. */
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

/** Writes the labels of a population on its template, after the atlas was run. Does nothing if no image has labels. */
template <unsigned int VDimension>
class LabelWriting
{
public:
  /** Counts the votes of all images, and begins to write the result in the first process. All processes call it.
   * \throws Interrupted, itk::ExceptionObject */
  LabelWriting(AtlasJob &                         job,
               const itk::ImageBase<VDimension> & grid,
               PopulationLabels<VDimension> &     labels,
               cudaneuro::DiffeomorphicAtlas &    atlas);

  /** Moves the files to their places when they are complete, and reports them. */
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
