// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_landmarks_MatchJob_h
#define apps_landmarks_MatchJob_h

#include "files/images/OpenedImage.h"
#include "files/output/NewFolders.h"
#include "files/points/PointPairs.h"
#include "landmarks/MatchOptions.h"
#include "shared/ProgramSupport.h"
#include "shared/Report.h"

#include <optional>

/** The points of a target, and the points of the template that they belong to. */
struct MatchTarget
{
  PointPairs pairs;
  /** Coordinates of the points of pairs.first, in its order. */
  std::vector<double> coordinates;
  /** Warnings, or empty texts. */
  std::vector<std::string> notes;
};

/** The points of a run, all of one dimension. */
struct MatchPoints
{
  PointData                templatePoints;
  std::vector<MatchTarget> targets;
  std::vector<double>      weights;
  PointData                mesh;
};

/** Reports how landmarks were matched. */
class MatchReport : public Report
{
public:
  void
  Print() const override;
};

/** One run of cudaneuro-landmarks match. */
class MatchJob
{
public:
  /** Reads the points, checks options and the places of all outputs before anything is computed, and begins the report.
   * \throws UserError, itk::ExceptionObject */
  explicit MatchJob(const MatchOptions & options);

  const MatchOptions &
  GetOptions() const
  {
    return m_Options;
  }
  const MatchPoints &
  GetPoints() const
  {
    return m_Points;
  }
  unsigned int
  GetDimension() const
  {
    return m_Points.templatePoints.dimension;
  }
  /** Returns the image of --reference, if there is one. */
  const OpenedImage &
  GetReference() const
  {
    return *m_Reference;
  }
  MatchReport &
  GetReport()
  {
    return m_Report;
  }
  const std::string &
  GetTargetName(std::size_t target) const
  {
    return m_Names[target];
  }

  /** Returns the name of an output for a target; empty if it is not requested. */
  std::string
  GetPath(const std::string & pattern, std::size_t target) const;

  /** Returns the place of an output. */
  OutputFile
  GetOutput(const std::string & path) const
  {
    return m_Outputs.Get(path);
  }

  /** Returns the path of a picture in the folder of an animation. */
  static std::string
  FramePath(const std::string & folder, unsigned int frame);

  /** Completes the report, writes and prints it. */
  void
  Finish();

private:
  void
  ReadPoints();
  void
  OpenReference();
  void
  CheckFormats() const;
  void
  AddFiles();
  void
  AddAnimation(FilesOfRun & files, const std::string & folder);
  void
  BeginReport();

  const MatchOptions &        m_Options;
  Stopwatch                   m_Stopwatch;
  MatchPoints                 m_Points;
  std::optional<OpenedImage>  m_Reference;
  std::vector<std::string>    m_Names;
  NewFolders                  m_Folders;
  OutputFiles                 m_Outputs;
  std::unique_ptr<OutputFile> m_Json;
  MatchReport                 m_Report;
};

#endif
