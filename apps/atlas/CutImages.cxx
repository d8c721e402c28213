// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasSteps.h"

#include "itkCudaNeuroDetail.h"
#include "shared/FirstOf.h"

#include <cmath>
#include <iomanip>
#include <sstream>

namespace
{

/** The unit of sums between processes, which are of integers. */
constexpr double unit = 1e-12;

std::vector<double>
MeasureCuts(AtlasJob & job, const cudaneuro::DiffeomorphicAtlas & atlas)
{
  std::vector<std::int64_t> units(job.GetPopulation().size(), 0);
  itk::CudaNeuroDetail::Call([&] {
    for (const int image : atlas.GetOwnImages())
    {
      units[static_cast<std::size_t>(image)] = std::llround(atlas.GetCutFraction(image) / unit);
    }
  });
  job.GetProcesses().Sum(units);
  std::vector<double> fractions;
  for (const std::int64_t count : units)
  {
    fractions.push_back(unit * static_cast<double>(count));
  }
  return fractions;
}

} // namespace

std::vector<double>
WarnOfCutImages(AtlasJob & job, const cudaneuro::DiffeomorphicAtlas & atlas)
{
  const std::vector<double> fractions = MeasureCuts(job, atlas);
  std::vector<std::string>  cut;
  for (std::size_t i = 0; i < fractions.size(); ++i)
  {
    if (fractions[i] > cudaneuro::noticeableCut)
    {
      std::ostringstream text;
      text << job.GetPopulation()[i].path << " (" << std::setprecision(3) << 100.0 * fractions[i] << " %)";
      cut.push_back(text.str());
    }
  }
  if (!cut.empty() && job.GetProcesses().IsFirst())
  {
    PrintWarning("of " + std::to_string(cut.size()) + " of " + std::to_string(fractions.size()) +
                 " images a part lies beyond the template's grid, which is that of " + job.GetGridPath() +
                 ", and is lost: " + FirstOf(cut) +
                 " of their intensity; a --reference whose grid holds all of them keeps it");
  }
  return fractions;
}

void
NoteCutImages(AtlasReport & report, const std::vector<double> & fractions)
{
  for (std::size_t i = 0; i < fractions.size(); ++i)
  {
    report.Set("/images/" + std::to_string(i) + "/cut_fraction", fractions[i]);
  }
}
