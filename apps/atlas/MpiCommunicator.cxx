// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/MpiCommunicator.h"

#include "shared/Messages.h"

#include <mpi.h>

#include <algorithm>

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

} // namespace

// Errors of MPI end all processes, with a message: that is how MPI_COMM_WORLD begins.
MpiCommunicator::MpiCommunicator(int & argc, char **& argv)
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

MpiCommunicator::~MpiCommunicator()
{
  MPI_Finalize();
}

void
MpiCommunicator::Sum(std::int64_t * values, std::size_t count)
{
  SumInPieces(values, count, MPI_INT64_T);
}

void
MpiCommunicator::Sum(std::int32_t * values, std::size_t count)
{
  SumInPieces(values, count, MPI_INT32_T);
}

void
MpiCommunicator::Abort(int status)
{
  MPI_Abort(MPI_COMM_WORLD, status);
}
