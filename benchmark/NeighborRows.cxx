// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Topics.h"

#include "limits/HalfProduct.h"
#include "data/NeighborCase.h"
#include "core/Dispatch.h"
#include "cudaneuro/NearestNeighbors.h"

#include <stdexcept>
#include <string>

namespace cudaneuro::benchmark
{

namespace
{

constexpr int neighborsOfThePaper = 96;

/** Patches with their neighbors, in the memory of the device, or of the host on the CPU. */
class NeighborCase
{
public:
  NeighborCase(const Device & device, std::int64_t count)
    : m_Count(count)
    , m_Space(device.IsCuda() ? MemorySpace::Device : MemorySpace::Host)
    , m_Context(device)
  {
    const std::vector<float> patches = MakeSurfacePatches(count);
    const auto               values = static_cast<std::int64_t>(patches.size());
    if (values != count * patchDimension)
    {
      throw std::runtime_error("The surface has fewer patches than are wanted");
    }
    const std::size_t neighbors = static_cast<std::size_t>(count) * neighborsOfThePaper;
    m_Patches = m_Context.Allocate(patches.size() * sizeof(float));
    m_Indices = m_Context.Allocate(neighbors * sizeof(std::int32_t));
    m_SquaredDistances = m_Context.Allocate(neighbors * sizeof(float));
    CopyVolume(m_Context,
               { { values, 1, 1 } },
               { patches.data(), PixelType::Float, MemorySpace::Host },
               { m_Patches.Data(), PixelType::Float, m_Space });
  }

  void
  Find()
  {
    const ConstVectors patches{ static_cast<const float *>(m_Patches.Data()), m_Count, m_Space };
    FindNearestNeighbors(
      m_Context,
      { patchDimension, neighborsOfThePaper, true },
      patches,
      patches,
      { static_cast<std::int32_t *>(m_Indices.Data()), static_cast<float *>(m_SquaredDistances.Data()), m_Space });
  }

private:
  std::int64_t m_Count;
  MemorySpace  m_Space;
  Context      m_Context;
  DeviceMemory m_Patches;
  DeviceMemory m_Indices;
  DeviceMemory m_SquaredDistances;
};

Floor
ProductFloor(const Settings & settings, std::int64_t count)
{
  if constexpr (builtWithCuda)
  {
    if (settings.device.IsCuda())
    {
      static const double rate = MeasureHalfProductRate(settings.device);
      const double        pairs = static_cast<double>(count) * static_cast<double>(count);
      return FloorOf("half-precision product", pairs * patchDimension, rate);
    }
  }
  return {};
}

void
AddRows(Table & table, const Settings & settings, std::int64_t count)
{
  const Size size{ count, patchDimension, neighborsOfThePaper };
  const auto limit = [&settings, count](const Limits &) { return ProductFloor(settings, count); };
  table.push_back({ "neighbors, exact, call", size, limit, [&settings, count] {
                     NeighborCase oneCase(settings.device, count);
                     return MedianByTheClock(settings.repetition, [&] { oneCase.Find(); });
                   } });
  AddMemoryRow(table, settings, "neighbors, exact, memory", size, [&settings, count] {
    NeighborCase oneCase(settings.device, count);
    return PeakDeviceBytes(settings.device, [&] { oneCase.Find(); });
  });
}

} // namespace

Table
NeighborRows(const Settings & settings)
{
  Table table;
  AddRows(table, settings, settings.isQuick ? 1000 : 17500);
  if (settings.device.IsCuda() && !settings.isQuick) // a CPU takes a hundred times the time of the smaller set
  {
    AddRows(table, settings, 175000);
  }
  return table;
}

} // namespace cudaneuro::benchmark
