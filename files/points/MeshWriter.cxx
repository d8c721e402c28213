// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/InputFile.h"
#include "files/points/PointFormats.h"
#include "itkDefaultStaticMeshTraits.h"
#include "itkLineCell.h"
#include "itkMesh.h"
#include "itkMeshFileWriter.h"
#include "itkPolygonCell.h"
#include "itkTriangleCell.h"
#include "itkVertexCell.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace
{

template <typename TCoordinate>
using MeshOf = itk::Mesh<TCoordinate, 3, itk::DefaultStaticMeshTraits<TCoordinate, 3, 3, TCoordinate>>;

/** ITK's cells of a mesh: lines through several points become one line between each two of them. */
template <typename TMesh>
class CellMaker
{
public:
  explicit CellMaker(TMesh & mesh)
    : m_Mesh(mesh)
  {}

  void
  Add(const MeshCell & cell)
  {
    if (cell.kind == MeshCell::Kind::Vertex)
    {
      this->Set(std::make_unique<itk::VertexCell<CellType>>(), cell.points.data(), 1);
    }
    else if (cell.kind == MeshCell::Kind::Line)
    {
      for (std::size_t i = 0; i + 1 < cell.points.size(); ++i)
      {
        this->Set(std::make_unique<itk::LineCell<CellType>>(), cell.points.data() + i, 2);
      }
    }
    else if (cell.points.size() == 3)
    {
      this->Set(std::make_unique<itk::TriangleCell<CellType>>(), cell.points.data(), 3);
    }
    else
    {
      this->Set(std::make_unique<itk::PolygonCell<CellType>>(static_cast<unsigned int>(cell.points.size())),
                cell.points.data(),
                cell.points.size());
    }
  }

private:
  using CellType = typename TMesh::CellType;

  template <typename TCell>
  void
  Set(std::unique_ptr<TCell> cell, const std::uint32_t * points, std::size_t count)
  {
    for (std::size_t i = 0; i < count; ++i)
    {
      cell->SetPointId(static_cast<int>(i), points[i]);
    }
    typename TMesh::CellAutoPointer pointer;
    pointer.TakeOwnership(cell.release());
    m_Mesh.SetCell(m_Next++, pointer);
  }

  TMesh &                        m_Mesh;
  typename TMesh::CellIdentifier m_Next = 0;
};

template <typename TCoordinate>
void
Write(const std::string & path, const PointData & data)
{
  using MeshType = MeshOf<TCoordinate>;
  const auto mesh = MeshType::New();
  for (std::size_t i = 0; i < data.GetNumberOfPoints(); ++i)
  {
    typename MeshType::PointType point;
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      point[axis] = static_cast<TCoordinate>(data.coordinates[3 * i + axis]);
    }
    mesh->SetPoint(i, point);
  }
  CellMaker<MeshType> maker(*mesh);
  for (const MeshCell & cell : data.cells)
  {
    maker.Add(cell);
  }
  const auto writer = itk::MeshFileWriter<MeshType>::New();
  writer->SetInput(mesh);
  writer->SetFileName(path);
  writer->Update();
}

/** ITK names in the first line of the text of FreeSurfer the file as which it was written first. */
void
NameFreeSurferText(const std::string & path)
{
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::string content = text.str();
  content.replace(0, content.find('\n'), "#!ascii version of " + std::filesystem::path(path).filename().string());
  std::ofstream file(path, std::ios::binary);
  file << content;
}

/** Lines are left out: ITK joins those that follow each other. */
std::size_t
CountCells(const PointData & data)
{
  return static_cast<std::size_t>(std::count_if(
    data.cells.begin(), data.cells.end(), [](const MeshCell & cell) { return cell.kind != MeshCell::Kind::Line; }));
}

/** Checks that what was written has as many points and cells. */
void
RequireSameCounts(const PointData & written, const PointData & data)
{
  if (written.GetNumberOfPoints() != data.GetNumberOfPoints() || CountCells(written) != CountCells(data))
  {
    throw std::runtime_error("the disk may be full: it has " + std::to_string(written.GetNumberOfPoints()) + " of " +
                             std::to_string(data.GetNumberOfPoints()) + " points and " +
                             std::to_string(CountCells(written)) + " of " + std::to_string(CountCells(data)) +
                             " cells");
  }
}

/** \throws std::runtime_error for cells that a format does not have */
void
RequireCells(const std::string & ending, const PointData & data)
{
  const bool hasTrianglesOnly = ending == ".fsa" || ending == ".fsb" || ending == ".gii";
  const bool hasPolygonsOnly = hasTrianglesOnly || ending == ".off" || ending == ".obj";
  for (const MeshCell & cell : data.cells)
  {
    const bool isPolygon = cell.kind == MeshCell::Kind::Polygon;
    if ((hasPolygonsOnly && !isPolygon) || (hasTrianglesOnly && cell.points.size() != 3))
    {
      throw std::runtime_error("the mesh has " +
                               std::string(isPolygon ? "polygons of 4 points or more" : "lines or vertices") +
                               ", which files of its ending do not have; .vtk has all");
    }
  }
  if (ending != ".vtk" && ending != ".obj" && ending != ".gii" && data.cells.empty())
  {
    throw std::runtime_error(
      "there are no triangles, which files of its ending must have; .vtk, .obj and .csv need none");
  }
}

} // namespace

void
WriteMesh(const std::string & path, const PointData & data)
{
  const std::string ending = EndingOf(path);
  RequireCells(ending, data);
  PointData  own = data;
  const bool isFreeSurfer = ending == ".fsa" || ending == ".fsb";
  // Programs show cells, and points only where they are some.
  for (std::uint32_t point = 0; ending == ".vtk" && data.cells.empty() && point < data.GetNumberOfPoints(); ++point)
  {
    own.cells.push_back({ MeshCell::Kind::Vertex, { point } });
  }
  if (isFreeSurfer || ending == ".gii")
  {
    TurnAround(own);
  }
  // Those formats have numbers of single precision.
  isFreeSurfer || ending == ".gii" ? Write<float>(path, own) : Write<double>(path, own);
  if (ending == ".fsa")
  {
    NameFreeSurferText(path);
  }
  RequireSameCounts(ReadPointFile(path), own);
}
