// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMeshToSignedDistanceImageFilter_h
#define itkCudaMeshToSignedDistanceImageFilter_h

#include "cudaneuro/SignedDistance.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroMeshProcess.h"
#include "itkDeviceImage.h"
#include "itkImage.h"
#include "itkImageSource.h"

#include <type_traits>

namespace itk
{

/** \class CudaMeshToSignedDistanceImageFilter
 * \brief Signed distance to a closed mesh, in mm, at the voxels of a grid; on a CUDA device or the CPU.
 *
 * Distances to the triangles are exact up to Reach; beyond, voxels are Reach with the right sign. A voxel is inside,
 * and its distance negative, where the mesh winds around it, in whichever sense. Surfaces inside others that run the
 * other way round are holes.
 *
 * Cells are triangles; polygons become fans of triangles from their first point, and so should be flat and convex.
 * Cells of other types are errors, and so is a mesh that is not closed: the error tells how many edges have no
 * neighbor, or have one that runs the wrong way round. Cells are neighbors when they share points; where a file lists
 * the points of each cell anew, as STL files do, those at the same place are to be merged first. The mesh must be
 * between the centers of the outermost voxels. A mesh that intersects itself, or whose parts overlap, gets a warning.
 *
 * The grid is given as to CudaGeodesicShootingToDisplacementFieldFilter, by a reference image or by numbers.
 *
 * \tparam TInputMesh Mesh or QuadEdgeMesh of three dimensions; or PointSet or DevicePointSet, where SetTriangles tells
 * which points are joined.
 * \tparam TOutputImage Image or DeviceImage of float or double.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputMesh, typename TOutputImage>
class ITK_TEMPLATE_EXPORT CudaMeshToSignedDistanceImageFilter
  : public CudaNeuroMeshProcess<TInputMesh, ImageSource<TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaMeshToSignedDistanceImageFilter);

  using Self = CudaMeshToSignedDistanceImageFilter;
  using Superclass = CudaNeuroMeshProcess<TInputMesh, ImageSource<TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaMeshToSignedDistanceImageFilter);

  static constexpr unsigned int ImageDimension = TOutputImage::ImageDimension;
  static_assert(ImageDimension == 3 && TInputMesh::PointDimension == 3,
                "Distances to surfaces are computed in three dimensions.");
  static_assert(std::is_floating_point_v<typename TOutputImage::PixelType>,
                "Signed distances have pixels of float or double; integers would round the surface to voxels.");

  using InputMeshType = TInputMesh;
  using OutputImageType = TOutputImage;
  using ReferenceImageBaseType = ImageBase<ImageDimension>;
  using SizeType = typename OutputImageType::SizeType;
  using IndexType = typename OutputImageType::IndexType;
  using SpacingType = typename OutputImageType::SpacingType;
  using OriginType = typename OutputImageType::PointType;
  using DirectionType = typename OutputImageType::DirectionType;

  /** How far from the mesh distances are exact, in mm. Positive, or 0, the default, for 8 of the largest spacing,
   * which is enough for the band and the patches of CudaNonLocalMeansLevelSetImageFilter. GetUsedReach is that of
   * the last update. */
  itkCudaNeuroParameterMacro(Reach, double, reach);
  itkGetConstMacro(UsedReach, double);

  /** The image whose grid the output has; its pixels do not matter. Used where UseReferenceImage is on. */
  itkCudaNeuroSetGetInputMacro(ReferenceImage, ReferenceImageBaseType);
  itkCudaNeuroSetGetBooleanMacro(UseReferenceImage);

  /** \name The grid of the output, without a reference image
   * By default the size is 0, and there is nothing to compute; spacing 1, origin 0, and the direction of the axes of
   * space. */
  ///@{
  itkCudaNeuroSetGetReferenceMacro(Size, SizeType);
  itkCudaNeuroSetGetReferenceMacro(OutputStartIndex, IndexType);
  itkCudaNeuroSetGetReferenceMacro(OutputSpacing, SpacingType);
  itkCudaNeuroSetGetReferenceMacro(OutputOrigin, OriginType);
  itkCudaNeuroSetGetReferenceMacro(OutputDirection, DirectionType);
  ///@}

  /** Voxels, in the last update, that the mesh surrounds more than once, or against the sense of its other parts: it
   * intersects itself, or parts overlap. They are inside. */
  itkGetConstMacro(NumberOfAmbiguousVoxels, SizeValueType);

protected:
  CudaMeshToSignedDistanceImageFilter();
  ~CudaMeshToSignedDistanceImageFilter() override = default;

  void
  VerifyPreconditions() const override;
  void
  GenerateOutputInformation() override;
  void
  EnlargeOutputRequestedRegion(DataObject * output) override;
  void
  GenerateData() override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  cudaneuro::SignedDistanceParameters m_Parameters;
  double                              m_UsedReach = 0.0;
  SizeType                            m_Size;
  IndexType                           m_OutputStartIndex;
  SpacingType                         m_OutputSpacing;
  OriginType                          m_OutputOrigin;
  DirectionType                       m_OutputDirection;
  bool                                m_UseReferenceImage = false;
  SizeValueType                       m_NumberOfAmbiguousVoxels = 0;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaMeshToSignedDistanceImageFilter.hxx"
#endif

#endif
