# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads the surfaces that the programs write: points, and triangles of three points each."""

import numpy as np


def read_ply(path):
    """A binary PLY file of double precision, whose faces are triangles."""
    content = path.read_bytes()
    start = content.index(b"end_header\n") + len(b"end_header\n")
    counts = {}
    for line in content[:start].decode().splitlines():
        words = line.split()
        if words[0] == "element":
            counts[words[1]] = int(words[2])
    points = np.frombuffer(content, "<f8", 3 * counts["vertex"], start).reshape(-1, 3)
    face = np.dtype([("corners", "u1"), ("points", "<i4", 3)])
    faces = np.frombuffer(content, face, counts["face"], start + points.nbytes)
    return points, faces["points"]


def read_vtk(path):
    """A VTK file as text, with points and triangles."""
    words = path.read_text().split()
    at = words.index("POINTS")
    count = int(words[at + 1])
    points = np.array(words[at + 3 : at + 3 + 3 * count], dtype=np.float64).reshape(-1, 3)
    at = words.index("POLYGONS")
    count = int(words[at + 1])
    cells = np.array(words[at + 3 : at + 3 + 4 * count], dtype=np.int64).reshape(-1, 4)
    return points, cells[:, 1:]
