// bench-floor: what plain C++ makes of the 3x3 mean, the 2-D Sobel magnitude and a formula of 15 operations in 3-D, beside a copy
// of the same plane in the same run, for docs/PERFORMANCE.md. One thread, 2048 x 2048 and a border of one voxel, best of 300.
//
//   g++ -O3 -march=native -fno-math-errno .ci/bench-floor.cc -o build/bench-floor && build/bench-floor
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr int W = 2048, H = 2048, S = W + 2;
constexpr size_t Huge = size_t(1) << 21;  // the system's large pages

template <class T>
T *array(size_t n) {
  size_t bytes = (n * sizeof(T) + Huge) / Huge * Huge;
  T *t = static_cast<T *>(aligned_alloc(Huge, bytes));
  madvise(t, bytes, MADV_HUGEPAGE);
  for (size_t i = 0; i < n; i++) t[i] = T(i % 100);
  return t;
}

template <class T, class Sum>
__attribute__((noinline)) void mean(T *__restrict dst, const T *__restrict src) {
  for (int y = 0; y < H; y++) {
    const T *a = src + size_t(y) * S, *b = a + S, *c = b + S;
    T *d = dst + size_t(y) * W;
    for (int x = 0; x < W; x++)
      d[x] = T((Sum(a[x]) + a[x + 1] + a[x + 2] + b[x] + b[x + 1] + b[x + 2] + c[x] + c[x + 1] + c[x + 2]) / Sum(9));
  }
}

template <class T, class Sum>
__attribute__((noinline)) void meanByColumns(T *__restrict dst, const T *__restrict src) {
  static Sum v[S];
  for (int y = 0; y < H; y++) {
    const T *a = src + size_t(y) * S, *b = a + S, *c = b + S;
    T *d = dst + size_t(y) * W;
    for (int x = 0; x < S; x++) v[x] = Sum(a[x]) + b[x] + c[x];
    for (int x = 0; x < W; x++) d[x] = T((v[x] + v[x + 1] + v[x + 2]) / Sum(9));
  }
}

__attribute__((noinline)) void sobel(float *__restrict dst, const float *__restrict src) {
  for (int y = 0; y < H; y++) {
    const float *a = src + size_t(y) * S, *b = a + S, *c = b + S;
    float *d = dst + size_t(y) * W;
    for (int x = 0; x < W; x++) {
      float gx = (a[x + 2] - a[x]) + 2 * (b[x + 2] - b[x]) + (c[x + 2] - c[x]);
      float gy = (c[x] - a[x]) + 2 * (c[x + 1] - a[x + 1]) + (c[x + 2] - a[x + 2]);
      d[x] = std::sqrt(gx * gx + gy * gy);
    }
  }
}

// The text of 15 operations of BenchmarkPlane.
__attribute__((noinline)) void formula(float *__restrict dst, const float *__restrict src) {
  const float *before = src, *here = src + size_t(S) * (H + 2), *after = here + size_t(S) * (H + 2);
  for (int y = 0; y < H; y++) {
    const float *p = before + size_t(y + 1) * S + 1, *n = after + size_t(y + 1) * S + 1, *x = here + size_t(y + 1) * S + 1;
    float *d = dst + size_t(y) * W;
    for (int i = 0; i < W; i++) {
      float a = std::max(x[i + 1], x[i - 1]) * 0.5f + x[i], b = std::sqrt(std::fabs(x[i] * x[i + S + 1] - n[i])) / 2;
      d[i] = std::fabs(n[i] - p[i]) > std::fabs(x[i + S] - x[i - S]) ? a : b;
    }
  }
}

template <class T, class F>
void run(const char *name, F filter) {
  using clock = std::chrono::steady_clock;
  auto seconds = [](clock::duration d) { return std::chrono::duration<double>(d).count(); };
  T *src = array<T>(3 * size_t(S) * (H + 2)), *dst = array<T>(size_t(W) * H), *to = array<T>(size_t(W) * H), *from = array<T>(size_t(W) * H);
  double best = 1, copied = 1;
  for (int i = 0; i < 300; i++) {
    auto start = clock::now();
    filter(dst, src);
    auto middle = clock::now();
    memcpy(to, from, size_t(W) * H * sizeof(T));
    auto end = clock::now();
    best = std::min(best, seconds(middle - start));
    copied = std::min(copied, seconds(end - middle));
  }
  printf("%-26s %6.0f Mvoxel/s, %.2f of memcpy\n", name, W * H / best / 1e6, copied / best);
}

int main() {
  run<float>("mean float32", mean<float, float>);
  run<float>("mean float32, by columns", meanByColumns<float, float>);
  run<uint16_t>("mean uint16", mean<uint16_t, uint32_t>);
  run<uint16_t>("mean uint16, by columns", meanByColumns<uint16_t, uint32_t>);
  run<uint8_t>("mean uint8", mean<uint8_t, uint16_t>);
  run<uint8_t>("mean uint8, by columns", meanByColumns<uint8_t, uint16_t>);
  run<float>("Sobel float32", sobel);
  run<float>("15 operations float32", formula);
}
