// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/LabelWriting.h"

#include "atlas/AtlasInputs.h"
#include "atlas/LabelNumbers.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/images/ImageWriter.h"
#include "itkCudaNeuroDetail.h"
#include "shared/LabelTypes.h"

namespace detail = itk::CudaNeuroDetail;

namespace
{

/** Gives the labels of this process's images to the atlas. */
template <unsigned int VDimension>
void
SetLabels(const AtlasJob &                   job,
          const Processes &                  processes,
          const itk::ImageBase<VDimension> & grid,
          cudaneuro::DiffeomorphicAtlas &    atlas,
          LabelNumbers &                     numbers)
{
  using CodeImage = itk::Image<unsigned short, VDimension>;
  const std::vector<int>                   own = atlas.GetOwnImages();
  std::vector<typename CodeImage::Pointer> codes(own.size());
  ReadInParallel(job, "Reading labels", own.size(), [&](std::size_t i) {
    const std::string & path = job.GetPopulation()[static_cast<std::size_t>(own[i])].labels;
    if (!path.empty())
    {
      codes[i] = numbers.Encode<VDimension>(*ReadLabels<VDimension>(job.GetOpened().Open(path)), path);
    }
  });
  numbers.Sort(processes);
  for (std::size_t i = 0; i < own.size(); ++i)
  {
    if (codes[i].IsNull())
    {
      continue;
    }
    ThrowIfInterrupted();
    numbers.Renumber<VDimension>(*codes[i]);
    const auto             index = static_cast<std::size_t>(own[i]);
    const auto             initial = ReadInitialMap<VDimension>(job, grid, index);
    cudaneuro::AtlasLabels labels;
    labels.name = job.GetPopulation()[index].labels;
    labels.geometry = detail::GeometryOf<VDimension>(codes[i].GetPointer());
    labels.labels = detail::VolumeOf(static_cast<const CodeImage *>(codes[i].GetPointer()));
    labels.transform = initial.transform;
    labels.transformField = initial.GetField();
    detail::Call([&] { atlas.SetLabels(own[i], labels); });
    codes[i] = nullptr;
  }
}

/** The mean share where the template has a label; 0 where it has none. */
template <unsigned int VDimension>
double
MeanWhereLabelled(const itk::Image<unsigned short, VDimension> & codes, const itk::Image<float, VDimension> & shares)
{
  double            sum = 0.0;
  std::size_t       count = 0;
  const std::size_t voxels = codes.GetLargestPossibleRegion().GetNumberOfPixels();
  for (std::size_t i = 0; i < voxels; ++i)
  {
    if (codes.GetBufferPointer()[i] != 0)
    {
      sum += static_cast<double>(shares.GetBufferPointer()[i]);
      ++count;
    }
  }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

} // namespace

template <unsigned int VDimension>
LabelWriting<VDimension>::LabelWriting(AtlasJob &                         job,
                                       const itk::ImageBase<VDimension> & grid,
                                       cudaneuro::DiffeomorphicAtlas &    atlas)
  : m_Job(job)
{
  const PopulationImage * const first = FirstWithLabels(job.GetPopulation());
  if (first == nullptr)
  {
    return;
  }
  LabelNumbers numbers;
  SetLabels<VDimension>(job, job.GetProcesses(), grid, atlas, numbers);
  const auto codes = MakeImageOn<CodeImage>(grid);
  m_Probability = MakeImageOn<ShareImage>(grid);
  detail::Call([&] {
    atlas.GetLabels({ detail::VolumeOf(codes.GetPointer()), detail::VolumeOf(m_Probability.GetPointer()) });
  });
  if (!job.GetProcesses().IsFirst())
  {
    return;
  }
  m_NumberOfLabels = numbers.GetLabels().size() - 1; // without the background
  m_MeanProbability = MeanWhereLabelled<VDimension>(*codes, *m_Probability);
  const auto labels = numbers.Decode<VDimension>(*codes);
  const auto type = TypeForLabels(numbers.GetLabels(), job.GetOpened().Open(first->labels).componentType);
  m_Files.Start([&job, labels, type] {
    return StageConverted(*job.GetFolder().GetLabels(), DescribeToWrite<std::int64_t, VDimension>(*labels), type);
  });
  m_Files.Start([&job, probability = m_Probability] {
    return StageImage<float, VDimension>(*job.GetFolder().GetLabelProbability(), probability.GetPointer());
  });
}

template <unsigned int VDimension>
void
LabelWriting<VDimension>::Commit()
{
  if (m_Probability.IsNull() || !m_Job.GetProcesses().IsFirst())
  {
    return;
  }
  m_Files.Commit();
  AtlasReport & report = m_Job.GetReport();
  report.Set("/labels/number", m_NumberOfLabels);
  report.Set("/labels/mean_probability", m_MeanProbability);
  report.Set("/outputs/labels", m_Job.GetFolder().GetLabels()->GetPath());
  report.Set("/outputs/label_probability", m_Job.GetFolder().GetLabelProbability()->GetPath());
}

template class LabelWriting<2>;
template class LabelWriting<3>;
