// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoise/DenoiseSeries.h"

namespace
{

itk::ImageBase<3>::Pointer
GridOfVolumes(const DenoiseJob & job)
{
  return ReadGrid<3>(VolumeOf(job.GetInput(), 0));
}

} // namespace

NoiseMapsOfSeries::NoiseMapsOfSeries(const DenoiseJob & job)
  : m_ImagePath(job.GetInput().path)
  , m_Path(job.GetOptions().noise.mapFile)
  , m_Grid(GridOfVolumes(job))
{
  if (m_Path.empty())
  {
    return;
  }
  const OpenedImage opened = job.GetOptions().opened->OpenWithSeries(m_Path);
  if (!IsSeries(opened))
  {
    RequireAxesOf(VolumeOf(job.GetInput(), 0), opened);
    m_Map = ReadImage<float, 3>(opened);
    AlignWith<3>(*m_Grid, m_ImagePath, *m_Map, m_Path);
    return;
  }
  RequireVolumesOf(job.GetInput(), opened);
  m_Series.emplace(opened);
}

const NoiseMapsOfSeries::MapType *
NoiseMapsOfSeries::ReadNext()
{
  if (m_Series)
  {
    m_Map = m_Series->ReadNext();
    AlignWith<3>(*m_Grid, m_ImagePath, *m_Map, m_Path);
  }
  return m_Map;
}

itk::Image<unsigned char, 3>::Pointer
ReadMaskOfSeries(const DenoiseJob & job)
{
  const DenoiseOptions & options = job.GetOptions();
  if (options.mask.empty())
  {
    return nullptr;
  }
  const OpenedImage mask = options.opened->OpenWithSeries(options.mask);
  if (IsSeries(mask))
  {
    throw UserError(mask.path + " is a series of " + std::to_string(mask.size[3]) + " volumes; one mask holds for all");
  }
  return ReadMask<3>(mask, *GridOfVolumes(job), options.input);
}
