/* The first plan: m + n - 1 arcs that form a tree, because no two nodes run empty at the same time
 * but the last two. */
#include "kernel.h"

#include <string.h>

/* Clouds in the plane are apart if their means are farther from each other than this many times the
 * larger spread (both squared). */
#define APART 1.5

typedef struct {
  double value;
  int index;
} Ranked;

static void add_arc(Space *space, int *n_arcs, int source, int sink, int64_t flow) {
  space->arc_source[*n_arcs] = source;
  space->arc_sink[*n_arcs] = sink;
  space->arc_flow[*n_arcs] = flow;
  ++*n_arcs;
}

/* A float as a whole number of the same order. */
static uint32_t as_ordered(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}

/* The order of the keys by their upper 24 bits: a radix sort, stable. */
static void sort_keys(const float *keys, int count, int *order, int *room) {
  int begins[3][257];
  memset(begins, 0, sizeof begins);
  for (int i = 0; i < count; i++) {
    uint32_t key = as_ordered(keys[i]);
    for (int pass = 0; pass < 3; pass++) begins[pass][(key >> (8 + 8 * pass) & 255) + 1]++;
    order[i] = i;
  }
  for (int pass = 0; pass < 3; pass++) {
    int *begin = begins[pass];
    for (int digit = 0; digit < 256; digit++) begin[digit + 1] += begin[digit];
    for (int i = 0; i < count; i++)
      room[begin[as_ordered(keys[order[i]]) >> (8 + 8 * pass) & 255]++] = order[i];
    memcpy(order, room, sizeof *order * (size_t)count);
  }
}

/* The cheapest arcs first: in rounds, each row that has mass left offers 16 columns that do, too. */
static int start_greedily(Space *space) {
  int m = space->m, n = space->n, n_arcs = 0, n_left = m;
  int *left = space->some, columns[LANES];
  int64_t *supply = space->masses_left, *demand = supply + m;
  float keys[LANES];
  memcpy(supply, space->supply, sizeof *supply * (size_t)m);
  memcpy(demand, space->demand, sizeof *demand * (size_t)n);
  for (int i = 0; i < m; i++) left[i] = i;
  for (int j = 0; j < space->width; j++) space->prices[j] = 0.0f;
  /* `candidate_cost` is not needed before the search, and has room for the order. */
  int *order = space->more, *room = (int *)space->candidate_cost;
  while (n_left) {
    int count = 0;
    for (int t = 0; t < n_left; t++) {
      int found = best_of_lanes(row_of(space, left[t]), space->prices, space->width, REACHABLE,
                                columns, keys);
      for (int l = 0; l < found; l++, count++) {
        space->candidate_source[count] = left[t];
        space->candidate_sink[count] = columns[l];
        space->candidate_key[count] = keys[l];
      }
    }
    if (!count) return 0;
    sort_keys(space->candidate_key, count, order, room);
    for (int t = 0; t < count; t++) {
      int i = space->candidate_source[order[t]], j = space->candidate_sink[order[t]];
      if (!supply[i] || !demand[j]) continue;
      int64_t flow = supply[i] < demand[j] ? supply[i] : demand[j];
      supply[i] -= flow;
      demand[j] -= flow;
      add_arc(space, &n_arcs, i, j, flow);
      /* A column without demand is not offered again. */
      if (!demand[j]) space->prices[j] = -UNREACHABLE;
    }
    int kept = 0;
    for (int t = 0; t < n_left; t++)
      if (supply[left[t]]) left[kept++] = left[t];
    n_left = kept;
  }
  return n_arcs;
}

/* By value, those of equal value as they were: a merge sort, which calls no function to compare. */
static void sort_ranked(Ranked *ranked, Ranked *room, int count) {
  for (int length = 1; length < count; length *= 2) {
    for (int begin = 0; begin < count; begin += 2 * length) {
      int middle = begin + length < count ? begin + length : count;
      int end = middle + length < count ? middle + length : count;
      int p = begin, q = middle;
      for (int k = begin; k < end; k++) {
        int second = p == middle || (q < end && ranked[q].value < ranked[p].value);
        room[k] = ranked[second ? q : p];
        q += second;
        p += !second;
      }
    }
    memcpy(ranked, room, sizeof *ranked * (size_t)count);
  }
}

/* The order of points in the plane along a direction. */
static void order_along(const double *points, int count, const double *direction, int *order,
                        Ranked *ranked) {
  for (int i = 0; i < count; i++) {
    ranked[i].value = direction[0] * points[2 * (size_t)i] + direction[1] * points[2 * (size_t)i + 1];
    ranked[i].index = i;
  }
  sort_ranked(ranked, ranked + count, count);
  for (int i = 0; i < count; i++) order[i] = ranked[i].index;
}

/* The mean of a cloud in the plane, and the mean squared distance from it. */
static double find_mean(const double *points, const int64_t *masses, int count, double *mean) {
  double total = 0.0, spread = 0.0;
  mean[0] = mean[1] = 0.0;
  for (int i = 0; i < count; i++) {
    double mass = (double)masses[i];
    total += mass;
    for (int k = 0; k < 2; k++) mean[k] += mass * points[2 * (size_t)i + k];
  }
  for (int k = 0; k < 2; k++) mean[k] /= total;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++) {
      double apart = points[2 * (size_t)i + k] - mean[k];
      spread += (double)masses[i] / total * apart * apart;
    }
  return spread;
}

/* For two clouds in the plane that are apart: the order across the line between their means, first
 * with first. Nothing if they are not apart. */
static int start_across(Space *space) {
  int m = space->m, n = space->n, n_arcs = 0;
  double mean_of_sources[2], mean_of_sinks[2];
  double spread = find_mean(space->sources, space->supply, m, mean_of_sources);
  double spread_of_sinks = find_mean(space->sinks, space->demand, n, mean_of_sinks);
  double x = mean_of_sinks[0] - mean_of_sources[0], y = mean_of_sinks[1] - mean_of_sources[1];
  if (spread_of_sinks > spread) spread = spread_of_sinks;
  if (x * x + y * y < APART * spread) return 0;
  const double across[2] = {-y, x};
  int *order = space->some, *order_of_sinks = space->others;
  order_along(space->sources, m, across, order, (Ranked *)space->numbers);
  order_along(space->sinks, n, across, order_of_sinks, (Ranked *)space->numbers);
  int i = 0, j = 0;
  int64_t supply = space->supply[order[0]], demand = space->demand[order_of_sinks[0]];
  for (;;) {
    int64_t flow = supply < demand ? supply : demand;
    add_arc(space, &n_arcs, order[i], order_of_sinks[j], flow);
    supply -= flow;
    demand -= flow;
    if (i == m - 1 && j == n - 1) return n_arcs;
    if (!supply && i < m - 1)
      supply = space->supply[order[++i]];
    else
      demand = space->demand[order_of_sinks[++j]];
  }
}

int start_plan(Space *space) {
  int n_arcs = space->d == 2 ? start_across(space) : 0;
  if (!n_arcs) n_arcs = start_greedily(space);
  return n_arcs == space->m + space->n - 1 ? DONE : NO_PLAN;
}
