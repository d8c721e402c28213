// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "data/RegistrationPair.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro::benchmark
{

namespace
{

/** A position in the grid, whose edges are at -1 and 1 along each axis, or a displacement there. */
using Place = std::array<float, 3>;

/** Returns bent waves of three lengths, the shortest a ninth of the grid, in a ball surrounded by zeros. */
float
Texture(const Place & p)
{
  const float square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  const float inside = std::max(0.0f, 1.0f - 1.2f * square);
  if (inside == 0.0f)
  {
    return 0.0f;
  }
  float sum = 0.0f;
  for (const float frequency : { 7.0f, 13.0f, 29.0f })
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      const float bend = 2.0f * std::sin(0.43f * frequency * p[(axis + 1) % 3]);
      sum += std::sin(frequency * p[axis] + bend);
    }
  }
  return inside * (500.0f + 100.0f * sum);
}

/** Returns the displacement from a position of the fixed image to the matching one of the moving image. */
Place
Deformation(const Place & p)
{
  constexpr float amplitude = 0.06f;
  Place           way{};
  for (int axis = 0; axis < 3; ++axis)
  {
    way[axis] = amplitude * std::sin(3.0f * p[(axis + 1) % 3] + 2.0f * p[axis] + static_cast<float>(axis));
  }
  return way;
}

/** Computes the parts of a pair on the host and copies them to the device. */
class PairMaker
{
public:
  PairMaker(Context & context, const Size & size)
    : m_Context(context)
    , m_Host(Device())
    , m_Space(context.GetDevice().IsCuda() ? MemorySpace::Device : MemorySpace::Host)
  {
    m_Pair.geometry.grid.size = size;
    m_Staging = m_Host.Allocate(this->Bytes(3));
  }

  RegistrationPair
  Make()
  {
    m_Pair.fixed = this->MakeVolume([](const Place & p) { return Texture(p); });
    m_Pair.moving = this->MakeVolume([](const Place & p) {
      const Place way = Deformation(p);
      return Texture({ p[0] + way[0], p[1] + way[1], p[2] + way[2] });
    });
    // moving(p) is the texture at p + way: the point p of the fixed image is near p - way in the moving image.
    m_Pair.halfWay = this->MakeField(-0.5f);
    m_Pair.halfWayBack = this->MakeField(0.5f);
    m_Pair.warped = { this->Allocate(1), PixelType::Float, m_Space };
    m_Pair.displacement = { this->Allocate(3), 3, m_Space };
    m_Pair.inverse = { this->Allocate(3), 3, m_Space };
    return std::move(m_Pair);
  }

private:
  std::size_t
  Bytes(int components) const
  {
    return sizeof(float) * static_cast<std::size_t>(components * m_Pair.geometry.grid.NumberOfVoxels());
  }

  float *
  Allocate(int components)
  {
    m_Pair.memory.push_back(m_Context.Allocate(this->Bytes(components)));
    return static_cast<float *>(m_Pair.memory.back().Data());
  }

  float *
  Staging() const
  {
    return static_cast<float *>(m_Staging.Data());
  }

  /** Calls body(index, position) for each voxel. */
  template <typename TBody>
  void
  ForEachVoxel(const TBody & body)
  {
    const Size & size = m_Pair.geometry.grid.size;
    const auto   place = [&size](std::int64_t i, int axis) {
      return 2.0f * (static_cast<float>(i) + 0.5f) / static_cast<float>(size[axis]) - 1.0f;
    };
    m_Host.ParallelFor(size[1] * size[2], [&](std::int64_t row) {
      const float y = place(row % size[1], 1);
      const float z = place(row / size[1], 2);
      for (std::int64_t x = 0; x < size[0]; ++x)
      {
        body(row * size[0] + x, Place{ place(x, 0), y, z });
      }
    });
  }

  /** Copies the staging memory to the device. */
  const float *
  Deliver(int components)
  {
    Grid grid = m_Pair.geometry.grid;
    grid.size[0] *= components;
    float * const data = this->Allocate(components);
    CopyVolume(
      m_Context, grid, { m_Staging.Data(), PixelType::Float, MemorySpace::Host }, { data, PixelType::Float, m_Space });
    return data;
  }

  template <typename TIntensity>
  ConstVolume
  MakeVolume(const TIntensity & intensity)
  {
    float * const staging = this->Staging();
    this->ForEachVoxel([&](std::int64_t i, const Place & p) { staging[i] = intensity(p); });
    return { this->Deliver(1), PixelType::Float, m_Space };
  }

  /** Returns the deformation times \p factor. */
  ConstField
  MakeField(float factor)
  {
    const Size &  size = m_Pair.geometry.grid.size;
    float * const staging = this->Staging();
    this->ForEachVoxel([&](std::int64_t i, const Place & p) {
      const Place way = Deformation(p);
      for (int axis = 0; axis < 3; ++axis)
      {
        // In a plane, nothing moves along the third axis.
        const float millimeters = size[axis] > 1 ? 0.5f * static_cast<float>(size[axis]) : 0.0f;
        staging[3 * i + axis] = factor * way[axis] * millimeters;
      }
    });
    return { this->Deliver(3), 3, m_Space };
  }

  Context &        m_Context;
  Context          m_Host;
  MemorySpace      m_Space;
  DeviceMemory     m_Staging;
  RegistrationPair m_Pair;
};

} // namespace

RegistrationPair
MakeRegistrationPair(Context & context, const Size & size)
{
  return PairMaker(context, size).Make();
}

} // namespace cudaneuro::benchmark
