// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLabelSurfaceFilter_hxx
#define itkCudaLabelSurfaceFilter_hxx

#include "itkCudaLabelSurfaceFilter.h"
#include "itkCudaNeuroImageChecks.h"
#include "itkTriangleCell.h"

#include <algorithm>

namespace itk
{

template <typename TInputImage, typename TOutputMesh>
void
CudaLabelSurfaceFilter<TInputImage, TOutputMesh>::SetLabels(const LabelVectorType & labels)
{
  if (labels != m_Labels)
  {
    m_Labels = labels;
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputMesh>
const cudaneuro::LabelSurface &
CudaLabelSurfaceFilter<TInputImage, TOutputMesh>::SurfaceAt(SizeValueType surface) const
{
  if (surface >= m_Surfaces.size())
  {
    itkExceptionMacro("There is no surface " << surface << "; the last update made " << m_Surfaces.size());
  }
  return m_Surfaces[surface];
}

template <typename TInputImage, typename TOutputMesh>
void
CudaLabelSurfaceFilter<TInputImage, TOutputMesh>::GenerateInputRequestedRegion()
{
  Superclass::GenerateInputRequestedRegion();
  const_cast<TInputImage *>(this->GetInput())->SetRequestedRegionToLargestPossibleRegion();
}

template <typename TInputImage, typename TOutputMesh>
void
CudaLabelSurfaceFilter<TInputImage, TOutputMesh>::AddSurface(const cudaneuro::LabelSurface & surface)
{
  using CellType = typename OutputMeshType::CellType;
  using CoordinateType = typename OutputMeshType::CoordRepType;
  OutputMeshType * const output = this->GetOutput();
  const auto             firstPoint = output->GetPoints()->Size();
  auto                   cellNumber = output->GetCells()->Size();
  const auto &           coordinates = surface.surface.points;
  for (std::size_t i = 0; i < coordinates.size(); i += 3)
  {
    typename OutputMeshType::PointType point;
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      point[axis] = static_cast<CoordinateType>(coordinates[i + axis]);
    }
    output->SetPoint(firstPoint + i / 3, point);
  }
  const auto & triangles = surface.surface.triangles;
  for (std::size_t i = 0; i < triangles.size(); i += 3, ++cellNumber)
  {
    typename CellType::CellAutoPointer cell;
    cell.TakeOwnership(new TriangleCell<CellType>);
    for (unsigned int corner = 0; corner < 3; ++corner)
    {
      cell->SetPointId(static_cast<int>(corner), firstPoint + static_cast<IdentifierType>(triangles[i + corner]));
    }
    output->SetCell(cellNumber, cell);
    output->SetCellData(cellNumber, static_cast<typename OutputMeshType::CellPixelType>(surface.label));
  }
}

template <typename TInputImage, typename TOutputMesh>
void
CudaLabelSurfaceFilter<TInputImage, TOutputMesh>::MakeMesh(const std::vector<cudaneuro::LabelSurface> & surfaces)
{
  OutputMeshType * const output = this->GetOutput();
  output->SetPoints(OutputMeshType::PointsContainer::New());
  output->SetCells(OutputMeshType::CellsContainer::New());
  output->SetCellData(OutputMeshType::CellDataContainer::New());
  for (const cudaneuro::LabelSurface & surface : surfaces)
  {
    this->AddSurface(surface);
  }
  output->SetBufferedRegion(output->GetRequestedRegion());
}

template <typename TInputImage, typename TOutputMesh>
void
CudaLabelSurfaceFilter<TInputImage, TOutputMesh>::MakePoints(const std::vector<cudaneuro::LabelSurface> & surfaces)
{
  using CoordinateType = typename OutputMeshType::CoordRepType;
  std::vector<CoordinateType> coordinates;
  m_Triangles.clear();
  for (const cudaneuro::LabelSurface & surface : surfaces)
  {
    const auto first = static_cast<unsigned int>(coordinates.size() / 3);
    for (const std::int32_t corner : surface.surface.triangles)
    {
      m_Triangles.push_back(first + static_cast<unsigned int>(corner));
    }
    coordinates.insert(coordinates.end(), surface.surface.points.begin(), surface.surface.points.end());
  }
  OutputMeshType * const output = this->GetOutput();
  output->SetComputeDevice(ComputeDevice());
  output->Allocate(static_cast<SizeValueType>(coordinates.size() / 3));
  std::copy(coordinates.begin(), coordinates.end(), output->GetDevicePointer());
}

template <typename TInputImage, typename TOutputMesh>
void
CudaLabelSurfaceFilter<TInputImage, TOutputMesh>::GenerateData()
{
  const InputImageType * const input = this->GetInput();
  CudaNeuroDetail::VerifyPixels(this, "the input image", input, this->GetComputeDevice());
  std::vector<cudaneuro::LabelSurface> surfaces;
  this->RunOnDevice([&](cudaneuro::Context & context) {
    surfaces = cudaneuro::MakeLabelSurfaces(
      context, CudaNeuroDetail::GeometryOf(input), CudaNeuroDetail::VolumeOf(input), m_Labels);
  });
  if constexpr (CudaNeuroDetail::HasCells<TOutputMesh>)
  {
    this->MakeMesh(surfaces);
  }
  else
  {
    this->MakePoints(surfaces);
  }
  m_NumbersOfTriangles.clear();
  for (cudaneuro::LabelSurface & surface : surfaces)
  {
    m_NumbersOfTriangles.push_back(static_cast<SizeValueType>(surface.surface.triangles.size() / 3));
    surface.surface = {};
  }
  m_Surfaces = std::move(surfaces);
}

template <typename TInputImage, typename TOutputMesh>
void
CudaLabelSurfaceFilter<TInputImage, TOutputMesh>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Labels:";
  for (const double label : m_Labels)
  {
    os << ' ' << label;
  }
  os << std::endl;
  os << indent << "NumberOfSurfaces: " << m_Surfaces.size() << std::endl;
}

} // namespace itk

#endif
