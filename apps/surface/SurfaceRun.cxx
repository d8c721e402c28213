// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFile.h"
#include "files/surfaces/SurfaceFile.h"
#include "itkCudaNeuroDetail.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"
#include "surface/SurfaceFigure.h"
#include "surface/SurfaceJob.h"

#include <vtkAppendPolyData.h>
#include <vtkCellData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkTypeInt64Array.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

using itk::CudaNeuroDetail::Call;

namespace
{

/** Adds an array with the label of each triangle. */
void
AddLabel(vtkPolyData & surface, std::int64_t label, bool isLong)
{
  const auto add = [&](const auto & array) {
    using ValueType = typename std::decay_t<decltype(*array)>::ValueType;
    array->SetName("Label");
    array->SetNumberOfTuples(surface.GetNumberOfCells());
    array->FillValue(static_cast<ValueType>(label));
    surface.GetCellData()->SetScalars(array);
  };
  isLong ? add(vtkSmartPointer<vtkTypeInt64Array>::New()) : add(vtkSmartPointer<vtkIntArray>::New());
}

/** Warns of a change of the volume by more than 2 %. */
void
WarnOfVolume(const std::string & name, double before, double after, double area)
{
  constexpr double most = 2.0;
  const double     change = ChangeInPercent(before, after, area);
  if (std::abs(change) > most)
  {
    std::ostringstream text;
    text.precision(4);
    text << name << " changes its volume by " << change << " %, from " << before << " to " << after << " mm^3";
    PrintWarning(text.str());
  }
}

vtkSmartPointer<vtkPolyData>
Joined(const std::vector<vtkSmartPointer<vtkPolyData>> & surfaces)
{
  if (surfaces.size() == 1)
  {
    return surfaces.front();
  }
  const vtkNew<vtkAppendPolyData> append;
  append->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  for (const auto & surface : surfaces)
  {
    append->AddInputData(surface);
  }
  append->Update();
  return append->GetOutput();
}

} // namespace

DenoisedSurface
SurfaceJob::Denoise(cudaneuro::Context & context, std::size_t item)
{
  cudaneuro::Context::ProgressSteps progress(context);
  progress.UpTo(0.9);
  DenoisedSurface surface = m_Functions.denoise(context, m_Options, *m_Input, item, m_Seconds);
  if (surface.after != nullptr && m_Options.GetKind() == SurfaceKind::Labels)
  {
    AddLabel(*surface.after, *m_Input->GetLabel(item), m_Input->HasLongLabels());
  }
  progress.UpTo(1.0);
  this->Describe(context, surface, item);
  return surface;
}

void
SurfaceJob::Describe(cudaneuro::Context & context, const DenoisedSurface & surface, std::size_t item)
{
  Report::Json json;
  if (const auto label = m_Input->GetLabel(item))
  {
    json["label"] = *label;
  }
  json.update(surface.found);
  if (surface.after != nullptr)
  {
    const Stopwatch comparing;
    const auto      comparison = cudaneuro::CompareSurfaces(context, surface.before, surface.after);
    m_Seconds.Add("comparing", comparing);
    json["distance"] = DescribeDistances(comparison.symmetric);
    json["distance_before_to_after"] = DescribeDistances(comparison.firstToSecond);
    json["distance_after_to_before"] = DescribeDistances(comparison.secondToFirst);
    json["angle"] = DescribeAngles(comparison.symmetricAngles);
    if (surface.isClosed)
    {
      // A label's volume before is that of its voxels, not of the surface before denoising.
      const bool   isLabel = m_Options.GetKind() == SurfaceKind::Labels;
      const double before = isLabel ? m_Input->GetVoxelVolume(item) : comparison.first.volume;
      DescribeVolumes(json, before, comparison.second.volume, comparison.first.area);
      WarnOfVolume(m_Input->GetNameOf(item), before, comparison.second.volume, comparison.first.area);
    }
    DescribeAreas(json, comparison.first, comparison.second);
    json["triangles_after"] = surface.after->GetNumberOfPolys();
  }
  m_Surfaces.push_back(json);
}

void
SurfaceJob::WriteOne(const DenoisedSurface & surface, std::size_t item)
{
  const Stopwatch         writing;
  std::vector<StagedFile> staged;
  if (!m_Options.outputDistance.empty())
  {
    staged.push_back(StageImage<float, 3>(m_Outputs.Get(this->GetPath(m_Options.outputDistance, item)),
                                          surface.distance.GetPointer()));
  }
  if (surface.after != nullptr && this->HasFileForEach(m_Options.output))
  {
    staged.push_back(
      StageSurfaceFile(m_Outputs.Get(this->GetPath(m_Options.output, item)), surface.after, m_Input->GetNotes()));
  }
  for (StagedFile & file : staged)
  {
    file.Commit();
  }
  m_Seconds.Add("writing", writing);
}

void
SurfaceJob::WriteAll(cudaneuro::Context & context)
{
  const Stopwatch         writing;
  std::vector<StagedFile> staged;
  const auto              after = Joined(m_After);
  if (!m_Options.output.empty() && !this->HasFileForEach(m_Options.output))
  {
    staged.push_back(StageSurfaceFile(m_Outputs.Get(m_Options.output), after, m_Input->GetNotes()));
  }
  if (!m_Options.figure.empty())
  {
    const auto before = Joined(m_Before);
    cudaneuro::AddDistances(context, after, before);
    staged.push_back(
      m_Outputs.Get(m_Options.figure).Stage([&](const std::string & path) { DrawSurfaceFigure(before, after, path); }));
  }
  for (StagedFile & file : staged)
  {
    file.Commit();
  }
  m_Seconds.Add("writing", writing);
}

double
SurfaceJob::ProgressOf(std::size_t items) const
{
  constexpr double partOfFirst = 0.9; // of a method that makes all surfaces at once
  const double     part = static_cast<double>(items) / static_cast<double>(m_Input->GetNumberOfItems());
  return m_Functions.makesAllAtOnce && items > 0 ? partOfFirst + (1.0 - partOfFirst) * part : part;
}

void
SurfaceJob::Run()
{
  const std::size_t  count = m_Input->GetNumberOfItems();
  const bool         joins = !m_Options.figure.empty() || !this->HasFileForEach(m_Options.output);
  cudaneuro::Context context(m_Options.compute.GetDevice().GetEngineDevice(), m_Options.compute.numberOfThreads);
  context.SetMemoryLimit(m_Options.compute.maximumDeviceMemory);
  ProgressBar bar("Denoising", m_Options.compute.isQuiet);
  context.SetProgressFunction([&bar](float fraction) {
    bar.Show(static_cast<double>(fraction));
    return !IsInterrupted();
  });
  for (std::size_t item = 0; item < count; ++item)
  {
    const cudaneuro::Context::ProgressRange range(context, this->ProgressOf(item), this->ProgressOf(item + 1));
    DenoisedSurface                         surface;
    Call([&] { surface = this->Denoise(context, item); });
    this->WriteOne(surface, item);
    if (surface.after != nullptr && joins)
    {
      m_Before.push_back(surface.before);
      m_After.push_back(surface.after);
    }
  }
  const bool writesAll =
    !m_Options.figure.empty() || (!m_Options.output.empty() && !this->HasFileForEach(m_Options.output));
  if (writesAll && m_After.empty())
  {
    throw UserError("nothing is left of " + m_Options.input + ": the denoised distance has one sign everywhere");
  }
  if (writesAll)
  {
    Call([&] { this->WriteAll(context); });
  }
}
