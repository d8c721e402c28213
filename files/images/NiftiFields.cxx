// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NiftiFields.h"

#include "files/input/InputFile.h"

#include <cmath>

NiftiFields::NiftiFields(const std::string & path, const std::string & bytes)
  : m_Path(path)
  , m_Bytes(bytes)
{
  if (m_Bytes.size() < niftiHeaderBytes)
  {
    RefuseCutShort(m_Path, m_Bytes.size(), niftiHeaderBytes);
  }
  m_IsSwapped = this->At<std::int32_t>(0) != niftiHeaderBytes;
  if (this->At<std::int32_t>(0) != niftiHeaderBytes)
  {
    const bool isSecond = this->At<std::int32_t>(0) == 540 || this->Swapped().At<std::int32_t>(0) == 540;
    RefuseField(m_Path,
                "sizeof_hdr",
                this->Swapped().At<std::int32_t>(0),
                isSecond ? "this is a NIfTI-2 file, and NIfTI-1 files, where it is 348, can be read"
                         : "it must be 348");
  }
}

NiftiKind
NiftiFields::GetKind() const
{
  const std::string magic = m_Bytes.substr(344, 4);
  if (magic == std::string("n+1\0", 4))
  {
    return NiftiKind::OneFile;
  }
  return magic == std::string("ni1\0", 4) ? NiftiKind::Pair : NiftiKind::Analyze;
}

bool
NiftiFields::HasDamagedMagic() const
{
  int same = 0;
  for (std::size_t i = 0; i < 4; ++i)
  {
    const char c = m_Bytes[344 + i];
    same += c == "ni1"[i] || (i == 1 && c == '+') ? 1 : 0;
  }
  return same >= 2;
}

std::string
Indexed(const char * name, int i)
{
  return name + ("[" + std::to_string(i)) + "]";
}

namespace
{

void
CheckSpacings(const NiftiFields & fields)
{
  for (int i = 1; i <= fields.Dim(0); ++i)
  {
    const float spacing = fields.Float(76 + 4 * static_cast<std::size_t>(i));
    if (i <= 3)
    {
      CheckSpacing(fields.GetPath(), Indexed("pixdim", i), spacing);
    }
    else
    {
      // The other units are those of time, or none.
      CheckCoordinate(fields.GetPath(), Indexed("pixdim", i), spacing);
    }
  }
}

void
CheckQform(const NiftiFields & fields)
{
  CheckCoordinate(fields.GetPath(), "pixdim[0]", fields.Float(76));
  double squares = 0.0;
  for (int i = 0; i < 3; ++i)
  {
    constexpr std::array<const char *, 3> quaternion{ "quatern_b", "quatern_c", "quatern_d" };
    constexpr std::array<const char *, 3> offset{ "qoffset_x", "qoffset_y", "qoffset_z" };
    const double                          value = fields.Float(256 + 4 * static_cast<std::size_t>(i));
    CheckCoordinate(fields.GetPath(), quaternion[static_cast<std::size_t>(i)], value);
    CheckCoordinate(
      fields.GetPath(), offset[static_cast<std::size_t>(i)], fields.Float(268 + 4 * static_cast<std::size_t>(i)));
    squares += value * value;
  }
  constexpr double rounding = 0.01;
  if (squares > 1.0 + rounding)
  {
    RefuseField(fields.GetPath(), "quatern_b^2 + quatern_c^2 + quatern_d^2", squares, "a rotation has 1 at the most");
  }
}

void
CheckSform(const NiftiFields & fields)
{
  std::array<std::array<double, 3>, 3> columns{};
  for (std::size_t row = 0; row < 3; ++row)
  {
    for (std::size_t column = 0; column < 4; ++column)
    {
      const double value = fields.Float(280 + 16 * row + 4 * column);
      CheckCoordinate(fields.GetPath(), std::string("srow_") + "xyz"[row] + '[' + std::to_string(column) + ']', value);
      if (column < 3)
      {
        columns[column][row] = value;
      }
    }
  }
  const auto & [a, b, c] = columns;
  const double determinant =
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  double lengths = 1.0;
  for (const auto & column : columns)
  {
    lengths *= std::hypot(column[0], column[1], column[2]);
  }
  // The determinant of unit vectors is 1 in magnitude where they are perpendicular.
  constexpr double smallest = 1e-6;
  if (!(std::abs(determinant) > smallest * lengths))
  {
    RefuseField(fields.GetPath(), "the determinant of the sform", determinant, "its axes must span space");
  }
}

} // namespace

void
CheckNiftiGeometry(const NiftiFields & fields)
{
  CheckSpacings(fields);
  if (fields.GetKind() == NiftiKind::Analyze)
  {
    return;
  }
  constexpr std::size_t qformCode = 252;
  constexpr std::size_t sformCode = 254;
  for (const std::size_t offset : { qformCode, sformCode })
  {
    constexpr std::int16_t largest = 5;
    if (fields.Short(offset) < 0 || fields.Short(offset) > largest)
    {
      RefuseField(
        fields.GetPath(), offset == qformCode ? "qform_code" : "sform_code", fields.Short(offset), "it must be 0 to 5");
    }
  }
  if (fields.Short(qformCode) > 0)
  {
    CheckQform(fields);
  }
  if (fields.Short(sformCode) > 0)
  {
    CheckSform(fields);
  }
}
