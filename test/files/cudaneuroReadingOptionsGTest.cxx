// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/Errors.h"
#include "files/images/ImageFile.h"
#include "files/images/NiftiHeader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace cudaneuro::files;

namespace
{

/** A series of three volumes of 2 x 2 x 2 voxels, of which voxel i is i, at (1, 0, 0) by its sform and (2, 0, 0) by
 * its qform, in RAS. */
class ReadingOptionsTest : public testing::Test
{
public:
  ReadingOptionsTest()
  {
    constexpr unsigned char datatype = 2;
    NiftiHeader             header(1);
    header.SetText("magic", "n+1");
    header.Set("dim", 4, 0);
    for (std::size_t axis = 1; axis <= 3; ++axis)
    {
      header.Set("dim", 2, axis);
      header.Set(niftiRows[axis - 1], 1.0, axis - 1);
    }
    header.Set("dim", 3, 4);
    header.Set("datatype", datatype);
    header.Set("vox_offset", static_cast<double>(header.GetBytesWithFlag()));
    header.Set("qform_code", 1);
    header.Set("sform_code", 1);
    header.Set(niftiRows[0], 1.0, 3);
    header.Set(niftiOffsets[0], 2.0);
    std::ofstream file(m_Path, std::ios::binary);
    file << header.GetBytes() << std::string(4, '\0');
    for (char voxel = 0; voxel < 24; ++voxel)
    {
      file << voxel;
    }
  }
  ~ReadingOptionsTest() override { std::filesystem::remove(m_Path); }

protected:
  std::string m_Path = (std::filesystem::temp_directory_path() / "cudaneuroReadingOptions.nii").string();
};

} // namespace

TEST_F(ReadingOptionsTest, HoldForOneFileOnly)
{
  const OpenedImage first = OpenImage(m_Path, { NiftiPlace::Sform, 0 });
  const OpenedImage last = OpenImage(m_Path, { NiftiPlace::Qform, 2 });
  EXPECT_DOUBLE_EQ((ReadGrid<3>(first)->GetOrigin()[0]), -1.0);
  EXPECT_DOUBLE_EQ((ReadGrid<3>(last)->GetOrigin()[0]), -2.0);
  EXPECT_EQ((ReadImage<float, 3>(first)->GetPixel({ { 1, 0, 0 } })), 1.0f);
  EXPECT_EQ((ReadImage<float, 3>(last)->GetPixel({ { 1, 0, 0 } })), 17.0f);
  EXPECT_THROW(OpenImage(m_Path), UserError);
  EXPECT_THROW(OpenImage(m_Path, { NiftiPlace::Sform, 3 }), UserError);
}

TEST_F(ReadingOptionsTest, OpenedImagesTellOfSeries)
{
  OpenedImages images;
  images.reading.volume = 1;
  EXPECT_FALSE(images.HasVolumeOfSeries());
  EXPECT_EQ(images.Open(m_Path).dimension, 3u);
  EXPECT_TRUE(images.HasVolumeOfSeries());
}
