// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaMeshToSignedDistanceImageFilter_hxx
#define itkCudaMeshToSignedDistanceImageFilter_hxx

#include "itkCudaMeshToSignedDistanceImageFilter.h"
#include "itkCudaNeuroAllocation.h"

#include <string>

namespace itk
{

template <typename TInputMesh, typename TOutputImage>
CudaMeshToSignedDistanceImageFilter<TInputMesh, TOutputImage>::CudaMeshToSignedDistanceImageFilter()
{
  m_Size.Fill(0);
  m_OutputStartIndex.Fill(0);
  m_OutputSpacing.Fill(1.0);
  m_OutputOrigin.Fill(0.0);
  m_OutputDirection.SetIdentity();
}

template <typename TInputMesh, typename TOutputImage>
void
CudaMeshToSignedDistanceImageFilter<TInputMesh, TOutputImage>::VerifyPreconditions() const
{
  Superclass::VerifyPreconditions();
  if (m_UseReferenceImage && this->GetReferenceImage() == nullptr)
  {
    itkExceptionMacro("UseReferenceImage is On and there is no reference image");
  }
  if (CudaNeuroDetail::HasCells<TInputMesh> && !this->GetTriangles().empty())
  {
    itkExceptionMacro("Triangles has " << this->GetTriangles().size() << " numbers, and the mesh has cells");
  }
}

template <typename TInputMesh, typename TOutputImage>
void
CudaMeshToSignedDistanceImageFilter<TInputMesh, TOutputImage>::GenerateOutputInformation()
{
  OutputImageType * const output = this->GetOutput();
  if (m_UseReferenceImage)
  {
    const ReferenceImageBaseType * const reference = this->GetReferenceImage();
    output->SetLargestPossibleRegion(reference->GetLargestPossibleRegion());
    output->SetSpacing(reference->GetSpacing());
    output->SetOrigin(reference->GetOrigin());
    output->SetDirection(reference->GetDirection());
  }
  else
  {
    output->SetLargestPossibleRegion({ m_OutputStartIndex, m_Size });
    output->SetSpacing(m_OutputSpacing);
    output->SetOrigin(m_OutputOrigin);
    output->SetDirection(m_OutputDirection);
  }
  if (output->GetLargestPossibleRegion().GetNumberOfPixels() == 0)
  {
    itkExceptionMacro("The distance image would be empty: its size is "
                      << output->GetLargestPossibleRegion().GetSize());
  }
}

template <typename TInputMesh, typename TOutputImage>
void
CudaMeshToSignedDistanceImageFilter<TInputMesh, TOutputImage>::EnlargeOutputRequestedRegion(DataObject * output)
{
  output->SetRequestedRegionToLargestPossibleRegion();
}

template <typename TInputMesh, typename TOutputImage>
void
CudaMeshToSignedDistanceImageFilter<TInputMesh, TOutputImage>::GenerateData()
{
  OutputImageType * const output = this->GetOutput();
  output->SetBufferedRegion(output->GetRequestedRegion());
  const std::string reason = CudaNeuroDetail::AllocatePixels(this->GetComputeDevice(), true, output);
  if (!reason.empty())
  {
    itkWarningMacro("The output gets ordinary memory, which is slower to copy to: " << reason);
  }
  const cudaneuro::Geometry geometry = CudaNeuroDetail::GeometryOf<ImageDimension>(output);
  m_UsedReach = CudaNeuroDetail::UsedReach(m_Parameters.reach, geometry.grid);
  this->RunOnDevice([&](cudaneuro::Context & context) {
    const cudaneuro::SignedDistanceParameters parameters{ m_UsedReach };
    const CudaNeuroDetail::Triangles          surface = this->GetInputTriangles(context);
    const cudaneuro::SignedDistanceResult     result = cudaneuro::SignedDistanceOfSurface(
      context, parameters, surface.View(), geometry, CudaNeuroDetail::VolumeOf(output));
    m_NumberOfAmbiguousVoxels = static_cast<SizeValueType>(result.ambiguousVoxels);
  });
  if (m_NumberOfAmbiguousVoxels > 0)
  {
    itkWarningMacro("The mesh intersects itself, or its parts overlap: it surrounds "
                    << m_NumberOfAmbiguousVoxels << " voxels more than once. They are inside");
  }
}

template <typename TInputMesh, typename TOutputImage>
void
CudaMeshToSignedDistanceImageFilter<TInputMesh, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, 3);
  os << indent << "UsedReach: " << m_UsedReach << std::endl;
  os << indent << "Size: " << m_Size << std::endl;
  os << indent << "OutputStartIndex: " << m_OutputStartIndex << std::endl;
  os << indent << "OutputSpacing: " << m_OutputSpacing << std::endl;
  os << indent << "OutputOrigin: " << m_OutputOrigin << std::endl;
  os << indent << "OutputDirection: " << m_OutputDirection << std::endl;
  os << indent << "UseReferenceImage: " << (m_UseReferenceImage ? "On" : "Off") << std::endl;
  os << indent << "NumberOfAmbiguousVoxels: " << m_NumberOfAmbiguousVoxels << std::endl;
}

} // namespace itk

#endif
