// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "processes/ProcessGroup.h"

#include "files/base/Errors.h"
#include "shared/Files.h"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>

namespace
{

/** MPI counts in int. */
constexpr std::size_t mostAtOnce = std::size_t{ 1 } << 28;

template <typename TValue>
void
SumInPieces(TValue * values, std::size_t count, MPI_Datatype type)
{
  for (std::size_t begin = 0; begin < count; begin += mostAtOnce)
  {
    const auto piece = static_cast<int>(std::min(mostAtOnce, count - begin));
    MPI_Allreduce(MPI_IN_PLACE, values + begin, piece, type, MPI_SUM, MPI_COMM_WORLD);
  }
}

/** The message that has arrived. */
ProcessMessage
Take(const MPI_Status & arrived)
{
  int length = 0;
  MPI_Get_count(&arrived, MPI_CHAR, &length);
  ProcessMessage message{ arrived.MPI_SOURCE, arrived.MPI_TAG, std::string(static_cast<std::size_t>(length), ' ') };
  MPI_Recv(
    message.text.data(), length, MPI_CHAR, arrived.MPI_SOURCE, arrived.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return message;
}

/** The processes of MPI. Errors of MPI end all of them with a message, the default of MPI_COMM_WORLD. */
class MpiProcessGroup : public ProcessGroup
{
public:
  MpiProcessGroup(int & argc, char **& argv)
  {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
    {
      throw UserError("this MPI can be used by one thread only, and the devices have threads of their own");
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &m_Rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m_Size);
    MPI_Comm local = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, m_Rank, MPI_INFO_NULL, &local);
    MPI_Comm_rank(local, &m_LocalRank);
    MPI_Comm_size(local, &m_LocalSize);
    MPI_Comm_free(&local);
  }
  ~MpiProcessGroup() override { MPI_Finalize(); }

  int
  GetRank() const override
  {
    return m_Rank;
  }
  int
  GetSize() const override
  {
    return m_Size;
  }
  int
  GetLocalRank() const override
  {
    return m_LocalRank;
  }
  int
  GetLocalSize() const override
  {
    return m_LocalSize;
  }

  void
  Sum(std::int64_t * values, std::size_t count) override
  {
    SumInPieces(values, count, MPI_INT64_T);
  }
  void
  Sum(std::int32_t * values, std::size_t count) override
  {
    SumInPieces(values, count, MPI_INT32_T);
  }

  void
  Send(int rank, int kind, const std::string & text) override
  {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, kind, MPI_COMM_WORLD);
  }
  ProcessMessage
  Receive(int rank) override
  {
    MPI_Status arrived;
    MPI_Probe(rank, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived);
    return Take(arrived);
  }
  std::optional<ProcessMessage>
  TryReceive() override
  {
    int        hasArrived = 0;
    MPI_Status arrived;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &hasArrived, &arrived);
    return hasArrived != 0 ? std::optional(Take(arrived)) : std::nullopt;
  }

  void
  Abort(int status) override
  {
    MPI_Abort(MPI_COMM_WORLD, status);
  }

private:
  int m_Rank = 0;
  int m_Size = 1;
  int m_LocalRank = 0;
  int m_LocalSize = 1;
};

} // namespace

std::unique_ptr<ProcessGroup>
JoinProcessGroup(int & argc, char **& argv)
{
  // MPI takes a third of a second to start, so a program that is alone does not start it. Open MPI and MPICH each
  // set one of these variables.
  for (const char * const variable : { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK" })
  {
    if (std::getenv(variable) != nullptr)
    {
      return std::make_unique<MpiProcessGroup>(argc, argv);
    }
  }
  return nullptr;
}
