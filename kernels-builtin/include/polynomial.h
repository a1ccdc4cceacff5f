// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POLYNOMIAL(x, c[n - 1], ..., c[0]) for 5 to 23 coefficients, by Estrin's scheme: Horner's has one chain of operations
// whose latency nothing hides. Up to 9 coefficients are taken in pairs, more in fours, which is one or two products
// more than Horner's. The products of x are written where they are used; LLVM computes them once.
#pragma once

#define LW_POLYNOMIALS(T)                                                                                              \
  LW_INLINE LW T lw_fourth(T y) { return (y * y) * (y * y); }                                                          \
  LW_INLINE LW T lw_quad(T y, T a, T b, T c, T d) { return MAD(MAD(a, y, b), y * y, MAD(c, y, d)); }                   \
  LW_INLINE LW T lw_quads(T p, T y, T a, T b, T c, T d, T e, T f, T g, T h) {                                          \
    return MAD(MAD(p, lw_fourth(y), lw_quad(y, a, b, c, d)), lw_fourth(y), lw_quad(y, e, f, g, h));                    \
  }                                                                                                                    \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e) { return MAD(MAD(a, y * y, MAD(b, y, c)), y * y,          \
      MAD(d, y, e)); }                                                                                                 \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f) { return MAD(lw_quad(y, a, b, c, d), y * y,          \
      MAD(e, y, f)); }                                                                                                 \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f, T g) { return MAD(MAD(MAD(a, y * y, MAD(b, y,        \
      c)), y * y, MAD(d, y, e)), y * y, MAD(f, y, g)); }                                                               \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f, T g, T h) { return MAD(MAD(lw_quad(y, a, b, c,       \
      d), y * y, MAD(e, y, f)), y * y, MAD(g, y, h)); }                                                                \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f, T g, T h, T i) {                                     \
    return MAD(lw_polynomial(y, a, b, c, d, e, f, g), y * y, MAD(h, y, i));                                            \
  }                                                                                                                    \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f, T g, T h, T i, T j) {                                \
    return lw_quads(MAD(a, y, b), y, c, d, e, f, g, h, i, j);                                                          \
  }                                                                                                                    \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k) { return                    \
      lw_quads(MAD(a, y * y, MAD(b, y, c)), y, d, e, f, g, h, i, j, k); }                                              \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l) { return               \
      lw_quads(lw_quad(y, a, b, c, d), y, e, f, g, h, i, j, k, l); }                                                   \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m) { return          \
      lw_quads(MAD(a, lw_fourth(y), lw_quad(y, b, c, d, e)), y, f, g, h, i, j, k, l, m); }                             \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n) { return     \
      lw_quads(MAD(MAD(a, y, b), lw_fourth(y), lw_quad(y, c, d, e, f)), y, g, h, i, j, k, l, m, n); }                  \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n, T o, T       \
      p) { return lw_quads(MAD(lw_quad(y, a, b, c, d), lw_fourth(y), lw_quad(y, e, f, g, h)), y, i, j, k, l, m,        \
      n, o, p); }                                                                                                      \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n, T o, T       \
      p, T q, T r) { return lw_quads(lw_quads(MAD(a, y, b), y, c, d, e, f, g, h, i, j), y, k, l, m, n, o, p, q,        \
      r); }                                                                                                            \
  LW_INLINE LW T lw_polynomial(T y, T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n, T o, T       \
      p, T q, T r, T s, T t, T u, T v, T w) { return lw_quads(lw_quads(MAD(MAD(a, y * y, MAD(b, y, c)),                \
      lw_fourth(y), lw_quad(y, d, e, f, g)), y, h, i, j, k, l, m, n, o), y, p, q, r, s, t, u, v, w); }
LW_POLYNOMIALS(float) LW_POLYNOMIALS(double)
#define POLYNOMIAL(...) lw_polynomial(__VA_ARGS__)
