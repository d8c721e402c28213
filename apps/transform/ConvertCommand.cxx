// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "transform/MapJob.h"
#include "transform/TransformCommands.h"

#include <CLI/CLI.hpp>

namespace
{

const Choice<MatrixFormat> &
MatrixFormats()
{
  static const Choice<MatrixFormat> choice(
    { { "auto", MatrixFormat::Auto }, { "flirt", MatrixFormat::Flirt }, { "ras-matrix", MatrixFormat::Ras } });
  return choice;
}

struct ConvertOptions
{
  MapJobOptions job;
  std::string   transform;
  std::string   inputFormat = "auto";
  std::string   outputFormat = "auto";
  std::string   fixed;
  std::string   moving;
};

/** One run. Checks formats and images before it reads a transform. */
class ConvertJob
{
public:
  explicit ConvertJob(const ConvertOptions & options)
    : m_Options(options)
    , m_Step(ParseMapStep(options.transform))
  {
    m_From.matrix = MatrixFormats().GetValue(options.inputFormat);
    m_To.matrix = MatrixFormats().GetValue(options.outputFormat);
    this->OpenImages();
    if (m_From.matrix == MatrixFormat::Flirt)
    {
      CheckMapFormat(m_Step.path, m_From);
    }
    CheckMapFormat(options.job.output, m_To);
    const bool isMatrix = m_From.matrix != MatrixFormat::Auto;
    m_Job.emplace(options.job, isMatrix ? std::vector<MapStep>() : std::vector<MapStep>{ m_Step });
    m_Job->GetFiles().AddInput(isMatrix ? m_Step.path : "");
    m_Job->GetFiles().AddInput(options.fixed);
    m_Job->GetFiles().AddInput(options.moving);
    m_Job->GetReport().Set("/transforms", TextsOf({ m_Step }));
  }

  void
  Run()
  {
    const bool isFlat = m_From.matrix == MatrixFormat::Auto && m_Job->GetDimension() == 2;
    isFlat ? m_Job->Write<2>(*m_Job->Read<2>({ m_Step }), m_Step.GetText(), m_To)
           : m_Job->Write<3>(*this->Read(), m_Step.GetText(), m_To);
    m_Job->Finish();
  }

private:
  void
  OpenImages()
  {
    const bool areNeeded = m_From.matrix == MatrixFormat::Flirt || NeedsImages(m_Options.job.output, m_To);
    const auto open = [&](const char * name, const std::string & path) -> std::optional<NamedGrid> {
      if (path.empty())
      {
        return std::nullopt;
      }
      if (!areNeeded)
      {
        throw UserError(std::string(name) + " has no effect here: only FLIRT's matrices and .lta need images");
      }
      return NamedGrid{ path, OpenGridOrField(*m_Options.job.opened, path) };
    };
    m_From.fixed = m_To.fixed = open("--fixed", m_Options.fixed);
    m_From.moving = m_To.moving = open("--moving", m_Options.moving);
  }

  /** Reads the map from fixed to moving points, of three axes. */
  MapType<3>::Pointer
  Read() const
  {
    if (m_From.matrix == MatrixFormat::Auto)
    {
      return m_Job->Read<3>({ m_Step }).GetPointer();
    }
    const auto map = ReadMapFile<3>(m_Step.path, m_From);
    return m_Step.isInverse ? InvertMap<3>(*map, {}, {}, nullptr, m_Step.path) : map;
  }

  const ConvertOptions & m_Options;
  const MapStep          m_Step;
  MapFormat              m_From;
  MapFormat              m_To;
  std::optional<MapJob>  m_Job;
};

} // namespace

void
AddConvertCommand(CLI::App & program)
{
  const auto       options = std::make_shared<ConvertOptions>();
  CLI::App * const app = program.add_subcommand(
    "convert",
    "Writes a transform in another format: of ITK (.h5, .tfm, .txt, .mat), as an image of displacements, of\n"
    "FreeSurfer (.lta), or of FSL's FLIRT. The map stays the same; formats that go the other way are turned around.\n"
    "Choose it to hand a transform to a program that reads another format.");
  const char * const files = "Files";
  AddTransformFile(*app, "TRANSFORM", options->transform, "What to convert");
  AddMapOutput(*app, options->job, "The file to write; its ending decides the format");
  const auto addFormat = [&](const char * name, std::string & format, const char * text) {
    AddChoice(*app, name, format, MatrixFormats().GetNames(), text)->group(files);
  };
  addFormat("--input-format",
            options->inputFormat,
            "What a matrix of 4 x 4 numbers is, which does not say so: of\nFLIRT, or between points in RAS, as greedy "
            "and c3d have it");
  addFormat("--output-format", options->outputFormat, "Such a matrix to write, in place of what the ending says");
  AddFile(*app,
          "--fixed",
          options->fixed,
          "The fixed image (FLIRT's -ref), for FLIRT's matrices and .lta",
          files,
          "image input");
  AddFile(*app, "--moving", options->moving, "The moving image (FLIRT's -in), for the same", files, "image input");
  AddMapJobOptions(*app,
                   options->job,
                   "The fixed image, whose grid displacements get. Default: that of\nthe field, where it is one",
                   files);
  app->footer("Examples:\n"
              "  cudaneuro-transform convert map.h5 field.nii.gz --reference fixed.nii.gz\n"
              "  cudaneuro-transform convert flirt.mat affine.tfm --input-format flirt --fixed fixed.nii.gz --moving "
              "moving.nii.gz");
  app->callback([=] {
    ConvertJob job(*options);
    Try("convert " + options->transform, [&] { job.Run(); });
  });
}
