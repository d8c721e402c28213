// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Denoises a sphere and writes it: denoise-surface OUTPUT.vtp
#include <cudaneuro/VtkSurface.h>

#include <vtkNew.h>
#include <vtkSphereSource.h>
#include <vtkXMLPolyDataWriter.h>

#include <exception>
#include <iostream>

int
main(int argc, char ** argv)
{
  if (argc != 2)
  {
    std::cerr << "denoise-surface OUTPUT.vtp\n";
    return 2;
  }
  try
  {
    const vtkNew<vtkSphereSource> source;
    source->SetRadius(5.0);
    source->SetThetaResolution(40);
    source->SetPhiResolution(20);
    source->Update();

    cudaneuro::DenoiseSurfaceParameters parameters;
    parameters.grid.voxelSize = 1.0;
    cudaneuro::Context context{ cudaneuro::Device() };
    const auto         denoised = cudaneuro::DenoiseSurface(context, parameters, source->GetOutput());
    const auto         comparison = cudaneuro::CompareSurfaces(context, source->GetOutput(), denoised);
    std::cout << "moved by " << comparison.symmetric.mean << " mm\n";

    const vtkNew<vtkXMLPolyDataWriter> writer;
    writer->SetFileName(argv[1]);
    writer->SetInputData(denoised);
    return writer->Write() == 1 ? 0 : 1;
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
