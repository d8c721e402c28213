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

/** One surface to denoise, with its signed distance. */
struct SurfaceItem
{
  cudaneuro::SignedDistanceImage::Pointer distance;
  ByteImage::Pointer                      mask;
  vtkSmartPointer<vtkPolyData>            before;
  /** The grid, if the file had a surface. */
  cudaneuro::SurfaceGridResult grid;
};

/** The input of a run: a surface, labels or a distance. */
class SurfaceInput
{
public:
  /** Reads and checks the files.
   * \throws UserError */
  explicit SurfaceInput(const SurfaceOptions & options);

  /** Returns the number of surfaces. */
  std::size_t
  GetNumberOfItems() const
  {
    return m_Options.GetKind() == SurfaceKind::Labels ? m_Labels.size() : 1;
  }
  /** Returns the label of a surface, if it has one. */
  std::optional<std::int64_t>
  GetLabel(std::size_t item) const;

  /** Returns a name such as "noisy.ply" or "label 3 of labels.nii". */
  std::string
  GetNameOf(std::size_t item) const;
  /** Returns the volume of a label's voxels in mm^3. */
  double
  GetVoxelVolume(std::size_t item) const;

  /** Returns the surface of the file; null if the input is an image. */
  vtkPolyData *
  GetSurface() const
  {
    return m_Surface;
  }

  /** Returns whether a label needs more than 32 bits. */
  bool
  HasLongLabels() const;

  /** Returns a text such as "1280 triangles" or "30 x 30 x 30 voxels of 1 x 1 x 1 mm, float". */
  const std::string &
  GetDescription() const
  {
    return m_Description;
  }

  /** Returns the notes of the surface's file, such as its space. */
  const MeshNotes &
  GetNotes() const
  {
    return m_Notes;
  }

  /** Returns whether the surface has arrays of numbers. */
  bool
  HasArrays() const;

  /** Makes an image in which the labels with surfaces are numbered, from 1 on. */
  cudaneuro::LabelNumberImage::Pointer
  MakeLabelNumbers() const;

  /** Makes the surface of a label before denoising, by marching cubes.
   * \throws exceptions of the engine */
  vtkSmartPointer<vtkPolyData>
  MakeSteps(cudaneuro::Context & context, std::size_t item) const;

  /** Computes the signed distance of a surface, and, if the input is an image, the surface.
   * \throws exceptions of the engine */
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
