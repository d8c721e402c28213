// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "transform/ApplyJob.h"

#include "files/images/ImageFile.h"
#include "files/images/ImageFormat.h"
#include "files/images/LabelTypes.h"
#include "files/images/OpenedField.h"
#include "files/images/SeriesFile.h"
#include "files/input/InputFile.h"
#include "files/maps/Background.h"
#include "files/maps/ConvertNumbers.h"
#include "files/maps/LimitedVoxels.h"
#include "files/maps/SeriesMover.h"
#include "files/points/PointFile.h"
#include "files/transforms/TransformFile.h"
#include "files/transforms/TransformRecords.h"
#include "shared/CommandOptions.h"
#include "shared/ImageOptions.h"
#include "shared/registration/MapOutputs.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"
#include "shared/Report.h"
#include "transform/MapSteps.h"
#include "transform/VolumeTransforms.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace
{

class ApplyReport : public Report
{
public:
  void
  Print() const override
  {
    for (std::size_t i = 0; this->Has("/transforms/" + std::to_string(i)); ++i)
    {
      PrintLine(i == 0 ? "map" : "then", this->TextOf("/transforms/" + std::to_string(i)));
    }
    PrintLine("output", this->TextOf("/output") + ", " + this->TextOf("/output_description"));
    PrintLine("seconds", this->TextOfAll("/seconds"));
  }
};

/** One run. Checks everything, and makes the place of the output, before it computes. */
class ApplyJob
{
public:
  explicit ApplyJob(const ApplyOptions & options)
    : m_Options(options)
    , m_Steps(options.map.GetSteps())
    , m_Interpolation(Interpolations().GetValue(options.interpolation))
    , m_IsImage(IsImageName(options.input) || IsDicom(options.input))
  {
    WarnOfUnusedMemoryLimit(options.compute);
    m_IsImage ? this->OpenImages() : this->ReadPoints();
    this->AddFiles();
    this->CheckTransforms();
    m_Report.Set("/input", options.input);
    m_Report.Set("/output", options.output);
    m_Report.Set("/transforms", TextsOf(m_Steps));
    m_Report.SetDevice(options.compute.GetDevice());
  }

  template <unsigned int VDimension>
  void
  Run()
  {
    const Stopwatch reading;
    const auto      map = this->ReadMapFor<VDimension>(m_Steps);
    m_Report.Set("/seconds/reading_transforms", reading.GetSeconds());
    if (!m_IsImage)
    {
      this->RunPoints<VDimension>(*map);
    }
    else if (IsSeries(*m_Input))
    {
      if constexpr (VDimension == 3)
      {
        this->RunSeries(*map);
      }
    }
    else if (m_Interpolation == Interpolation::Label)
    {
      this->RunLabels<VDimension>(*map);
    }
    else
    {
      this->RunImages<VDimension>(*map);
    }
  }

  unsigned int
  GetDimension() const
  {
    return m_Dimension;
  }

  void
  Finish()
  {
    m_Report.Set("/seconds/total", m_Stopwatch.GetSeconds());
    m_Report.WriteAndPrint(m_Options.json, m_Json.get(), m_Options.compute.isQuiet);
  }

private:
  void
  OpenImages()
  {
    if (m_Options.reference.empty())
    {
      throw UserError("--reference is missing: the image whose grid " + m_Options.output + " is to have");
    }
    m_Input = m_Options.opened->OpenWithSeries(m_Options.input);
    m_Reference = OpenGridOrField(*m_Options.opened, m_Options.reference);
    m_Dimension = m_Reference->dimension;
    RequireAxesOf(*m_Reference, IsSeries(*m_Input) ? VolumeOf(*m_Input, 0) : *m_Input);
    // Labels are written as the type of their file, whatever its scaling.
    const bool isLabel = m_Interpolation == Interpolation::Label && !IsSeries(*m_Input);
    m_Type = !m_Options.outputType.empty() ? PixelTypes().GetValue(m_Options.outputType)
             : isLabel                     ? m_Input->componentType
                                           : m_Input->GetNumberType();
    RequireBackground(m_Options.background, m_Interpolation, m_Type, IsSeries(*m_Input));
  }

  void
  ReadPoints()
  {
    CheckRegularFile(m_Options.input);
    if (!IsPointFile(m_Options.input))
    {
      RefuseInput(m_Options.input,
                  "it is neither an image that is known here, which are " + KnownImages() +
                    ", nor a file of points, which are " + PointEndings());
    }
    for (const char * const name : { "--reference", "--interpolation", "--background", "--output-type" })
    {
      if (m_Options.map.command->get_option(name)->count() > 0)
      {
        throw UserError(std::string(name) + " has no effect here: " + m_Options.input + " has points");
      }
    }
    m_Points = ReadPointFile(m_Options.input);
    m_Dimension = m_Points.dimension;
    CheckPointFormat(m_Options.output, m_Dimension);
  }

  void
  AddFiles()
  {
    for (const std::string & path : { m_Options.input, m_Options.reference, m_Options.volumeTransforms })
    {
      m_Files.AddInput(path);
    }
    AddMapInputs(m_Files, m_Steps);
    m_VolumeSteps = this->ReadVolumeSteps();
    AddMapInputs(m_Files, m_VolumeSteps);
    if (m_IsImage && IsSeries(*m_Input))
    {
      CheckSeriesFormat(m_Options.output, *m_Input);
    }
    else if (m_IsImage)
    {
      CheckOutputFormat(m_Options.output);
    }
    m_Output.emplace(m_Files.AddOutput(m_Options.output));
    m_Json = m_Files.AddTextOutput(m_Options.json);
  }

  /** Checks the transforms as far as possible before voxels are read. */
  void
  CheckTransforms()
  {
    CheckMapFiles(m_Steps);
    if (m_Options.volumeTransforms.empty())
    {
      return;
    }
    const Stopwatch   reading;
    const std::string what = "the axes of " + m_Options.reference;
    m_VolumeSteps.empty()
      ? m_VolumeTransforms.emplace(m_Options.volumeTransforms, what)
      : m_VolumeTransforms.emplace(m_VolumeSteps, m_Options.opened->reading, what, m_Options.compute);
    this->RequireOneForEachVolume("has", m_VolumeTransforms->GetCount());
    m_Report.Set("/seconds/reading_volume_transforms", reading.GetSeconds());
  }

  void
  RequireOneForEachVolume(const std::string & verb, std::size_t count) const
  {
    if (count != m_Input->size[3])
    {
      throw UserError(m_Options.volumeTransforms + ' ' + verb + ' ' + std::to_string(count) + " transforms, and " +
                      m_Options.input + " has " + std::to_string(m_Input->size[3]) + " volumes");
    }
  }

  /** Returns the transforms that the list of volumes names; none if the file has the transforms itself. */
  std::vector<MapStep>
  ReadVolumeSteps() const
  {
    if (m_Options.volumeTransforms.empty())
    {
      return {};
    }
    if (!m_IsImage || !IsSeries(*m_Input))
    {
      throw UserError("--volume-transforms has no effect here: " + m_Options.input + " is no series of volumes");
    }
    if (IsTransformText(m_Options.volumeTransforms))
    {
      return {};
    }
    const std::vector<MapStep> steps = ReadStepsOfText(m_Options.volumeTransforms);
    this->RequireOneForEachVolume("names", steps.size());
    return steps;
  }

  template <unsigned int VDimension>
  typename SpaceMap<VDimension>::Pointer
  ReadMapFor(const std::vector<MapStep> & steps) const
  {
    const std::string what = m_IsImage ? "the axes of " + m_Options.reference : "the points of " + m_Options.input;
    return ReadMap<VDimension>(steps, m_Options.opened->reading, what, m_Options.compute);
  }

  /** Returns the output without its voxels. */
  ImageToWrite
  Describe() const
  {
    ImageToWrite image;
    static_cast<ImageDescription &>(image) = *m_Reference;
    image.components = 1;
    image.componentType = m_Type;
    image.metadata = MovedMetadata(*m_Reference, *m_Input);
    return image;
  }

  void
  NoteOutput(const std::string & description)
  {
    m_Report.Set("/output_description", description);
    if (m_IsImage)
    {
      m_Report.Set("/reference", m_Options.reference);
      m_Report.Set("/interpolation", m_Options.interpolation);
      m_Report.Set("/background", m_Options.background);
      m_Report.Set("/output_type", NameOf(m_Type));
    }
  }

  /** Reports, and warns of, voxels whose values the type does not hold. */
  void
  NoteLimited(std::uint64_t count)
  {
    m_Report.Set("/limited_voxels", count);
    WarnOfLimitedVoxels(m_Options.output, count, NameOf(m_Type));
  }

  /** Warns if the output is nothing but background. */
  void
  WarnIfBackground(bool isAllBackground) const
  {
    if (isAllBackground)
    {
      WarnOfBackground(m_Options.output, *m_Reference, *m_Input);
    }
  }

  ImageMovement
  GetMovement() const
  {
    return { m_Interpolation, m_Options.background, m_Input->GetNumberType(), false, ComputingOf(m_Options.compute) };
  }

  template <unsigned int VDimension>
  void
  RunImages(const SpaceMap<VDimension> & map)
  {
    const auto             grid = ReadGrid<VDimension>(*m_Reference);
    const Stopwatch        resampling;
    ImageMover<VDimension> mover(map, *grid, this->GetMovement());
    const auto             values = mover.Move(*ReadImage<double, VDimension>(*m_Input));
    std::vector<char>      numbers(values.size() * BytesOf(m_Type));
    const auto             limited = ConvertNumbers(values.data(), values.size(), m_Type, numbers.data());
    m_Report.Set("/seconds/resampling", resampling.GetSeconds());
    ImageToWrite image = this->Describe();
    image.pixels = numbers.data();
    this->NoteOutput(m_Reference->path + "'s grid");
    this->WarnIfBackground(std::all_of(
      values.begin(), values.end(), [this](double value) { return IsBackground(value, m_Options.background); }));
    this->NoteLimited(limited);
    const Stopwatch writing;
    StageImage(*m_Output, image).Commit();
    m_Report.Set("/seconds/writing", writing.GetSeconds());
  }

  void
  RunSeries(const SpaceMap<3> & map)
  {
    SeriesMovement movement{ *m_Input, *m_Reference, map, {}, this->GetMovement(), m_Type };
    movement.ofVolume.computing.watch = [this](const std::string & stage) {
      const auto bar = std::make_shared<ProgressBar>(stage, m_Options.compute.isQuiet);
      return [this, bar](double fraction) {
        const auto volumes = std::lround(fraction * static_cast<double>(m_Input->size[3]));
        bar->Show(fraction, std::to_string(volumes) + " volumes");
      };
    };
    if (m_VolumeTransforms)
    {
      movement.transformOf = [this](std::size_t volume) { return m_VolumeTransforms->Get(volume); };
    }
    const Stopwatch stopwatch;
    MovedSeries     moved = StageMovedSeries(*m_Output, movement);
    m_Report.Set("/seconds/resampling_and_writing", stopwatch.GetSeconds());
    m_Report.Set("/limited_voxels", moved.limitedVoxels);
    this->NoteOutput(m_Reference->path + "'s grid, " + std::to_string(m_Input->size[3]) + " volumes");
    moved.file.Commit();
  }

  template <unsigned int VDimension>
  void
  RunLabels(const SpaceMap<VDimension> & map)
  {
    const auto      grid = ReadGrid<VDimension>(*m_Reference);
    const auto      labels = ReadLayeredLabels<VDimension>(*m_Input);
    const auto      background = static_cast<std::int64_t>(m_Options.background);
    const Stopwatch resampling;
    const auto      moved = MoveLabels<VDimension>(map, *grid, *labels, background, ComputingOf(m_Options.compute));
    m_Report.Set("/seconds/resampling", resampling.GetSeconds());
    const std::int64_t * const begin = moved->GetBufferPointer();
    const std::int64_t * const end = begin + moved->GetLargestPossibleRegion().GetNumberOfPixels();
    this->WarnIfBackground(std::all_of(begin, end, [=](std::int64_t label) { return label == background; }));
    m_Type = TypeForLabels(std::vector<std::int64_t>(begin, end), m_Type);
    ImageToWrite image = DescribeToWrite<std::int64_t, VDimension>(*moved);
    image.metadata = MovedMetadata(*m_Reference, *m_Input);
    ResetExtents(image.metadata, image.size);
    this->NoteOutput(m_Reference->path + "'s grid");
    StageConverted(*m_Output, image, m_Type).Commit();
  }

  template <unsigned int VDimension>
  void
  RunPoints(const SpaceMap<VDimension> & map)
  {
    const std::string notes = NotesOf(m_Points, m_Options.input);
    if (!notes.empty())
    {
      Warn(notes);
    }
    m_Report.Set("/number_of_points", m_Points.GetNumberOfPoints());
    this->NoteOutput(std::to_string(m_Points.GetNumberOfPoints()) + " points");
    StagePointFile(*m_Output, MovePoints<VDimension>(map, m_Points, ComputingOf(m_Options.compute))).Commit();
  }

  const ApplyOptions &            m_Options;
  const Stopwatch                 m_Stopwatch;
  const std::vector<MapStep>      m_Steps;
  std::vector<MapStep>            m_VolumeSteps;
  std::optional<VolumeTransforms> m_VolumeTransforms;
  const Interpolation             m_Interpolation;
  const bool                      m_IsImage;
  unsigned int                    m_Dimension = 3;
  std::optional<OpenedImage>      m_Input;
  std::optional<OpenedImage>      m_Reference;
  itk::IOComponentEnum            m_Type = itk::IOComponentEnum::FLOAT;
  PointData                       m_Points;
  FilesOfRun                      m_Files;
  std::optional<OutputFile>       m_Output;
  std::unique_ptr<OutputFile>     m_Json;
  ApplyReport                     m_Report;
};

} // namespace

const Choice<Interpolation> &
Interpolations()
{
  static const Choice<Interpolation> choice({ { "linear", Interpolation::Linear },
                                              { "nearest", Interpolation::Nearest },
                                              { "cubic-spline", Interpolation::CubicBSpline },
                                              { "windowed-sinc", Interpolation::WindowedSinc },
                                              { "label", Interpolation::Label } });
  return choice;
}

void
RunApply(const ApplyOptions & options)
{
  ApplyJob job(options);
  Try("move " + options.input, [&] { job.GetDimension() == 2 ? job.Run<2>() : job.Run<3>(); });
  job.Finish();
}
