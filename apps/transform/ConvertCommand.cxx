// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFormat.h"
#include "files/transforms/LtaFile.h"
#include "files/transforms/SpaceMatrix.h"
#include "files/transforms/TransformFile.h"
#include "itkAffineTransform.h"
#include "transform/MapJob.h"
#include "transform/TransformCommands.h"

namespace
{

/** What a file of 16 numbers is. */
enum class MatrixFormat
{
  /** None: the file tells what it is. */
  Auto,
  /** From the moving to the fixed image, in the coordinates of FSL, which belong to the two images. */
  Flirt,
  /** From the fixed to the moving image, between points in RAS, as greedy and c3d have it. */
  Ras
};

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

using AffineType = itk::AffineTransform<double, 3>;

template <unsigned int VDimension>
using ConstPointer = typename itk::Transform<double, VDimension, VDimension>::ConstPointer;

AffineType::Pointer
TransformOf(const SpaceMatrix & matrix)
{
  const auto                   affine = AffineType::New();
  AffineType::MatrixType       rows;
  AffineType::OutputVectorType offset;
  for (unsigned int row = 0; row < 3; ++row)
  {
    offset[row] = matrix(row, 3);
    for (unsigned int column = 0; column < 3; ++column)
    {
      rows[row][column] = matrix(row, column);
    }
  }
  affine->SetMatrix(rows);
  affine->SetOffset(offset);
  return affine;
}

SpaceMatrix
MatrixOfTransform(const AffineType & affine)
{
  SpaceMatrix matrix;
  matrix.set_identity();
  for (unsigned int row = 0; row < 3; ++row)
  {
    matrix(row, 3) = affine.GetOffset()[row];
    for (unsigned int column = 0; column < 3; ++column)
    {
      matrix(row, column) = affine.GetMatrix()[row][column];
    }
  }
  return matrix;
}

/** One run: formats and images are checked before a transform is read. */
class ConvertJob
{
public:
  explicit ConvertJob(const ConvertOptions & options)
    : m_Options(options)
    , m_Step(ParseMapStep(options.transform))
    , m_From(MatrixFormats().GetValue(options.inputFormat))
    , m_To(MatrixFormats().GetValue(options.outputFormat))
    , m_IsLta(EndsWith(options.job.output, ".lta"))
  {
    if (m_To == MatrixFormat::Auto && !m_IsLta)
    {
      CheckMapFormat(options.job.output);
    }
    this->OpenImages();
    m_Job.emplace(options.job, m_From == MatrixFormat::Auto ? std::vector<MapStep>{ m_Step } : std::vector<MapStep>());
    m_Job->GetFiles().AddInput(m_From == MatrixFormat::Auto ? "" : m_Step.path);
    m_Job->GetFiles().AddInput(options.fixed);
    m_Job->GetFiles().AddInput(options.moving);
    m_Job->GetReport().Set("/transforms", TextsOf({ m_Step }));
  }

  void
  Run()
  {
    m_From == MatrixFormat::Auto && m_Job->GetDimension() == 2 ? this->Convert<2>() : this->Convert<3>();
    m_Job->Finish();
  }

private:
  static bool
  EndsWith(const std::string & text, const std::string & end)
  {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
  }

  bool
  NeedsImages() const
  {
    return m_From == MatrixFormat::Flirt || m_To == MatrixFormat::Flirt || (m_To == MatrixFormat::Auto && m_IsLta);
  }

  void
  OpenImages()
  {
    for (const auto & [name, path, image] :
         { std::tuple("--fixed", &m_Options.fixed, &m_Fixed), std::tuple("--moving", &m_Options.moving, &m_Moving) })
    {
      if (path->empty() && this->NeedsImages())
      {
        throw UserError(std::string(name) + " is missing: " +
                        (m_IsLta && m_To == MatrixFormat::Auto ? "an .lta tells the grids of both images"
                                                               : "FLIRT's coordinates belong to two images"));
      }
      if (path->empty())
      {
        continue;
      }
      if (!this->NeedsImages())
      {
        throw UserError(std::string(name) + " has no effect here: only FLIRT's matrices and .lta need images");
      }
      *image = m_Options.job.opened->OpenGrid(*path);
      if ((*image)->dimension != 3)
      {
        throw UserError(*path + " has " + std::to_string((*image)->dimension) + " axes; matrices of 4 x 4 need 3");
      }
    }
  }

  /** The map from fixed to moving points. */
  template <unsigned int VDimension>
  typename SpaceMap<VDimension>::Pointer
  Read() const
  {
    if (m_From == MatrixFormat::Auto)
    {
      return m_Job->Read<VDimension>({ m_Step });
    }
    const auto map = SpaceMap<VDimension>::New();
    if constexpr (VDimension == 3)
    {
      const SpaceMatrix own = ReadMatrixFile(m_Step.path);
      const SpaceMatrix inverse = InverseOf(m_Step.path, own);
      SpaceMatrix       matrix = m_From == MatrixFormat::Ras
                                   ? Flipped(own)
                                   : FslToPoint(*m_Moving) * inverse * InverseOf(m_Options.fixed, FslToPoint(*m_Fixed));
      if (m_Step.isInverse)
      {
        matrix = InverseOf(m_Step.path, matrix);
      }
      map->AddTransform(TransformOf(matrix));
    }
    return map;
  }

  template <unsigned int VDimension>
  void
  Convert()
  {
    const auto          map = this->Read<VDimension>();
    const std::string & output = m_Options.job.output;
    if (m_To != MatrixFormat::Auto || m_IsLta)
    {
      this->WriteMatrix<VDimension>(*map);
      return;
    }
    if (IsImageName(output))
    {
      m_Job->GetReport().Set("/output_description", "displacement field");
      const auto grid = GridFor<VDimension>(*map, m_Options.job.reference, *m_Options.job.opened);
      StageMapAsField<VDimension>(*m_Job->GetOutput(), *map, grid, m_Options.job.compute).Commit();
      return;
    }
    auto written = WithoutComposite<VDimension>(*map);
    if (EndsWith(output, ".mat") && IsLinear<VDimension>(*map))
    {
      // Matlab's files hold one transform.
      written = dynamic_cast<const SpaceMap<VDimension> *>(written.GetPointer()) == nullptr
                  ? written
                  : ConstPointer<VDimension>(AsAffine<VDimension>(*map));
    }
    else if (!written->IsLinear())
    {
      CheckTransformFormat(output);
    }
    m_Job->GetReport().Set("/output_description", written->GetNameOfClass());
    StageTransform<VDimension>(*m_Job->GetOutput(), written).Commit();
  }

  template <unsigned int VDimension>
  void
  WriteMatrix(const SpaceMap<VDimension> & map)
  {
    const auto affine = AsAffine<VDimension>(map);
    if (VDimension != 3 || affine.IsNull())
    {
      throw UserError(
        "cannot write " + m_Options.job.output + ": " + m_Step.GetText() +
        (VDimension != 3 ? " has 2 axes, and a matrix of 4 x 4 has 3" : " is not linear, and a matrix of 4 x 4 is"));
    }
    if constexpr (VDimension == 3)
    {
      const SpaceMatrix matrix = MatrixOfTransform(dynamic_cast<const AffineType &>(*affine));
      m_Job->GetReport().Set("/output_description",
                             m_To == MatrixFormat::Flirt ? "matrix of FLIRT"
                             : m_To == MatrixFormat::Ras ? "matrix between points in RAS"
                                                         : "transform of FreeSurfer");
      m_Job->GetOutput()->Write([&](const std::string & path) {
        if (m_To == MatrixFormat::Ras)
        {
          WriteMatrixFile(path, Flipped(matrix));
        }
        else if (m_To == MatrixFormat::Flirt)
        {
          WriteMatrixFile(path,
                          InverseOf(m_Options.fixed, FslToPoint(*m_Fixed)) * InverseOf(m_Step.path, matrix) *
                            FslToPoint(*m_Moving));
        }
        else
        {
          WriteLta(path, matrix, { m_Options.moving, *m_Moving }, { m_Options.fixed, *m_Fixed });
        }
      });
    }
  }

  const ConvertOptions &     m_Options;
  const MapStep              m_Step;
  const MatrixFormat         m_From;
  const MatrixFormat         m_To;
  const bool                 m_IsLta;
  std::optional<OpenedImage> m_Fixed;
  std::optional<OpenedImage> m_Moving;
  std::optional<MapJob>      m_Job;
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
