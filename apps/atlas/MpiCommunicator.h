// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_MpiCommunicator_h
#define apps_atlas_MpiCommunicator_h

#include "cudaneuro/Communicator.h"

/** The processes that mpirun has started, from this object's construction on. There can be one object a program. */
class MpiCommunicator : public cudaneuro::Communicator
{
public:
  /** \throws UserError when MPI cannot be used by several threads, one at a time. */
  MpiCommunicator(int & argc, char **& argv);
  /** Waits for the other processes. */
  ~MpiCommunicator() override;

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
  void
  Sum(std::int64_t * values, std::size_t count) override;
  void
  Sum(std::int32_t * values, std::size_t count) override;

  /** Index of this process among those of its machine, and their number. */
  int
  GetLocalRank() const
  {
    return m_LocalRank;
  }
  int
  GetLocalSize() const
  {
    return m_LocalSize;
  }

  /** Ends all processes with a status. It need not return. */
  void
  Abort(int status);

private:
  int m_Rank = 0;
  int m_Size = 1;
  int m_LocalRank = 0;
  int m_LocalSize = 1;
};

#endif
