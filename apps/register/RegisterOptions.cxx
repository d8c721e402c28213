// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/RegisterOptions.h"

void
AddCommonOutputs(CLI::App & app, RegisterOptions & options, OptionModes & modes)
{
  const char * const group = groupOfOutputs;
  AddFile(app, "-o,--output-warped", options.outputWarped, "The moving image on the fixed one's grid", group);
  modes.Add(AddChoice(app,
                      "--output-type",
                      options.outputType,
                      PixelTypes().GetNames(),
                      "Pixel type of the warped image",
                      "that of the moving image")
              ->group(group),
            "--output-warped",
            [&options] { return !options.outputWarped.empty(); });
  AddFile(app, "--output-labels", options.outputLabels, "The moving labels on the fixed image's grid", group);
  AddJsonFile(app, options.json, group);
}

void
AddCommonInputs(CLI::App & app, RegisterOptions & options, OptionModes & modes, const std::string & kinds)
{
  const char * const group = groupOfInputs;
  app.add_option("FIXED", options.fixed, "The image whose grid the results have: NIfTI, MetaImage or NRRD, 2D or 3D")
    ->option_text(" ")
    ->required();
  app.add_option("MOVING", options.moving, "The image that is brought onto it; its grid may be another")
    ->option_text(" ")
    ->required();
  app
    .add_option("-i,--initial-transform",
                options.initialTransforms,
                "From fixed to moving points: " + kinds +
                  ".\nSeveral are applied to a point one after the other, the first\nfirst")
    ->option_text("FILE")
    ->allow_extra_args(false)
    ->group(group);
  AddFile(app, "--fixed-mask", options.fixedMask, "Where it is 0 the fixed image is not looked at", group);
  AddFile(app, "--moving-mask", options.movingMask, "Where it is 0 the moving image has no value", group);
  AddFile(app, "--moving-labels", options.movingLabels, "Labels on the moving image's grid, to warp along", group);
  modes.Add(app.get_option("--moving-labels"), "--fixed-labels or --output-labels", [&options] {
    return !options.fixedLabels.empty() || !options.outputLabels.empty();
  });
  AddFile(app,
          "--fixed-labels",
          options.fixedLabels,
          "Labels on the fixed image's grid: the report tells how the\n"
          "moving labels overlap with them, before and after",
          group);
  app.get_option("--fixed-labels")->needs("--moving-labels");
  app.get_option("--output-labels")->needs("--moving-labels");
}
