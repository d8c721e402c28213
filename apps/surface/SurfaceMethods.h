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

/** The methods of cudaneuro-surface denoise. Each is a value of SurfaceMethod, options in SurfaceOptions.cxx, and a
 * file with its functions. */

/** How long the parts of a run took. */
class PartSeconds
{
public:
  void
  Add(const std::string & part, const Stopwatch & stopwatch)
  {
    m_Seconds[part] += stopwatch.GetSeconds();
  }
  /** Adds what the device computed since the statistics of its context were reset. */
  void
  AddDevice(const cudaneuro::Context & context)
  {
    if (context.GetDevice().IsCuda())
    {
      m_Seconds["on_device"] += context.GetStatistics().deviceMilliseconds / 1000.0;
    }
  }
  /** Notes the parts, in the order in which they run. */
  void
  Note(Report & report) const;

private:
  std::map<std::string, double> m_Seconds;
};

/** A surface that was denoised. */
struct DenoisedSurface
{
  vtkSmartPointer<vtkPolyData> before;
  /** Null where nothing is left. */
  vtkSmartPointer<vtkPolyData> after;
  /** The denoised distance, of methods that have one. */
  cudaneuro::SignedDistanceImage::Pointer distance;
  /** Whether the surface encloses a volume. */
  bool isClosed = true;
  /** What the method has found. */
  Report::Json found;
};

/** What a method consists of. */
struct SurfaceMethodFunctions
{
  /** Denoises a surface of the input, which its index names.
   * \throws UserError, and what the engine throws */
  std::function<DenoisedSurface(
    cudaneuro::Context &, const SurfaceOptions &, const SurfaceInput &, std::size_t item, PartSeconds &)>
    denoise;
  /** Notes the method and its parameters. */
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
