// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/EngineVolumes.h"

#include "files/images/ImageGrid.h"
#include "files/maps/ConvertNumbers.h"
#include "files/maps/FieldInFloat.h"
#include "files/maps/LimitedVoxels.h"
#include "itkCudaNeuroDetail.h"

namespace cudaneuro::files
{

namespace detail = itk::CudaNeuroDetail;

namespace
{

/** Returns the engine's pixel type, if it has the type. */
std::optional<cudaneuro::PixelType>
EnginePixelType(itk::IOComponentEnum type)
{
  switch (type)
  {
    case itk::IOComponentEnum::UCHAR:
      return cudaneuro::PixelType::UnsignedChar;
    case itk::IOComponentEnum::SHORT:
      return cudaneuro::PixelType::Short;
    case itk::IOComponentEnum::USHORT:
      return cudaneuro::PixelType::UnsignedShort;
    case itk::IOComponentEnum::FLOAT:
      return cudaneuro::PixelType::Float;
    case itk::IOComponentEnum::DOUBLE:
      return cudaneuro::PixelType::Double;
    default:
      return std::nullopt;
  }
}

/** Returns whether the engine gets numbers in the type of the file. A GPU does, because that shortens transfers. On the
 * CPU they are converted in a workspace, because the engine would allocate memory for each volume. */
bool
IsGivenUnconverted(const cudaneuro::Context & context, cudaneuro::PixelType type)
{
  return type == cudaneuro::PixelType::Float || context.GetDevice().IsCuda();
}

cudaneuro::Volume
ViewOf(std::vector<float> & numbers)
{
  return { numbers.data(), cudaneuro::PixelType::Float };
}

/** Returns whether the engine, which computes in float, moves the numbers without loss. It does not move labels whose
 * type changes, because each must be checked. */
bool
IsExact(const ImageMovement & movement, itk::IOComponentEnum outputType)
{
  const bool isLabel = movement.interpolation == Interpolation::Label;
  return IsExactInFloat(movement.type) &&
         (!isLabel || (movement.type != itk::IOComponentEnum::FLOAT && movement.type == outputType));
}

} // namespace

EngineVolumes::EngineVolumes(const OpenedImage &       volume,
                             const itk::ImageBase<3> & grid,
                             const ImageMovement &     movement,
                             itk::IOComponentEnum      outputType,
                             const SpaceMap<3> &       map)
  : m_Volume(volume)
  , m_Grid(grid)
  , m_Movement(movement)
  , m_OutputType(outputType)
  , m_IsExact(IsExact(movement, outputType))
  , m_CanBeLimited(CanBeLimited(volume.GetNumberType(), outputType, movement.interpolation))
  , m_InputGeometry(detail::GeometryOf<3>(ReadGrid<3>(volume).GetPointer()))
  , m_OutputGeometry(detail::GeometryOf<3>(&grid))
{
  const auto found = FindEngineMap<3>(map, grid);
  if (m_IsExact && found && found->field.IsNotNull())
  {
    m_SharedField = found->field;
    m_SharedFieldInFloat = FieldInFloat<3>(*found->field);
  }
}

std::optional<EngineWarp>
EngineVolumes::WarpOf(const SpaceMap<3> & map) const
{
  const auto found = m_IsExact ? FindEngineMap<3>(map, m_Grid) : std::nullopt;
  if (!found)
  {
    return std::nullopt;
  }
  EngineWarp warp;
  warp.transform = detail::AffineMapOf(static_cast<const itk::Transform<double, 3, 3> *>(found->linear.GetPointer()));
  if (found->field.IsNotNull())
  {
    warp.field = found->field == m_SharedField ? m_SharedFieldInFloat : FieldInFloat<3>(*found->field);
  }
  return warp;
}

cudaneuro::ConstVolume
EngineVolumes::InputOf(Workspace & workspace) const
{
  const PlainVoxels & voxels = m_Volume.voxels;
  const auto          type = EnginePixelType(m_Volume.componentType);
  const bool          isPlain = !voxels.isSwapped && !voxels.isScaled && type;
  if (isPlain && IsGivenUnconverted(workspace.context, *type))
  {
    return { workspace.bytes.data(), *type };
  }
  workspace.numbers.resize(m_Volume.GetNumberOfVoxels());
  if (isPlain)
  {
    cudaneuro::CopyVolume(
      workspace.context, m_InputGeometry.grid, { workspace.bytes.data(), *type }, ViewOf(workspace.numbers));
  }
  else
  {
    ConvertPlainVoxels(m_Volume, workspace.bytes.data(), workspace.numbers.data());
  }
  return { workspace.numbers.data(), cudaneuro::PixelType::Float };
}

std::uint64_t
EngineVolumes::Move(const EngineWarp & warp, Workspace & workspace, char * to) const
{
  cudaneuro::WarpParameters parameters;
  parameters.interpolation = m_Movement.interpolation;
  parameters.edgePaddingValue = static_cast<double>(static_cast<float>(m_Movement.background));
  const auto field = warp.field.IsNotNull()
                       ? detail::FieldOf(static_cast<const EngineWarp::FieldType *>(warp.field.GetPointer()))
                       : cudaneuro::ConstField();
  const auto type = EnginePixelType(m_OutputType);
  const auto voxels = static_cast<std::size_t>(m_OutputGeometry.grid.NumberOfVoxels());
  // The engine does not count values that the type does not hold. If there can be any, it returns real numbers.
  const bool isDirect = type && !m_CanBeLimited && IsGivenUnconverted(workspace.context, *type);
  const bool isCopied = type && !workspace.context.GetDevice().IsCuda();
  if (!isDirect)
  {
    workspace.moved.resize(voxels);
  }
  const cudaneuro::Volume output = isDirect ? cudaneuro::Volume{ to, *type } : ViewOf(workspace.moved);
  detail::Call([&] {
    cudaneuro::WarpImage(workspace.context,
                         parameters,
                         m_InputGeometry,
                         this->InputOf(workspace),
                         {},
                         m_OutputGeometry,
                         warp.transform,
                         field,
                         output);
    if (!isDirect && isCopied)
    {
      cudaneuro::CopyVolume(workspace.context, m_OutputGeometry.grid, { output.data, output.type }, { to, *type });
    }
  });
  if (!isDirect && !isCopied)
  {
    const std::uint64_t limited = ConvertNumbers(workspace.moved.data(), voxels, m_OutputType, to);
    return m_CanBeLimited ? limited : 0;
  }
  return m_CanBeLimited ? CountLimited(workspace.moved.data(), voxels, m_OutputType) : 0;
}

} // namespace cudaneuro::files
