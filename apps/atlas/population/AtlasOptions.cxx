// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/population/AtlasOptions.h"

#include "processes/DeviceList.h"
#include "shared/CommandOptions.h"
#include "shared/ImageOptions.h"
#include "shared/OptionValue.h"
#include "shared/ParameterOptions.h"

namespace
{

using cudaneuro::RegistrationParameters;
using cudaneuro::VelocityMethod;

/** Adds the options for several populations in one run. */
void
AddCohorts(CLI::App & app, AtlasOptions & options, OptionModes & modes, const char * group)
{
  app
    .add_option("--cohorts",
                options.cohorts,
                "Several populations, each of which gets an atlas of its own in\n"
                "FOLDER/COHORT, as the visits of each subject: a list as above\n"
                "with a column cohort. The devices of --device, and the processes\n"
                "of mpirun, share the cohorts; each is built by one device.\n"
                "--resume leaves out those that are complete")
    ->option_text("FILE")
    ->type_name(notInSlicer)
    ->excludes(app.get_option("IMAGE"))
    ->excludes(app.get_option("--list"))
    ->excludes(app.get_option("--json"))
    ->group(group);
  modes.Add(app
              .add_option("--table",
                          options.table,
                          "What became of each cohort, as a CSV file. Default:\n"
                          "cohorts.csv in FOLDER")
              ->option_text("FILE")
              ->type_name(notInSlicer)
              ->group(group),
            "--cohorts",
            [&options] { return !options.cohorts.empty(); });
}

void
AddInputOptions(CLI::App & app, AtlasOptions & options, OptionModes & modes)
{
  const char * const  group = "Inputs";
  CLI::Option * const images =
    app.add_option("IMAGE", options.images, "Two images or more: NIfTI, MetaImage or NRRD, 2D or 3D")
      ->option_text("...")
      ->type_name(notInSlicer);
  app
    .add_option("--list",
                options.list,
                "The images as a CSV file: its first line names the columns,\n"
                "image and, where there are any, weight, mask, transform, labels\n"
                "and points, and of further channels image_2, mask_2 and\n"
                "transform_2, from points of image to those of image_2, and so\n"
                "on up to 8. A mask is on its image's grid; " +
                  maskHelp +
                  ".\n"
                  "A transform leads from template to image points, and is a\n"
                  "file or an image of displacements. Names of files are\n"
                  "relative to the list")
    ->option_text("FILE")
    ->type_name("file input fileExtensions=.csv")
    ->excludes(images)
    ->group(group);
  AddCohorts(app, options, modes, group);
  app
    .add_option("--channel",
                options.channels,
                "Images of the same heads by another contrast, one file for\n"
                "each image in their order, as T2 beside T1. Their grids may be\n"
                "others. All channels are deformed by the same maps, and each\n"
                "gets a template: template_2.nii.gz and so on. Up to 7 times")
    ->option_text("FILE...")
    ->type_name(notInSlicer)
    ->needs(images)
    ->group(group);
  app
    .add_option("--labels",
                options.labels,
                "Labels of the images, one file for each image in their order,\n"
                "on its grid. They do not move the maps: the template gets the\n"
                "label that most images have at a voxel, labels.nii.gz, and its\n"
                "share of them, label_probability.nii.gz. A list has them in a\n"
                "column")
    ->option_text("FILE...")
    ->type_name(notInSlicer)
    ->needs(images)
    ->group(group);
  app
    .add_option("--points",
                options.points,
                "Points of the images, such as landmarks, in mm, one file for\n"
                "each image in their order. They do not move the maps: the\n"
                "template gets the mean place of each point with its spread,\n"
                "points.csv. They are matched by their labels where these are\n"
                "unique, or else by their order. A list has them in a column")
    ->option_text("FILE...")
    ->type_name(notInSlicer)
    ->needs(images)
    ->group(group);
  app
    .add_option("--reference",
                options.reference,
                "An image whose grid the template has, and to which images are\n"
                "aligned first. With --align none the images may then have any\n"
                "grid. Default: the first image, whose grid then all without a\n"
                "transform must have")
    ->option_text("FILE")
    ->type_name("image input")
    ->group(group);
  app
    .add_option("--initial-template",
                options.initialTemplate,
                "The template to begin with, on the template's grid, to which\n"
                "images are aligned. Default: the mean of the images")
    ->option_text("FILE")
    ->type_name("image input")
    ->group(group);
  AddImageOptions(app, options.opened, group);
}

/** Adds the options of the channels after the first one. */
void
AddChannelOptions(CLI::App & app, AtlasOptions & options, OptionModes & modes)
{
  const char * const group = "Registration";
  const auto         hasChannels = [&options] {
    return !options.channels.empty() || !options.list.empty() || !options.cohorts.empty();
  };
  const char * const condition = "--channel or a list with channels";
  modes.Add(AsList(app.add_option("--channel-weights",
                                  options.channelWeights,
                                  "Weights of all channels, that of the first one first, without\n"
                                  "unit: the energy is the mean of the channels' energies with\n"
                                  "them. A channel of weight 0 has a template and no say in the\n"
                                  "maps. Default: 1 each"))
              ->check(AtLeast(0))
              ->type_name(notInSlicer)
              ->group(group),
            condition,
            hasChannels);
  modes.Add(AsList(app.add_option("--channel-metric",
                                  options.channelMetrics,
                                  "What makes the images of the further channels alike, one name\n"
                                  "for all or one a channel: mean-squares or local-correlation.\n"
                                  "Default: as --metric says"),
                   "TEXT")
              ->type_name(notInSlicer)
              ->group(group),
            condition,
            hasChannels);
}

void
AddAlignmentOptions(CLI::App & app, AtlasOptions & options, OptionModes & modes)
{
  const char * const group = "Alignment, before the atlas is built";
  AddAlign(app,
           options.align,
           "Find the linear map of each image by mutual information first,\n"
           "so that images may be as the scanner wrote them. After affine\n"
           "the template has the mean size of the images; after rigid each\n"
           "has its own. none is for images that lie on each other already",
           "affine; none where the list has transforms",
           group);
  const auto aligns = [&options] { return options.Aligns(); };
  modes.Add(app
              .add_option("--align-rounds",
                          options.alignRounds,
                          "Number of rounds: in the first, images are aligned to the\n"
                          "reference, in each later one to the mean of the aligned\n"
                          "images")
              ->check(AtLeast(1))
              ->option_text("N")
              ->group(group),
            "--align rigid or affine without --initial-template",
            [aligns, &options] { return aligns() && options.initialTemplate.empty(); });
  modes.Add(app
              .add_flag("--require-success",
                        options.isSuccessRequired,
                        "End with exit status 1, before the atlas is built, where the\n"
                        "quality of an alignment tells that nothing was found, rather\n"
                        "than with a warning")
              ->group(group),
            "--align rigid or affine",
            aligns);
}

void
AddOutputOptions(CLI::App & app, AtlasOptions & options, OptionModes & modes)
{
  const char * const group = "Outputs";
  app
    .add_option("-o,--output-folder",
                options.folder,
                "Folder for template.nii.gz, mean.nii.gz (of the images as\n"
                "they are), report.json, figure.png, where images have labels\n"
                "labels.nii.gz and label_probability.nii.gz, where they have\n"
                "points points.csv, and, of every image, maps/NAME_map.nii.gz\n"
                "(displacements in mm, from template to image, LPS),\n"
                "maps/NAME_inverse.nii.gz, maps/NAME_alignment.tfm and\n"
                "deformed/NAME.nii.gz. Of further channels there are\n"
                "template_2.nii.gz, mean_2.nii.gz, deformed/NAME_2.nii.gz and so\n"
                "on. It is made if there is none")
    ->option_text("FOLDER")
    ->type_name("directory output")
    ->required()
    ->group(group);
  app.add_flag("--no-maps", options.leaveOutMaps, "Leave the maps out, but not their inverses")->group(group);
  app.add_flag("--no-inverse", options.leaveOutInverse, "Leave the inverse maps out")->group(group);
  app.add_flag("--no-deformed", options.leaveOutDeformed, "Leave the deformed images out")->group(group);
  AddChoice(app,
            "--output-type",
            options.outputType,
            PixelTypes().GetNames(),
            "Pixel type of template, mean and images",
            "float, and for a deformed image that of the image")
    ->group(group);
  app
    .add_option("--json",
                options.json,
                "Write what was done as JSON there, too; - is standard\noutput. It is in FOLDER/report.json anyway")
    ->option_text("FILE")
    ->type_name("file output fileExtensions=.json")
    ->group(group);
  CLI::Option * const interval =
    AddParameter(app, nullptr, options.checkpoint, &cudaneuro::AtlasCheckpoint::interval, { group });
  app.add_flag("--no-checkpoint", options.noCheckpoint, "Write no checkpoints")->group(group);
  modes.Add(interval, "checkpoints, without --no-checkpoint", [&options] { return !options.noCheckpoint; });
  CLI::Option * const resume =
    app.add_flag("--resume", options.resume, "Go on from the checkpoint in FOLDER, if there is one")
      ->option_text(" ")
      ->group(group);
  app
    .add_flag("--overwrite",
              options.overwrite,
              "Begin anew; a checkpoint in FOLDER stays until this run\nwrites one, or ends well")
    ->excludes(resume)
    ->option_text(" ")
    ->group(group);
}

void
AddTemplateOptions(CLI::App & app, AtlasOptions & options, OptionModes & modes)
{
  using P = cudaneuro::AtlasParameters;
  P &               parameters = options.parameters;
  const std::string group = "Template";
  AddEnumParameter(
    app,
    &modes,
    parameters,
    &P::meanMethod,
    ChoiceOf<cudaneuro::AtlasMean>(),
    { group,
      "--mean",
      "How the template is made of the deformed images; with the\nlast two a failed image does little harm",
      { { "trimmed", OptionWordsOf(cudaneuro::AtlasMean::TrimmedMean) } } });
  AddParameter(
    app,
    &modes,
    parameters,
    &P::trimmedFraction,
    { group, "--trim", "Fraction of the weight that is left out at each end of a\nvoxel's values, below 0.5" })
    ->check(AtLeast(0).description("[0,0.49]")); // for a slider, which would reach 0.5
  AddParameter(app, &modes, parameters, &P::sharpening, { group });
  AddParameter(app, &modes, parameters, &P::shapeUpdateInterval, { group, "--shape-update" });
  modes.Add(
    AddParameter(
      app,
      &modes,
      parameters,
      &P::keepPose,
      { group, "", "Leave rotation and translation out of that: the template\nkeeps the pose in which it begins" }),
    "a --shape-update-interval other than 0",
    [&parameters] { return parameters.shapeUpdateInterval != 0; });
  AddOffFlag(app,
             "--no-trim-box",
             parameters.trimToBoundingBox,
             "Work on the whole grid, not just on the box that the images\nreach; the result is the same",
             group);
}

void
AddRegistrationOptions(CLI::App & app, AtlasOptions & options, OptionModes & modes)
{
  const std::string group = "Registration of each image to the template";
  AddFluidMetric(app,
                 options.fluid,
                 { cudaneuro::RegistrationMetric::MeanSquares, cudaneuro::RegistrationMetric::LocalCorrelation },
                 "What makes the images alike: the first for images of one\n"
                 "scanner and sequence, the second where contrast or shading\n"
                 "differ",
                 modes,
                 group);
  AddFluidSteps(app, options.fluid, modes, "template", "50, and 25 on the finest level", group);
}

void
AddSolverOptions(CLI::App & app, AtlasOptions & options, OptionModes & modes)
{
  const std::string group = "Solver";
  AddSolverOptions(app, options.fluid, cudaneuro::ValuesOf<VelocityMethod>(), "", modes, group);
  CLI::Option * const sigma =
    AddAxesParameter(app, &RegistrationParameters::updateFieldStandardDeviations, options.sigma, { group, "--sigma" });
  AddMode(app,
          &modes,
          sigma,
          options.fluid.parameters,
          cudaneuro::OnlyWith(&RegistrationParameters::velocityMethod, VelocityMethod::Gaussian));
}

} // namespace

AtlasOptions::AtlasOptions()
{
  fluid.parameters = cudaneuro::AtlasRegistrationParameters();
  fluid.levels.levels = 3;
  fluid.levels.iterations.clear(); // 50, and 25 on the finest level
}

void
AddAtlasOptions(CLI::App & app, AtlasOptions & options, OptionModes & modes)
{
  AddOutputOptions(app, options, modes);
  AddInputOptions(app, options, modes);
  AddAlignmentOptions(app, options, modes);
  AddTemplateOptions(app, options, modes);
  AddRegistrationOptions(app, options, modes);
  AddChannelOptions(app, options, modes);
  AddSolverOptions(app, options, modes);
  AddComputeOptions(app, options.compute);
  DescribeDeviceList(app);
  app.get_option("--threads")
    ->description(
      "Number of CPU threads, at least 1. Default: all cores, under\nmpirun shared by the processes of a machine");
  app.get_option("--max-memory")
    ->description("Most memory to use of each GPU, in bytes, or with a unit: KB,\n"
                  "MB, GB or TB, of 1024 each, as 500MB. Images that do not fit\n"
                  "wait in host memory for their turn; the result is the same.\n"
                  "Default: all that is free");
}
