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
 * \brief Computes the signed distance to a closed mesh, in mm, at the voxels of a grid; on a CUDA device or the CPU.
 *
 * Distances to the triangles are exact up to Reach; voxels farther away have the value Reach with the right sign. A
 * voxel is inside, and its distance negative, where the mesh winds around it, in either sense. Surfaces inside others
 * with opposite orientation are holes.
 *
 * Cells are triangles; polygons become fans of triangles from their first point, and so should be flat and convex.
 * Cells of other types are errors, and so is a mesh that is not closed: the message counts the edges without a
 * neighbor, or with one of opposite orientation. Cells are neighbors when they share points; where a file repeats
 * points for each cell, as STL files do, points at the same place must be merged first. The mesh must be between the
 * centers of the outermost voxels. A mesh that intersects itself, or whose parts overlap, gets a warning.
 *
 * The grid is given by a reference image or by numbers, as for CudaGeodesicShootingToDisplacementFieldFilter.
 *
 * \tparam TInputMesh Mesh or QuadEdgeMesh of three dimensions; or PointSet or DevicePointSet, where SetTriangles sets
 * how points are joined.
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

  /** Distance from the mesh up to which distances are exact, in mm. Positive, or 0, the default, for 8 of the largest
   * spacing, which is enough for the band and the patches of CudaNonLocalMeansLevelSetImageFilter. GetUsedReach returns
   * the value of the last update. */
  itkCudaNeuroParameterMacro(Reach, double, reach);
  itkGetConstMacro(UsedReach, double);

  /** The image whose grid the output has; its pixels are not used. It applies where UseReferenceImage is on. */
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

  /** Number of voxels, in the last update, that the mesh surrounds more than once, or against the orientation of its
   * other parts: it intersects itself, or parts overlap. They are inside. */
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
