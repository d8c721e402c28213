// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_SplinesGpu_cuh
#define cudaneuro_labels_levels_SplinesGpu_cuh

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"
#include "labels/levels/SplineTileKernel.cuh"

namespace cudaneuro::gpu
{

inline unsigned int
LabelBlocks(std::int64_t count)
{
  return static_cast<unsigned int>(DivideUp(count, std::int64_t{ labelThreads }));
}

inline dim3
LabelBlocks(std::int64_t count, std::size_t sets)
{
  return { LabelBlocks(count), static_cast<unsigned int>(sets) };
}

inline AllVersions *
AllOf(float * numbers)
{
  return reinterpret_cast<AllVersions *>(numbers);
}

/** A band's copy on the device. */
class BandOnDevice
{
public:
  BandOnDevice(const GpuContext & gpu, const LabelBand & band)
    : count(band.count)
    , size(static_cast<std::size_t>(versions) * static_cast<std::size_t>(band.count))
    , voxels(gpu.CopyToDevice(band.voxels))
    , numbers(gpu.CopyToDevice(band.numbers))
    , neighbors(gpu.CopyToDevice(band.neighbors))
  {}

  std::int32_t count;
  /** Numbers of all versions. */
  std::size_t                size;
  DeviceBuffer<std::int32_t> voxels;
  DeviceBuffer<std::int32_t> numbers;
  DeviceBuffer<std::int32_t> neighbors;
};

/** The splines of a band on the device. */
class SplinesOnDevice
{
public:
  /** \param voxels the band's copy, which must stay */
  SplinesOnDevice(const GpuContext & gpu, const SplineDomain & domain, const BandOnDevice & voxels)
    : nodes(gpu, domain.spline.nodes)
    , m_Gpu(gpu)
    , m_InverseWeights(gpu.CopyToDevice(domain.spline.inverseWeights))
    , m_TilePlaces(gpu.CopyToDevice(domain.spline.tiles.places))
    , m_TileNumbers(gpu.CopyToDevice(domain.spline.tiles.numbers))
    , m_Tiles{ domain.spline.tiles.extent,
               static_cast<std::int32_t>(domain.spline.tiles.places.size()),
               m_TilePlaces.Data(),
               m_TileNumbers.Data() }
  {
    splines = { domain.box,          domain.spline.extent, voxels.voxels.Data(),    voxels.numbers.Data(),
                nodes.voxels.Data(), nodes.numbers.Data(), m_InverseWeights.Data(), voxels.count,
                nodes.count };
  }

  /** For MeansAtNodes. */
  DeviceBuffer<float>
  AllocateTileSums(std::size_t sets) const
  {
    return m_Gpu.AllocateArray<float>(sets * static_cast<std::size_t>(m_Tiles.count) * tileNodes * versions);
  }

  /** Writes means at the nodes of what \p source has for the voxels.
   * \param field of the nodes, that the source is given at the voxels */
  template <typename TSource>
  void
  MeansAtNodes(const TSource & source, const float * field, std::size_t sets, float * tileSums, float * means) const
  {
    const dim3 blocks(static_cast<unsigned int>(m_Tiles.count), static_cast<unsigned int>(sets));
    SumTilesKernel<<<blocks, labelThreads, 0, m_Gpu.ComputeStream()>>>(splines, m_Tiles, field, source, tileSums);
    CUDANEURO_CUDA_LAUNCHED("SumTilesKernel");
    MeansOfTilesKernel<<<LabelBlocks(nodes.count, sets), labelThreads, 0, m_Gpu.ComputeStream()>>>(
      splines, m_Tiles, AllOf(tileSums), AllOf(means));
    CUDANEURO_CUDA_LAUNCHED("MeansOfTilesKernel");
  }

  /** Writes the values at the voxels of fields that are given at the nodes. */
  void
  ValuesAtVoxels(float * fields, std::size_t sets, float * values) const
  {
    SplineValuesKernel<false><<<LabelBlocks(splines.numberOfVoxels, sets), labelThreads, 0, m_Gpu.ComputeStream()>>>(
      splines, AllOf(fields), AllOf(values));
    CUDANEURO_CUDA_LAUNCHED("SplineValuesKernel");
  }
  /** Adds them. */
  void
  AddToVoxels(float * fields, std::size_t sets, float * values) const
  {
    SplineValuesKernel<true><<<LabelBlocks(splines.numberOfVoxels, sets), labelThreads, 0, m_Gpu.ComputeStream()>>>(
      splines, AllOf(fields), AllOf(values));
    CUDANEURO_CUDA_LAUNCHED("SplineValuesKernel");
  }

  BandOnDevice nodes;
  DeviceDomain splines{};

private:
  const GpuContext &         m_Gpu;
  DeviceBuffer<float>        m_InverseWeights;
  DeviceBuffer<std::int32_t> m_TilePlaces;
  DeviceBuffer<std::int32_t> m_TileNumbers;
  DeviceTiles                m_Tiles;
};

} // namespace cudaneuro::gpu

#endif
