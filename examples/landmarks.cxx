// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Matches points of a template to a target: landmarks TEMPLATE TARGET SIGMA TRANSFORM
// The files of points have three coordinates a line, the same number of lines and the same order; sigma is in mm. The
// transform, a file for ITK such as map.tfm or map.h5, takes the points of the template to those of the target.
#include "itkCudaGeodesicShootingRegistration.h"
#include "itkTransformFileWriter.h"

#include <cstdlib>
#include <fstream>
#include <iostream>

using PointSetType = itk::PointSet<float, 3>;

PointSetType::Pointer
ReadPoints(const char * path)
{
  std::ifstream           file(path);
  const auto              points = PointSetType::New();
  PointSetType::PointType point;
  while (file >> point[0] >> point[1] >> point[2])
  {
    points->SetPoint(points->GetNumberOfPoints(), point);
  }
  if (!file.eof())
  {
    itkGenericExceptionMacro("Cannot read points from " << path);
  }
  return points;
}

int
main(int argc, char * argv[])
{
  if (argc != 5)
  {
    std::cerr << "Usage: landmarks TEMPLATE TARGET SIGMA TRANSFORM\n";
    return EXIT_FAILURE;
  }
  try
  {
    const auto registration = itk::CudaGeodesicShootingRegistration<PointSetType>::New();
    registration->SetTemplatePointSet(ReadPoints(argv[1]));
    registration->SetTargetPointSet(ReadPoints(argv[2]));
    registration->SetSigma(std::atof(argv[3]));
    registration->Update();
    const auto writer = itk::TransformFileWriterTemplate<double>::New();
    writer->SetInput(registration->GetTransform());
    writer->SetFileName(argv[4]);
    writer->Update();
    std::cout << "Mean distance from " << registration->GetInitialMeanDistance() << " to "
              << registration->GetMeanDistance() << " mm\n";
  }
  catch (const itk::ExceptionObject & error)
  {
    std::cerr << error.GetDescription() << '\n';
    return EXIT_FAILURE;
  }
}
