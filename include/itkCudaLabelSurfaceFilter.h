// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLabelSurfaceFilter_h
#define itkCudaLabelSurfaceFilter_h

#include "cudaneuro/LabelSurface.h"
#include "itkCudaNeuroProcess.h"
#include "itkCudaNeuroSurfaces.h"
#include "itkDevicePointSet.h"
#include "itkImageToMeshFilter.h"

#include <vector>

namespace itk
{

/** \class CudaLabelSurfaceFilter
 * \brief Makes smooth surfaces of the labels of an image, without a parameter; on a CUDA device or the CPU.
 *
 * The surface of each label is closed, with normals outward; beyond the image is background. Labels that are left out
 * determine how smooth it is, region by region; cudaneuro::MakeLabelSurfaces describes the method and its sources.
 *
 * The output has the surfaces of all labels, one after the other: points in mm, triangles, and the label of each
 * triangle as the data of its cell. Labels that are made together share the positions of points where they are
 * neighbors, except at some voxels, where gaps or overlaps of parts of a voxel remain.
 *
 * \tparam TInputImage Image of three dimensions, of unsigned char, short, unsigned short, float or double.
 * \tparam TOutputMesh Mesh of three dimensions, whose cells have numbers as data; or DevicePointSet, for which
 * GetTriangles returns how points are joined. Its points are in host memory.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputMesh>
class ITK_TEMPLATE_EXPORT CudaLabelSurfaceFilter : public CudaNeuroProcess<ImageToMeshFilter<TInputImage, TOutputMesh>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaLabelSurfaceFilter);

  using Self = CudaLabelSurfaceFilter;
  using Superclass = CudaNeuroProcess<ImageToMeshFilter<TInputImage, TOutputMesh>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaLabelSurfaceFilter);

  static_assert(TInputImage::ImageDimension == 3 && TOutputMesh::PointDimension == 3,
                "Surfaces are made in three dimensions.");

  using InputImageType = TInputImage;
  using OutputMeshType = TOutputMesh;
  using LabelVectorType = std::vector<double>;
  using TriangleVectorType = std::vector<unsigned int>;

  /** The labels of which surfaces are made, in this order. An empty list, the default, stands for all but 0, in
   * ascending order. */
  void
  SetLabels(const LabelVectorType & labels);
  const LabelVectorType &
  GetLabels() const
  {
    return m_Labels;
  }

  /** The number of surfaces that the last update made. */
  SizeValueType
  GetNumberOfSurfaces() const
  {
    return static_cast<SizeValueType>(m_Surfaces.size());
  }
  /** The triangles of the last update, for points without cells: three indices of points, from 0, for each triangle. */
  itkGetConstReferenceMacro(Triangles, TriangleVectorType);
  /** The number of triangles of a surface of the last update. */
  SizeValueType
  GetNumberOfTriangles(SizeValueType surface) const
  {
    this->SurfaceAt(surface);
    return m_NumbersOfTriangles[surface];
  }
  /** The label of a surface of the last update. */
  double
  GetLabel(SizeValueType surface) const
  {
    return this->SurfaceAt(surface).label;
  }
  /** The number of the label's voxels times the volume of a voxel, in mm^3. */
  double
  GetLabelVolume(SizeValueType surface) const
  {
    return this->SurfaceAt(surface).labelVolume;
  }
  /** The volume that the surface encloses, in mm^3. */
  double
  GetSurfaceVolume(SizeValueType surface) const
  {
    return this->SurfaceAt(surface).surfaceVolume;
  }
  /** Standard deviation of the label's errors in mm: how far from the surface voxels have the wrong label. */
  double
  GetNoise(SizeValueType surface) const
  {
    return this->SurfaceAt(surface).noise;
  }

protected:
  CudaLabelSurfaceFilter() = default;
  ~CudaLabelSurfaceFilter() override = default;

  void
  GenerateInputRequestedRegion() override;
  void
  GenerateData() override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  const cudaneuro::LabelSurface &
  SurfaceAt(SizeValueType surface) const;
  /** Adds a surface to points, cells and their labels. */
  void
  AddSurface(const cudaneuro::LabelSurface & surface);
  /** Writes all surfaces to the output. */
  void
  MakeMesh(const std::vector<cudaneuro::LabelSurface> & surfaces);
  void
  MakePoints(const std::vector<cudaneuro::LabelSurface> & surfaces);

  LabelVectorType            m_Labels;
  TriangleVectorType         m_Triangles;
  std::vector<SizeValueType> m_NumbersOfTriangles;
  /** The surfaces of the last update, without their points and triangles. */
  std::vector<cudaneuro::LabelSurface> m_Surfaces;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaLabelSurfaceFilter.hxx"
#endif

#endif
