// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/SurfaceOptions.h"

#include "files/surfaces/SurfaceFile.h"
#include "shared/Files.h"
#include "shared/ImageOptions.h"
#include "shared/OptionValue.h"
#include "shared/ParameterOptions.h"
#include "shared/ProgramSupport.h"

namespace
{

const Choice<SurfaceMethod> &
Methods()
{
  static const Choice<SurfaceMethod> choice({ { "normals", SurfaceMethod::Normals },
                                              { "labels", SurfaceMethod::Labels },
                                              { "level-set", SurfaceMethod::LevelSet } });
  return choice;
}

} // namespace

std::string
NameOf(SurfaceMethod method)
{
  return Methods().GetName(method);
}

SurfaceKind
SurfaceOptions::GetKind() const
{
  return IsSurface(input) ? SurfaceKind::Surface : isDistance ? SurfaceKind::Distance : SurfaceKind::Labels;
}

SurfaceMethod
SurfaceOptions::GetMethod() const
{
  if (!method.empty())
  {
    return Methods().GetValue(method);
  }
  switch (this->GetKind())
  {
    case SurfaceKind::Surface:
      return SurfaceMethod::Normals;
    case SurfaceKind::Labels:
      return SurfaceMethod::Labels;
    case SurfaceKind::Distance:
      return SurfaceMethod::LevelSet;
  }
  return SurfaceMethod::LevelSet;
}

cudaneuro::SurfaceContouring
SurfaceOptions::GetContouring() const
{
  return keepsEdges ? cudaneuro::SurfaceContouring::KeepEdges : cudaneuro::SurfaceContouring::MarchingCubes;
}

namespace
{

using Parameters = cudaneuro::NonLocalMeansLevelSetParameters;

/** The options of one method. */
class MethodOptions
{
public:
  MethodOptions(OptionModes & modes, const SurfaceOptions & options, SurfaceMethod method)
    : m_Modes(modes)
    , m_Options(options)
    , m_Method(method)
  {}

  void
  Add(CLI::Option * option)
  {
    m_Modes.Add(option, "--method " + NameOf(m_Method), [&options = m_Options, method = m_Method] {
      return options.GetMethod() == method;
    });
  }

private:
  OptionModes &          m_Modes;
  const SurfaceOptions & m_Options;
  SurfaceMethod          m_Method;
};

void
AddInputOptions(CLI::App & app, SurfaceOptions & options, OptionModes & modes)
{
  const char * const group = "Inputs";
  app
    .add_option("INPUT",
                options.input,
                "A surface (.vtk, .vtp, .stl, .ply, .obj, .off, GIFTI .gii,\n"
                "FreeSurfer's lh.* and rh.*), closed for level sets; or an image\n"
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
              ->transform(WholeNumber(false))
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
    "an image as INPUT and --method level-set",
    [&options, isImage] { return isImage() && options.GetMethod() == SurfaceMethod::LevelSet; });
  for (CLI::Option * const option : AddImageOptions(app, options.opened, group))
  {
    modes.Add(option, "an image as INPUT", isImage);
  }
  modes.Add(
    AddAutomaticParameter(app,
                          &cudaneuro::SurfaceGridParameters::voxelSize,
                          options.spacing,
                          { group,
                            "--spacing",
                            "",
                            {},
                            "the mean length of its edges, but no\n"
                            "more than 1/40 of its longest side and 1/4 of its shortest" }),
    "a surface as INPUT and --method level-set",
    [&options] { return options.GetKind() == SurfaceKind::Surface && options.GetMethod() == SurfaceMethod::LevelSet; });
}

void
AddOutputOptions(CLI::App & app, SurfaceOptions & options, OptionModes & modes)
{
  const char * const group = "Outputs (at least one; the ending decides the format)";
  const auto         add = [&](const char * name, std::string & path, const char * kind, const char * text) {
    return app.add_option(name, path, text)->option_text("FILE")->group(group)->type_name(kind);
  };
  add("-o,--output",
      options.output,
      "geometry output fileExtensions=.vtp reference=input",
      "The denoised surface: .vtk or .vtp, with the arrays of INPUT;\n"
      "other formats of surfaces, without. Of labels, all in one file with\n"
      "an array Label at cells; or, where {label} is in the name,\n"
      "each in a file of its own");
  MethodOptions(modes, options, SurfaceMethod::LevelSet)
    .Add(add("--output-distance",
             options.outputDistance,
             notInSlicer,
             "The denoised signed distances in mm; of several labels,\n{label} must be in the name"));
  add("--figure",
      options.figure,
      "file output fileExtensions=.png",
      "Picture of the surface before, after, and colored by the\ndistance between them in mm, .png");
  AddJsonFile(app, options.json, group);
}

/** Adds the option of a number above 0, which may be infinite; "auto" sets it to 0. */
CLI::Option *
AddScale(CLI::App & app, Parameters & parameters, double Parameters::*member, const ParameterOption & how)
{
  CLI::Option * option = nullptr;
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
    option = app.add_option_function<std::string>(name, set, HelpOf(parameter, how) + ".\nDefault: auto, " + how.usual)
               ->option_text("X|auto")
               ->default_str("auto")
               ->group(how.group);
  });
  return option;
}

void
AddMethodOption(CLI::App & app, SurfaceOptions & options)
{
  AddChoice(app,
            "--method",
            options.method,
            Methods().GetNames(),
            "How to denoise. normals: the vertices of a mesh move to filtered\n"
            "normals, and triangles and arrays stay; for meshes whose vertices\n"
            "are noisy, open ones, too. labels: the smooth surface that makes\n"
            "the voxels of a label likely; for segmentations. level-set:\n"
            "non-local means of the signed distance, of which a new mesh is\n"
            "made; for distances, and for labels and closed meshes whose\n"
            "islands are to vanish",
            "normals for a surface, labels for labels, level-set for distances")
    ->group("Denoising");
}

void
AddNormalsOptions(CLI::App & app, SurfaceOptions & options, OptionModes & modes)
{
  using P = cudaneuro::MeshDenoisingParameters;
  MethodOptions(modes, options, SurfaceMethod::Normals)
    .Add(AddAutomaticParameter(app,
                               &P::noise,
                               options.noise,
                               { "Denoising",
                                 "",
                                 "Standard deviation of the vertices' noise along the\nnormals, in mm",
                                 {},
                                 "an estimate from the mesh" }));
}

void
AddLevelSetOptions(CLI::App & app, SurfaceOptions & options, OptionModes & modes)
{
  using P = Parameters;
  const char * const group = "Level sets";
  P &                levelSet = options.levelSet;
  MethodOptions      method(modes, options, SurfaceMethod::LevelSet);
  method.Add(AddScale(app, levelSet, &P::bandWidth, { group, "", "", {}, "from the voxels" }));
  method.Add(AddParameter(app, nullptr, levelSet, &P::patchSize, { group }));
  method.Add(AddParameter(app, nullptr, levelSet, &P::numberOfNeighbors, { group, "--neighbors" }));
  method.Add(AddScale(app, levelSet, &P::spatialScale, { group, "", "", {}, "from the data" }));
  method.Add(
    AddScale(app,
             levelSet,
             &P::similarityScale,
             { group, "", "", {}, "from the data, or for labels\n0.3 n^3 h^2 for patches of n voxels of h mm" }));
  method.Add(AddParameter(app, nullptr, levelSet, &P::numberOfIterations, { group, "-n,--iterations" }));
  method.Add(AddParameter(app, nullptr, levelSet, &P::numberOfPasses, { group, "--passes" }));
  method.Add(AddParameter(app, nullptr, levelSet, &P::reinitialize, { group }));
  AddOffFlag(app,
             "--no-volume-correction",
             levelSet.volumeCorrection,
             "Leave the surface where it is, instead of shifting it so that it\nencloses the volume that it had",
             group);
  method.Add(app.get_option("--no-volume-correction"));
  method.Add(app
               .add_flag("--keep-edges",
                         options.keepsEdges,
                         "Make the surface of the denoised distance with sharp edges, as\n"
                         "parts that were made by machines have them, instead of marching\n"
                         "cubes. An edge of its triangles may have four of them")
               ->group(group));
}

} // namespace

void
AddSurfaceOptions(CLI::App & app, SurfaceOptions & options, OptionModes & modes)
{
  AddOutputOptions(app, options, modes);
  AddInputOptions(app, options, modes);
  AddMethodOption(app, options);
  AddNormalsOptions(app, options, modes);
  AddLevelSetOptions(app, options, modes);
  AddComputeOptions(app, options.compute);
}

void
CheckSurfaceOptions(const SurfaceOptions & options, const OptionModes & modes)
{
  const auto require = [&](SurfaceMethod method, SurfaceKind kind, const char * input) {
    if (options.GetMethod() == method && options.GetKind() != kind)
    {
      throw UserError("--method " + NameOf(method) + " has no effect here: only with " + input + " as INPUT");
    }
  };
  require(SurfaceMethod::Normals, SurfaceKind::Surface, "a surface");
  require(SurfaceMethod::Labels, SurfaceKind::Labels, "an image of labels");
  modes.Check();
  if (options.output.empty() && options.outputDistance.empty() && options.figure.empty() && options.json.empty())
  {
    throw CLI::RequiredError("At least one of --output, --output-distance, --figure and --json");
  }
}
