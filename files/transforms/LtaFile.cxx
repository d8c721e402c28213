// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/transforms/LtaFile.h"

#include "files/base/Errors.h"
#include "files/input/HeaderLines.h"
#include "files/output/WholeFile.h"

#include <map>
#include <ostream>
#include <vector>

namespace cudaneuro::files
{

namespace
{

/** What an .lta says of an image. */
using LtaGrid = std::map<std::string, std::string>;

struct LtaText
{
  std::map<std::string, std::string> fields;
  std::vector<double>                matrix;
  LtaGrid                            source;
  LtaGrid                            target;
};

LtaText
ReadLtaText(const std::string & path)
{
  LtaText     text;
  HeaderLines lines(path);
  auto *      fields = &text.fields;
  for (std::string line; lines.Take(line);)
  {
    const std::string plain = Trimmed(line.substr(0, line.find('#')));
    const std::size_t equals = plain.find('=');
    if (plain == "src volume info" || plain == "dst volume info")
    {
      fields = plain == "src volume info" ? &text.source : &text.target;
    }
    else if (equals != std::string::npos)
    {
      (*fields)[Trimmed(plain.substr(0, equals))] = Trimmed(plain.substr(equals + 1));
    }
    else if (fields == &text.fields && text.matrix.size() < 16 && plain != "1 4 4")
    {
      for (const std::string & word : SplitWords(plain))
      {
        text.matrix.push_back(ParseNumber(path, "a number of its matrix", word));
        CheckCoordinate(path, "a number of its matrix", text.matrix.back());
      }
    }
  }
  return text;
}

/** Three numbers of a grid. */
std::vector<double>
VectorOf(const std::string & path, const std::string & which, const LtaGrid & grid, const std::string & field)
{
  const auto found = grid.find(field);
  const auto words = SplitWords(found == grid.end() ? "" : found->second);
  if (words.size() != 3)
  {
    RefuseInput(path, "its " + which + " has no " + field + " of three numbers, which a matrix between voxels needs");
  }
  std::vector<double> numbers;
  for (const std::string & word : words)
  {
    numbers.push_back(ParseNumber(path, field, word));
    CheckCoordinate(path, field, numbers.back());
  }
  return numbers;
}

/** From voxels to points in RAS: FreeSurfer tells the place of the middle of the grid. */
SpaceMatrix
VoxelToRas(const std::string & path, const std::string & which, const LtaGrid & grid)
{
  const auto                valid = grid.find("valid");
  const std::vector<double> size = VectorOf(path, which, grid, "volume");
  const std::vector<double> spacing = VectorOf(path, which, grid, "voxelsize");
  const std::vector<double> center = VectorOf(path, which, grid, "cras");
  if (valid == grid.end() || valid->second != "1")
  {
    RefuseInput(path, "its " + which + " is not valid, which a matrix between voxels needs");
  }
  const char * const names[] = { "xras", "yras", "zras" };
  SpaceMatrix        result;
  result.set_identity();
  for (unsigned int column = 0; column < 3; ++column)
  {
    CheckSpacing(path, "voxelsize", spacing[column]);
    const std::vector<double> axis = VectorOf(path, which, grid, names[column]);
    for (unsigned int row = 0; row < 3; ++row)
    {
      result(row, column) = axis[row] * spacing[column];
    }
  }
  for (unsigned int row = 0; row < 3; ++row)
  {
    result(row, 3) =
      center[row] - (result(row, 0) * size[0] + result(row, 1) * size[1] + result(row, 2) * size[2]) / 2.0;
  }
  return result;
}

void
WriteGrid(std::ostream & out, const char * which, const NamedGrid & grid)
{
  const SpaceMatrix toPoint = IndexToPoint(grid.image);
  out << which << " volume info\nvalid = 1  # volume info valid\nfilename = " << grid.path << "\nvolume =";
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    out << ' ' << grid.image.size[axis];
  }
  out << "\nvoxelsize =";
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    out << ' ' << grid.image.geometry.spacing[axis];
  }
  const double signs[] = { -1.0, -1.0, 1.0 };
  for (unsigned int column = 0; column < 3; ++column)
  {
    out << '\n' << "xyz"[column] << "ras   =";
    for (unsigned int row = 0; row < 3; ++row)
    {
      out << ' ' << signs[row] * grid.image.geometry.direction[row][column];
    }
  }
  out << "\ncras   =";
  for (unsigned int row = 0; row < 3; ++row)
  {
    double center = toPoint(row, 3);
    for (unsigned int column = 0; column < 3; ++column)
    {
      center += toPoint(row, column) * static_cast<double>(grid.image.size[column]) / 2.0;
    }
    out << ' ' << signs[row] * center;
  }
  out << '\n';
}

} // namespace

SpaceMatrix
ReadLta(const std::string & path)
{
  const LtaText text = ReadLtaText(path);
  const auto    number = [&](const char * field) {
    const auto found = text.fields.find(field);
    if (found == text.fields.end())
    {
      RefuseInput(path, std::string("it has no ") + field);
    }
    return ParseInteger(path, field, found->second, -1, 1000);
  };
  if (number("nxforms") != 1)
  {
    RefuseField(path, "nxforms", number("nxforms"), "files with one transform can be worked on");
  }
  constexpr int voxels = 0;
  constexpr int ras = 1;
  const auto    type = number("type");
  if (type != voxels && type != ras)
  {
    RefuseField(path, "type", type, "matrices between voxels (0) and between points in RAS (1) can be worked on");
  }
  SpaceMatrix map = MatrixOf(path, text.matrix);
  if (type == voxels)
  {
    const SpaceMatrix source = VoxelToRas(path, "src volume info", text.source);
    map = VoxelToRas(path, "dst volume info", text.target) * map * InverseOf(path, source);
  }
  return Flipped(InverseOf(path, map));
}

void
WriteLta(const std::string & path, const SpaceMatrix & map, const NamedGrid & source, const NamedGrid & target)
{
  const SpaceMatrix matrix = Flipped(InverseOf(path, map));
  WriteLines(path, [&](std::ostream & out) {
    out << "type      = 1 # LINEAR_RAS_TO_RAS\nnxforms   = 1\nmean      = 0 0 0\nsigma     = 1\n1 4 4\n";
    for (unsigned int row = 0; row < 4; ++row)
    {
      for (unsigned int column = 0; column < 4; ++column)
      {
        out << matrix(row, column) << (column == 3 ? '\n' : ' ');
      }
    }
    WriteGrid(out, "src", source);
    WriteGrid(out, "dst", target);
  });
}

} // namespace cudaneuro::files
