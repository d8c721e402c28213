// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_surface_SurfaceInput_h
#define apps_surface_SurfaceInput_h

#include "cudaneuro/VtkSurface.h"
#include "files/points/PointFile.h"
#include "shared/Files.h"
#include "surface/LabelImages.h"
#include "surface/SurfaceOptions.h"

#include <optional>

/** One surface to denoise: its signed distance, and how it was before. */
struct SurfaceItem
{
  cudaneuro::SignedDistanceImage::Pointer distance;
  ByteImage::Pointer                      mask;
  vtkSmartPointer<vtkPolyData>            before;
  /** The grid of a surface that a file had. */
  cudaneuro::SurfaceGridResult grid;
};

/** What a run reads: a surface, labels or a distance. */
class SurfaceInput
{
public:
  /** Reads and checks the files.
   * \throws UserError */
  explicit SurfaceInput(const SurfaceOptions & options);

  /** How many surfaces there are. */
  std::size_t
  GetNumberOfItems() const
  {
    return m_Options.GetKind() == SurfaceKind::Labels ? m_Labels.size() : 1;
  }
  /** The label of a surface, if it has one. */
  std::optional<std::int64_t>
  GetLabel(std::size_t item) const;

  /** Like "noisy.ply" or "label 3 of labels.nii". */
  std::string
  GetNameOf(std::size_t item) const;
  /** The volume of a label's voxels in mm^3. */
  double
  GetVoxelVolume(std::size_t item) const;

  /** The surface of the file; null where the input is an image. */
  vtkPolyData *
  GetSurface() const
  {
    return m_Surface;
  }

  /** Whether a label needs more than 32 bits. */
  bool
  HasLongLabels() const;

  /** Like "1280 triangles" or "30 x 30 x 30 voxels of 1 x 1 x 1 mm, float". */
  const std::string &
  GetDescription() const
  {
    return m_Description;
  }

  /** What the file of the surface says of itself. */
  const MeshNotes &
  GetNotes() const
  {
    return m_Notes;
  }

  /** Whether the surface has arrays of numbers. */
  bool
  HasArrays() const;

  /** An image with the numbers of the labels that have surfaces, from 1 on. */
  cudaneuro::LabelNumberImage::Pointer
  MakeLabelNumbers() const;

  /** The surface of a label before it is smoothed: its voxels' steps, by marching cubes.
   * \throws what the engine throws */
  vtkSmartPointer<vtkPolyData>
  MakeSteps(cudaneuro::Context & context, std::size_t item) const;

  /** Computes the signed distance of a surface, and the surface where an image has it.
   * \throws what the engine throws */
  SurfaceItem
  MakeItem(cudaneuro::Context & context, std::size_t item) const;

private:
  void
  ReadImages();
  void
  ChooseLabels();
  SurfaceItem
  MakeOfSurface(cudaneuro::Context & context) const;
  SurfaceItem
  MakeOfLabel(cudaneuro::Context & context, const LabelBox & label) const;

  const SurfaceOptions &                  m_Options;
  std::string                             m_Description;
  vtkSmartPointer<vtkPolyData>            m_Surface;
  MeshNotes                               m_Notes;
  LabelImage<3>::Pointer                  m_LabelImage;
  cudaneuro::SignedDistanceImage::Pointer m_Distance;
  ByteImage::Pointer                      m_Mask;
  std::vector<LabelBox>                   m_Labels;
};

#endif
