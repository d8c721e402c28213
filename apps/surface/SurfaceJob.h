// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_surface_SurfaceJob_h
#define apps_surface_SurfaceJob_h

#include "files/output/OutputFile.h"
#include "shared/Files.h"
#include "surface/SurfaceInput.h"
#include "surface/SurfaceReport.h"

#include "shared/ProgramSupport.h"

#include <map>
#include <memory>

/** A surface that was denoised. */
struct DenoisedSurface
{
  SurfaceItem                            item;
  cudaneuro::NonLocalMeansLevelSetResult levelSet;
  /** Null where nothing is left. */
  vtkSmartPointer<vtkPolyData> after;
  cudaneuro::SurfaceComparison comparison;
};

/** One run of cudaneuro-surface denoise. */
class SurfaceJob
{
public:
  /** Reads the input, checks options and the places of all outputs before anything is computed, and begins the report.
   * \throws UserError, itk::ExceptionObject */
  explicit SurfaceJob(const SurfaceOptions & options);

  /** Denoises all surfaces of the input, and writes what was asked for.
   * \throws UserError, Interrupted, itk::ExceptionObject */
  void
  Run();

  /** Completes the report, writes and prints it. */
  void
  Finish();

private:
  void
  CheckFormats() const;
  void
  AddFiles();
  void
  BeginReport();
  /** The name of an output for a surface of the input. */
  std::string
  GetPath(const std::string & pattern, std::size_t item) const;
  bool
  HasFileForEach(const std::string & pattern) const;

  DenoisedSurface
  Denoise(cudaneuro::Context & context, std::size_t item);
  void
  FindSurface(cudaneuro::Context & context, DenoisedSurface & surface, std::size_t item);
  void
  WarnOf(const DenoisedSurface & surface) const;
  void
  Describe(const DenoisedSurface & surface, std::size_t item);
  void
  WriteOne(const DenoisedSurface & surface, std::size_t item);
  void
  WriteAll(cudaneuro::Context & context);
  void
  AddSeconds(const std::string & what, const Stopwatch & stopwatch);

  const SurfaceOptions &        m_Options;
  Stopwatch                     m_Stopwatch;
  std::unique_ptr<SurfaceInput> m_Input;
  OutputFiles                   m_Outputs;
  std::unique_ptr<OutputFile>   m_Json;
  SurfaceReport                 m_Report;
  Report::Json                  m_Surfaces = Report::Json::array();
  std::map<std::string, double> m_Seconds;
  /** Where all surfaces go into one file or figure. */
  std::vector<vtkSmartPointer<vtkPolyData>> m_Before;
  std::vector<vtkSmartPointer<vtkPolyData>> m_After;
};

#endif
