// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_surface_SurfaceJob_h
#define apps_surface_SurfaceJob_h

#include "files/output/OutputFile.h"
#include "shared/Files.h"
#include "surface/SurfaceMethods.h"
#include "surface/SurfaceReport.h"

#include <memory>
#include <vector>

/** One run of cudaneuro-surface denoise. */
class SurfaceJob
{
public:
  /** Reads the input, checks options and the places of all outputs before anything is computed, and begins the report.
   * \throws UserError, itk::ExceptionObject */
  explicit SurfaceJob(const SurfaceOptions & options);

  /** Denoises all surfaces of the input, and writes the requested outputs.
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
  /** Returns the name of an output for a surface of the input. */
  std::string
  GetPath(const std::string & pattern, std::size_t item) const;
  bool
  HasFileForEach(const std::string & pattern) const;

  /** Returns the fraction of the run after a number of surfaces. */
  double
  ProgressOf(std::size_t items) const;
  /** Denoises one surface by the method, and describes it. */
  DenoisedSurface
  Denoise(cudaneuro::Context & context, std::size_t item);
  void
  Describe(cudaneuro::Context & context, const DenoisedSurface & surface, std::size_t item);
  void
  WriteOne(const DenoisedSurface & surface, std::size_t item);
  void
  WriteAll(cudaneuro::Context & context);

  const SurfaceOptions &        m_Options;
  SurfaceMethodFunctions        m_Functions;
  Stopwatch                     m_Stopwatch;
  std::unique_ptr<SurfaceInput> m_Input;
  OutputFiles                   m_Outputs;
  std::unique_ptr<OutputFile>   m_Json;
  SurfaceReport                 m_Report;
  Report::Json                  m_Surfaces = Report::Json::array();
  PartSeconds                   m_Seconds;
  /** Surfaces for one common file or figure. */
  std::vector<vtkSmartPointer<vtkPolyData>> m_Before;
  std::vector<vtkSmartPointer<vtkPolyData>> m_After;
};

#endif
