# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the tools that make the site: what they must find is found."""

import pathlib
import tempfile
import unittest

import check_site
import declarations
import headers

HEADER = r"""
#include <a>
namespace n
{
class Forward;
/** A class. */
class EXPORT C : public B<int>
{
public:
  C(const C &) = delete;
  ~C();
  /** Both. */
  int First() const { return m_A; }
  int Second() const;

  int Third() const;
  /** A switch; \f$ x^2 \f$. */
  itkCudaNeuroSetGetBooleanMacro(On);

  /** \name Of the result
   * As it is. */
  ///@{
  itkGetConstMacro(Energy, double);
  ///@}

  using Type = int;
  void Fourth() override;

protected:
  void Hidden();
  /** Seen. */
  void Shown();

private:
  int m_A = 0;
};
} // namespace n
"""


class Comments(unittest.TestCase):
    def comment_of(self, text):
        (found,) = [d for d in declarations.Reader(HEADER).declarations if HEADER[d.start : d.end].startswith(text)]
        return found.comment, found.access, found.own

    def test_a_comment_holds_up_to_the_empty_line(self):
        self.assertEqual(self.comment_of("int First"), ("/** Both. */", "public", True))
        self.assertEqual(self.comment_of("int Second"), ("/** Both. */", "public", False))
        self.assertEqual(self.comment_of("int Third"), ("", "public", False))

    def test_a_group_has_a_comment_for_its_members(self):
        self.assertEqual(self.comment_of("itkGetConstMacro")[0], "/** Of the result.\n   * As it is. */")
        self.assertEqual(self.comment_of("using Type"), ("", "public", False))

    def test_who_can_see_it(self):
        self.assertEqual(self.comment_of("void Shown")[1], "protected")
        self.assertEqual(self.comment_of("int m_A")[1], "private")

    def test_headers_become_readable(self):
        text = headers.readable(HEADER)
        self.assertEqual(text.count("/** Both. */"), 2)
        for function in ("void SetOn(bool value);", "bool GetOn() const;", "void OnOn();", "double GetEnergy() const;"):
            self.assertIn(function, text)
        self.assertEqual(text.count("<math"), 4)
        self.assertIn("/** Does what the base class says. */\nvoid Fourth", text)
        self.assertIn("void Shown", text)
        for left_out in ("= delete", "~C", "Hidden", "Forward"):
            self.assertNotIn(left_out, text)

    def test_unknown_macros_are_refused(self):
        with self.assertRaisesRegex(ValueError, "itkNewerMacro is in neither"):
            headers.readable("class C\n{\npublic:\n  itkNewerMacro(A, int);\n};\n")


class Links(unittest.TestCase):
    def broken(self, body):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            for file, text in {"a.html": body, "b.html": '<p id="there"></p>'}.items():
                (folder / file).write_text(text, encoding="utf-8")
            pages = {p: check_site.Page(p.read_text(encoding="utf-8")) for p in folder.glob("*.html")}
            return list(check_site.broken(folder / "a.html", pages[folder / "a.html"], pages))

    def test_those_that_lead_nowhere_are_found(self):
        for body, expected in (
            ('<a href="b.html#there">', []),
            ('<a href="https://itk.org">', []),
            ('<p id="x"><a href="#x">', []),
            ('<a href="c.html">', ["c.html"]),
            ('<img src="picture.png">', ["picture.png"]),
            ('<a href="b.html#gone">', ["b.html#gone, which has no such anchor"]),
            ('<script src="https://itk.org/x.js">', ["https://itk.org/x.js, which is loaded from elsewhere"]),
        ):
            with self.subTest(body=body):
                self.assertEqual(self.broken(body), expected)


if __name__ == "__main__":
    unittest.main()
