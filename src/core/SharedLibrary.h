// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_SharedLibrary_h
#define cudaneuro_core_SharedLibrary_h

#include <string>
#include <vector>

namespace cudaneuro
{

/** A shared library that is opened at its first use, and stays open. */
class SharedLibrary
{
public:
  /** Opens the first of \p names that can be opened.
   * \param call the operation that needs it, for the message.
   * \throws Error with all names, and why each failed. */
  SharedLibrary(const std::string & call, const std::vector<std::string> & names);

  const std::string &
  GetName() const
  {
    return m_Name;
  }

  /** Sets \p function to the library's function of that name.
   * \throws Error if there is none. */
  template <typename TFunction>
  void
  Find(const char * name, TFunction *& function) const
  {
    function = reinterpret_cast<TFunction *>(this->Find(name));
  }

private:
  void *
  Find(const char * name) const;

  void *      m_Handle = nullptr;
  std::string m_Call;
  std::string m_Name;
};

} // namespace cudaneuro

#endif
