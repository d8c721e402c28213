// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasInputs.h"

#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/transforms/TransformFile.h"
#include "itkCudaFluidRegistrationTransforms.h"
#include "itkCudaLinearRegistrationTransforms.h"
#include "itkCudaNeuroDetail.h"
#include "shared/ErrorList.h"
#include "shared/Files.h"
#include "shared/ProgressBar.h"

#include <algorithm>

namespace detail = itk::CudaNeuroDetail;

namespace
{

/** Gives an image exactly the template's grid, if its grid is equal within the precision of files.
 * \return whether it is equal */
template <unsigned int VDimension>
bool
AlignWithTemplate(const AtlasJob &                   job,
                  const itk::ImageBase<VDimension> & grid,
                  itk::ImageBase<VDimension> &       image,
                  const PopulationImage &            entry)
{
  try
  {
    AlignWith<VDimension>(grid, job.GetGridPath(), image, entry.path);
    return true;
  }
  catch (const UserError &)
  {
    return false; // CheckPopulation has allowed it
  }
}

/** Reads a linear transform; the identity if there is no file. */
template <unsigned int VDimension>
cudaneuro::AffineMap
ReadLinearMap(const std::string & path, const ReadingOptions & reading)
{
  if (path.empty())
  {
    return {};
  }
  const auto transform = ReadTransforms<VDimension>({ path }, reading);
  if (!transform->IsLinear())
  {
    throw UserError(path + " is a " + transform->GetNameOfClass() +
                    "; a channel's transform must be linear, as cudaneuro-register rigid writes it");
  }
  try
  {
    return detail::LinearMapOf<VDimension>(transform, "transform");
  }
  catch (const itk::ExceptionObject & error)
  {
    throw UserError(path + ": " + OneLine(error.GetDescription()));
  }
}

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
  AlignWithTemplate<VDimension>(job, grid, *member.image, entry);
  member.geometry = detail::GeometryOf<VDimension>(member.image.GetPointer());
  return member;
}

template <unsigned int VDimension>
bool
IsResampled(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, std::size_t index)
{
  const PopulationImage & entry = job.GetPopulation()[index];
  const auto              isElsewhere = [&](const std::string & path, const std::string & transform) {
    PopulationImage image;
    image.path = path;
    return !transform.empty() ||
           !AlignWithTemplate<VDimension>(job, grid, *ReadGrid<VDimension>(job.GetOpened().Open(path)), image);
  };
  return !job.GetAlignment().empty() || isElsewhere(entry.path, entry.transform) ||
         std::any_of(entry.channels.begin(), entry.channels.end(), [&](const PopulationChannel & channel) {
           return isElsewhere(channel.path, channel.transform);
         });
}

template <unsigned int VDimension>
cudaneuro::ConstField
InitialMap<VDimension>::GetField() const
{
  return field.IsNull() ? cudaneuro::ConstField() : detail::FieldOf(field.GetPointer());
}

template <unsigned int VDimension>
InitialMap<VDimension>
ReadInitialMap(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, std::size_t index)
{
  const PopulationImage & entry = job.GetPopulation()[index];
  InitialMap<VDimension>  map;
  if (!job.GetAlignment().empty())
  {
    map.transform = job.GetAlignment()[index].transform;
  }
  if (!entry.transform.empty())
  {
    const auto transform = ReadTransforms<VDimension>({ entry.transform }, job.GetOpened().reading);
    detail::TransformQueue<VDimension> queue;
    detail::AppendParts<VDimension>(transform, queue);
    map.transform = detail::TakeLinearParts<VDimension>(queue);
    if (!queue.empty())
    {
      cudaneuro::Context context(cudaneuro::Device(), 1);
      map.field = detail::SampleTransforms<VDimension>(context, queue, &grid).GetPointer();
    }
  }
  return map;
}

template <unsigned int VDimension>
AtlasSource<VDimension>
ReadSource(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, std::size_t index)
{
  const PopulationImage & entry = job.GetPopulation()[index];
  AtlasSource<VDimension> source;
  source.member = ReadMember<VDimension>(job, grid, entry);
  cudaneuro::AtlasImage & image = source.image;
  image.name = entry.path;
  image.geometry = source.member.geometry;
  image.image = source.member.GetImage();
  image.mask = source.member.GetMask();
  source.initial = ReadInitialMap<VDimension>(job, grid, index);
  image.transform = source.initial.transform;
  image.transformField = source.initial.GetField();
  for (const PopulationChannel & channel : entry.channels)
  {
    PopulationImage ofChannel;
    ofChannel.path = channel.path;
    ofChannel.mask = channel.mask;
    source.channels.push_back(ReadMember<VDimension>(job, grid, ofChannel));
    const MemberImage<VDimension> & member = source.channels.back();
    image.furtherChannels.push_back({ member.geometry,
                                      member.GetImage(),
                                      member.GetMask(),
                                      ReadLinearMap<VDimension>(channel.transform, job.GetOpened().reading) });
  }
  return source;
}

void
ReadInParallel(const AtlasJob &                               job,
               const char *                                   title,
               std::size_t                                    count,
               const std::function<void(std::size_t index)> & read)
{
  // Reading is mostly decompressing; more threads would cost more memory than the time they save is worth.
  constexpr unsigned int mostThreads = 8;
  ProgressBar            bar(title, job.IsQuiet());
  cudaneuro::Context     context(cudaneuro::Device(), std::min(mostThreads, job.GetDevices().numberOfThreads));
  context.SetProgressFunction([&](float fraction) {
    bar.Show(static_cast<double>(fraction));
    return !IsInterrupted();
  });
  ErrorList errors;
  detail::Call([&] { errors.CheckInParallel(context, count, read); });
  errors.ThrowIfAny();
}

template <unsigned int VDimension>
void
ReadImages(AtlasJob & job, const itk::ImageBase<VDimension> & grid, cudaneuro::DiffeomorphicAtlas & atlas)
{
  const std::vector<int> images = atlas.GetOwnImages();
  ReadInParallel(job, "Reading", images.size(), [&](std::size_t i) {
    const auto source = ReadSource<VDimension>(job, grid, static_cast<std::size_t>(images[i]));
    detail::Call([&] { atlas.SetImage(images[i], source.image); });
  });
}

#define INSTANTIATE(VDimension) \
  template struct MemberImage<VDimension>; \
  template struct InitialMap<VDimension>; \
  template InitialMap<VDimension>  ReadInitialMap(const AtlasJob &, const itk::ImageBase<VDimension> &, std::size_t); \
  template MemberImage<VDimension> ReadMember( \
    const AtlasJob &, const itk::ImageBase<VDimension> &, const PopulationImage &); \
  template bool                    IsResampled(const AtlasJob &, const itk::ImageBase<VDimension> &, std::size_t); \
  template AtlasSource<VDimension> ReadSource(const AtlasJob &, const itk::ImageBase<VDimension> &, std::size_t); \
  template void ReadImages(AtlasJob &, const itk::ImageBase<VDimension> &, cudaneuro::DiffeomorphicAtlas &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
