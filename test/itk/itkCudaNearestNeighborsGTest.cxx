// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

#include "ItkDeviceTest.h"
#include "TestImages.h"
#include "itkCommand.h"
#include "itkCudaNearestNeighbors.h"

#include <sstream>

using namespace testimages;

namespace
{

using VectorsType = itk::DeviceVectors<float>;
using IndicesType = itk::DeviceVectors<int>;

/** Points on a line, at 0, 1, 3, 6, 10, ...: each has its own distances to the others. */
std::vector<float>
LinePoints(int count)
{
  std::vector<float> points;
  for (int i = 0; i < count; ++i)
  {
    points.push_back(static_cast<float>(i * (i + 1) / 2));
    points.push_back(7.0f);
  }
  return points;
}

} // namespace

class CudaNearestNeighbors : public ItkDeviceTest
{
protected:
  template <typename T>
  void
  Copy(std::size_t count, const T * from, cudaneuro::MemorySpace fromSpace, T * to, cudaneuro::MemorySpace toSpace)
  {
    static_assert(sizeof(T) == sizeof(float));
    const auto type = cudaneuro::PixelType::Float;
    cudaneuro::CopyVolume(this->GetContext(),
                          { { static_cast<std::int64_t>(count), 1, 1 } },
                          { from, type, fromSpace },
                          { to, type, toSpace });
  }

  VectorsType::Pointer
  Upload(const itk::ComputeDevice & device, const std::vector<float> & values, unsigned int components)
  {
    const auto vectors = VectorsType::New();
    vectors->SetComputeDevice(device);
    vectors->Allocate(values.size() / components, components);
    this->Copy(values.size(),
               values.data(),
               cudaneuro::MemorySpace::Host,
               vectors->GetDevicePointer(),
               vectors->GetMemorySpace());
    return vectors;
  }

  template <typename T>
  std::vector<T>
  Download(const itk::DeviceVectors<T> * vectors)
  {
    std::vector<T> values(vectors->GetNumberOfVectors() * vectors->GetNumberOfComponents());
    this->Copy(values.size(),
               vectors->GetDevicePointer(),
               vectors->GetMemorySpace(),
               values.data(),
               cudaneuro::MemorySpace::Host);
    return values;
  }

  itk::CudaNearestNeighbors::Pointer
  MakeSearch(const VectorsType * points, unsigned int neighbors)
  {
    auto search = itk::CudaNearestNeighbors::New();
    search->SetPoints(points);
    search->SetNumberOfNeighbors(neighbors);
    search->SetComputeDevice(this->GetDevice());
    return search;
  }
};

TEST_P(CudaNearestNeighbors, FindsNeighbors)
{
  for (const itk::ComputeDevice & device : { itk::ComputeDevice(), this->GetDevice() })
  {
    const auto points = this->Upload(device, LinePoints(5), 2);
    const auto search = this->MakeSearch(points, 2);
    search->Update();
    EXPECT_EQ(search->GetIndices()->GetComputeDevice(), device);
    EXPECT_EQ(search->GetSquaredDistances()->GetComputeDevice(), device);
    EXPECT_EQ(search->GetIndices()->GetNumberOfVectors(), 5u);
    EXPECT_EQ(search->GetIndices()->GetNumberOfComponents(), 2u);
    EXPECT_EQ(this->Download(search->GetIndices()), (std::vector<int>{ 0, 1, 1, 0, 2, 1, 3, 2, 4, 3 }));
    EXPECT_EQ(this->Download(search->GetSquaredDistances()), (std::vector<float>{ 0, 1, 0, 1, 0, 4, 0, 9, 0, 16 }));

    search->ExcludeSelfOn();
    search->SetNumberOfNeighbors(5);
    search->Update();
    const std::vector<int> indices = this->Download(search->GetIndices());
    EXPECT_EQ(std::vector<int>(indices.begin(), indices.begin() + 5), (std::vector<int>{ 1, 2, 3, 4, -1 }));
  }
}

TEST_P(CudaNearestNeighbors, FindsNeighborsOfQueries)
{
  const auto points = this->Upload(this->GetDevice(), LinePoints(5), 2);
  const auto queries = this->Upload(itk::ComputeDevice(), { 5.0f, 7.0f, 100.0f, 9.0f }, 2);
  const auto search = this->MakeSearch(points, 1);
  search->SetQueries(queries);
  search->Update();
  EXPECT_EQ(this->Download(search->GetIndices()), (std::vector<int>{ 3, 4 }));
  EXPECT_EQ(this->Download(search->GetSquaredDistances()), (std::vector<float>{ 1.0f, 8104.0f }));
  search->SetQueries(nullptr);
  search->Update();
  EXPECT_EQ(this->Download(search->GetIndices()), (std::vector<int>{ 0, 1, 2, 3, 4 }));
}

/** What is on the device stays there. */
TEST_P(CudaNearestNeighbors, CopiesNothingThroughTheHost)
{
  const auto points = this->Upload(this->GetDevice(), LinePoints(50), 2);
  const auto search = this->MakeSearch(points, 3);
  search->Update();
  EXPECT_EQ(search->GetHostToDeviceBytes(), 0u);
  EXPECT_EQ(search->GetDeviceToHostBytes(), 0u);
}

/** Results that somebody else holds are not written to. */
TEST_P(CudaNearestNeighbors, SharedResultsStay)
{
  const auto search = this->MakeSearch(this->Upload(this->GetDevice(), LinePoints(5), 2), 2);
  search->Update();
  const auto kept = IndicesType::New();
  kept->SetDeviceArray(search->GetIndices()->GetDeviceArray());
  const std::vector<int> expected = this->Download(kept.GetPointer());
  search->ExcludeSelfOn();
  search->Update();
  EXPECT_EQ(this->Download(kept.GetPointer()), expected);
  EXPECT_NE(this->Download(search->GetIndices()), expected);
}

TEST_P(CudaNearestNeighbors, Errors)
{
  const auto points = this->Upload(this->GetDevice(), LinePoints(5), 2);
  const auto search = this->MakeSearch(points, 0);
  EXPECT_TRUE(Contains(MessageOf([&] { search->Update(); }), "NumberOfNeighbors is 0; it must be from 1 to 128"));
  search->SetNumberOfNeighbors(129);
  EXPECT_TRUE(Contains(MessageOf([&] { search->Update(); }), "NumberOfNeighbors is 129; it must be from 1 to 128"));
  search->SetNumberOfNeighbors(1);
  search->SetQueries(this->Upload(this->GetDevice(), { 1.0f, 2.0f, 3.0f }, 3));
  EXPECT_TRUE(Contains(MessageOf([&] { search->Update(); }), "The queries have 3 components, and the points 2"));
  search->SetQueries(this->Upload(this->GetDevice(), { 1.0f, 2.0f, 3.0f, 1e20f }, 2));
  EXPECT_TRUE(Contains(MessageOf([&] { search->Update(); }), "component 1 of query 1 is 1.0000000200408"));
  search->SetQueries(nullptr);
  search->SetPoints(VectorsType::New());
  EXPECT_TRUE(Contains(MessageOf([&] { search->Update(); }), "Dimension is 0; it must be from 1 to 512"));
  EXPECT_TRUE(
    Contains(MessageOf([] { itk::CudaNearestNeighbors::New()->Update(); }), "Input Primary is required but not set"));
  if (this->GetParam().IsCuda())
  {
    search->SetPoints(points);
    search->SetComputeDevice("cpu");
    EXPECT_TRUE(Contains(MessageOf([&] { search->Update(); }), "are on device cuda:0 and the search computes on cpu"));
  }
}

TEST_P(CudaNearestNeighbors, Aborts)
{
  const auto search = this->MakeSearch(this->Upload(this->GetDevice(), LinePoints(300), 2), 3);
  const auto abort = itk::SimpleMemberCommand<itk::ProcessObject>::New();
  abort->SetCallbackFunction(search.GetPointer(), &itk::ProcessObject::AbortGenerateDataOn);
  search->AddObserver(itk::ProgressEvent(), abort);
  EXPECT_THROW(search->Update(), itk::ProcessAborted);
}

TEST_P(CudaNearestNeighbors, VectorsAreArrays)
{
  const auto                   vectors = this->Upload(this->GetDevice(), LinePoints(4), 2);
  const cudaneuro::DeviceArray array = vectors->GetDeviceArray();
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{ 4, 2 }));
  EXPECT_EQ(array.device, this->GetParam());
  EXPECT_FALSE(array.isInteger);
  const auto other = VectorsType::New();
  other->SetDeviceArray(array);
  EXPECT_EQ(other->GetDevicePointer(), vectors->GetDevicePointer());
  const auto third = VectorsType::New();
  third->Graft(other);
  EXPECT_EQ(this->Download(third.GetPointer()), LinePoints(4));
  EXPECT_TRUE(Contains(MessageOf([&] { IndicesType::New()->Graft(other); }), "Graft of a DeviceVectors into a"));
  EXPECT_TRUE(Contains(MessageOf([&] { IndicesType::New()->SetDeviceArray(array); }),
                       "The array's elements are of type float32 and the vectors' components of type int32"));
  cudaneuro::DeviceArray flat = array;
  flat.shape = { 8 };
  EXPECT_TRUE(Contains(MessageOf([&] { other->SetDeviceArray(flat); }), "The array has 1 axes; vectors have 2"));
  EXPECT_TRUE(Contains(MessageOf([] { VectorsType::New()->GetDeviceArray(); }), "There are no vectors"));
}

TEST_P(CudaNearestNeighbors, Prints)
{
  std::ostringstream text;
  this->MakeSearch(this->Upload(this->GetDevice(), LinePoints(4), 2), 3)->Print(text);
  EXPECT_TRUE(Contains(text.str(), "NumberOfNeighbors: 3"));
  EXPECT_TRUE(Contains(text.str(), "ExcludeSelf: Off"));
  EXPECT_TRUE(Contains(text.str(), "ComputeDevice: " + this->GetDevice().GetName()));
  std::ostringstream ofVectors;
  this->Upload(this->GetDevice(), LinePoints(4), 2)->Print(ofVectors);
  EXPECT_TRUE(Contains(ofVectors.str(), "NumberOfVectors: 4"));
  EXPECT_TRUE(Contains(ofVectors.str(), "NumberOfComponents: 2"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaNearestNeighbors);
