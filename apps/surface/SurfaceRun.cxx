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
using itk::CudaNeuroDetail::GridOf;
using itk::CudaNeuroDetail::VolumeOf;

namespace
{

bool
HasSurface(const cudaneuro::SignedDistanceImage & distance)
{
  const float * const begin = distance.GetBufferPointer();
  const auto [lowest, highest] =
    std::minmax_element(begin, begin + distance.GetLargestPossibleRegion().GetNumberOfPixels());
  return *lowest < 0.0f && *highest > 0.0f;
}

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

void
SurfaceJob::WarnOf(const DenoisedSurface & surface) const
{
  const auto & levelSet = surface.levelSet;
  // By central differences, those of a distance are below 1 at edges only, and never far above.
  if (m_Options.isDistance && (levelSet.lowGradientNorm < 0.5 || levelSet.highGradientNorm > 2.0))
  {
    std::ostringstream text;
    text << m_Options.input << " is no signed distance near its surface: the norm of its gradient is from "
         << levelSet.lowGradientNorm << " to " << levelSet.highGradientNorm << " (5 and 95 %), and should be 1";
    PrintWarning(text.str());
  }
}

void
SurfaceJob::FindSurface(cudaneuro::Context & context, DenoisedSurface & surface, std::size_t item)
{
  if (!HasSurface(*surface.item.distance))
  {
    const auto label = m_Input->GetLabel(item);
    PrintWarning("nothing is left of " + (label ? "label " + std::to_string(*label) : m_Options.input));
    return;
  }
  const bool isSurface = m_Options.GetKind() == SurfaceKind::Surface;
  surface.after = cudaneuro::SignedDistanceToSurface(
    context, surface.item.distance, isSurface ? surface.item.before.Get() : nullptr, m_Options.GetContouring());
  if (isSurface)
  {
    surface.after->SetFieldData(surface.item.before->GetFieldData());
  }
  if (m_Options.GetKind() == SurfaceKind::Labels)
  {
    AddLabel(*surface.after, *m_Input->GetLabel(item), m_Input->HasLongLabels());
  }
}

DenoisedSurface
SurfaceJob::Denoise(cudaneuro::Context & context, std::size_t item)
{
  cudaneuro::Context::ProgressSteps progress(context);
  DenoisedSurface                   surface;
  progress.UpTo(0.2);
  const Stopwatch measuring;
  surface.item = m_Input->MakeItem(context, item);
  this->AddSeconds("distance", measuring);

  progress.UpTo(0.8);
  const Stopwatch denoising;
  context.ResetStatistics();
  const auto &                 distance = surface.item.distance;
  const cudaneuro::Volume      volume = VolumeOf(distance.GetPointer());
  const cudaneuro::ConstVolume mask = surface.item.mask.IsNull()
                                        ? cudaneuro::ConstVolume{}
                                        : VolumeOf(static_cast<const ByteImage *>(surface.item.mask.GetPointer()));
  const cudaneuro::Grid        grid = GridOf<3>(distance.GetPointer());
  auto                         parameters = m_Options.levelSet;
  if (m_Options.GetKind() == SurfaceKind::Labels && parameters.similarityScale == 0.0)
  {
    parameters.similarityScale = cudaneuro::RecommendedLabelSimilarityScale(grid, parameters.patchSize);
  }
  surface.levelSet = cudaneuro::NonLocalMeansLevelSet(
    context, parameters, grid, { volume.data, volume.type, volume.space }, mask, volume);
  this->AddSeconds("denoising", denoising);
  if (context.GetDevice().IsCuda())
  {
    m_Seconds["on_device"] += context.GetStatistics().deviceMilliseconds / 1000.0;
  }
  this->WarnOf(surface);

  progress.UpTo(1.0);
  const Stopwatch finding;
  this->FindSurface(context, surface, item);
  this->AddSeconds("surface", finding);
  if (surface.after != nullptr)
  {
    const Stopwatch comparing;
    surface.comparison = cudaneuro::CompareSurfaces(context, surface.item.before, surface.after);
    this->AddSeconds("comparing", comparing);
  }
  return surface;
}

void
SurfaceJob::Describe(const DenoisedSurface & surface, std::size_t item)
{
  Report::Json json;
  const auto   size = surface.item.distance->GetLargestPossibleRegion().GetSize();
  const auto   spacing = surface.item.distance->GetSpacing();
  const auto & levelSet = surface.levelSet;
  if (m_Options.GetKind() == SurfaceKind::Labels)
  {
    json["label"] = *m_Input->GetLabel(item);
  }
  json["grid_voxels"] = { size[0], size[1], size[2] };
  json["grid_spacing_mm"] = { spacing[0], spacing[1], spacing[2] };
  json["ambiguous_voxels"] = surface.item.grid.ambiguousVoxels;
  json["band_voxels"] = levelSet.bandVoxels;
  json["band_width_mm"] = levelSet.bandWidth;
  json["spatial_scale_mm2"] = levelSet.spatialScale;
  json["similarity_scale_mm2"] = levelSet.similarityScale;
  json["time_step"] = levelSet.timeStep;
  json["gradient_norm_percentile_5"] = levelSet.lowGradientNorm;
  json["gradient_norm_percentile_95"] = levelSet.highGradientNorm;
  json["volume_offset_mm"] = levelSet.volumeOffset;
  if (surface.after != nullptr)
  {
    const auto & comparison = surface.comparison;
    json["distance"] = DescribeDistances(comparison.symmetric);
    json["distance_before_to_after"] = DescribeDistances(comparison.firstToSecond);
    json["distance_after_to_before"] = DescribeDistances(comparison.secondToFirst);
    DescribeSizes(json, comparison.first, comparison.second);
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
                                          surface.item.distance.GetPointer()));
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
  this->AddSeconds("writing", writing);
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
  this->AddSeconds("writing", writing);
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
    const auto                        parts = static_cast<double>(count);
    cudaneuro::Context::ProgressRange range(
      context, static_cast<double>(item) / parts, static_cast<double>(item + 1) / parts);
    DenoisedSurface surface;
    Call([&] { surface = this->Denoise(context, item); });
    this->Describe(surface, item);
    this->WriteOne(surface, item);
    if (surface.after != nullptr && joins)
    {
      m_Before.push_back(surface.item.before);
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
