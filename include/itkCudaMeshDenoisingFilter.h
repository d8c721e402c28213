// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMeshDenoisingFilter_h
#define itkCudaMeshDenoisingFilter_h

#include "cudaneuro/MeshDenoising.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroMeshProcess.h"
#include "itkDevicePointSet.h"
#include "itkMeshToMeshFilter.h"

namespace itk
{

/** \class CudaMeshDenoisingFilter
 * \brief Removes the noise of the vertices of a mesh, and keeps edges and folds; on a CUDA device or the CPU.
 *
 * No parameter needs to be set. The filter estimates the noise, filters the normals of the triangles at twelve scales,
 * moves the vertices to these normals, and takes around each vertex the mean of the results closest to the true surface
 * by an estimate of the risk; cudaneuro::DenoiseMesh describes the method and its sources. A mesh without noise stays
 * unchanged.
 *
 * The mesh may be open, and have several parts. Cells are triangles; polygons become fans of triangles from their first
 * point. The output has the cells, the data of points and cells, and the identifiers of points that the input has.
 *
 * \tparam TInputMesh Mesh of three dimensions; or DevicePointSet, where SetTriangles sets how points are joined.
 * \tparam TOutputMesh Mesh of three dimensions; or the DevicePointSet of the input.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputMesh, typename TOutputMesh = TInputMesh>
class ITK_TEMPLATE_EXPORT CudaMeshDenoisingFilter : public CudaNeuroProcess<MeshToMeshFilter<TInputMesh, TOutputMesh>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaMeshDenoisingFilter);

  using Self = CudaMeshDenoisingFilter;
  using Superclass = CudaNeuroProcess<MeshToMeshFilter<TInputMesh, TOutputMesh>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaMeshDenoisingFilter);

  static_assert(TInputMesh::PointDimension == 3 && TOutputMesh::PointDimension == 3,
                "Surfaces are denoised in three dimensions.");

  using InputMeshType = TInputMesh;
  using OutputMeshType = TOutputMesh;

  /** Standard deviation of the vertices' noise along the surface's normals, in mm; 0, the default, estimates it. */
  itkCudaNeuroParameterMacro(Noise, double, noise);
  itkCudaNeuroParametersMacro(cudaneuro::MeshDenoisingParameters);

  /** The noise that the last update used, given or estimated, in mm. */
  itkCudaNeuroGetResultMacro(UsedNoise, double, noise);
  /** The mean length of the edges of the last update's input, in mm. */
  itkCudaNeuroGetResultMacro(MeanEdgeLength, double, meanEdgeLength);
  /** Volume enclosed by the input and by the output of the last update, in mm^3; negative where normals are inward.
   * Only for closed meshes. */
  itkCudaNeuroGetResultMacro(InputVolume, double, inputVolume);
  itkCudaNeuroGetResultMacro(OutputVolume, double, outputVolume);
  /** Number of edges with one triangle in the last update, at which the mesh is open. */
  itkCudaNeuroGetResultMacro(NumberOfBorderEdges, SizeValueType, borderEdges);
  /** Whether the last update left the mesh unchanged because of flat faces, which noise would not have left flat. */
  itkCudaNeuroGetResultMacro(HasFlatFaces, bool, hasFlatFaces);

protected:
  CudaMeshDenoisingFilter() = default;
  ~CudaMeshDenoisingFilter() override = default;

  void
  GenerateData() override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  void
  CopyCells();

  cudaneuro::MeshDenoisingParameters m_Parameters;
  cudaneuro::MeshDenoisingResult     m_Result;
};

/** \brief The same for points in the memory of a device, such as arrays of other libraries, and triangles of their
 * indices.
 *
 * The output is on the device of the input.
 *
 * \ingroup CudaNeuro
 */
template <typename TCoordRep>
class ITK_TEMPLATE_EXPORT CudaMeshDenoisingFilter<DevicePointSet<TCoordRep, 3>, DevicePointSet<TCoordRep, 3>>
  : public CudaNeuroMeshProcess<DevicePointSet<TCoordRep, 3>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaMeshDenoisingFilter);

  using Self = CudaMeshDenoisingFilter;
  using Superclass = CudaNeuroMeshProcess<DevicePointSet<TCoordRep, 3>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaMeshDenoisingFilter);

  using InputMeshType = DevicePointSet<TCoordRep, 3>;
  using OutputMeshType = DevicePointSet<TCoordRep, 3>;
  using DataObjectPointer = ProcessObject::DataObjectPointer;
  using DataObjectPointerArraySizeType = ProcessObject::DataObjectPointerArraySizeType;

  /** The denoised points, in the order of the input. */
  OutputMeshType *
  GetOutput()
  {
    return static_cast<OutputMeshType *>(this->ProcessObject::GetOutput(0));
  }

  /** \name Parameters and results
   * They are those of the filter of meshes. */
  ///@{
  itkCudaNeuroParameterMacro(Noise, double, noise);
  itkCudaNeuroParametersMacro(cudaneuro::MeshDenoisingParameters);
  itkCudaNeuroGetResultMacro(UsedNoise, double, noise);
  itkCudaNeuroGetResultMacro(MeanEdgeLength, double, meanEdgeLength);
  itkCudaNeuroGetResultMacro(InputVolume, double, inputVolume);
  itkCudaNeuroGetResultMacro(OutputVolume, double, outputVolume);
  itkCudaNeuroGetResultMacro(NumberOfBorderEdges, SizeValueType, borderEdges);
  itkCudaNeuroGetResultMacro(HasFlatFaces, bool, hasFlatFaces);
  ///@}

  using Superclass::MakeOutput;
  DataObjectPointer
  MakeOutput(DataObjectPointerArraySizeType index) override;

protected:
  CudaMeshDenoisingFilter();
  ~CudaMeshDenoisingFilter() override = default;

  void
  GenerateData() override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  cudaneuro::MeshDenoisingParameters m_Parameters;
  cudaneuro::MeshDenoisingResult     m_Result;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaMeshDenoisingFilter.hxx"
#endif

#endif
