# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Times the search for the nearest of all vectors as PyTorch does it, by products of matrices and topk, and prints the times as
JSON. The data are those of the benchmark's rows "neighbors, exact". Beside them, where ITK's Python package has
itk.CudaNearestNeighbors, are the times of that, and how many of its neighbors PyTorch finds.

    python neighbors_torch.py [vectors ...]
"""

import json
import statistics
import sys
import time

import numpy as np
import torch

NEIGHBORS = 96
RUNS = 5


def noise(count):
    """The sum of four uniform numbers, as benchmark/data/NeighborCase.cxx has them: splitmix64 of key 5."""
    with np.errstate(over="ignore"):
        x = np.uint64(5) + (np.arange(count, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    parts = [((x >> np.uint64(shift)) & np.uint64(0xFFFF)).astype(np.float64) / 65535 for shift in (0, 16, 32, 48)]
    return np.sqrt(3) * (sum(parts) - 2)


def surface_patches(count):
    """Patches of a noisy distance to a sphere with dents, of shape (count, 125)."""
    radius = 1.1 * np.sqrt(count / (8 * np.pi * 1.2)) + 1
    center = int(radius) + 6
    side = 2 * center + 1
    z, y, x = np.meshgrid(*[np.arange(side, dtype=np.float64) - center] * 3, indexing="ij", sparse=True)
    distance = np.sqrt(x * x + y * y + z * z) - radius + np.sin(0.3 * x) * np.sin(0.3 * y) * np.sin(0.3 * z)
    distance = (distance + 0.3 * noise(side**3).reshape(side, side, side)).astype(np.float32)
    inner = np.abs(distance[2:-2, 2:-2, 2:-2]) <= 1.2
    windows = np.lib.stride_tricks.sliding_window_view(distance, (5, 5, 5))
    return np.ascontiguousarray(windows[inner][:count].reshape(count, 125))


def find_by_products(vectors, rows):
    """|x - y|^2 = |x|^2 + |y|^2 - 2 x.y for so many queries at a time; the query itself is left out."""
    squares = (vectors * vectors).sum(1)
    indices = torch.empty((len(vectors), NEIGHBORS), dtype=torch.int64, device=vectors.device)
    for begin in range(0, len(vectors), rows):
        part = vectors[begin : begin + rows]
        distances = torch.addmm(squares[None, :], part, vectors.T, alpha=-2)
        itself = torch.arange(len(part), device=vectors.device)
        distances[itself, itself + begin] = torch.inf
        indices[begin : begin + rows] = torch.topk(distances, NEIGHBORS, largest=False).indices
    return indices


def synchronize(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def milliseconds(device, find):
    """The median of some runs after a first one, and what was found."""
    found = find()
    times = []
    for _ in range(RUNS):
        synchronize(device)
        begin = time.perf_counter()
        found = find()
        synchronize(device)
        times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times), found


def rows_that_fit(device, count):
    """Queries whose distances, with the work area of topk, take a quarter of the memory that is free."""
    free = torch.cuda.mem_get_info(device)[0] if device.type == "cuda" else 4 << 30
    return max(1, min(count, free // (4 * 4 * count)))


def find_by_itk(vectors):
    """A function that finds neighbors by itk.CudaNearestNeighbors; None where there is none."""
    try:
        import itk

        search = itk.CudaNearestNeighbors.New(NumberOfNeighbors=NEIGHBORS, ExcludeSelf=True)
    except (ImportError, AttributeError):
        return None

    def find():
        search.SetPoints(vectors)
        search.Modified()
        search.Update()
        return torch.from_dlpack(search.GetIndices())

    return find


def share_found(found, exact):
    """How many of the exact neighbors are among those found, whatever their order."""
    ordered = torch.sort(exact.to(found.device, torch.int64), 1).values
    places = torch.searchsorted(ordered, found).clamp(max=NEIGHBORS - 1)
    return (torch.gather(ordered, 1, places) == found).double().mean().item()


def measure(device, count):
    vectors = torch.from_numpy(surface_patches(count)).to(device)
    rows = rows_that_fit(device, count)
    result = {"vectors": count, "dimension": 125, "neighbors": NEIGHBORS, "queries_at_a_time": rows}
    itk_find = find_by_itk(vectors)
    exact = None
    if itk_find is not None:
        result["itk_milliseconds"], exact = milliseconds(device, itk_find)
    for name, allow in (("float32", False), ("tf32", True)):
        torch.backends.cuda.matmul.allow_tf32 = allow
        result[f"torch_{name}_milliseconds"], found = milliseconds(device, lambda: find_by_products(vectors, rows))
        if exact is not None:
            result[f"torch_{name}_share_found"] = share_found(found, exact)
    return result


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    counts = [int(count) for count in sys.argv[1:]] or [17500, 175000]
    report = {
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu",
        "torch": torch.__version__,
        "results": [measure(device, count) for count in counts],
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
