// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_RegisterRun_h
#define apps_register_RegisterRun_h

#include "register/RegisterJob.h"

#include <functional>
#include <memory>

/** One pair on its way through a subcommand, in steps. Each may be taken by another thread, one after the other: of
 * many pairs, one is read and one is written while another is computed. */
class RegisterRun
{
public:
  explicit RegisterRun(std::unique_ptr<RegisterJob> job)
    : m_Job(std::move(job))
  {}
  virtual ~RegisterRun() = default;

  RegisterJob &
  GetJob()
  {
    return *m_Job;
  }

  /** Reads the files, and uploads what they hold. */
  virtual void
  Read() = 0;
  virtual void
  Compute() = 0;
  /** Downloads what is to be written, writes it, and moves it into its places. */
  virtual void
  Write() = 0;

private:
  std::unique_ptr<RegisterJob> m_Job;
};

/** A subcommand with the values of its options. */
struct RegisterMethod
{
  std::string name;
  /** Whether the map is one linear transform. */
  TransformParts parts;
  bool           isSuccessRequired;
  /** Whether a pair of these files is aligned. */
  std::function<bool(const RegisterOptions & files)> isAligned;
  /** Makes the run of a job, with parameters that are checked. */
  std::function<std::unique_ptr<RegisterRun>(std::unique_ptr<RegisterJob>)> make;
};

/** Checks what can be checked before voxels are read, and makes the run of a pair.
 * \throws UserError, itk::ExceptionObject */
std::unique_ptr<RegisterRun>
MakeRun(const RegisterMethod & method, const RegisterOptions & files);

/** Takes a step of a run. What the library says against it names the pair.
 * \throws UserError, Interrupted */
void
TakeStep(RegisterRun & run, void (RegisterRun::*step)());

/** Registers the pair, or the pairs, of the command line of a subcommand. */
void
RunMethod(const CLI::App & app, const RegisterMethod & method, const RegisterOptions & options);

#endif
