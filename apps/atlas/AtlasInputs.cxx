// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasInputs.h"

#include "files/images/ImageFile.h"
#include "files/transforms/TransformFile.h"
#include "itkCudaFluidRegistrationTransforms.h"
#include "itkCudaNeuroDetail.h"
#include "shared/Complaints.h"
#include "shared/ProgressBar.h"

#include <algorithm>

namespace detail = itk::CudaNeuroDetail;

namespace
{

/** The geometry of an image: exactly the template's where it is that within the precision of files. */
template <unsigned int VDimension>
cudaneuro::Geometry
GeometryOn(const itk::ImageBase<VDimension> & grid,
           const std::string &                gridPath,
           itk::ImageBase<VDimension> &       image,
           const std::string &                path)
{
  try
  {
    AlignWith<VDimension>(grid, gridPath, image, path);
  }
  catch (const UserError &)
  {
    // Another grid, which CheckPopulation has allowed.
  }
  return detail::GeometryOf<VDimension>(&image);
}

template <unsigned int VDimension>
class ImageSetter
{
public:
  ImageSetter(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, cudaneuro::DiffeomorphicAtlas & atlas)
    : m_Job(job)
    , m_Grid(grid)
    , m_Atlas(atlas)
  {}

  /** Threads may call it at the same time. */
  void
  Set(int index) const
  {
    const PopulationImage & entry = m_Job.GetPopulation()[static_cast<std::size_t>(index)];
    const auto              member = ReadMember<VDimension>(m_Job, m_Grid, entry);
    cudaneuro::AtlasImage   input;
    input.name = entry.path;
    input.geometry = member.geometry;
    input.image = member.GetImage();
    input.mask = member.GetMask();
    if (!m_Job.GetAlignment().empty())
    {
      input.transform = m_Job.GetAlignment()[static_cast<std::size_t>(index)].transform;
    }
    typename itk::Image<itk::Vector<float, VDimension>, VDimension>::ConstPointer field;
    if (!entry.transform.empty())
    {
      const auto transform = ReadTransforms<VDimension>({ entry.transform }, m_Job.GetOpened().reading);
      detail::TransformQueue<VDimension> queue;
      detail::AppendParts<VDimension>(transform, queue);
      input.transform = detail::TakeLinearParts<VDimension>(queue);
      if (!queue.empty())
      {
        cudaneuro::Context context(cudaneuro::Device(), 1);
        field = detail::SampleTransforms<VDimension>(context, queue, &m_Grid).GetPointer();
        input.transformField = detail::FieldOf(field.GetPointer());
      }
    }
    detail::Call([&] { m_Atlas.SetImage(index, input); });
  }

private:
  const AtlasJob &                   m_Job;
  const itk::ImageBase<VDimension> & m_Grid;
  cudaneuro::DiffeomorphicAtlas &    m_Atlas;
};

} // namespace

template <unsigned int VDimension>
cudaneuro::ConstVolume
MemberImage<VDimension>::GetImage() const
{
  return detail::VolumeOf(static_cast<const itk::Image<float, VDimension> *>(image.GetPointer()));
}

template <unsigned int VDimension>
cudaneuro::ConstVolume
MemberImage<VDimension>::GetMask() const
{
  return mask.IsNull()
           ? cudaneuro::ConstVolume()
           : detail::VolumeOf(static_cast<const itk::Image<unsigned char, VDimension> *>(mask.GetPointer()));
}

template <unsigned int VDimension>
MemberImage<VDimension>
ReadMember(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, const PopulationImage & entry)
{
  MemberImage<VDimension> member;
  member.image = ReadImage<float, VDimension>(job.GetOpened().Open(entry.path));
  if (!entry.mask.empty())
  {
    member.mask = ReadMask<VDimension>(job.GetOpened().Open(entry.mask), *member.image, entry.path);
  }
  member.geometry = GeometryOn<VDimension>(grid, job.GetGridPath(), *member.image, entry.path);
  return member;
}

template <unsigned int VDimension>
void
ReadImages(AtlasJob & job, const itk::ImageBase<VDimension> & grid, cudaneuro::DiffeomorphicAtlas & atlas)
{
  // Reading is mostly decompressing; more threads would need more memory than they save time.
  constexpr unsigned int        mostThreads = 8;
  const ImageSetter<VDimension> setter(job, grid, atlas);
  const std::vector<int>        images = atlas.GetOwnImages();
  std::vector<std::string>      complaints(images.size());
  ProgressBar                   bar("Reading", job.IsQuiet());
  cudaneuro::Context            context(cudaneuro::Device(), std::min(mostThreads, job.GetDevices().numberOfThreads));
  context.SetProgressFunction([&](float fraction) {
    bar.Show(static_cast<double>(fraction));
    return !IsInterrupted();
  });
  detail::Call([&] {
    context.ParallelFor(static_cast<std::int64_t>(images.size()), [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      try
      {
        setter.Set(images[at]);
      }
      catch (const UserError & error)
      {
        complaints[at] = error.what();
      }
    });
  });
  Complaints all;
  for (const std::string & complaint : complaints)
  {
    all.Add(complaint);
  }
  all.ThrowIfAny();
}

#define INSTANTIATE(VDimension) \
  template struct MemberImage<VDimension>; \
  template MemberImage<VDimension> ReadMember( \
    const AtlasJob &, const itk::ImageBase<VDimension> &, const PopulationImage &); \
  template void ReadImages(AtlasJob &, const itk::ImageBase<VDimension> &, cudaneuro::DiffeomorphicAtlas &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
