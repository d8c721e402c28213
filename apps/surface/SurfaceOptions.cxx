// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/SurfaceOptions.h"

#include "files/surfaces/SurfaceFile.h"
#include "shared/Files.h"
#include "shared/ImageOptions.h"
#include "shared/OptionValue.h"
#include "shared/ParameterOptions.h"
#include "shared/ProgramSupport.h"

SurfaceKind
SurfaceOptions::GetKind() const
{
  return IsSurface(input) ? SurfaceKind::Surface : isDistance ? SurfaceKind::Distance : SurfaceKind::Labels;
}

cudaneuro::SurfaceContouring
SurfaceOptions::GetContouring() const
{
  return keepsEdges ? cudaneuro::SurfaceContouring::KeepEdges : cudaneuro::SurfaceContouring::MarchingCubes;
}

namespace
{

using Parameters = cudaneuro::NonLocalMeansLevelSetParameters;

void
AddInputOptions(CLI::App & app, SurfaceOptions & options, OptionModes & modes)
{
  const char * const group = "Inputs";
  app
    .add_option("INPUT",
                options.input,
                "A closed surface (.vtk, .vtp, .stl, .ply, .obj, .off, GIFTI\n"
                ".gii, FreeSurfer's lh.* and rh.*); or an image\n"
                "of labels (NIfTI, MetaImage or NRRD, 3D), of which every\n"
                "value but 0 has a surface; or an image of signed distances")
    ->option_text(" ")
    ->type_name("geometry input fileExtensions=.vtp")
    ->required();
  const auto isKind = [&options](SurfaceKind kind) { return [&options, kind] { return options.GetKind() == kind; }; };
  const auto isImage = [&options] { return options.GetKind() != SurfaceKind::Surface; };
  modes.Add(
    app.add_flag("--distance", options.isDistance, "INPUT is an image of signed distances in mm, negative inside")
      ->type_name(notInSlicer)
      ->group(group),
    "an image as INPUT",
    isImage);
  modes.Add(app
              .add_option("--label",
                          options.labels,
                          "A label to work on, a number without unit; may be given several times. By default all")
              ->delimiter(',')
              ->allow_extra_args(false)
              ->option_text("N")
              ->type_name(notInSlicer)
              ->group(group),
            "an image of labels as INPUT",
            isKind(SurfaceKind::Labels));
  modes.Add(
    app
      .add_option("-m,--mask",
                  options.mask,
                  "An image on the same grid; where it is 0 distances stay\nas they are, and no voxel is like another")
      ->option_text("FILE")
      ->type_name(notInSlicer)
      ->group(group),
    "an image as INPUT",
    isImage);
  for (CLI::Option * const option : AddImageOptions(app, options.opened, group))
  {
    modes.Add(option, "an image as INPUT", isImage);
  }
  modes.Add(AddAutomaticParameter(app,
                                  &cudaneuro::SurfaceGridParameters::voxelSize,
                                  options.spacing,
                                  { group,
                                    "--spacing",
                                    "",
                                    {},
                                    "the mean length of its edges, but no\n"
                                    "more than 1/40 of its longest side and 1/4 of its shortest" }),
            "a surface as INPUT",
            isKind(SurfaceKind::Surface));
}

void
AddOutputOptions(CLI::App & app, SurfaceOptions & options)
{
  const char * const group = "Outputs (at least one; the ending decides the format)";
  const auto         add = [&](const char * name, std::string & path, const char * kind, const char * text) {
    app.add_option(name, path, text)->option_text("FILE")->group(group)->type_name(kind);
  };
  add("-o,--output",
      options.output,
      "geometry output fileExtensions=.vtp reference=input",
      "The denoised surface: .vtk or .vtp, with the arrays of INPUT;\n"
      "other formats of surfaces, without. Of labels, all in one file with\n"
      "an array Label at cells; or, where {label} is in the name,\n"
      "each in a file of its own");
  add("--output-distance",
      options.outputDistance,
      notInSlicer,
      "The denoised signed distances in mm; of several labels,\n{label} must be in the name");
  add("--figure",
      options.figure,
      "file output fileExtensions=.png",
      "Picture of the surface before, after, and colored by the\ndistance between them in mm, .png");
  AddJsonFile(app, options.json, group);
}

/** Adds the option of a number above 0, which may be infinite, that is 0 where it is "auto". */
void
AddScale(CLI::App & app, Parameters & parameters, double Parameters::*member, const ParameterOption & how)
{
  cudaneuro::WithParameter(member, [&](const auto & parameter) {
    const std::string name = NamesOfOption(how.otherNames, parameter.name);
    const auto        set = [=, &parameters](const std::string & text) {
      double number = 0.0;
      if (text != "auto" && !CLI::detail::lexical_cast(text, number))
      {
        throw CLI::ConversionError(name + " must be a number or auto; it is " + text);
      }
      if (text != "auto" && !(number > 0.0))
      {
        throw CLI::ValidationError(name, "must be positive; it is " + text);
      }
      parameters.*member = number;
    };
    app.add_option_function<std::string>(name, set, HelpOf(parameter, how) + ".\nDefault: auto, " + how.usual)
      ->option_text("X|auto")
      ->default_str("auto")
      ->group(how.group);
  });
}

void
AddMethodOptions(CLI::App & app, SurfaceOptions & options)
{
  using P = Parameters;
  const char * const group = "Denoising";
  P &                levelSet = options.levelSet;
  AddScale(app, levelSet, &P::bandWidth, { group, "", "", {}, "from the voxels" });
  AddParameter(app, nullptr, levelSet, &P::patchSize, { group });
  AddParameter(app, nullptr, levelSet, &P::numberOfNeighbors, { group, "--neighbors" });
  AddScale(app, levelSet, &P::spatialScale, { group, "", "", {}, "from the data" });
  AddScale(app,
           levelSet,
           &P::similarityScale,
           { group, "", "", {}, "from the data, or for labels\n0.3 n^3 h^2 for patches of n voxels of h mm" });
  AddParameter(app, nullptr, levelSet, &P::numberOfIterations, { group, "-n,--iterations" });
  AddParameter(app, nullptr, levelSet, &P::numberOfPasses, { group, "--passes" });
  AddParameter(app, nullptr, levelSet, &P::reinitialize, { group });
  AddOffFlag(app,
             "--no-volume-correction",
             levelSet.volumeCorrection,
             "Leave the surface where it is, instead of shifting it so that it\nencloses the volume that it had",
             group);
  app
    .add_flag("--keep-edges",
              options.keepsEdges,
              "Make the surface of the denoised distance with sharp edges, as\n"
              "parts that were made by machines have them, instead of marching\n"
              "cubes. An edge of its triangles may have four of them")
    ->group(group);
}

} // namespace

void
AddSurfaceOptions(CLI::App & app, SurfaceOptions & options, OptionModes & modes)
{
  AddOutputOptions(app, options);
  AddInputOptions(app, options, modes);
  AddMethodOptions(app, options);
  AddComputeOptions(app, options.compute);
}
