// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/ImageOptions.h"

#include "files/images/NiftiGeometry.h"
#include "files/images/SeriesVolume.h"
#include "shared/CommandOptions.h"
#include "shared/OptionValue.h"

#include <cstdlib>
#include <memory>

std::vector<CLI::Option *>
AddImageOptions(CLI::App & app, const std::string & group)
{
  const auto          place = std::make_shared<std::string>("sform");
  CLI::Option * const placeOption =
    AddChoice(
      app, "--nifti-place", *place, { "sform", "qform" }, "Which of two places counts, where NIfTI files have both")
      ->each(
        [place](const std::string & name) { SetNiftiPlace(name == "qform" ? NiftiPlace::Qform : NiftiPlace::Sform); })
      ->group(group);
  const auto          volume = std::make_shared<unsigned int>(0);
  CLI::Option * const volumeOption =
    app.add_option("--volume", *volume, "The number of the volume to take of NIfTI series; the first is 0")
      ->each([volume](const std::string & text) { SetSeriesVolume(std::strtoul(text.c_str(), nullptr, 10)); })
      ->check(AtLeast(0))
      ->option_text("N")
      ->type_name(notInSlicer)
      ->group(group);
  app.get_parent()->final_callback([] {
    if (IsSeriesMissing())
    {
      PrintWarning("--volume has no effect: no image is a NIfTI series");
    }
  });
  return { placeOption, volumeOption };
}
