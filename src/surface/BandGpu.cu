// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/BandKernel.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

Band
FindBand(Context & context, const BandSearch & search, BandSurvey & survey)
{
  const GpuContext & gpu = GpuOf(context);
  const std::int64_t voxels = NumberOfVoxels(search.extent);
  const auto         chunks = static_cast<std::size_t>(DivideUp(voxels, voxelsPerChunk));
  const auto         blocks = static_cast<unsigned int>(chunks);
  const auto         surveys = gpu.AllocateArray<BandSurvey>(chunks);
  SurveyKernel<<<blocks, bandThreads, 0, gpu.ComputeStream()>>>(search, voxels, surveys.Data());
  CUDANEURO_CUDA_LAUNCHED("SurveyKernel");

  // The host needs the count to allocate, and can therefore also add up the chunks.
  survey = BandSurvey::Empty();
  std::vector<std::int64_t> firsts;
  for (const BandSurvey & ofChunk : gpu.CopyToHost(surveys, chunks))
  {
    firsts.push_back(survey.bandVoxels);
    survey.Include(ofChunk);
  }
  Band band;
  if (survey.firstInvalid != BandSurvey::noVoxel || survey.bandVoxels == 0)
  {
    return band;
  }
  band.count = survey.bandVoxels;
  band.memory = context.Allocate(static_cast<std::size_t>(band.count) * sizeof(BandVoxel));
  const auto firstOfChunk = gpu.CopyToDevice(firsts);
  BandKernel<<<blocks, bandThreads, 0, gpu.ComputeStream()>>>(
    search, voxels, firstOfChunk.Data(), static_cast<BandVoxel *>(band.memory.Data()));
  CUDANEURO_CUDA_LAUNCHED("BandKernel");
  return band;
}

std::vector<std::int64_t>
CountGradientNorms(Context & context, const BandView & band, const std::array<double, 3> & spacing)
{
  const GpuContext & gpu = GpuOf(context);
  const auto         counts = gpu.AllocateArray<unsigned int>(numberOfGradientBins);
  CUDANEURO_CUDA(cudaMemsetAsync(counts.Data(), 0, numberOfGradientBins * sizeof(unsigned int), gpu.ComputeStream()));
  const std::int64_t needed = DivideUp(band.count, bandThreads);
  const auto         blocks = std::min<std::int64_t>(needed, std::int64_t{ 4 } * gpu.NumberOfMultiprocessors());
  GradientKernel<<<static_cast<unsigned int>(blocks), bandThreads, 0, gpu.ComputeStream()>>>(
    band,
    static_cast<float>(1.0 / spacing[0]),
    static_cast<float>(1.0 / spacing[1]),
    static_cast<float>(1.0 / spacing[2]),
    counts.Data());
  CUDANEURO_CUDA_LAUNCHED("GradientKernel");
  const std::vector<unsigned int> host = gpu.CopyToHost(counts, numberOfGradientBins);
  return { host.begin(), host.end() };
}

} // namespace cudaneuro::gpu
