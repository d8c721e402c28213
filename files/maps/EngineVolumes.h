// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_EngineVolumes_h
#define files_maps_EngineVolumes_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Geometry.h"
#include "files/images/OpenedImage.h"
#include "files/maps/EngineMap.h"
#include "files/maps/ImageMover.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cudaneuro::files
{

/** Moves volumes of a series by the engine, from bytes of a file to bytes of a file. */

/** The memory of one thread, reused for all its volumes. */
struct Workspace
{
  explicit Workspace(const MapComputing & computing)
    : context(ContextOf(computing))
  {
    context.SetMemoryLimit(computing.maximumDeviceMemory);
  }

  cudaneuro::Context context;
  std::vector<char>  bytes;
  std::vector<float> numbers;
  std::vector<float> moved;
};

/** A map in the form of WarpImage. */
struct EngineWarp
{
  using FieldType = itk::Image<itk::Vector<float, 3>, 3>;

  cudaneuro::AffineMap transform;
  FieldType::Pointer   field;
};

/** Moves volumes by the engine, for several threads. */
class EngineVolumes
{
public:
  /** \param volume any one of the series
   * \param map the common part of the maps of all volumes */
  EngineVolumes(const OpenedImage &       volume,
                const itk::ImageBase<3> & grid,
                const ImageMovement &     movement,
                itk::IOComponentEnum      outputType,
                const SpaceMap<3> &       map);

  /** \return nothing if the engine cannot apply the map, or float does not hold all numbers */
  std::optional<EngineWarp>
  WarpOf(const SpaceMap<3> & map) const;

  /** \param workspace with the bytes of the volume
   * \param to receives numbers of the type of the output
   * \return how many values the type does not hold */
  std::uint64_t
  Move(const EngineWarp & warp, Workspace & workspace, char * to) const;

private:
  cudaneuro::ConstVolume
  InputOf(Workspace & workspace) const;

  const OpenedImage          m_Volume;
  const itk::ImageBase<3> &  m_Grid;
  const ImageMovement        m_Movement;
  const itk::IOComponentEnum m_OutputType;
  const bool                 m_IsExact;
  const bool                 m_CanBeLimited;
  const cudaneuro::Geometry  m_InputGeometry;
  const cudaneuro::Geometry  m_OutputGeometry;
  /** A field that all volumes share, and its copy. */
  EngineMap<3>::FieldType::Pointer m_SharedField;
  EngineWarp::FieldType::Pointer   m_SharedFieldInFloat;
};

} // namespace cudaneuro::files

#endif
