// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/SurfaceMethods.h"

#include <memory>
#include <vector>

namespace
{

/** Makes the surfaces of all labels, several at the same time. Neighbors share vertices. */
class LabelSurfaces
{
public:
  DenoisedSurface
  Get(cudaneuro::Context & context, const SurfaceInput & input, std::size_t item, PartSeconds & seconds)
  {
    cudaneuro::Context::ProgressSteps progress(context);
    progress.UpTo(0.95);
    if (m_Labels.empty())
    {
      const Stopwatch denoising;
      context.ResetStatistics();
      const auto count = static_cast<unsigned int>(input.GetNumberOfItems());
      m_Labels = cudaneuro::LabelsToSurfaces(context, input.MakeLabelNumbers(), count);
      seconds.Add("denoising", denoising);
      seconds.AddDevice(context);
    }
    progress.UpTo(1.0);
    DenoisedSurface surface;
    const Stopwatch finding;
    surface.before = input.MakeSteps(context, item);
    seconds.Add("surface", finding);
    surface.after = m_Labels[item].surface;
    surface.found["noise_mm"] = m_Labels[item].noise;
    return surface;
  }

private:
  std::vector<cudaneuro::SmoothLabel> m_Labels;
};

void
Note(const SurfaceOptions &, Report & report)
{
  report.Set("/method", "labels");
  report.Set("/parameters", Report::Json::object());
}

} // namespace

SurfaceMethodFunctions
LabelsFunctions()
{
  const auto surfaces = std::make_shared<LabelSurfaces>();
  const auto denoise = [surfaces](cudaneuro::Context & context,
                                  const SurfaceOptions &,
                                  const SurfaceInput & input,
                                  std::size_t          item,
                                  PartSeconds & seconds) { return surfaces->Get(context, input, item, seconds); };
  return { denoise, Note, true };
}
