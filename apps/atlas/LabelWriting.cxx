// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/LabelWriting.h"

#include "atlas/AtlasInputs.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/images/ImageWriter.h"
#include "files/images/LabelTypes.h"
#include "itkCudaNeuroDetail.h"

namespace detail = itk::CudaNeuroDetail;

namespace
{

/** Returns the mean share over voxels where the template has a label; 0 if there are none. */
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
PopulationLabels<VDimension>::PopulationLabels(const AtlasJob &         job,
                                               const Processes &        processes,
                                               const std::vector<int> & own)
  : m_Job(job)
  , m_Own(own)
  , m_Codes(own.size())
{
  if (FirstWithLabels(job.GetPopulation()) == nullptr)
  {
    return;
  }
  ReadInParallel(job, "Reading labels", own.size(), [&](std::size_t i) {
    const std::string & path = job.GetPopulation()[static_cast<std::size_t>(own[i])].labels;
    if (!path.empty())
    {
      m_Codes[i] = m_Numbers.Encode<VDimension>(*ReadLabels<VDimension>(job.GetOpened().Open(path)), path);
    }
  });
  m_Numbers.Sort(processes);
  for (const auto & codes : m_Codes)
  {
    if (codes.IsNotNull())
    {
      m_Numbers.Renumber<VDimension>(*codes);
    }
  }
}

template <unsigned int VDimension>
void
PopulationLabels<VDimension>::GiveTo(cudaneuro::DiffeomorphicAtlas & atlas, const itk::ImageBase<VDimension> & grid)
{
  for (std::size_t i = 0; i < m_Own.size(); ++i)
  {
    if (m_Codes[i].IsNull())
    {
      continue;
    }
    ThrowIfInterrupted();
    const auto             index = static_cast<std::size_t>(m_Own[i]);
    const auto             initial = ReadInitialMap<VDimension>(m_Job, grid, index);
    cudaneuro::AtlasLabels labels;
    labels.name = m_Job.GetPopulation()[index].labels;
    labels.geometry = detail::GeometryOf<VDimension>(m_Codes[i].GetPointer());
    labels.labels = detail::VolumeOf(static_cast<const CodeImage *>(m_Codes[i].GetPointer()));
    labels.transform = initial.transform;
    labels.transformField = initial.GetField();
    detail::Call([&] { atlas.SetLabels(m_Own[i], labels); });
    m_Codes[i] = nullptr;
  }
}

template <unsigned int VDimension>
LabelWriting<VDimension>::LabelWriting(AtlasJob &                         job,
                                       const itk::ImageBase<VDimension> & grid,
                                       PopulationLabels<VDimension> &     labels,
                                       cudaneuro::DiffeomorphicAtlas &    atlas)
  : m_Job(job)
{
  const PopulationImage * const first = FirstWithLabels(job.GetPopulation());
  if (first == nullptr)
  {
    return;
  }
  labels.GiveTo(atlas, grid);
  const auto codes = MakeImageOn<CodeImage>(grid);
  m_Probability = MakeImageOn<ShareImage>(grid);
  detail::Call([&] {
    atlas.GetLabels({ detail::VolumeOf(codes.GetPointer()), detail::VolumeOf(m_Probability.GetPointer()) });
  });
  if (!job.GetProcesses().IsFirst())
  {
    return;
  }
  const LabelNumbers & numbers = labels.GetNumbers();
  m_NumberOfLabels = numbers.GetLabels().size() - 1; // without the background
  m_MeanProbability = MeanWhereLabelled<VDimension>(*codes, *m_Probability);
  const auto decoded = numbers.Decode<VDimension>(*codes);
  const auto type = TypeForLabels(numbers.GetLabels(), job.GetOpened().Open(first->labels).componentType);
  m_Files.Start([&job, decoded, type] {
    return StageConverted(*job.GetFolder().GetLabels(), DescribeToWrite<std::int64_t, VDimension>(*decoded), type);
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

template class PopulationLabels<2>;
template class PopulationLabels<3>;
template class LabelWriting<2>;
template class LabelWriting<3>;
