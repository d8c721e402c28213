// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/surfaces/SurfaceFile.h"

#include "files/input/InputFile.h"
#include "files/points/MeshCells.h"
#include "files/points/PointFormats.h"
#include "files/surfaces/PolyData.h"
#include "files/surfaces/XmlData.h"
#include "files/surfaces/XmlNames.h"
#include "files/base/ErrorStream.h"
#include "files/base/Errors.h"
#include "files/base/Xml.h"

#include <vtkNew.h>
#include <vtkFieldData.h>
#include <vtkPolyDataReader.h>
#include <vtkPolyDataWriter.h>
#include <vtkStringArray.h>
#include <vtkTriangleFilter.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLPolyDataWriter.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace cudaneuro::files
{

namespace
{

/** VTK's XML, which VTK alone reads and writes. */
bool
IsXml(const std::string & path)
{
  return EndingOf(path) == ".vtp";
}

HeldCells
HeldBy(const std::string & path)
{
  return IsXml(path) ? HeldCells::All : CellsHeldBy(path);
}

/** The first error in what VTK prints, without file, line and class: "ERR| vtkClass (0x1): what it is", or with
 * "ERROR: In file, line 1" and a line's end before the class. Of numbers that are missing, the legacy reader says
 * "Error reading". */
std::string
FirstError(const std::string & said)
{
  const std::size_t     error = std::min(said.find("ERR|"), said.find("ERROR: "));
  const std::size_t     address = error == std::string::npos ? error : said.find("): ", error);
  constexpr std::size_t longest = 200;
  const std::size_t begin = address == std::string::npos ? std::min(error, said.find("Error reading")) : address + 3;
  return begin == std::string::npos
           ? ""
           : Printable(OneLine(Trimmed(said.substr(begin, said.find_first_of("\n\x1b", begin) - begin))), longest);
}

/** Runs a reader of VTK, whose errors become those of this program. */
template <typename TReader>
vtkSmartPointer<vtkPolyData>
RunReader(const std::string & path, TReader & reader)
{
  const ErrorStreamCapture capture;
  reader.SetFileName(path.c_str());
  try
  {
    reader.Update();
  }
  catch (const std::bad_alloc &)
  {
    RefuseInput(path, "there is not enough memory for what it says that it has");
  }
  const std::string error = FirstError(capture.TakeText());
  if (!error.empty() || reader.GetErrorCode() != 0)
  {
    RefuseInput(path, error.empty() ? "VTK cannot read it" : error);
  }
  return reader.GetOutput();
}

/** The arrays are read by VTK, when the rest is known to be right. */
vtkSmartPointer<vtkPolyData>
ReadLegacy(const std::string & path, const PointData & checked)
{
  vtkNew<vtkPolyDataReader> reader;
  reader->ReadAllScalarsOn();
  reader->ReadAllVectorsOn();
  reader->ReadAllNormalsOn();
  reader->ReadAllTensorsOn();
  reader->ReadAllColorScalarsOn();
  reader->ReadAllTCoordsOn();
  reader->ReadAllFieldsOn();
  vtkSmartPointer<vtkPolyData> surface;
  try
  {
    surface = RunReader(path, *reader);
  }
  catch (const UserError &)
  {
    const std::string notFinite = FirstNotFinite(path);
    if (notFinite.empty())
    {
      throw;
    }
    RefuseInput(path,
                "VTK cannot read the number " + notFinite +
                  " as text; save the file as binary, or with a finite number there");
  }
  if (static_cast<std::size_t>(surface->GetNumberOfPoints()) != checked.GetNumberOfPoints())
  {
    RefuseField(path,
                "the number of points",
                checked.GetNumberOfPoints(),
                "VTK reads " + std::to_string(surface->GetNumberOfPoints()));
  }
  if (checked.mesh.space == "RAS")
  {
    TurnAround(*surface);
  }
  return surface;
}

std::string
EndOf(const std::string & path, std::uint64_t size, std::uint64_t bytes)
{
  const std::vector<char> end = ReadBytes(path, size - std::min(size, bytes), std::min(size, bytes));
  return { end.begin(), end.end() };
}

/** The tag that a text of XML has before all others; empty where there is none. */
std::string
FirstTagOf(const std::string & text)
{
  XmlMarkup markup = FindXmlMarkup(text, 0);
  while (markup.isWhole && markup.kind == XmlMarkup::Kind::Other)
  {
    markup = FindXmlMarkup(text, markup.end);
  }
  return markup.isWhole ? text.substr(markup.begin, markup.end - markup.begin) : "";
}

/** Checks the ends of a file: VTK's reader makes a surface without cells of one that is cut short. Nearly always the
 * tags are near the ends, so that the whole file is looked through only where they are not. */
void
RequireXmlSurface(const std::string & path)
{
  constexpr std::uint64_t near = 65536;
  const std::uint64_t     size = CheckRegularFile(path);
  std::string             tag;
  bool                    isWhole = false;
  for (const std::uint64_t bytes : { near, size })
  {
    tag = tag.empty() ? FirstTagOf(ReadStart(path, bytes)) : tag;
    isWhole = isWhole || EndOf(path, size, bytes).find("</VTKFile>") != std::string::npos;
    if (isWhole && !tag.empty())
    {
      break;
    }
  }
  if (!isWhole)
  {
    RefuseInput(path, "it does not end with \"</VTKFile>\": it is cut short, or no XML file of VTK");
  }
  if (XmlAttributesOf(tag)["type"] != "PolyData")
  {
    RefuseInput(path, "its type is not \"PolyData\"");
  }
}

vtkSmartPointer<vtkPolyData>
ReadXml(const std::string & path, MeshNotes & notes)
{
  RequireXmlSurface(path);
  CheckXmlData(path);
  const vtkNew<vtkXMLPolyDataReader> reader;
  auto                               surface = RunReader(path, *reader);
  const auto * const space = vtkStringArray::SafeDownCast(surface->GetFieldData()->GetAbstractArray("SPACE"));
  if (space != nullptr && space->GetNumberOfValues() == 1)
  {
    notes.space = SpaceOf("SPACE=" + const_cast<vtkStringArray *>(space)->GetValue(0));
  }
  if (notes.space == "RAS")
  {
    TurnAround(*surface);
  }
  return surface;
}

/** Runs a writer of VTK.
 * \throws std::runtime_error, to which the name of the file is added */
template <typename TWriter>
void
RunWriter(const std::string & path, vtkPolyData * surface, TWriter & writer)
{
  const ErrorStreamCapture capture;
  writer.SetFileName(path.c_str());
  writer.SetInputData(surface);
  writer.Write();
  const std::string error = FirstError(capture.TakeText());
  if (!error.empty() || writer.GetErrorCode() != 0)
  {
    throw std::runtime_error(error.empty() ? "the disk may be full" : error);
  }
}

/** Strips and polygons as triangles. */
vtkSmartPointer<vtkPolyData>
InTriangles(vtkPolyData * surface)
{
  const vtkNew<vtkTriangleFilter> filter;
  filter->SetInputData(surface);
  filter->Update();
  return filter->GetOutput();
}

/** A surface as its file has it. */
struct FileContent
{
  vtkSmartPointer<vtkPolyData> surface;
  MeshNotes                    notes;
  /** What is to be said of it once nothing else is wrong. */
  std::string warning;
};

/** Reads a surface as it is, strips as triangles. */
FileContent
Read(const std::string & path)
{
  FileContent content;
  auto &      surface = content.surface;
  if (IsXml(path))
  {
    surface = ReadXml(path, content.notes);
  }
  else
  {
    const PointData data = ReadPointFile(path);
    content.notes = data.mesh;
    content.warning = NotesOf(data, path);
    const bool isLegacy = EndingOf(path) == ".vtk";
    surface = isLegacy ? ReadLegacy(path, data) : FromPointData(data);
    if (isLegacy)
    {
      content.notes.arrays.clear(); // which the surface has
    }
  }
  CheckSurface(path, *surface);
  if (const std::size_t few = RemoveShortCells(*surface); few > 0 && IsXml(path))
  {
    content.warning = path + ' ' + NoteOfShortCells(few); // those of other formats are noted where they are read
  }
  if (surface->GetNumberOfStrips() > 0)
  {
    surface = InTriangles(surface);
  }
  return content;
}

/** Reads what VTK wrote, which says nothing of some errors; WritePointFile checks what it writes.
 * \throws std::runtime_error */
void
RequireWhole(const std::string & path, vtkPolyData & surface)
{
  try
  {
    const vtkIdType found = Read(path).surface->GetNumberOfPolys();
    if (found != surface.GetNumberOfPolys())
    {
      RefuseField(path, "the count of its polygons", found, "it must be " + std::to_string(surface.GetNumberOfPolys()));
    }
  }
  catch (const UserError & error)
  {
    throw std::runtime_error(std::string("the disk may be full: ") + error.what());
  }
}

/** Writes a file by a writer of VTK that notes the space in its header. */
void
WriteByVtk(const std::string & path, vtkPolyData * surface, const MeshNotes & notes)
{
  if (IsXml(path))
  {
    const vtkNew<vtkStringArray> space;
    space->SetName("SPACE");
    space->InsertNextValue(notes.space == "RAS" ? "RAS" : "LPS");
    surface->GetFieldData()->AddArray(space);
    EscapeNames(*surface);
    RunWriter(path, surface, *vtkNew<vtkXMLPolyDataWriter>());
  }
  else
  {
    const vtkNew<vtkPolyDataWriter> writer;
    writer->SetFileTypeToBinary();
    writer->SetHeader(SpaceNote(notes).c_str());
    // The last version that all readers know.
    writer->SetFileVersion(vtkDataWriter::VTK_LEGACY_READER_VERSION_4_2);
    RunWriter(path, surface, *writer);
  }
}

void
Write(const std::string & path, vtkPolyData * given, const MeshNotes & notes)
{
  const bool                         hasPolygons = HeldBy(path) >= HeldCells::Polygons;
  const vtkSmartPointer<vtkPolyData> ours = hasPolygons ? vtkSmartPointer<vtkPolyData>(given) : InTriangles(given);
  if (!HoldsArrays(path))
  {
    WritePointFile(path, ToPointData(*ours, notes));
    return;
  }
  const vtkNew<vtkPolyData> surface;
  surface->ShallowCopy(ours);
  surface->GetFieldData()->RemoveArray("SPACE");
  if (notes.space == "RAS")
  {
    TurnAround(*surface);
  }
  WriteByVtk(path, surface, notes);
  RequireWhole(path, *ours);
}

} // namespace

bool
IsSurface(const std::string & path)
{
  return IsXml(path) || IsMesh(path);
}

std::string
SurfaceFileEndings()
{
  return ".vtp, " + MeshEndings() + ", and lh.* and rh.* of FreeSurfer";
}

vtkSmartPointer<vtkPolyData>
ReadSurfaceFile(const std::string & path, MeshNotes * notes)
{
  if (CheckRegularFile(path) == 0)
  {
    RefuseInput(path, "it is empty");
  }
  if (!IsSurface(path))
  {
    RefuseInput(path, "its ending is that of no surface; those of surfaces are " + SurfaceFileEndings());
  }
  const FileContent content = Read(path);
  RepairSurface(path, *content.surface);
  if (!content.warning.empty())
  {
    Warn(content.warning);
  }
  if (notes != nullptr)
  {
    *notes = content.notes;
  }
  return content.surface;
}

void
CheckSurfaceFormat(const std::string & path)
{
  if (!IsXml(path) && !IsMeshName(path))
  {
    throw UserError("cannot write " + path + ": the endings of surfaces are " + SurfaceFileEndings());
  }
}

bool
HoldsArrays(const std::string & path)
{
  return EndingOf(path) == ".vtk" || EndingOf(path) == ".vtp";
}

StagedFile
StageSurfaceFile(const OutputFile & file, vtkPolyData * surface, const MeshNotes & notes)
{
  StagedFile staged = file.Stage([&](const std::string & path) { Write(path, surface, notes); });
  if (HeldBy(file.GetPath()) != HeldCells::All && surface->GetNumberOfLines() + surface->GetNumberOfVerts() > 0)
  {
    Warn(file.GetPath() + " is without the lines and vertices of the mesh: .vtk, .vtp and .obj have such");
  }
  WarnOfArrays(file.GetPath(), notes);
  return staged;
}

} // namespace cudaneuro::files
