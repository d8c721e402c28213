// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/SurfaceInput.h"

#include "files/images/ImageFile.h"
#include "files/input/InputFile.h"
#include "files/images/ImageFormat.h"
#include "files/surfaces/SurfaceFile.h"
#include "itkCudaNeuroDetail.h"
#include "itkImageDuplicator.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"

#include <vtkCellData.h>
#include <vtkPointData.h>

#include <algorithm>
#include <map>
#include <array>
#include <sstream>

using itk::CudaNeuroDetail::GridOf;
using itk::CudaNeuroDetail::VolumeOf;

namespace
{

std::string
TextOf(double length)
{
  std::ostringstream text;
  text.precision(15);
  text << length;
  return text.str();
}

/** Refuses a band that is wider than the surface: the grid would grow without bound, and consist of band alone. */
void
RequireBandWithin(double bandWidth, const std::array<double, 3> & sides)
{
  const double longest = *std::max_element(sides.begin(), sides.end());
  if (bandWidth > longest)
  {
    throw UserError("--band-width is " + TextOf(bandWidth) + " mm; it must be at most " + TextOf(longest) +
                    " mm, the longest side of the surface");
  }
}

/** Refuses a reach of distances outside the range of lengths. */
void
RequireReach(const std::string & path, double reach, double voxelSize)
{
  constexpr cudaneuro::ParameterRange range = cudaneuro::lengthRange;
  if (reach < range.minimum || reach > range.maximum)
  {
    throw UserError(path + " is out of range: its voxels of " + TextOf(voxelSize) + " mm need distances up to " +
                    TextOf(reach) + " mm, which can be from " + TextOf(range.minimum) + " to " + TextOf(range.maximum) +
                    " mm. Lengths in files of surfaces and images are taken as mm");
  }
}

/** Refuses a surface whose voxels would be too many because it is thin, which other voxels do not help. */
void
RequireThickness(const std::string &                      path,
                 const std::array<double, 3> &            sides,
                 const cudaneuro::SurfaceGridParameters & grid)
{
  const double shortest = *std::min_element(sides.begin(), sides.end());
  double       voxels = 1.0;
  for (const double side : sides)
  {
    voxels *= (side + 2.0 * grid.reach) / grid.voxelSize + 1.0;
  }
  constexpr double thin = 0.24; // of the shortest side, of which voxels are a quarter at most
  if (voxels > static_cast<double>(cudaneuro::maximumSurfaceVoxels) && grid.voxelSize > thin * shortest)
  {
    throw UserError(path + " is too thin for a level set: its shortest side is " + TextOf(shortest) + " mm of " +
                    TextOf(sides[0]) + " x " + TextOf(sides[1]) + " x " + TextOf(sides[2]) +
                    ", and of voxels that see it, there would be more than 2^31. --method normals takes it");
  }
}

/** Refuses a surface that has no inside. */
void
RequireInside(const std::string & path, vtkPolyData * surface)
{
  const auto refuse = [&path](const std::string & what) {
    throw UserError(path + what + ". A level set needs a closed surface; --method normals takes others, too");
  };
  const auto edges = [](std::int64_t count) { return std::to_string(count) + (count == 1 ? " edge" : " edges"); };
  if (!(cudaneuro::RecommendedVoxelSize(surface) > 0.0))
  {
    refuse(" is flat: it lies in a plane, and has no volume");
  }
  const cudaneuro::SurfaceDefects defects = cudaneuro::FindSurfaceDefects(surface);
  if (defects.openEdges > 0)
  {
    refuse(" is open: it has " + edges(defects.openEdges) + " with one triangle");
  }
  if (defects.oddEdges > 0)
  {
    refuse(" has walls inside, or triangles too many: three or another odd number of them meet at " +
           edges(defects.oddEdges));
  }
  if (defects.flippedEdges > 0)
  {
    refuse(" has triangles that do not run around in one sense: they meet the wrong way at " +
           edges(defects.flippedEdges));
  }
}

/** Reads labels. Real numbers that are no labels may be distances. */
LabelImage<3>::Pointer
ReadLabelImage(const OpenedImage & opened)
{
  try
  {
    return ReadLabels<3>(opened);
  }
  catch (const UserError & error)
  {
    const bool isReal =
      opened.componentType == itk::IOComponentEnum::FLOAT || opened.componentType == itk::IOComponentEnum::DOUBLE;
    throw UserError(error.what() + std::string(isReal ? ". For signed distances, give --distance" : ""));
  }
}

} // namespace

SurfaceInput::SurfaceInput(const SurfaceOptions & options)
  : m_Options(options)
{
  if (options.GetKind() != SurfaceKind::Surface)
  {
    this->ReadImages();
    return;
  }
  m_Surface = ReadSurfaceFile(options.input, &m_Notes);
  m_Description = std::to_string(m_Surface->GetNumberOfPolys() + m_Surface->GetNumberOfStrips()) + " polygons of " +
                  std::to_string(m_Surface->GetNumberOfPoints()) + " points";
}

void
SurfaceInput::ReadImages()
{
  const std::string & path = m_Options.input;
  if (!IsImageName(path))
  {
    CheckRegularFile(path);
    RefuseInput(path,
                "its ending is that of no surface and no image; those of surfaces are " + SurfaceFileEndings() +
                  ", those of images .nii, .nii.gz, .mha, .mhd, .nrrd, .nhdr, .mgh and .mgz");
  }
  const OpenedImage opened = m_Options.opened->Open(path);
  if (opened.dimension != 3)
  {
    throw UserError(path + " has " + std::to_string(opened.dimension) + " axes; a surface needs 3");
  }
  m_Description = Describe(opened);
  if (m_Options.isDistance)
  {
    m_Distance = ReadImage<float, 3>(opened);
  }
  else
  {
    m_LabelImage = ReadLabelImage(opened);
    this->ChooseLabels();
  }
  if (!m_Options.mask.empty())
  {
    const itk::ImageBase<3> & grid =
      m_Options.isDistance ? static_cast<itk::ImageBase<3> &>(*m_Distance) : *m_LabelImage;
    m_Mask = ReadMask<3>(m_Options.opened->Open(m_Options.mask), grid, path);
  }
}

void
SurfaceInput::ChooseLabels()
{
  m_Labels = FindLabels(*m_LabelImage, m_Options.input);
  if (m_Options.labels.empty())
  {
    return;
  }
  std::vector<LabelBox> chosen;
  for (const std::int64_t label : m_Options.labels)
  {
    if (label == 0)
    {
      throw UserError("--label is 0, which is the background in " + m_Options.input +
                      "; surfaces are those of other values");
    }
    const auto found =
      std::find_if(m_Labels.begin(), m_Labels.end(), [label](const LabelBox & box) { return box.label == label; });
    if (found == m_Labels.end())
    {
      throw UserError("--label is " + std::to_string(label) + ", which no voxel of " + m_Options.input + " has; its " +
                      (m_Labels.size() == 1
                         ? "only label is " + std::to_string(m_Labels.front().label)
                         : std::to_string(m_Labels.size()) + " labels are from " +
                             std::to_string(m_Labels.front().label) + " to " + std::to_string(m_Labels.back().label)));
    }
    if (std::none_of(chosen.begin(), chosen.end(), [label](const LabelBox & box) { return box.label == label; }))
    {
      chosen.push_back(*found);
    }
  }
  m_Labels = std::move(chosen);
}

std::optional<std::int64_t>
SurfaceInput::GetLabel(std::size_t item) const
{
  return m_Labels.empty() ? std::nullopt : std::optional(m_Labels[item].label);
}

std::string
SurfaceInput::GetNameOf(std::size_t item) const
{
  const auto label = this->GetLabel(item);
  return label ? "label " + std::to_string(*label) + " of " + m_Options.input : m_Options.input;
}

double
SurfaceInput::GetVoxelVolume(std::size_t item) const
{
  const auto spacing = m_LabelImage->GetSpacing();
  return static_cast<double>(m_Labels[item].voxels) * spacing[0] * spacing[1] * spacing[2];
}

bool
SurfaceInput::HasLongLabels() const
{
  return std::any_of(m_Labels.begin(), m_Labels.end(), [](const LabelBox & box) {
    return box.label != static_cast<std::int32_t>(box.label);
  });
}

bool
SurfaceInput::HasArrays() const
{
  return m_Surface != nullptr &&
         m_Surface->GetPointData()->GetNumberOfArrays() + m_Surface->GetCellData()->GetNumberOfArrays() > 0;
}

cudaneuro::LabelNumberImage::Pointer
SurfaceInput::MakeLabelNumbers() const
{
  std::map<std::int64_t, unsigned short> numbers;
  for (std::size_t item = 0; item < m_Labels.size(); ++item)
  {
    numbers[m_Labels[item].label] = static_cast<unsigned short>(item + 1);
  }
  const auto result = cudaneuro::LabelNumberImage::New();
  result->CopyInformation(m_LabelImage);
  result->SetRegions(m_LabelImage->GetLargestPossibleRegion());
  result->Allocate();
  std::int64_t         last = 0;
  unsigned short       number = 0;
  unsigned short *     to = result->GetBufferPointer();
  const std::int64_t * from = m_LabelImage->GetBufferPointer();
  const auto           voxels = m_LabelImage->GetLargestPossibleRegion().GetNumberOfPixels();
  for (itk::SizeValueType i = 0; i < voxels; ++i)
  {
    // Neighboring voxels mostly have the same label.
    if (from[i] != last)
    {
      last = from[i];
      const auto found = numbers.find(last);
      number = found != numbers.end() ? found->second : static_cast<unsigned short>(0);
    }
    to[i] = number;
  }
  return result;
}

vtkSmartPointer<vtkPolyData>
SurfaceInput::MakeSteps(cudaneuro::Context & context, std::size_t item) const
{
  // A margin of one voxel closes the surface. The face between two voxels is half of their distance away.
  itk::ImageRegion<3> part = m_Labels[item].box;
  part.PadByRadius(1);
  const auto inside = WhereEqual(*m_LabelImage, m_Labels[item].label, part);
  const auto halves = cudaneuro::SignedDistanceImage::New();
  halves->CopyInformation(inside);
  halves->SetRegions(inside->GetLargestPossibleRegion());
  halves->Allocate();
  const unsigned char * const from = inside->GetBufferPointer();
  std::transform(from,
                 from + inside->GetLargestPossibleRegion().GetNumberOfPixels(),
                 halves->GetBufferPointer(),
                 [](unsigned char isInside) { return isInside != 0 ? -0.5f : 0.5f; });
  return cudaneuro::SignedDistanceToSurface(context, halves);
}

SurfaceItem
SurfaceInput::MakeItem(cudaneuro::Context & context, std::size_t item) const
{
  if (m_Surface != nullptr)
  {
    return this->MakeOfSurface(context);
  }
  SurfaceItem                       made;
  cudaneuro::Context::ProgressSteps progress(context);
  progress.UpTo(0.5);
  if (m_LabelImage.IsNotNull())
  {
    made = this->MakeOfLabel(context, m_Labels[item]);
  }
  else
  {
    // A copy, because denoising changes the image in place.
    const auto duplicator = itk::ImageDuplicator<cudaneuro::SignedDistanceImage>::New();
    duplicator->SetInputImage(m_Distance);
    duplicator->Update();
    made.distance = duplicator->GetOutput();
    made.mask = m_Mask;
  }
  progress.UpTo(1.0);
  made.before = cudaneuro::SignedDistanceToSurface(context, made.distance, nullptr, m_Options.GetContouring());
  return made;
}

SurfaceItem
SurfaceInput::MakeOfSurface(cudaneuro::Context & context) const
{
  RequireInside(m_Options.input, m_Surface);
  std::array<double, 6> bounds{};
  m_Surface->GetBounds(bounds.data());
  const std::array<double, 3> sides{ bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4] };
  RequireBandWithin(m_Options.levelSet.bandWidth, sides);
  cudaneuro::SurfaceGridParameters parameters;
  parameters.voxelSize = m_Options.spacing ? *m_Options.spacing : cudaneuro::RecommendedVoxelSize(m_Surface);
  cudaneuro::Grid cubic;
  cubic.spacing.fill(parameters.voxelSize);
  parameters.reach = cudaneuro::RecommendedReach(m_Options.levelSet, cubic);
  RequireThickness(m_Options.input, sides, parameters);
  RequireReach(m_Options.input, parameters.reach, parameters.voxelSize);
  SurfaceItem made;
  made.before = m_Surface;
  made.distance = cudaneuro::SurfaceToSignedDistance(context, parameters, m_Surface, &made.grid);
  if (made.grid.ambiguousVoxels > 0)
  {
    PrintWarning(m_Options.input + " surrounds " + std::to_string(made.grid.ambiguousVoxels) +
                 " voxels more than once: it intersects itself, or its parts overlap; they are taken as inside");
  }
  return made;
}

SurfaceItem
SurfaceInput::MakeOfLabel(cudaneuro::Context & context, const LabelBox & label) const
{
  std::array<double, 3> sides{};
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    sides[axis] = static_cast<double>(label.box.GetSize(axis)) * m_LabelImage->GetSpacing()[axis];
  }
  RequireBandWithin(m_Options.levelSet.bandWidth, sides);
  cudaneuro::SignedDistanceParameters parameters;
  parameters.reach = cudaneuro::RecommendedReach(m_Options.levelSet, GridOf<3>(m_LabelImage.GetPointer()));
  const auto spacing = m_LabelImage->GetSpacing();
  RequireReach(m_Options.input, parameters.reach, *std::max_element(spacing.Begin(), spacing.End()));
  const auto  part = Enlarged(label.box, *m_LabelImage, parameters.reach);
  const auto  inside = WhereEqual(*m_LabelImage, label.label, part);
  SurfaceItem made;
  made.distance = cudaneuro::SignedDistanceImage::New();
  made.distance->CopyInformation(inside);
  made.distance->SetRegions(inside->GetLargestPossibleRegion());
  made.distance->Allocate();
  constexpr double isInside = 1.0;
  cudaneuro::SignedDistanceOfLabel(context,
                                   parameters,
                                   isInside,
                                   GridOf<3>(inside.GetPointer()),
                                   VolumeOf(static_cast<const ByteImage *>(inside.GetPointer())),
                                   VolumeOf(made.distance.GetPointer()));
  if (m_Mask.IsNotNull())
  {
    made.mask = PartOfMask(*m_Mask, part);
  }
  return made;
}
