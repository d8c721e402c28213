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
  /** The points by their numbers; empty if no image has points. */
  std::vector<cudaneuro::AtlasPoint> points;
  std::vector<std::string>           labels; // see PopulationPoints
  std::size_t                        numberOfImages = 0;
  /** The number of points, of all images together, without a position on the template. */
  std::int64_t numberLeftOut = 0;
};

/** Maps the points of all processes' images to the template, after the atlas was run. The first process names points
 * without a position there. All processes call it. Does nothing if no image has points.
 * \param grid of the template
 * \throws Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
TemplatePoints
CarryPoints(AtlasJob &                         job,
            const itk::ImageBase<VDimension> & grid,
            const PopulationPoints &           points,
            cudaneuro::DiffeomorphicAtlas &    atlas);

/** Writes the file of a template's points. Does nothing if there are none. */
class PointWriting
{
public:
  /** Begins to write the file in the first process. */
  PointWriting(AtlasJob & job, TemplatePoints points);

  /** Moves the file to its place when it is complete, and reports it. */
  void
  Commit();

private:
  AtlasJob &     m_Job;
  TemplatePoints m_Points;
  StagedFiles    m_Files;
};

#endif
