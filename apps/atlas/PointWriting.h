// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_PointWriting_h
#define apps_atlas_PointWriting_h

#include "atlas/AtlasJob.h"
#include "atlas/population/PopulationPoints.h"
#include "files/output/StagedFiles.h"
#include "itkImage.h"

#include <cstdint>

/** The points of a population on its template. */
struct TemplatePoints
{
  /** By their numbers; empty where no image has points. */
  std::vector<cudaneuro::AtlasPoint> points;
  std::vector<std::string>           labels; // see PopulationPoints
  std::size_t                        numberOfImages = 0;
  /** Points of images that have no place on the template, all images together. */
  std::int64_t numberLeftOut = 0;
};

/** Carries the points of all processes' images to the template, after the atlas was run. The first process names those
 * that have no place there. All processes call it. Does nothing where no image has points.
 * \param grid that of the template
 * \throws Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
TemplatePoints
CarryPoints(AtlasJob &                         job,
            const itk::ImageBase<VDimension> & grid,
            const PopulationPoints &           points,
            cudaneuro::DiffeomorphicAtlas &    atlas);

/** The file of a template's points. Does nothing where there are none. */
class PointWriting
{
public:
  /** Begins to write it in the first process. */
  PointWriting(AtlasJob & job, TemplatePoints points);

  /** Moves it into its place when it is complete, and notes it. */
  void
  Commit();

private:
  AtlasJob &     m_Job;
  TemplatePoints m_Points;
  StagedFiles    m_Files;
};

#endif
