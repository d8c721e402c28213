// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMeshDenoisingFilter_hxx
#define itkCudaMeshDenoisingFilter_hxx

#include "itkCudaMeshDenoisingFilter.h"

#include <vector>

namespace itk
{

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
  this->CopyInputMeshToOutputMeshCells();
  this->CopyInputMeshToOutputMeshCellData();
}

template <typename TInputMesh, typename TOutputMesh>
void
CudaMeshDenoisingFilter<TInputMesh, TOutputMesh>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, 3);
  os << indent << "UsedNoise: " << m_Result.noise << std::endl;
  os << indent << "MeanEdgeLength: " << m_Result.meanEdgeLength << std::endl;
  os << indent << "InputVolume: " << m_Result.inputVolume << std::endl;
  os << indent << "OutputVolume: " << m_Result.outputVolume << std::endl;
  os << indent << "NumberOfBorderEdges: " << m_Result.borderEdges << std::endl;
}

} // namespace itk

#endif
