// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NiftiWriter.h"

#include "files/base/Errors.h"
#include "files/images/NiftiGeometry.h"
#include "itkMetaDataObject.h"
#include <vnl/algo/vnl_determinant.h>
#include <vnl/vnl_quaternion.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>

namespace cudaneuro::files
{

namespace
{

/** The header of an input with its extensions; empty where that was no NIfTI file. */
std::string
InputHeaderIn(const itk::MetaDataDictionary & dictionary)
{
  std::string bytes;
  itk::ExposeMetaData<std::string>(dictionary, niftiKey, bytes);
  return bytes;
}

int
VersionFor(const ImageToWrite & image, const std::optional<NiftiHeader> & input)
{
  // NIfTI-1 has axes of up to 32767 voxels.
  const bool isLong = std::any_of(image.size.begin(), image.size.end(), [](std::size_t n) { return n > 32767; });
  return isLong || (input && input->GetVersion() == 2) ? 2 : 1;
}

/** Whether the first axes of two grids are equal but for rounding. */
bool
IsSame(const ImageGeometry & a, const ImageGeometry & b, unsigned int axes)
{
  constexpr double tolerance = 1e-5;
  constexpr double share = 0.01; // so that origins are equal within 1e-3 voxels
  double           difference = 0.0;
  for (unsigned int axis = 0; axis < axes; ++axis)
  {
    difference = std::max({ difference,
                            std::abs(a.spacing[axis] / b.spacing[axis] - 1.0),
                            share * std::abs(a.origin[axis] - b.origin[axis]) / b.spacing[axis] });
    for (unsigned int column = 0; column < axes; ++column)
    {
      difference = std::max(difference, std::abs(a.direction[axis][column] - b.direction[axis][column]));
    }
  }
  return difference <= tolerance;
}

/** Whether the voxels of two images are the same places. The fourth axis of a series is none of places. */
bool
HasSameVoxels(const ImageDescription & a, const ImageDescription & b)
{
  const unsigned int axes = std::min({ a.dimension, b.dimension, 3u });
  return std::equal(a.size.begin(), a.size.begin() + axes, b.size.begin()) && IsSame(a.geometry, b.geometry, axes);
}

/** Whether either matrix of a header is the grid of an image. */
bool
HasGridOf(const NiftiHeader & header, const ImageToWrite & image)
{
  const unsigned int axes = std::min(image.dimension, 3u); // the fourth of a series is none of places
  const auto         hasGrid = [&](NiftiPlace place) {
    try
    {
      const ImageGeometry grid = NiftiGridOf("", header, axes, place).geometry;
      return IsSame(grid, image.geometry, axes);
    }
    catch (const UserError &)
    {
      return false;
    }
  };
  return hasGrid(NiftiPlace::Sform) || hasGrid(NiftiPlace::Qform);
}

/** Sets qform, sform and pixdim to a grid. */
void
SetGeometry(NiftiHeader & header, const ImageGeometry & geometry)
{
  constexpr double               scanner = 1.0;
  vnl_matrix_fixed<double, 3, 3> ras = geometry.direction.GetVnlMatrix();
  header.Set("qform_code", scanner);
  header.Set("sform_code", scanner);
  for (unsigned int row = 0; row < 3; ++row)
  {
    const double sign = row < 2 ? -1.0 : 1.0;
    ras.scale_row(row, sign);
    header.Set(niftiOffsets[row], sign * geometry.origin[row]);
    header.Set(niftiRows[row], sign * geometry.origin[row], 3);
    header.Set("pixdim", geometry.spacing[row], row + 1);
    for (unsigned int column = 0; column < 3; ++column)
    {
      header.Set(niftiRows[row], ras(row, column) * geometry.spacing[column], column);
    }
  }
  const double handedness = vnl_determinant(ras.as_ref()) < 0.0 ? -1.0 : 1.0;
  header.Set("pixdim", handedness);
  ras.scale_column(2, handedness);
  vnl_quaternion<double> rotation(ras.transpose());
  rotation.normalize();
  for (unsigned int i = 0; i < 3; ++i)
  {
    header.Set(niftiQuaternion[i], rotation.r() < 0.0 ? -rotation[i] : rotation[i]);
  }
}

/** The units of lengths and of time are one number: that of lengths is the rest by this. */
constexpr double lengthUnits = 8.0;

void
SetLengthUnit(NiftiHeader & header, double unit)
{
  header.Set("xyzt_units", std::floor(header.Number("xyzt_units") / lengthUnits) * lengthUnits + unit);
}

void
ConvertToMillimeters(NiftiHeader & header)
{
  constexpr double millimeter = 2.0;
  const double     factor = MillimetersOf(header);
  const auto       scale = [&](const char * field, std::size_t index) {
    header.Set(field, header.Number(field, index) * factor, index);
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    scale("pixdim", axis + 1);
    scale(niftiOffsets[axis], 0);
    for (std::size_t column = 0; column < 4; ++column)
    {
      scale(niftiRows[axis], column);
    }
  }
  SetLengthUnit(header, millimeter);
}

/** The fields that tell where voxels are. */
std::vector<std::string>
PlaceFields()
{
  std::vector<std::string> names{ "xyzt_units", "qform_code", "sform_code", "pixdim" };
  for (const auto & fields : { niftiQuaternion, niftiOffsets, niftiRows })
  {
    names.insert(names.end(), fields, fields + 3);
  }
  return names;
}

/** Takes the place of a grid. What the header says of time stays. */
void
TakePlace(NiftiHeader & header, const NiftiHeader & grid)
{
  constexpr std::size_t firstOfTime = 4;
  constexpr std::size_t axes = 7;
  const NiftiHeader     own = header;
  header.Take(grid, PlaceFields());
  for (std::size_t axis = firstOfTime; axis <= axes; ++axis)
  {
    header.Set("pixdim", own.Number("pixdim", axis), axis);
  }
  header.Set("xyzt_units", own.Number("xyzt_units"));
  SetLengthUnit(header, std::fmod(grid.Number("xyzt_units"), lengthUnits));
}

/** Sets axes, type and scaling. */
void
SetLayout(NiftiHeader & header, const ImageToWrite & image)
{
  constexpr double vectors = 1007;
  constexpr double vectorAxes = 5;
  const bool       isField = image.components > 1;
  for (std::size_t axis = 1; axis <= 7; ++axis)
  {
    header.Set("dim", axis <= image.dimension ? static_cast<double>(image.size[axis - 1]) : 1.0, axis);
  }
  header.Set("dim", isField ? vectorAxes : image.dimension);
  if (isField)
  {
    header.Set("dim", static_cast<double>(image.components), 5);
    header.Set("intent_code", vectors);
  }
  const auto type = std::find_if(std::begin(niftiTypes), std::end(niftiTypes), [&](const NiftiType & known) {
    return known.type == image.componentType;
  });
  header.Set("datatype", static_cast<double>(type->code));
  header.Set("bitpix", static_cast<double>(8 * BytesOf(image.componentType)));
  header.Set("scl_slope", 1.0);
  header.Set("scl_inter", 0.0);
}

} // namespace

NiftiToWrite::NiftiToWrite(const ImageToWrite & image, NiftiKind kind)
  : m_Image(image)
  , m_Header(1)
{
  const std::string bytes = InputHeaderIn(image.metadata);
  const auto        input = bytes.empty() ? std::nullopt : std::optional<NiftiHeader>(std::in_place, "", bytes);
  m_Header = NiftiHeader(VersionFor(image, input));
  m_Header.SetText("magic", (kind == NiftiKind::Pair ? "ni" : "n+") + std::to_string(m_Header.GetVersion()));
  if (input)
  {
    m_Header.TakeAll(*input);
    m_Extensions = bytes.substr(input->GetBytes().size());
  }
  SetLayout(m_Header, image);
  ConvertToMillimeters(m_Header);
  if (!input || !HasGridOf(m_Header, image))
  {
    SetGeometry(m_Header, image.geometry);
  }
  const std::size_t before = m_Header.GetBytesWithFlag() + m_Extensions.size();
  m_Header.Set("vox_offset", kind == NiftiKind::Pair ? 0.0 : static_cast<double>((before + 15) / 16 * 16));
}

std::string
NiftiToWrite::MakeHeader() const
{
  const char  flag[4] = { m_Extensions.empty() ? '\0' : '\1', 0, 0, 0 };
  std::string bytes = m_Header.GetBytes() + std::string(flag, 4) + m_Extensions;
  bytes.resize(std::max(bytes.size(), static_cast<std::size_t>(m_Header.Integer("vox_offset"))), '\0');
  return bytes;
}

void
NiftiToWrite::CopyVoxels(std::uint64_t begin, std::size_t count, char * to) const
{
  WithComponentType(m_Image.componentType, [&](auto number) {
    constexpr std::size_t bytes = sizeof(number);
    const std::size_t     voxels = m_Image.GetNumberOfVoxels();
    const auto * const    numbers = static_cast<const decltype(number) *>(m_Image.pixels);
    std::uint64_t         component = begin / bytes / voxels;
    std::uint64_t         voxel = begin / bytes % voxels;
    for (char * const end = to + count; to < end; to += bytes)
    {
      std::memcpy(to, numbers + voxel * m_Image.components + component, bytes);
      if (++voxel == voxels)
      {
        voxel = 0;
        ++component;
      }
    }
  });
}

std::string
MovedHeader(const ImageDescription & grid, const ImageDescription & image)
{
  const std::string bytes = InputHeaderIn(image.metadata);
  if (bytes.empty())
  {
    return "";
  }
  const NiftiHeader input("", bytes);
  const std::string extensions = bytes.substr(input.GetBytes().size());
  const std::string gridBytes = InputHeaderIn(grid.metadata);
  const auto        place = gridBytes.empty() ? std::nullopt : std::optional<NiftiHeader>(std::in_place, "", gridBytes);
  NiftiHeader       header(place ? std::max(input.GetVersion(), place->GetVersion()) : input.GetVersion());
  header.TakeAll(input);
  if (place)
  {
    TakePlace(header, *place);
  }
  for (const char * const ofAxes : { "dim_info", "slice_start", "slice_end", "slice_code", "slice_duration" })
  {
    header.Set(ofAxes, HasSameVoxels(grid, image) ? input.Number(ofAxes) : 0.0);
  }
  return header.GetBytes() + extensions;
}

itk::MetaDataDictionary
GridMetadata(const itk::MetaDataDictionary & dictionary)
{
  itk::MetaDataDictionary grid;
  const std::string       bytes = InputHeaderIn(dictionary);
  if (!bytes.empty())
  {
    const NiftiHeader input("", bytes);
    NiftiHeader       header(input.GetVersion());
    header.Take(input, PlaceFields());
    itk::EncapsulateMetaData<std::string>(grid, niftiKey, header.GetBytes());
  }
  return grid;
}

} // namespace cudaneuro::files
