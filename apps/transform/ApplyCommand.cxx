// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/CommandOptions.h"
#include "shared/ImageOptions.h"
#include "transform/ApplyJob.h"
#include "transform/TransformCommands.h"

#include <CLI/CLI.hpp>

void
AddApplyCommand(CLI::App & program)
{
  constexpr const char * description =
    "Brings an image, labels or a series to the grid of another image, or moves points or a mesh.\n"
    "Choose it where transforms are there and what they were not found with is to follow: all need one interpolation.\n"
    "Images are taken from the moving to the fixed grid. Points go the other way, from the fixed to the moving image: "
    "to\n"
    "carry points along with an image, give the inverse transforms, the last first.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-transform apply moving.nii.gz moved.nii.gz --reference fixed.nii.gz -x warp.nii.gz -x affine.mat\n"
    "  cudaneuro-transform apply labels.nii.gz moved.nii.gz --reference fixed.nii.gz -x affine.mat --interpolation "
    "label\n"
    "  cudaneuro-transform apply moving.csv moved.csv --inverse affine.mat --inverse warp.nii.gz";

  const auto         options = std::make_shared<ApplyOptions>();
  CLI::App * const   app = program.add_subcommand("apply", description);
  const char * const files = "Files";
  app
    ->add_option("INPUT",
                 options->input,
                 "The moving image: NIfTI, MetaImage or NRRD, 2D or 3D, or a NIfTI\nseries; or points or a mesh of the "
                 "fixed image")
    ->option_text(" ")
    ->type_name("image input")
    ->required();
  app->add_option("OUTPUT", options->output, "The file to write; its ending decides the format")
    ->option_text(" ")
    ->type_name("image output reference=reference")
    ->required();
  AddFile(*app, "--reference", options->reference, "The fixed image, whose grid an image gets", files, "image input");
  AddMapOptions(*app, options->map, files);
  AddFile(*app,
          "--volume-transforms",
          options->volumeTransforms,
          "A text that names a transform for each volume of a series, one a\nline, or one text of ITK that has them "
          "all: from points of the fixed\nimage, or where the others lead, to points of the volume. They\ncome after "
          "the others",
          files,
          "none");
  AddImageOptions(*app, options->opened, files);
  AddJsonFile(*app, options->json, files);
  const char * const values = "Values";
  AddChoice(*app,
            "--interpolation",
            options->interpolation,
            Interpolations().GetNames(),
            "How values between voxels are found; label is the one that has\nmost weight by linear interpolation")
    ->group(values);
  app->add_option("--background", options->background, "The value where the image has none, in intensity units")
    ->option_text("X")
    ->group(values);
  AddChoice(
    *app, "--output-type", options->outputType, PixelTypes().GetNames(), "Pixel type to write", "that of the input")
    ->group(values);
  AddComputeOptions(*app, options->compute);
  app->footer(examples);
  app->callback([=] { RunApply(*options); });
}
