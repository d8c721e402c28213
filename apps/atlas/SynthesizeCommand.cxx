// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasCommands.h"
#include "files/system/SystemFile.h"
#include "cudaneuro/SyntheticPopulation.h"
#include "files/base/Text.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "itkCudaNeuroDetail.h"
#include "shared/CommandOptions.h"
#include "shared/ParameterOptions.h"
#include "shared/ProgramSupport.h"
#include "shared/SynthesisRun.h"

namespace detail = itk::CudaNeuroDetail;

namespace
{

struct SynthesizeOptions : SynthesisOptions
{
  std::vector<std::size_t> size{ 128 };
  std::vector<double>      spacing{ 1.0 };
  bool                     writesMaps = false;

  cudaneuro::SyntheticPopulationParameters population;
};

/** The report of what was synthesized. */
class SynthesizeReport : public Report
{
public:
  void
  Print() const override
  {
    PrintLine("images", this->TextOf("/number_of_images") + " of " + this->TextOf("/size") + " voxels");
    PrintLine("list", this->TextOf("/list"));
  }
};

/** Writes a population of images of 2 or 3 axes. */
template <unsigned int VDimension>
class Synthesis
{
public:
  explicit Synthesis(const SynthesizeOptions & options)
    : m_Options(options)
    , m_Grid(MakeGrid(options))
    , m_Run(options)
  {
    detail::Call([&] {
      m_Population = std::make_unique<cudaneuro::SyntheticPopulation>(
        detail::GeometryOf<VDimension>(m_Grid.GetPointer()), options.population);
    });
  }

  /** Checks every place before anything is computed, then computes and writes file by file. */
  void
  Write()
  {
    m_Run.folders.Make(ToPath(m_Options.folder));
    FilesOfRun       files;
    const OutputFile list = files.AddOutput(m_Run.PathOf("population.csv"));
    const OutputFile atlas = files.AddOutput(m_Run.PathOf("template.nii.gz"));
    const auto       json = files.AddTextOutput(m_Options.json);
    if (m_Options.writesMaps)
    {
      m_Run.folders.Make(ToPath(m_Run.PathOf("maps")));
    }
    std::string rows = "image\n";
    for (int index = 0; index < m_Options.population.numberOfImages; ++index)
    {
      files.AddOutput(m_Run.PathOf(NameOf(index) + ".nii.gz"));
      rows += NameOf(index) + ".nii.gz\n";
    }
    const auto image = MakeImageOn<ImageType>(*m_Grid);
    this->FollowProgress(0);
    detail::Call([&] { m_Population->WriteTemplate(m_Run.context, image->GetBufferPointer()); });
    WriteImage<float, VDimension>(atlas, image.GetPointer());
    for (int index = 0; index < m_Options.population.numberOfImages; ++index)
    {
      this->FollowProgress(index + 1);
      this->WriteOne(index);
    }
    // The list is written last, when all its files are there.
    WriteText(&list, rows);
    this->Finish(json.get());
  }

private:
  using ImageType = itk::Image<float, VDimension>;
  using FieldType = itk::Image<itk::Vector<float, VDimension>, VDimension>;

  static typename itk::ImageBase<VDimension>::Pointer
  MakeGrid(const SynthesizeOptions & options)
  {
    const auto grid = itk::ImageBase<VDimension>::New();
    grid->SetRegions(AxisValues<itk::Size<VDimension>>(options.size, "--size"));
    grid->SetSpacing(AxisValues<typename itk::ImageBase<VDimension>::SpacingType>(options.spacing, "--spacing"));
    return grid;
  }

  static std::string
  NameOf(int index)
  {
    return "image_" + FourDigits(static_cast<std::size_t>(index) + 1);
  }

  /** Draws the progress: the template is part 0, each image another part. */
  void
  FollowProgress(int part)
  {
    m_Run.FollowProgress(part, m_Options.population.numberOfImages + 1);
  }

  void
  WriteOne(int index)
  {
    const auto image = MakeImageOn<ImageType>(*m_Grid);
    const auto field = m_Options.writesMaps ? MakeImageOn<FieldType>(*m_Grid) : typename FieldType::Pointer();
    detail::Call([&] {
      m_Population->WriteImage(
        m_Run.context, index, image->GetBufferPointer(), detail::FieldOf(field.GetPointer()).data);
    });
    if (field.IsNotNull())
    {
      WriteImage<itk::Vector<float, VDimension>, VDimension>(
        OutputFile(m_Run.PathOf("maps/" + NameOf(index) + "_map.nii.gz")), field.GetPointer());
    }
    WriteImage<float, VDimension>(OutputFile(m_Run.PathOf(NameOf(index) + ".nii.gz")), image.GetPointer());
  }

  void
  Finish(const OutputFile * json)
  {
    SynthesizeReport report;
    report.Set("/number_of_images", m_Options.population.numberOfImages);
    report.Set("/list", m_Run.PathOf("population.csv"));
    const auto               size = m_Grid->GetLargestPossibleRegion().GetSize();
    std::vector<std::size_t> sizes;
    std::vector<double>      spacings;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      sizes.push_back(size[axis]);
      spacings.push_back(m_Grid->GetSpacing()[axis]);
    }
    report.Set("/size", sizes);
    report.Set("/spacing", spacings);
    report.Set("/displacement", m_Options.population.displacement);
    report.Set("/smoothness", m_Options.population.smoothness);
    report.Set("/noise", m_Options.population.noise);
    report.Set("/seed", m_Options.population.seed);
    m_Run.Finish(report, json);
  }

  const SynthesizeOptions &                       m_Options;
  typename itk::ImageBase<VDimension>::Pointer    m_Grid;
  SynthesisRun                                    m_Run;
  std::unique_ptr<cudaneuro::SyntheticPopulation> m_Population;
};

void
AddPopulationOptions(CLI::App & app, SynthesizeOptions & options)
{
  const char * const population = "Population";
  using P = cudaneuro::SyntheticPopulationParameters;
  AddParameter(app, nullptr, options.population, &P::numberOfImages, { population, "--images" });
  AddAxisValues(
    app, "--size", options.size, "Size in voxels; one value for all of three axes, or one an\naxis, of two or three")
    ->check(AtLeast(1))
    ->group(population);
  AddAxisValues(app, "--spacing", options.spacing, "Distance of voxels in mm, one value or one an axis")
    ->check(Positive())
    ->group(population);
  for (const auto member : { &P::displacement, &P::smoothness, &P::noise })
  {
    AddParameter(app, nullptr, options.population, member, { population });
  }
  AddParameter(app, nullptr, options.population, &P::seed, { population });
}

void
AddSynthesizeOptions(CLI::App & app, SynthesizeOptions & options)
{
  AddSynthesisFolder(
    app, options, "Folder for template.nii.gz, image_0001.nii.gz and so on, and\npopulation.csv, a list for build");
  app
    .add_flag(
      "--maps",
      options.writesMaps,
      "Write maps/NAME_map.nii.gz, too: displacements in mm, from\npoints of an image to those of the template, LPS")
    ->group("Outputs");
  AddJsonFile(app, options.json, "Outputs");
  AddPopulationOptions(app, options);
  AddSynthesisComputing(app, options);
}

} // namespace

void
AddSynthesizeCommand(CLI::App & program, Processes & processes)
{
  constexpr const char * description =
    "Writes images of a head-like phantom under random maps whose center is known, to test atlases with.\n"
    "Choose it to see how near an atlas comes to template.nii.gz, of which the images are deformations.";
  constexpr const char * examples =
    "Example:\n"
    "  cudaneuro-atlas synthesize --output-folder cohort --number-of-images 14 --size 128\n"
    "  cudaneuro-atlas build --list cohort/population.csv --align none --output-folder atlas";

  const auto       options = std::make_shared<SynthesizeOptions>();
  CLI::App * const app = program.add_subcommand("synthesize", description);
  AddSynthesizeOptions(*app, *options);
  app->footer(examples);
  app->callback([=, &processes] {
    if (processes.GetSize() > 1)
    {
      throw UserError("synthesize is for one process; mpirun started " + std::to_string(processes.GetSize()));
    }
    Try("synthesize a population",
        [&] { options->size.size() == 2 ? Synthesis<2>(*options).Write() : Synthesis<3>(*options).Write(); });
  });
}
