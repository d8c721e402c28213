// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMeshDenoisingFilter_hxx
#define itkCudaMeshDenoisingFilter_hxx

#include "itkCudaMeshDenoisingFilter.h"

#include <vector>

namespace itk
{

namespace CudaNeuroDetail
{

inline void
PrintMeshDenoising(std::ostream &                             os,
                   Indent                                     indent,
                   const cudaneuro::MeshDenoisingParameters & parameters,
                   const cudaneuro::MeshDenoisingResult &     result)
{
  PrintParameters(os, indent, parameters, 3);
  os << indent << "UsedNoise: " << result.noise << std::endl;
  os << indent << "MeanEdgeLength: " << result.meanEdgeLength << std::endl;
  os << indent << "InputVolume: " << result.inputVolume << std::endl;
  os << indent << "OutputVolume: " << result.outputVolume << std::endl;
  os << indent << "NumberOfBorderEdges: " << result.borderEdges << std::endl;
  os << indent << "HasFlatFaces: " << (result.hasFlatFaces ? "On" : "Off") << std::endl;
}

} // namespace CudaNeuroDetail

template <typename TInputMesh, typename TOutputMesh>
void
CudaMeshDenoisingFilter<TInputMesh, TOutputMesh>::GenerateData()
{
  const InputMeshType * const input = this->GetInput();
  OutputMeshType * const      output = this->GetOutput();
  std::vector<double>         denoised;
  this->RunOnDevice([&](cudaneuro::Context & context) {
    const CudaNeuroDetail::Triangles surface = CudaNeuroDetail::TrianglesOf(context, input);
    denoised.resize(surface.points.size());
    m_Result = cudaneuro::DenoiseMesh(context, m_Parameters, surface.View(), denoised.data());
  });

  const auto     points = OutputMeshType::PointsContainer::New();
  const double * coordinates = denoised.data();
  for (auto point = input->GetPoints()->Begin(); point != input->GetPoints()->End(); ++point)
  {
    typename OutputMeshType::PointType moved;
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      moved[axis] = static_cast<typename OutputMeshType::CoordRepType>(coordinates[axis]);
    }
    points->InsertElement(point.Index(), moved);
    coordinates += 3;
  }
  output->SetPoints(points);
  this->CopyInputMeshToOutputMeshPointData();
  this->CopyCells();
  this->CopyInputMeshToOutputMeshCellData();
  output->SetBufferedRegion(output->GetRequestedRegion());
}

/** Copies the cells with their numbers. ITK's own function fails at empty places, which cells that were deleted, or
 * numbers from 1 on, leave. */
template <typename TInputMesh, typename TOutputMesh>
void
CudaMeshDenoisingFilter<TInputMesh, TOutputMesh>::CopyCells()
{
  OutputMeshType * const output = this->GetOutput();
  const auto             cells = OutputMeshType::CellsContainer::New();
  const auto * const     from = this->GetInput()->GetCells();
  for (auto cell = from->Begin(); cell != from->End(); ++cell)
  {
    if (cell.Value() != nullptr)
    {
      typename OutputMeshType::CellAutoPointer copy;
      cell.Value()->MakeCopy(copy);
      cells->InsertElement(cell.Index(), copy.ReleaseOwnership());
    }
  }
  output->SetCellsAllocationMethod(MeshEnums::MeshClassCellsAllocationMethod::CellsAllocatedDynamicallyCellByCell);
  output->SetCells(cells);
}

template <typename TInputMesh, typename TOutputMesh>
void
CudaMeshDenoisingFilter<TInputMesh, TOutputMesh>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  CudaNeuroDetail::PrintMeshDenoising(os, indent, m_Parameters, m_Result);
}

template <typename TCoordRep>
CudaMeshDenoisingFilter<DevicePointSet<TCoordRep, 3>, DevicePointSet<TCoordRep, 3>>::CudaMeshDenoisingFilter()
{
  this->SetNumberOfRequiredOutputs(1);
  this->SetNthOutput(0, this->MakeOutput(DataObjectPointerArraySizeType{ 0 }));
}

template <typename TCoordRep>
ProcessObject::DataObjectPointer
CudaMeshDenoisingFilter<DevicePointSet<TCoordRep, 3>, DevicePointSet<TCoordRep, 3>>::MakeOutput(
  DataObjectPointerArraySizeType)
{
  return OutputMeshType::New().GetPointer();
}

template <typename TCoordRep>
void
CudaMeshDenoisingFilter<DevicePointSet<TCoordRep, 3>, DevicePointSet<TCoordRep, 3>>::GenerateData()
{
  const InputMeshType * const input = this->GetInput();
  this->RunOnDevice([&](cudaneuro::Context & context) {
    const CudaNeuroDetail::Triangles surface = this->GetInputTriangles(context);
    std::vector<double>              denoised(surface.points.size());
    m_Result = cudaneuro::DenoiseMesh(context, m_Parameters, surface.View(), denoised.data());
    CudaNeuroDetail::SetMovedPoints(context, input, input, denoised, this->GetOutput());
  });
}

template <typename TCoordRep>
void
CudaMeshDenoisingFilter<DevicePointSet<TCoordRep, 3>, DevicePointSet<TCoordRep, 3>>::PrintSelf(std::ostream & os,
                                                                                               Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  CudaNeuroDetail::PrintMeshDenoising(os, indent, m_Parameters, m_Result);
}

} // namespace itk

#endif
