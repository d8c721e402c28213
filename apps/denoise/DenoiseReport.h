// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_DenoiseReport_h
#define apps_denoise_DenoiseReport_h

#include "shared/Report.h"

#include <cstdint>
#include <string>
#include <vector>

/** Reports how a file was denoised. */
class DenoiseReport : public Report
{
public:
  /** Notes where the noise map is from, also in place of a number among the parameters. */
  void
  SetNoiseMap(const std::string & origin);

  /** Notes the next volume of a series, of which a report has parameters, results and seconds. */
  void
  AddVolume(DenoiseReport & volume);

  /** Notes the volumes that were added: each by itself, and what they share, means, ranges and sums. */
  void
  SumUpVolumes();

  /** Whether the noise is a number that was estimated. */
  bool
  IsNoiseEstimated() const
  {
    return this->Has("/noise_is_estimated");
  }

  /** Voxels that have a limit of the type of the output in place of what is beyond it, or 0 in place of NaN. */
  std::uint64_t
  GetNumberOfLimitedVoxels();

  void
  Print() const override;

private:
  void
  SumUpNoise();

  std::vector<Json> m_Volumes;
};

#endif
