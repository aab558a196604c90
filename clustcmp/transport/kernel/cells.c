/* Potentials that are affine on cells of points and hold for all points in the cells.
 *
 * On cell i of a the potential is u_i + g_i (x - x_i), on cell j of b it is v_j - h_j (y - y_j); x_i and
 * y_j are centres, g_i and h_j slopes. For any unit vector e the distance |x - y| is at least e (x - y).
 * So the potentials of no two points exceed their distance if u_i + v_j is at most
 *
 *   e (x_i - y_j) + least (e - g_i) (x - x_i) + least (h_j - e) (y - y_j)
 *
 * where x and y run over the boxes of the cells. The best of a few e is taken: the direction between
 * the centres, and mixtures of it with the mean of both slopes.
 */
#include "kernel.h"

#include <stdlib.h>

enum { MIXTURES = 4 };

static const double TOWARDS_SLOPES[MIXTURES] = {0.0, 0.3, 0.6, 1.0};

#define TINY 1e-300
#define HIGHEST 1e308

/* Cells, dimension by dimension: number k of cell i is at k * count + i. Boxes are around centres. */
typedef struct {
  int count;
  const double *centre, *low, *high, *slope;
} Cells;

/* Rows of numbers, one for each cell of b; `apart` and `slopes` have one row per dimension. */
typedef struct {
  double *apart, *slopes, *by_distance, *by_slope, *length, *bound, *best;
} Rows;

static inline double lesser(double x, double y) { return x < y ? x : y; }

static inline double greater(double x, double y) { return x > y ? x : y; }

/* The way from all cells of b to cell i of a, and the sums of slopes; 1 / length of both. */
FOR_EACH_MACHINE
static void find_ways(const Cells *a, int i, const Cells *b, int d, const Rows *rows) {
  int n = b->count;
  double *restrict by_distance = rows->by_distance, *restrict by_slope = rows->by_slope;
  for (int j = 0; j < n; j++) by_distance[j] = by_slope[j] = 0.0;
  for (int k = 0; k < d; k++) {
    double x = a->centre[(size_t)k * a->count + i], g = a->slope[(size_t)k * a->count + i];
    const double *y = b->centre + (size_t)k * n, *h = b->slope + (size_t)k * n;
    double *restrict apart = rows->apart + (size_t)k * n, *restrict slopes = rows->slopes + (size_t)k * n;
    for (int j = 0; j < n; j++) {
      apart[j] = x - y[j];
      slopes[j] = g + h[j];
      by_distance[j] += apart[j] * apart[j];
      by_slope[j] += slopes[j] * slopes[j];
    }
  }
  for (int j = 0; j < n; j++) {
    by_distance[j] = 1.0 / greater(sqrt(by_distance[j]), TINY);
    by_slope[j] = 1.0 / greater(sqrt(by_slope[j]), TINY);
  }
}

/* Raises `best` where the bound by one mixture of directions is better. */
FOR_EACH_MACHINE
static void try_mixture(const Cells *a, int i, const Cells *b, int d, double share, const Rows *rows) {
  int n = b->count;
  const double *by_distance = rows->by_distance, *by_slope = rows->by_slope;
  double *restrict length = rows->length, *restrict bound = rows->bound, *restrict best = rows->best;
  for (int j = 0; j < n; j++) length[j] = bound[j] = 0.0;
  for (int k = 0; k < d; k++) {
    const double *apart = rows->apart + (size_t)k * n, *slopes = rows->slopes + (size_t)k * n;
    for (int j = 0; j < n; j++) {
      double e = (1.0 - share) * apart[j] * by_distance[j] + share * slopes[j] * by_slope[j];
      length[j] += e * e;
    }
  }
  /* A mixture that vanishes stays 0, which is allowed: |x - y| >= 0. */
  for (int j = 0; j < n; j++) length[j] = 1.0 / greater(sqrt(length[j]), 1e-100);
  for (int k = 0; k < d; k++) {
    size_t at = (size_t)k * a->count + i;
    double g = a->slope[at], low_a = a->low[at], high_a = a->high[at];
    const double *h = b->slope + (size_t)k * n, *low = b->low + (size_t)k * n;
    const double *high = b->high + (size_t)k * n;
    const double *apart = rows->apart + (size_t)k * n, *slopes = rows->slopes + (size_t)k * n;
    for (int j = 0; j < n; j++) {
      double e = (1.0 - share) * apart[j] * by_distance[j] + share * slopes[j] * by_slope[j];
      e *= length[j];
      double in_a = e - g, in_b = h[j] - e;
      bound[j] += e * apart[j] + lesser(in_a * low_a, in_a * high_a);
      bound[j] += lesser(in_b * low[j], in_b * high[j]);
    }
  }
  for (int j = 0; j < n; j++) best[j] = greater(best[j], bound[j]);
}

/* Potentials u (m,) and v (n,) that no bound falls short of, found from any potentials of b. */
int bound_potentials(int d, int m, const double *centre_a, const double *low_a, const double *high_a,
                     const double *slope_a, int n, const double *centre_b, const double *low_b,
                     const double *high_b, const double *slope_b, const double *potentials, double *u,
                     double *v) {
  Cells a = {m, centre_a, low_a, high_a, slope_a}, b = {n, centre_b, low_b, high_b, slope_b};
  size_t row = (size_t)n, all = row * (size_t)d;
  double *room = malloc(sizeof *room * (2 * all + 5 * row));
  if (!room) return NO_MEMORY;
  double *one = room + 2 * all;
  Rows rows = {room, room + all, one, one + row, one + 2 * row, one + 3 * row, one + 4 * row};
  for (int j = 0; j < n; j++) v[j] = HIGHEST;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) rows.best[j] = -HIGHEST;
    find_ways(&a, i, &b, d, &rows);
    for (int t = 0; t < MIXTURES; t++) try_mixture(&a, i, &b, d, TOWARDS_SLOPES[t], &rows);
    u[i] = HIGHEST;
    for (int j = 0; j < n; j++) u[i] = lesser(u[i], rows.best[j] - potentials[j]);
    for (int j = 0; j < n; j++) v[j] = lesser(v[j], rows.best[j] - u[i]);
  }
  free(room);
  return DONE;
}
