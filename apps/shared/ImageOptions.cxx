// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/ImageOptions.h"

#include "shared/CommandOptions.h"
#include "shared/OptionValue.h"

#include <CLI/CLI.hpp>

std::vector<CLI::Option *>
AddImageOptions(CLI::App & app, const std::shared_ptr<OpenedImages> & images, const std::string & group)
{
  const auto          place = std::make_shared<std::string>("sform");
  CLI::Option * const placeOption =
    AddChoice(
      app, "--nifti-place", *place, { "sform", "qform" }, "Which of two places counts, where NIfTI files have both")
      ->each([place, images](const std::string & name) {
        images->reading.place = name == "qform" ? NiftiPlace::Qform : NiftiPlace::Sform;
      })
      ->group(group);
  CLI::App * const    program = app.get_parent();
  CLI::Option * const volumeOption = app
                                       .add_option("--volume",
                                                   images->reading.volume,
                                                   "The number of the volume to take of NIfTI series; the first is 0")
                                       ->each([program, images](const std::string &) {
                                         program->final_callback([images] {
                                           if (!images->HasVolumeOfSeries())
                                           {
                                             PrintWarning("--volume has no effect: no image is a NIfTI series");
                                           }
                                         });
                                       })
                                       ->check(AtLeast(0))
                                       ->transform(WholeNumber(true))
                                       ->option_text("N")
                                       ->type_name(notInSlicer)
                                       ->group(group);
  return { placeOption, volumeOption };
}
