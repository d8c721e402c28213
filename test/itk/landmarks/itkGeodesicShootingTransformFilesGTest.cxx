// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The transform in ITK's transform files. Readers find it by its name.

#include "LandmarkPoints.h"
#include "itk/TestImages.h"
#include "itkAffineTransform.h"
#include "itkCompositeTransform.h"
#include "itkGeodesicShootingTransform.h"
#include "itkHDF5TransformIOFactory.h"
#include "itkMatlabTransformIOFactory.h"
#include "itkTransformFileReader.h"
#include "itkTransformFileWriter.h"
#include "itkTxtTransformIOFactory.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <type_traits>

using namespace landmarkpoints;
using namespace testimages;

namespace
{

/** A file's name, and the file removed at the end. */
class TemporaryFile
{
public:
  explicit TemporaryFile(const std::string & extension)
    : m_Name(::testing::TempDir() + "cudaneuro-shooting-" +
             ::testing::UnitTest::GetInstance()->current_test_info()->name() + extension)
  {}
  ~TemporaryFile() { std::remove(m_Name.c_str()); }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &
  operator=(const TemporaryFile &) = delete;

  const std::string &
  GetName() const
  {
    return m_Name;
  }

private:
  std::string m_Name;
};

void
RegisterFormats()
{
  itk::TxtTransformIOFactory::RegisterOneFactory();
  itk::MatlabTransformIOFactory::RegisterOneFactory();
  itk::HDF5TransformIOFactory::RegisterOneFactory();
}

template <typename TValue, typename TTransform>
void
Write(const TTransform * transform, const std::string & name)
{
  const auto writer = itk::TransformFileWriterTemplate<TValue>::New();
  writer->SetInput(transform);
  writer->SetFileName(name);
  writer->Update();
}

/** The only transform of a file. */
template <typename TValue>
typename itk::TransformBaseTemplate<TValue>::Pointer
Read(const std::string & name)
{
  const auto reader = itk::TransformFileReaderTemplate<TValue>::New();
  reader->SetFileName(name);
  reader->Update();
  EXPECT_EQ(reader->GetTransformList()->size(), 1u);
  return reader->GetTransformList()->front();
}

/** A transform whose numbers need all their bits. */
template <typename TValue, unsigned int VDimension>
typename itk::GeodesicShootingTransform<TValue, VDimension>::Pointer
SomeTransform()
{
  const auto transform = itk::GeodesicShootingTransform<TValue, VDimension>::New();
  transform->SetSigma(10.0 / 3.0);
  transform->SetNumberOfTimeSteps(7);
  transform->SetIntegrator("Heun");
  transform->SetDirection("Backward");
  transform->SetTemplatePositions(Lattice<VDimension>());
  std::vector<double> momenta = Lattice<VDimension>();
  for (double & component : momenta)
  {
    component = 0.1 * std::sin(1e3 * component);
  }
  transform->SetInitialMomenta(momenta);
  return transform;
}

template <typename TValue, unsigned int VDimension>
void
CheckRoundTrip(const std::string & extension)
{
  using TransformType = itk::GeodesicShootingTransform<TValue, VDimension>;
  RegisterFormats();
  const TemporaryFile file(extension);
  const auto          transform = SomeTransform<TValue, VDimension>();
  Write<TValue>(transform.GetPointer(), file.GetName());
  const auto                  read = Read<TValue>(file.GetName());
  const TransformType * const same = dynamic_cast<const TransformType *>(read.GetPointer());
  ASSERT_NE(same, nullptr) << read->GetNameOfClass();
  auto fixedParameters = transform->GetFixedParameters();
  if (std::is_same_v<TValue, float> && extension != ".h5")
  {
    // In these formats all numbers of a transform of float are float.
    for (double & parameter : fixedParameters)
    {
      parameter = static_cast<double>(static_cast<float>(parameter));
    }
    transform->SetFixedParameters(fixedParameters);
  }
  EXPECT_EQ(same->GetFixedParameters(), fixedParameters);
  EXPECT_EQ(same->GetParameters(), transform->GetParameters());
  typename TransformType::InputPointType point;
  point.Fill(25);
  EXPECT_EQ(same->TransformPoint(point), transform->TransformPoint(point));
  EXPECT_NE(same->TransformPoint(point), point);
}

template <typename TValue, unsigned int VDimension>
void
CheckAllFormats()
{
  for (const char * extension : { ".tfm", ".txt", ".h5", ".mat" })
  {
    SCOPED_TRACE(extension);
    CheckRoundTrip<TValue, VDimension>(extension);
  }
}

} // namespace

TEST(GeodesicShootingTransformFiles, DoubleIn2D)
{
  CheckAllFormats<double, 2>();
}

TEST(GeodesicShootingTransformFiles, DoubleIn3D)
{
  CheckAllFormats<double, 3>();
}

TEST(GeodesicShootingTransformFiles, FloatIn2D)
{
  CheckAllFormats<float, 2>();
}

TEST(GeodesicShootingTransformFiles, FloatIn3D)
{
  CheckAllFormats<float, 3>();
}

TEST(GeodesicShootingTransformFiles, InACompositeTransform)
{
  RegisterFormats();
  const auto affine = itk::AffineTransform<double, 3>::New();
  affine->Scale(1.25);
  const auto composite = itk::CompositeTransform<double, 3>::New();
  composite->AddTransform(affine);
  composite->AddTransform(SomeTransform<double, 3>());
  for (const char * extension : { ".tfm", ".h5" })
  {
    const TemporaryFile file(extension);
    Write<double>(composite.GetPointer(), file.GetName());
    const auto         read = Read<double>(file.GetName());
    const auto * const same = dynamic_cast<const itk::CompositeTransform<double, 3> *>(read.GetPointer());
    ASSERT_NE(same, nullptr) << read->GetNameOfClass();
    ASSERT_EQ(same->GetNumberOfTransforms(), 2u);
    itk::Point<double, 3> point;
    point.Fill(25);
    EXPECT_EQ(same->TransformPoint(point), composite->TransformPoint(point));
  }
}

/** What a file says is checked as what a program says. */
TEST(GeodesicShootingTransformFiles, RefusesOtherLayouts)
{
  RegisterFormats();
  const TemporaryFile file(".tfm");
  Write<double>(SomeTransform<double, 2>().GetPointer(), file.GetName());
  std::stringstream text;
  text << std::ifstream(file.GetName()).rdbuf();
  std::string       changed = text.str();
  const std::string begin = "FixedParameters: 1 2 9 ";
  ASSERT_NE(changed.find(begin), std::string::npos) << changed;
  changed.replace(changed.find(begin), begin.size(), "FixedParameters: 9 2 9 ");
  std::ofstream(file.GetName()) << changed;
  EXPECT_TRUE(Contains(MessageOf([&] { Read<double>(file.GetName()); }),
                       "the version of the layout of the fixed parameters is 9; it must be 1"));
}
