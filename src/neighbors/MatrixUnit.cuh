// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_MatrixUnit_cuh
#define cudaneuro_neighbors_MatrixUnit_cuh

/** Products of matrices of halves by the tensor cores, summed in single precision. A warp multiplies 16 x 16 by 16 x 8.
 *
 * With g = lane / 4 and c = lane % 4, a lane has these elements of the 16 rows A: (g, 2c), (g, 2c + 1); the same of row
 * g + 8; and both again 8 columns further. Of B, whose 8 columns are vectors: components 2c, 2c + 1 of vector g, and
 * those 8 further. Of the result: (g, 2c), (g, 2c + 1), (g + 8, 2c), (g + 8, 2c + 1). */
namespace cudaneuro::gpu
{

/** sum = A B + sum, or A B if \p isFirst, which must be a constant. */
__device__ __forceinline__ void
MultiplyAdd(float (&sum)[4], const unsigned int (&a)[4], unsigned int b0, unsigned int b1, bool isFirst)
{
  const float c[4] = {
    isFirst ? 0.0f : sum[0], isFirst ? 0.0f : sum[1], isFirst ? 0.0f : sum[2], isFirst ? 0.0f : sum[3]
  };
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
#else
  asm("{ .reg .f32 s<4>;\n"
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {s0,s1,s2,s3}, {%4,%5}, {%8}, {%10,%11,%12,%13};\n"
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%6,%7}, {%9}, {s0,s1,s2,s3}; }"
      : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
#endif
}

/** Loads the operands B of MultiplyAdd for 16 vectors and 16 components: b[0], b[1] for the first 8 vectors, b[2], b[3]
 * for the others. Lane l passes the shared-memory address of 8 components of vector l % 8 + l / 16 * 8: the first 8 of
 * them, or the second 8 if l / 8 is odd. */
__device__ __forceinline__ void
LoadVectors(unsigned int (&b)[4], unsigned int address)
{
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
               : "r"(address)
               : "memory");
}

} // namespace cudaneuro::gpu

#endif
