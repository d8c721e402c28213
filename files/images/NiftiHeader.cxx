// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NiftiHeader.h"

#include "files/base/NumberTypes.h"
#include "files/input/InputFile.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace cudaneuro::files
{

namespace
{

/** Where a field lies in one version of the format. Types are those of Python's struct: c text, B h i q integers of
 * 1, 2, 4 and 8 bytes, f d float and double. */
struct Place
{
  char        type;
  std::size_t offset;
};

struct Field
{
  const char * name;
  std::size_t  count;
  Place        places[2];
};

constexpr Field fields[] = {
  { "sizeof_hdr", 1, { { 'i', 0 }, { 'i', 0 } } },
  { "dim_info", 1, { { 'B', 39 }, { 'B', 524 } } },
  { "dim", 8, { { 'h', 40 }, { 'q', 16 } } },
  { "intent_p1", 1, { { 'f', 56 }, { 'd', 80 } } },
  { "intent_p2", 1, { { 'f', 60 }, { 'd', 88 } } },
  { "intent_p3", 1, { { 'f', 64 }, { 'd', 96 } } },
  { "intent_code", 1, { { 'h', 68 }, { 'i', 504 } } },
  { "datatype", 1, { { 'h', 70 }, { 'h', 12 } } },
  { "bitpix", 1, { { 'h', 72 }, { 'h', 14 } } },
  { "slice_start", 1, { { 'h', 74 }, { 'q', 224 } } },
  { "pixdim", 8, { { 'f', 76 }, { 'd', 104 } } },
  { "vox_offset", 1, { { 'f', 108 }, { 'q', 168 } } },
  { "scl_slope", 1, { { 'f', 112 }, { 'd', 176 } } },
  { "scl_inter", 1, { { 'f', 116 }, { 'd', 184 } } },
  { "slice_end", 1, { { 'h', 120 }, { 'q', 232 } } },
  { "slice_code", 1, { { 'B', 122 }, { 'i', 496 } } },
  { "xyzt_units", 1, { { 'B', 123 }, { 'i', 500 } } },
  { "cal_max", 1, { { 'f', 124 }, { 'd', 192 } } },
  { "cal_min", 1, { { 'f', 128 }, { 'd', 200 } } },
  { "slice_duration", 1, { { 'f', 132 }, { 'd', 208 } } },
  { "toffset", 1, { { 'f', 136 }, { 'd', 216 } } },
  { "descrip", 80, { { 'c', 148 }, { 'c', 240 } } },
  { "aux_file", 24, { { 'c', 228 }, { 'c', 320 } } },
  { "qform_code", 1, { { 'h', 252 }, { 'i', 344 } } },
  { "sform_code", 1, { { 'h', 254 }, { 'i', 348 } } },
  { "quatern_b", 1, { { 'f', 256 }, { 'd', 352 } } },
  { "quatern_c", 1, { { 'f', 260 }, { 'd', 360 } } },
  { "quatern_d", 1, { { 'f', 264 }, { 'd', 368 } } },
  { "qoffset_x", 1, { { 'f', 268 }, { 'd', 376 } } },
  { "qoffset_y", 1, { { 'f', 272 }, { 'd', 384 } } },
  { "qoffset_z", 1, { { 'f', 276 }, { 'd', 392 } } },
  { "srow_x", 4, { { 'f', 280 }, { 'd', 400 } } },
  { "srow_y", 4, { { 'f', 296 }, { 'd', 432 } } },
  { "srow_z", 4, { { 'f', 312 }, { 'd', 464 } } },
  { "intent_name", 16, { { 'c', 328 }, { 'c', 508 } } },
  { "magic", 4, { { 'c', 344 }, { 'c', 4 } } },
};

constexpr std::size_t headerBytes[] = { 348, 540 };

const Field &
FieldOf(const std::string & name)
{
  for (const Field & field : fields)
  {
    if (name == field.name)
    {
      return field;
    }
  }
  throw std::logic_error("NIfTI has no field " + name);
}

/** Calls a function with a number of a type of the table. */
template <typename TFunction>
auto
WithType(char type, const TFunction & function)
{
  switch (type)
  {
    case 'B':
      return function(std::uint8_t());
    case 'h':
      return function(std::int16_t());
    case 'i':
      return function(std::int32_t());
    case 'q':
      return function(std::int64_t());
    case 'f':
      return function(float());
    default:
      return function(double());
  }
}

void
ReverseAt(std::string & bytes, std::size_t offset, std::size_t count)
{
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(offset);
  std::reverse(begin, begin + static_cast<std::ptrdiff_t>(count));
}

} // namespace

std::string
Indexed(const std::string & name, std::size_t i)
{
  return name + "[" + std::to_string(i) + "]";
}

NiftiHeader::NiftiHeader(int version)
  : m_Version(version)
  , m_Bytes(headerBytes[version - 1], '\0')
{
  constexpr double millimetersAndSeconds = 10.0;
  this->Set("sizeof_hdr", static_cast<double>(m_Bytes.size()));
  this->Set("xyzt_units", millimetersAndSeconds);
  for (std::size_t axis = 0; axis <= 7; ++axis)
  {
    this->Set("pixdim", 1.0, axis);
  }
  if (version == 2)
  {
    m_Bytes.replace(8, 4, "\r\n\032\n"); // the rest of magic, which tells files that were taken for text
  }
}

NiftiHeader::NiftiHeader(const std::string & path, const std::string & start)
{
  std::string first = start.substr(0, sizeof(std::int32_t));
  first.resize(sizeof(std::int32_t), '\0');
  const auto isSize = [](std::int32_t bytes) { return bytes == 348 || bytes == 540; };
  m_IsSwapped = !isSize(NumberAt<std::int32_t>(first.data()));
  const auto size = NumberAt<std::int32_t>(first.data(), m_IsSwapped);
  if (start.size() >= first.size() && !isSize(size))
  {
    RefuseField(path, "sizeof_hdr", size, "it must be 348 (NIfTI-1) or 540 (NIfTI-2)");
  }
  m_Version = size == 540 ? 2 : 1;
  m_Bytes = start.substr(0, headerBytes[m_Version - 1]);
  if (m_Bytes.size() < headerBytes[m_Version - 1])
  {
    RefuseCutShort(path, start.size(), headerBytes[m_Version - 1]);
  }
  for (const Field & field : fields)
  {
    const Place &     place = field.places[m_Version - 1];
    const std::size_t bytes = WithType(place.type, [](auto number) { return sizeof(number); });
    for (std::size_t i = 0; m_IsSwapped && place.type != 'c' && i < field.count; ++i)
    {
      ReverseAt(m_Bytes, place.offset + i * bytes, bytes);
    }
  }
}

double
NiftiHeader::Number(const std::string & name, std::size_t index) const
{
  const Place & place = FieldOf(name).places[m_Version - 1];
  return WithType(place.type, [&](auto number) {
    using Type = decltype(number);
    const char * const at = m_Bytes.data() + place.offset + index * sizeof(Type);
    return static_cast<double>(NumberAt<Type>(at));
  });
}

std::int64_t
NiftiHeader::Integer(const std::string & name, std::size_t index) const
{
  constexpr double most = 9e18; // what 63 bits hold
  return static_cast<std::int64_t>(std::clamp(this->Number(name, index), -most, most));
}

std::string
NiftiHeader::Text(const std::string & name) const
{
  const Field &     field = FieldOf(name);
  const std::string text = m_Bytes.substr(field.places[m_Version - 1].offset, field.count);
  return text.substr(0, text.find('\0'));
}

void
NiftiHeader::Set(const std::string & name, double value, std::size_t index)
{
  const Place & place = FieldOf(name).places[m_Version - 1];
  WithType(place.type, [&](auto number) {
    using Type = decltype(number);
    using Limits = std::numeric_limits<Type>;
    if constexpr (Limits::is_integer)
    {
      // What does not fit, as slices beyond 32767 in NIfTI-1, was of no use before, either.
      value =
        std::clamp(value, static_cast<double>(Limits::lowest()), std::min(9e18, static_cast<double>(Limits::max())));
    }
    const auto stored = static_cast<Type>(value);
    std::memcpy(m_Bytes.data() + place.offset + index * sizeof(Type), &stored, sizeof(Type));
  });
}

void
NiftiHeader::SetText(const std::string & name, const std::string & text)
{
  const Field & field = FieldOf(name);
  std::string   padded = text.substr(0, field.count);
  padded.resize(field.count, '\0');
  m_Bytes.replace(field.places[m_Version - 1].offset, field.count, padded);
}

void
NiftiHeader::Take(const NiftiHeader & other, const std::vector<std::string> & names)
{
  for (const std::string & name : names)
  {
    const Field & field = FieldOf(name);
    const bool    isText = field.places[0].type == 'c';
    isText ? this->SetText(name, other.Text(name)) : void();
    for (std::size_t i = 0; !isText && i < field.count; ++i)
    {
      this->Set(name, other.Number(name, i), i);
    }
  }
}

void
NiftiHeader::TakeAll(const NiftiHeader & other)
{
  std::vector<std::string> names;
  for (const Field & field : fields)
  {
    names.emplace_back(field.name);
  }
  names.erase(names.begin()); // sizeof_hdr
  names.pop_back();           // magic
  this->Take(other, names);
}

NiftiKind
NiftiHeader::GetKind() const
{
  const Place &     place = FieldOf("magic").places[m_Version - 1];
  const std::string magic = m_Bytes.substr(place.offset, 4);
  const char        digit = m_Version == 1 ? '1' : '2';
  if (magic == std::string("n+") + digit + '\0')
  {
    return NiftiKind::OneFile;
  }
  return magic == std::string("ni") + digit + '\0' ? NiftiKind::Pair : NiftiKind::Analyze;
}

bool
NiftiHeader::HasDamagedMagic() const
{
  if (m_Version == 2)
  {
    return true; // Analyze has no second version.
  }
  int same = 0;
  for (std::size_t i = 0; i < 4; ++i)
  {
    const char c = m_Bytes[344 + i];
    same += c == "ni1"[i] || (i == 1 && c == '+') ? 1 : 0;
  }
  return same >= 2;
}

} // namespace cudaneuro::files
