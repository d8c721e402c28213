// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Writes an image, points, a mesh and a transform, reads them, and writes and reads them in other formats, also what is
// computed of the transform: copy-files FOLDER
#include "files/base/Errors.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/maps/MapFile.h"
#include "files/maps/MoveSeries.h"
#include "files/points/PointFile.h"
#include "files/transforms/TransformFile.h"
#include "itkAffineTransform.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cudaneuro::files;

namespace
{

using ImageType = itk::Image<float, 3>;

void
Require(bool isRight, const std::string & what)
{
  if (!isRight)
  {
    throw std::runtime_error(what + " is not what was written");
  }
}

void
CopyImage(const std::string & folder)
{
  const auto made = ImageType::New();
  made->SetRegions(ImageType::SizeType{ { 5, 6, 7 } });
  made->Allocate();
  std::fill_n(made->GetBufferPointer(), 5 * 6 * 7, 2.5f);
  made->SetOrigin(ImageType::PointType(std::array<double, 3>{ 1.0, -2.0, 3.0 }));
  WriteImage<float, 3>(OutputFile(folder + "/image.nii.gz"), made);

  const auto image = ReadImage<float, 3>(OpenImage(folder + "/image.nii.gz"));
  WriteImage<float, 3>(OutputFile(folder + "/image.nrrd"), image.GetPointer());
  const OpenedImage copy = OpenImage(folder + "/image.nrrd");
  Require(copy.size == std::vector<std::size_t>{ 5, 6, 7 } && copy.geometry.origin[1] == -2.0, "the grid");
  Require(ReadImage<float, 3>(copy)->GetBufferPointer()[209] == 2.5f, "the image");
}

void
CopyPoints(const std::string & folder, const std::string & from, const std::string & to, const PointData & made)
{
  StagePointFile(OutputFile(folder + from), made).Commit();
  const PointData points = ReadPointFile(folder + from);
  StagePointFile(OutputFile(folder + to), points).Commit();
  const PointData copy = ReadPointFile(folder + to);
  Require(copy.coordinates == made.coordinates && copy.cells.size() == made.cells.size(), to);
}

void
CopyTransform(const std::string & folder)
{
  const auto made = itk::AffineTransform<double, 3>::New();
  made->Scale(1.25);
  StageTransform<3>(OutputFile(folder + "/map.tfm"), made.GetPointer()).Commit();

  const auto transform = ReadTransforms<3>({ folder + "/map.tfm" });
  StageTransform<3>(OutputFile(folder + "/map.h5"), transform.GetPointer()).Commit();
  Require(ReadTransforms<3>({ folder + "/map.h5" })->GetParameters() == made->GetParameters(), "the transform");

  // What is computed of transforms, on the image's grid.
  MapFormat format;
  format.fixed = NamedGrid{ "image.nrrd", OpenImage(folder + "/image.nrrd") };
  format.moving = format.fixed;
  StageMapFile<3>(OutputFile(folder + "/map.lta"), *InvertMap<3>(*made), format).Commit();
  const auto inverse = ReadMapFile<3>(folder + "/map.lta");
  const auto grid = ReadGrid<3>(OpenImage(folder + "/image.nrrd"));
  Require(JacobianOf<3>(*inverse, grid).image->GetBufferPointer()[0] == 0.512f, "the determinant");
  StageMapFile<3>(OutputFile(folder + "/map.nii"), *made, {}, { grid.GetPointer(), {} }).Commit();
  Require(CompareMaps<3>(*ReadMapFile<3>(folder + "/map.nii"), *transform).maximum < 1e-5, "the field");
}

void
CopySeries(const std::string & folder)
{
  const auto image = ReadImage<float, 3>(OpenImage(folder + "/image.nrrd"));
  auto       series = DescribeToWrite<float, 3>(*image);
  series.size.push_back(2);
  series.dimension = 4;
  const std::vector<float> voxels(2 * 5 * 6 * 7, 1.5f);
  series.pixels = voxels.data();
  StageImage(OutputFile(folder + "/series.nii.gz"), series).Commit();
  MoveSeries(folder + "/series.nii.gz", folder + "/moved.nii.gz", folder + "/image.nrrd", nullptr);
  ReadingOptions second;
  second.volume = 1;
  const auto moved = ReadImage<float, 3>(OpenImage(folder + "/moved.nii.gz", second));
  Require(moved->GetBufferPointer()[209] == 1.5f, "the series");
}

} // namespace

int
main(int argc, char ** argv)
{
  if (argc != 2)
  {
    std::cerr << "copy-files FOLDER\n";
    return 2;
  }
  try
  {
    const std::string folder = argv[1];
    std::filesystem::create_directories(folder);
    CopyImage(folder);
    PointData points;
    points.coordinates = { 0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0, 10.0, 0.5 };
    points.labels = { "a", "b", "c" };
    CopyPoints(folder, "/points.csv", "/points.mrk.json", points);
    points.labels.clear();
    points.cells = { { MeshCell::Kind::Polygon, { 0, 1, 2 } } };
    CopyPoints(folder, "/mesh.vtk", "/mesh.obj", points);
    CopyTransform(folder);
    CopySeries(folder);
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << '\n';
    return 1;
  }
  // A file that is not there is named.
  try
  {
    OpenImage("missing.nii");
  }
  catch (const UserError & error)
  {
    return std::string(error.what()) == "cannot read missing.nii: there is no such file" ? 0 : 1;
  }
  return 1;
}
