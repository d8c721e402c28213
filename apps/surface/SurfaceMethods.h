// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_surface_SurfaceMethods_h
#define apps_surface_SurfaceMethods_h

#include "shared/ProgramSupport.h"
#include "shared/Report.h"
#include "surface/SurfaceInput.h"

#include <functional>
#include <map>
#include <string>

/** The methods of cudaneuro-surface denoise. Each has a value of SurfaceMethod, options in SurfaceOptions.cxx, and a
 * source file with its functions. */

/** The durations of the parts of a run. */
class PartSeconds
{
public:
  void
  Add(const std::string & part, const Stopwatch & stopwatch)
  {
    m_Seconds[part] += stopwatch.GetSeconds();
  }
  /** Adds the device's parts since the statistics of its context were reset. */
  void
  AddDevice(const cudaneuro::Context & context)
  {
    if (context.GetDevice().IsCuda())
    {
      m_Seconds["on_device"] += context.GetStatistics().deviceMilliseconds / 1000.0;
    }
  }
  /** Reports the parts in the order in which they run. */
  void
  Note(Report & report) const;

private:
  std::map<std::string, double> m_Seconds;
};

/** A denoised surface. */
struct DenoisedSurface
{
  vtkSmartPointer<vtkPolyData> before;
  /** Null if nothing is left. */
  vtkSmartPointer<vtkPolyData> after;
  /** The denoised distance, if the method has one. */
  cudaneuro::SignedDistanceImage::Pointer distance;
  /** Whether the surface encloses a volume. */
  bool isClosed = true;
  /** Results of the method for the report. */
  Report::Json found;
};

/** The functions of a method. */
struct SurfaceMethodFunctions
{
  /** Denoises the surface of the input with an index.
   * \throws UserError, and exceptions of the engine */
  std::function<DenoisedSurface(
    cudaneuro::Context &, const SurfaceOptions &, const SurfaceInput &, std::size_t item, PartSeconds &)>
    denoise;
  /** Reports the method and its parameters. */
  void (*note)(const SurfaceOptions &, Report &);
  /** Whether the first call makes all surfaces. */
  bool makesAllAtOnce = false;
};

SurfaceMethodFunctions
NormalsFunctions();
SurfaceMethodFunctions
LabelsFunctions();
SurfaceMethodFunctions
LevelSetFunctions();

inline SurfaceMethodFunctions
FunctionsOf(SurfaceMethod method)
{
  switch (method)
  {
    case SurfaceMethod::Normals:
      return NormalsFunctions();
    case SurfaceMethod::Labels:
      return LabelsFunctions();
    case SurfaceMethod::LevelSet:
      return LevelSetFunctions();
  }
  return {};
}

#endif
