/* All pairs of clusters in one call: mass that both have at a place stays there, the rest moves. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

/* The clusters of one side, one after the other: cluster k has the entries begin[k] to begin[k + 1],
 * each a place and its mass in whole units; places ascend. All units of a cluster are total[k].
 * `shares` are the masses themselves, which sum to 1 in each cluster, or NULL if units are exact. */
typedef struct {
  const int64_t *begin;
  const int32_t *place;
  const int64_t *units;
  const double *shares;
  const int64_t *total;
} Clusters;

/* What is left to move between two clusters: from the places of one side to those of the other. */
typedef struct {
  int count[2], capacity;
  int32_t *place[2];
  int64_t *units[2];
  double *shares[2];
} Left;

static int64_t greatest_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static int make_room(Left *left, int64_t needed) {
  if (needed <= left->capacity) return DONE;
  if (needed > INT32_MAX / 2) return NO_MEMORY;
  int capacity = (int)(needed + needed / 4 + 16);
  for (int side = 0; side < 2; side++) {
    free(left->place[side]);
    free(left->units[side]);
    free(left->shares[side]);
    left->place[side] = malloc(sizeof(int32_t) * (size_t)capacity);
    left->units[side] = malloc(sizeof(int64_t) * (size_t)capacity);
    left->shares[side] = malloc(sizeof(double) * (size_t)capacity);
  }
  left->capacity = 0;
  for (int side = 0; side < 2; side++)
    if (!left->place[side] || !left->units[side] || !left->shares[side]) return NO_MEMORY;
  left->capacity = capacity;
  return DONE;
}

static void keep(Left *left, int side, int32_t place, int64_t units, double shares) {
  int at = left->count[side]++;
  left->place[side][at] = place;
  left->units[side][at] = units;
  left->shares[side][at] = shares > 0.0 ? shares : 0.0;
}

/* Merges two clusters; equal mass at a place cancels. Units of a are multiplied by `times_a` and those
 * of b by `times_b`, so that both clusters have the same sum. Returns the units that move. */
static int64_t cancel(const Clusters *a, int k, const Clusters *b, int j, int64_t times_a,
                      int64_t times_b, Left *left) {
  int64_t p = a->begin[k], q = b->begin[j], moved = 0;
  left->count[0] = left->count[1] = 0;
  while (p < a->begin[k + 1] || q < b->begin[j + 1]) {
    int32_t of_a = p < a->begin[k + 1] ? a->place[p] : INT32_MAX;
    int32_t of_b = q < b->begin[j + 1] ? b->place[q] : INT32_MAX;
    int32_t place = of_a < of_b ? of_a : of_b;
    int64_t units = 0;
    double shares = 0.0;
    if (of_a == place) {
      units += a->units[p] * times_a;
      if (a->shares) shares += a->shares[p];
      p++;
    }
    if (of_b == place) {
      units -= b->units[q] * times_b;
      if (b->shares) shares -= b->shares[q];
      q++;
    }
    if (units > 0) moved += units;
    if (units > 0) keep(left, 0, place, units, shares);
    if (units < 0) keep(left, 1, place, -units, -shares);
  }
  return moved;
}

static void copy_points(double *to, const double *places, const int32_t *which, int count, int d) {
  for (int i = 0; i < count; i++)
    memcpy(to + (size_t)i * d, places + (size_t)which[i] * d, sizeof *to * (size_t)d);
}

static int solve_pair(Space *space, int d, const double *places, const Clusters *a, int k,
                      const Clusters *b, int j, Left *left, double *distance_found) {
  int64_t of_a = a->begin[k + 1] - a->begin[k], of_b = b->begin[j + 1] - b->begin[j];
  int64_t divisor = greatest_divisor(a->total[k], b->total[j]);
  int64_t times_a = b->total[j] / divisor, times_b = a->total[k] / divisor, whole;
  if (__builtin_mul_overflow(a->total[k], times_a, &whole)) return TOO_MUCH_MASS;
  int status = make_room(left, of_a > of_b ? of_a : of_b);
  if (status != DONE) return status;
  int64_t moved = cancel(a, k, b, j, times_a, times_b, left);
  *distance_found = 0.0;
  if (!moved) return DONE;
  /* The smaller side is the rows. If both are equal the lower place decides, so that exchanging a and
   * b changes nothing. */
  int m = left->count[0], n = left->count[1];
  int rows = m < n || (m == n && left->place[0][0] < left->place[1][0]) ? 0 : 1;
  status = reserve(space, left->count[rows], left->count[1 - rows], d);
  if (status != DONE) return status;
  copy_points(space->sources, places, left->place[rows], space->m, d);
  copy_points(space->sinks, places, left->place[1 - rows], space->n, d);
  int exact = !a->shares && !b->shares;
  double value;
  status = solve(space, left->units[rows], left->units[1 - rows], exact ? NULL : left->shares[rows],
                 exact ? NULL : left->shares[1 - rows], &value);
  if (status != DONE) return status;
  /* Shares are of the whole cluster already. */
  *distance_found = exact ? value * ((double)moved / (double)whole) : value;
  return DONE;
}

/* The distances of `count` pairs of clusters, of a's cluster rows[t] and b's cluster columns[t]. */
int transport_pairs(int d, const double *places, const int64_t *begin_a, const int32_t *place_a,
                    const int64_t *units_a, const double *shares_a, const int64_t *total_a,
                    const int64_t *begin_b, const int32_t *place_b, const int64_t *units_b,
                    const double *shares_b, const int64_t *total_b, int64_t count,
                    const int32_t *rows, const int32_t *columns, double *distances) {
  Clusters a = {begin_a, place_a, units_a, shares_a, total_a};
  Clusters b = {begin_b, place_b, units_b, shares_b, total_b};
  Space space;
  Left left;
  memset(&space, 0, sizeof space);
  memset(&left, 0, sizeof left);
  int status = DONE;
  for (int64_t t = 0; t < count && status == DONE; t++)
    status = solve_pair(&space, d, places, &a, rows[t], &b, columns[t], &left, distances + t);
  release(&space);
  for (int side = 0; side < 2; side++) {
    free(left.place[side]);
    free(left.units[side]);
    free(left.shares[side]);
  }
  return status;
}
