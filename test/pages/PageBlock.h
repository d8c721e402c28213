// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef PageBlock_h
#define PageBlock_h

#include "itkImage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <iostream>

/** A block of C++ of a page of the documentation, as a test. It runs in an empty folder. */
class PageBlock : public ::testing::Test
{
protected:
  void
  SetUp() override
  {
    m_Before = std::filesystem::current_path();
    const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    m_Folder = std::filesystem::path(::testing::TempDir()) / ("cudaneuro-page-" + name);
    std::filesystem::remove_all(m_Folder);
    std::filesystem::create_directories(m_Folder);
    std::filesystem::current_path(m_Folder);
  }

  void
  TearDown() override
  {
    std::filesystem::current_path(m_Before);
    std::filesystem::remove_all(m_Folder);
  }

  /** A ball with soft edges and some texture, moved along x. */
  static itk::Image<float, 3>::Pointer
  MakeBall(double shift)
  {
    using ImageType = itk::Image<float, 3>;
    const ImageType::SizeType size{ { 24, 22, 20 } };
    auto                      image = ImageType::New();
    image->SetRegions(size);
    image->Allocate();
    float * voxel = image->GetBufferPointer();
    for (unsigned int z = 0; z < size[2]; ++z)
    {
      for (unsigned int y = 0; y < size[1]; ++y)
      {
        for (unsigned int x = 0; x < size[0]; ++x)
        {
          const double radius = std::hypot(x - 11.5 - shift, y - 10.5, z - 9.5);
          *voxel++ = static_cast<float>(200.0 / (1.0 + std::exp(radius - 7.0)) + (x * 7 + y * 5 + z * 3) % 11);
        }
      }
    }
    return image;
  }

  static void
  ExpectFile(const char * name)
  {
    EXPECT_TRUE(std::filesystem::exists(name)) << name << " was not written";
  }

private:
  std::filesystem::path m_Before;
  std::filesystem::path m_Folder;
};

#endif
