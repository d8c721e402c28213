// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_LabelWriting_h
#define apps_atlas_LabelWriting_h

#include "atlas/AtlasJob.h"
#include "files/output/StagedFiles.h"
#include "itkImage.h"

/** The labels of a population on its template, after the atlas was run. Does nothing where no image has labels. */
template <unsigned int VDimension>
class LabelWriting
{
public:
  /** Reads the labels of this process's images, counts the votes of all, and begins to write their result in the first
   * process. All processes call it.
   * \throws UserError that names all files that cannot be used, Interrupted, itk::ExceptionObject */
  LabelWriting(AtlasJob & job, const itk::ImageBase<VDimension> & grid, cudaneuro::DiffeomorphicAtlas & atlas);

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
