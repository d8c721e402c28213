// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/surfaces/SurfaceFile.h"

#include "files/input/InputFile.h"
#include "files/points/PointFormats.h"
#include "files/points/SurfaceFormats.h"
#include "files/surfaces/VtkMessages.h"
#include "files/base/ErrorStream.h"
#include "files/base/Errors.h"

#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkOBJWriter.h>
#include <vtkPLYWriter.h>
#include <vtkPoints.h>
#include <vtkPolyDataReader.h>
#include <vtkPolyDataWriter.h>
#include <vtkSTLWriter.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLPolyDataWriter.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace
{

const std::vector<std::string> &
Endings()
{
  static const std::vector<std::string> endings{ ".vtk", ".vtp", ".stl", ".ply", ".obj" };
  return endings;
}

vtkSmartPointer<vtkPolyData>
FromPointData(const PointData & data)
{
  auto                 surface = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints>    points;
  vtkNew<vtkCellArray> polygons;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(static_cast<vtkIdType>(data.GetNumberOfPoints()));
  for (std::size_t i = 0; i < data.GetNumberOfPoints(); ++i)
  {
    points->SetPoint(static_cast<vtkIdType>(i), data.coordinates.data() + 3 * i);
  }
  for (const MeshCell & cell : data.cells)
  {
    if (cell.kind == MeshCell::Kind::Polygon)
    {
      const std::vector<vtkIdType> corners(cell.points.begin(), cell.points.end());
      polygons->InsertNextCell(static_cast<vtkIdType>(corners.size()), corners.data());
    }
  }
  surface->SetPoints(points);
  surface->SetPolys(polygons);
  return surface;
}

/** Runs a reader of VTK, whose errors become those of this program. */
template <typename TReader>
vtkSmartPointer<vtkPolyData>
RunReader(const std::string & path, TReader & reader)
{
  const VtkMessages        messages;
  const ErrorStreamCapture capture; // what the libraries beneath VTK print
  reader.SetFileName(path.c_str());
  try
  {
    reader.Update();
  }
  catch (const std::bad_alloc &)
  {
    RefuseInput(path, "there is not enough memory for what it says that it has");
  }
  const std::string error = messages.GetError();
  if (!error.empty() || reader.GetErrorCode() != 0)
  {
    RefuseInput(path, error.empty() ? "VTK cannot read it" : error);
  }
  return reader.GetOutput();
}

/** The arrays are read by VTK, when the rest is known to be right. */
vtkSmartPointer<vtkPolyData>
ReadLegacy(const std::string & path)
{
  const PointData           checked = ReadVtkPolyData(path);
  vtkNew<vtkPolyDataReader> reader;
  reader->ReadAllScalarsOn();
  reader->ReadAllVectorsOn();
  reader->ReadAllNormalsOn();
  reader->ReadAllTensorsOn();
  reader->ReadAllColorScalarsOn();
  reader->ReadAllTCoordsOn();
  reader->ReadAllFieldsOn();
  auto surface = RunReader(path, *reader);
  if (static_cast<std::size_t>(surface->GetNumberOfPoints()) != checked.GetNumberOfPoints())
  {
    RefuseField(path,
                "the number of points",
                checked.GetNumberOfPoints(),
                "VTK reads " + std::to_string(surface->GetNumberOfPoints()));
  }
  for (vtkIdType i = 0; i < surface->GetNumberOfPoints(); ++i)
  {
    // Which may be turned from RAS to LPS.
    surface->GetPoints()->SetPoint(i, checked.coordinates.data() + 3 * i);
  }
  return surface;
}

/** VTK's reader makes a surface without cells of a file that is cut short. */
vtkSmartPointer<vtkPolyData>
ReadXml(const std::string & path)
{
  const std::uint64_t     size = CheckRegularFile(path);
  const std::uint64_t     atEnd = std::min<std::uint64_t>(size, 64);
  const std::vector<char> end = ReadBytes(path, size - atEnd, atEnd);
  if (std::string(end.begin(), end.end()).find("</VTKFile>") == std::string::npos)
  {
    RefuseInput(path, "it does not end with \"</VTKFile>\": it is cut short, or no XML file of VTK");
  }
  const std::vector<char> start = ReadBytes(path, 0, std::min<std::uint64_t>(size, 4096));
  if (std::string(start.begin(), start.end()).find("\"PolyData\"") == std::string::npos)
  {
    RefuseInput(path, "its type is not \"PolyData\"");
  }
  const vtkNew<vtkXMLPolyDataReader> reader;
  return RunReader(path, *reader);
}

/** Checks that cells have points that are there, and end where the next ones begin. */
void
CheckCells(const std::string & path, vtkPolyData & surface, vtkCellArray & cells)
{
  vtkDataArray & offsets = *cells.GetOffsetsArray();
  vtkDataArray & points = *cells.GetConnectivityArray();
  double         before = 0.0;
  for (vtkIdType i = 0; i < offsets.GetNumberOfTuples(); ++i)
  {
    const double offset = offsets.GetComponent(i, 0);
    if (offset < before || offset > static_cast<double>(points.GetNumberOfTuples()) || (i == 0 && offset != 0.0))
    {
      RefuseField(path,
                  "the offset of cell " + std::to_string(i),
                  static_cast<std::int64_t>(offset),
                  "it must be in the array of the cells' points");
    }
    before = offset;
  }
  for (vtkIdType i = 0; i < points.GetNumberOfTuples(); ++i)
  {
    const double point = points.GetComponent(i, 0);
    if (point < 0.0 || point >= static_cast<double>(surface.GetNumberOfPoints()))
    {
      RefuseField(path,
                  "a point of a cell",
                  static_cast<std::int64_t>(point),
                  "counted from 0, there are " + std::to_string(surface.GetNumberOfPoints()) + " points");
    }
  }
}

void
CheckSurface(const std::string & path, vtkPolyData & surface)
{
  for (vtkCellArray * const cells : { surface.GetPolys(), surface.GetStrips(), surface.GetLines(), surface.GetVerts() })
  {
    CheckCells(path, surface, *cells);
  }
  if (surface.GetNumberOfPolys() + surface.GetNumberOfStrips() == 0)
  {
    RefuseInput(path,
                "it has no triangles or other polygons, of " + std::to_string(surface.GetNumberOfCells()) +
                  " cells and " + std::to_string(surface.GetNumberOfPoints()) + " points");
  }
  for (vtkIdType i = 0; i < surface.GetNumberOfPoints(); ++i)
  {
    double point[3];
    surface.GetPoint(i, point);
    for (const double coordinate : point)
    {
      CheckCoordinate(path, "a coordinate of point " + std::to_string(i), coordinate);
    }
  }
}

/** Runs a writer of VTK.
 * \throws std::runtime_error, to which the name of the file is added */
template <typename TWriter>
void
RunWriter(const std::string & path, vtkPolyData * surface, TWriter & writer)
{
  const VtkMessages messages;
  writer.SetFileName(path.c_str());
  writer.SetInputData(surface);
  writer.Write();
  const std::string error = messages.GetError();
  if (!error.empty() || writer.GetErrorCode() != 0)
  {
    throw std::runtime_error(error.empty() ? "the disk may be full" : error);
  }
}

void
Write(const std::string & path, vtkPolyData * surface)
{
  const std::string ending = EndingOf(path);
  if (ending == ".vtp")
  {
    RunWriter(path, surface, *vtkNew<vtkXMLPolyDataWriter>());
  }
  else if (ending == ".vtk")
  {
    const vtkNew<vtkPolyDataWriter> writer;
    writer->SetFileTypeToBinary();
    // The last version that all readers know.
    writer->SetFileVersion(vtkDataWriter::VTK_LEGACY_READER_VERSION_4_2);
    RunWriter(path, surface, *writer);
  }
  else if (ending == ".stl")
  {
    const vtkNew<vtkSTLWriter> writer;
    writer->SetFileTypeToBinary();
    RunWriter(path, surface, *writer);
  }
  else if (ending == ".ply")
  {
    RunWriter(path, surface, *vtkNew<vtkPLYWriter>());
  }
  else
  {
    RunWriter(path, surface, *vtkNew<vtkOBJWriter>());
  }
}

/** \throws std::runtime_error */
void
RequireWhole(const std::string & path, vtkPolyData & surface)
{
  try
  {
    const vtkIdType found = ReadSurfaceFile(path)->GetNumberOfPolys();
    if (found != surface.GetNumberOfPolys())
    {
      throw std::runtime_error("the disk may be full: it has " + std::to_string(found) + " of " +
                               std::to_string(surface.GetNumberOfPolys()) + " polygons");
    }
  }
  catch (const UserError & error)
  {
    throw std::runtime_error(std::string("the disk may be full: ") + error.what());
  }
}

} // namespace

bool
IsSurfaceName(const std::string & path)
{
  return std::count(Endings().begin(), Endings().end(), EndingOf(path)) > 0;
}

std::string
SurfaceFileEndings()
{
  std::string text;
  for (const std::string & ending : Endings())
  {
    text += (text.empty() ? "" : ending == Endings().back() ? " and " : ", ") + ending;
  }
  return text;
}

vtkSmartPointer<vtkPolyData>
ReadSurfaceFile(const std::string & path)
{
  if (CheckRegularFile(path) == 0)
  {
    RefuseInput(path, "it is empty");
  }
  const std::string ending = EndingOf(path);
  auto              surface = ending == ".vtk"   ? ReadLegacy(path)
                              : ending == ".vtp" ? ReadXml(path)
                              : ending == ".stl" ? FromPointData(ReadStl(path))
                              : ending == ".ply" ? FromPointData(ReadPly(path))
                              : ending == ".obj" ? FromPointData(ReadObj(path))
                                                 : nullptr;
  if (surface == nullptr)
  {
    RefuseInput(path, "its ending is that of no surface; those of surfaces are " + SurfaceFileEndings());
  }
  CheckSurface(path, *surface);
  return surface;
}

void
CheckSurfaceFormat(const std::string & path)
{
  if (!IsSurfaceName(path))
  {
    throw UserError("cannot write " + path + ": the endings of surfaces are " + SurfaceFileEndings());
  }
}

bool
HoldsArrays(const std::string & path)
{
  const std::string ending = EndingOf(path);
  return ending == ".vtk" || ending == ".vtp";
}

StagedFile
StageSurfaceFile(const OutputFile & file, vtkPolyData * surface)
{
  return file.Stage([surface](const std::string & path) {
    Write(path, surface);
    RequireWhole(path, *surface);
  });
}
