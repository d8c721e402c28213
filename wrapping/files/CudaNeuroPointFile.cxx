// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNeuroPointFile.h"

#include "FileWarnings.h"
#include "files/base/Errors.h"
#include "files/points/PointFile.h"

#include <algorithm>

using namespace cudaneuro::files;

namespace itk
{

namespace
{

auto
FindColumn(PointData & data, const std::string & name)
{
  return std::find_if(
    data.columns.begin(), data.columns.end(), [&](const PointColumn & column) { return column.name == name; });
}

vnl_vector<double>
AsVector(const std::vector<double> & numbers)
{
  return vnl_vector<double>(numbers.data(), numbers.size());
}

} // namespace

CudaNeuroPointFile::CudaNeuroPointFile()
  : m_Data(std::make_shared<PointData>())
{}

CudaNeuroPointFile
CudaNeuroPointFile::Read(const std::string & path)
{
  FileWarnings::Keep();
  CudaNeuroPointFile file;
  *file.m_Data = ReadPointFile(path);
  const std::string notes = NotesOf(*file.m_Data, path);
  if (!notes.empty())
  {
    Warn(notes);
  }
  return file;
}

void
CudaNeuroPointFile::Write(const std::string & path) const
{
  FileWarnings::Keep();
  CheckPointFormat(path, m_Data->dimension);
  StagePointFile(OutputFile(path), *m_Data).Commit();
}

CudaNeuroPointFile
CudaNeuroPointFile::Clone() const
{
  CudaNeuroPointFile copy;
  *copy.m_Data = *m_Data;
  return copy;
}

unsigned int
CudaNeuroPointFile::GetDimension() const
{
  return m_Data->dimension;
}

vnl_vector<double>
CudaNeuroPointFile::GetCoordinates() const
{
  return AsVector(m_Data->coordinates);
}

void
CudaNeuroPointFile::SetCoordinates(const vnl_vector<double> & coordinates, unsigned int dimension)
{
  m_Data->coordinates.assign(coordinates.begin(), coordinates.end());
  m_Data->dimension = dimension;
}

std::vector<std::string>
CudaNeuroPointFile::GetLabels() const
{
  return m_Data->labels;
}

void
CudaNeuroPointFile::SetLabels(const std::vector<std::string> & labels)
{
  m_Data->labels = labels;
}

std::vector<std::string>
CudaNeuroPointFile::GetColumnNames() const
{
  std::vector<std::string> names;
  for (const PointColumn & column : m_Data->columns)
  {
    names.push_back(column.name);
  }
  return names;
}

std::vector<std::string>
CudaNeuroPointFile::GetColumn(const std::string & name) const
{
  const auto found = FindColumn(*m_Data, name);
  return found == m_Data->columns.end() ? std::vector<std::string>() : found->values;
}

void
CudaNeuroPointFile::SetColumn(const std::string & name, const std::vector<std::string> & values)
{
  const auto found = FindColumn(*m_Data, name);
  if (found == m_Data->columns.end())
  {
    m_Data->columns.push_back({ name, values });
    return;
  }
  found->values = values;
}

void
CudaNeuroPointFile::RemoveColumn(const std::string & name)
{
  const auto found = FindColumn(*m_Data, name);
  if (found != m_Data->columns.end())
  {
    m_Data->columns.erase(found);
  }
}

vnl_vector<double>
CudaNeuroPointFile::GetTriangles() const
{
  std::vector<double> triangles;
  for (const MeshCell & cell : m_Data->cells)
  {
    for (std::size_t i = 2; cell.kind == MeshCell::Kind::Polygon && i < cell.points.size(); ++i)
    {
      triangles.insert(triangles.end(),
                       { static_cast<double>(cell.points[0]),
                         static_cast<double>(cell.points[i - 1]),
                         static_cast<double>(cell.points[i]) });
    }
  }
  return AsVector(triangles);
}

void
CudaNeuroPointFile::SetTriangles(const vnl_vector<double> & points)
{
  m_Data->cells.clear();
  for (unsigned int i = 0; i + 2 < points.size(); i += 3)
  {
    const auto point = [&](unsigned int corner) { return static_cast<std::uint32_t>(points[i + corner]); };
    m_Data->cells.push_back({ MeshCell::Kind::Polygon, { point(0), point(1), point(2) } });
  }
}

} // namespace itk
