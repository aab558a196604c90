/* One problem: a first plan, the search for better arcs, the proof that there are none, the value. */
#include "kernel.h"

#include <string.h>

enum {
  ROWS = 16,       /* rows that are searched between pivots */
  ARCS = 16,       /* arcs from short lists that are gathered between pivots */
  MOST_DOUBTS = 256 /* arcs of a row that the proof looks at before it looks at the whole row */
};

/* With more arcs than these each row gets a short list; passes over all arcs would take long. */
#define LARGE 3000000

/* Whole passes end when one has led to fewer pivots than this share of the rows. The lists, or the
 * proof in small problems, find what is left. */
#define ENOUGH 0.3
#define ENOUGH_IF_SMALL 0.05

/* The search ignores what improves less than this share of the largest cost. */
#define COARSE 1e-9

/* A plan is optimal if no reduced cost is below this share of the largest magnitudes, negative. */
#define OPTIMAL 1e-13

/* The rounding error of a reduced cost in single precision: at most 6 / 2^24 of its terms. */
#define SINGLE 4e-7

typedef struct {
  double highest;   /* the largest cost */
  double magnitude; /* the largest parts that were subtracted from rows and columns */
  long pivots, renumbered;
} Progress;

static void copy_prices(Space *space) {
  for (int j = 0; j < space->n; j++)
    space->prices[j] = (float)-space->potential[space->slot[space->m + j]];
}

static double potential_of(const Space *space, int source) {
  return space->potential[space->slot[source]];
}

/* Adds an arc to the candidates if it improves the plan by more than the tolerance. Candidates are
 * kept by the slots of their ends: slots stay the same until all candidates have been tried. */
static int consider(Space *space, int source, int sink, double tolerance) {
  double cost = arc_cost(space, source, sink);
  int from = space->slot[source], to = space->slot[space->m + sink];
  if (!(reduced_cost(space, from, to, cost) < -tolerance)) return 0;
  int k = space->n_candidates++;
  space->candidate_source[k] = from;
  space->candidate_sink[k] = to;
  space->candidate_cost[k] = cost;
  return 1;
}

/* The best candidate, or -1. Those that no longer improve the plan are removed, without a branch. */
static int choose(Space *space, double tolerance, double *least) {
  int kept = 0, best = -1;
  double lowest = -tolerance;
  for (int k = 0; k < space->n_candidates; k++) {
    int source = space->candidate_source[k], sink = space->candidate_sink[k];
    double cost = space->candidate_cost[k], reduced = reduced_cost(space, source, sink, cost);
    space->candidate_source[kept] = source;
    space->candidate_sink[kept] = sink;
    space->candidate_cost[kept] = cost;
    if (reduced < lowest) {
      lowest = reduced;
      best = kept;
    }
    kept += reduced < -tolerance;
  }
  space->n_candidates = kept;
  *least = lowest;
  return best;
}

/* Pivots until no candidate improves the plan. */
static void enter_candidates(Space *space, Progress *progress, double tolerance) {
  int nodes = space->m + space->n, best;
  double reduced;
  while ((best = choose(space, tolerance, &reduced)) >= 0) {
    pivot(space, space->candidate_source[best], space->candidate_sink[best], reduced);
    progress->pivots++;
  }
  space->n_candidates = 0;
  if (progress->pivots - progress->renumbered < nodes / 8 + 200) return;
  renumber(space);
  progress->renumbered = progress->pivots;
}

/* Row by row: what is found enters at once. Ends when a pass over all rows finds little. */
static void search_rows(Space *space, Progress *progress) {
  int m = space->m, columns[LANES], large = (int64_t)m * space->n > LARGE;
  double tolerance = COARSE * progress->highest;
  long before = progress->pivots;
  for (int row = 0, idle = 0, pass = 0; idle < m;) {
    copy_prices(space);
    for (int t = 0; t < ROWS && idle < m; t++, pass++) {
      int found = best_of_lanes(row_of(space, row), space->prices, space->width,
                                (float)potential_of(space, row), columns, NULL);
      int added = 0;
      for (int l = 0; l < found; l++) added += consider(space, row, columns[l], tolerance);
      idle = added ? 0 : idle + 1;
      row = row + 1 == m ? 0 : row + 1;
    }
    if (space->n_candidates) idle = 0;
    enter_candidates(space, progress, tolerance);
    if (pass < m) continue;
    if (progress->pivots - before < m * (large ? ENOUGH : ENOUGH_IF_SMALL)) break;
    before = progress->pivots;
    pass = 0;
  }
}

/* The short list of each row: its least reduced costs now, as costs. Returns how many improve. */
static int fill_lists(Space *space, double tolerance) {
  int improving = 0;
  copy_prices(space);
  for (int i = 0; i < space->m; i++) {
    int *columns = space->list_column + (size_t)LANES * i;
    float *costs = space->list_cost + (size_t)LANES * i;
    int found = best_of_lanes(row_of(space, i), space->prices, space->width, REACHABLE, columns,
                              costs);
    double limit = potential_of(space, i) - tolerance;
    for (int l = 0; l < found; l++) {
      improving += costs[l] < limit;
      costs[l] += space->prices[columns[l]];
    }
    for (int l = found; l < LANES; l++) {
      columns[l] = 0;
      costs[l] = UNREACHABLE;
    }
  }
  return improving;
}

/* Searches the short lists alone, and fills them anew when they are exhausted or worn out. */
static void search_lists(Space *space, Progress *progress) {
  int m = space->m;
  double tolerance = COARSE * progress->highest;
  while (fill_lists(space, tolerance)) {
    long before = progress->pivots;
    for (int row = 0, idle = 0; idle < m && progress->pivots - before < m;) {
      copy_prices(space);
      while (space->n_candidates < ARCS && idle < m) {
        const int *columns = space->list_column + (size_t)LANES * row;
        const float *costs = space->list_cost + (size_t)LANES * row;
        float limit = (float)(potential_of(space, row) - tolerance);
        unsigned below = list_below(columns, costs, space->prices, limit);
        int added = 0;
        for (int l = 0; below; l++, below >>= 1)
          if (below & 1) added += consider(space, row, columns[l], tolerance);
        idle = added ? 0 : idle + 1;
        row = row + 1 == m ? 0 : row + 1;
      }
      if (space->n_candidates) idle = 0;
      enter_candidates(space, progress, tolerance);
    }
    if (progress->pivots == before) return;
  }
}

/* Gathers arcs of a row that improve the plan, in double precision, among all that single precision
 * cannot tell from such arcs. Returns 0 only if the row has none. */
static int doubt_row(Space *space, int row, double error, double tolerance) {
  int columns[MOST_DOUBTS], added = 0;
  float limit = (float)(potential_of(space, row) + error);
  int found = all_below(row_of(space, row), space->prices, space->width, limit, columns, MOST_DOUBTS);
  for (int l = 0; l < found && added < LANES; l++)
    added += consider(space, row, columns[l], tolerance);
  if (added || found < MOST_DOUBTS) return added;
  for (int j = 0; j < space->n && added < LANES; j++) added += consider(space, row, j, tolerance);
  return added;
}

/* Ends when all rows in a row, without a pivot between them, have no arc that improves the plan. */
static void prove(Space *space, Progress *progress) {
  int m = space->m;
  double tolerance = OPTIMAL * (progress->highest + progress->magnitude);
  renumber(space);
  progress->renumbered = progress->pivots;
  for (int row = 0, idle = 0; idle < m;) {
    double highest_price = 0.0;
    copy_prices(space);
    for (int j = 0; j < space->n; j++)
      highest_price = fmax(highest_price, fabs(space->potential[space->slot[m + j]]));
    for (int t = 0; t < ROWS && idle < m; t++) {
      double terms = highest_price + fabs(potential_of(space, row)) + progress->magnitude;
      int added = doubt_row(space, row, SINGLE * terms, tolerance);
      idle = added ? 0 : idle + 1;
      row = row + 1 == m ? 0 : row + 1;
    }
    if (space->n_candidates) idle = 0;
    enter_candidates(space, progress, tolerance);
  }
}

/* A sum whose rounding errors are added up apart, after Neumaier. */
typedef struct {
  double sum, lost;
} Sum;

static void add(Sum *sum, double term) {
  double next = sum->sum + term;
  if (fabs(sum->sum) >= fabs(term))
    sum->lost += (sum->sum - next) + term;
  else
    sum->lost += (term - next) + sum->sum;
  sum->sum = next;
}

/* The cost of the plan per unit of mass: whole flows, without what was added to the masses, times
 * distances. */
static double cost_of_plan(const Space *space, int shift, int64_t total) {
  Sum sum = {0.0, 0.0};
  int64_t half = (int64_t)1 << (shift - 1);
  for (int k = 0; k < space->m + space->n; k++) {
    if (space->parent[k] < 0) continue;
    int node = space->node[k], up = space->node[space->parent[k]];
    int source = node < up ? node : up, sink = (node < up ? up : node) - space->m;
    int64_t flow = (space->flow[k] + half) >> shift;
    if (flow) add(&sum, (double)flow * distance(space, source, sink));
  }
  return (sum.sum + sum.lost) / (double)total;
}

/* The value of the potentials for masses that are not whole: at the optimum it is that of the plan,
 * and unlike the flows it does not depend on how the masses were rounded. */
static double value_of_potentials(const Space *space, const double *supply, const double *demand) {
  Sum sum = {0.0, 0.0};
  for (int i = 0; i < space->m; i++)
    add(&sum, supply[i] * (space->potential[space->slot[i]] + space->row_part[i]));
  for (int j = 0; j < space->n; j++)
    add(&sum, demand[j] * (space->column_part[j] - space->potential[space->slot[space->m + j]]));
  return sum.sum + sum.lost;
}

/* How many bits below a unit of mass tell the nodes apart. */
int bits_below(const Space *space) {
  int shift = 1;
  while (((int64_t)1 << shift) < 4 * ((int64_t)space->m + space->n)) shift++;
  return shift;
}

/* Masses with room for small numbers below them: each source gets one more and the last sink as many
 * as there are sources, so that no sum of some supplies is one of some demands. */
static int change_masses(Space *space, const int64_t *supply, const int64_t *demand, int64_t *total) {
  int m = space->m, n = space->n, shift = bits_below(space);
  *total = 0;
  for (int i = 0; i < m; i++) {
    if (supply[i] > (INT64_MAX >> (shift + 1)) - *total) return TOO_MUCH_MASS;
    *total += supply[i];
  }
  for (int i = 0; i < m; i++) space->supply[i] = (supply[i] << shift) + 1;
  for (int j = 0; j < n; j++) space->demand[j] = demand[j] << shift;
  space->demand[n - 1] += m;
  return shift;
}

/* With one source or one sink there is one plan. */
static double only_plan(const Space *space, const int64_t *units, const double *shares) {
  Sum sum = {0.0, 0.0}, total = {0.0, 0.0};
  int count = space->m == 1 ? space->n : space->m;
  for (int k = 0; k < count; k++) {
    double mass = shares ? shares[k] : (double)units[k];
    add(&sum, mass * (space->m == 1 ? distance(space, 0, k) : distance(space, k, 0)));
    add(&total, mass);
  }
  return shares ? sum.sum + sum.lost : (sum.sum + sum.lost) / (total.sum + total.lost);
}

/* The least cost of moving the supply to the demand, which have the same sum, per unit of mass. The
 * space holds the points. Masses that are not whole numbers come as shares of something, too, and the
 * value is then for these shares; shares are NULL if units are exact. */
int solve(Space *space, const int64_t *supply, const int64_t *demand, const double *supply_shares,
          const double *demand_shares, double *value) {
  int m = space->m, n = space->n, d = space->d, width = space->width;
  int64_t total = 0;
  if (m == 1 || n == 1) {
    *value = m == 1 ? only_plan(space, demand, demand_shares)
                    : only_plan(space, supply, supply_shares);
    return DONE;
  }
  int shift = change_masses(space, supply, demand, &total);
  if (shift < 0) return shift;
  for (int k = 0; k < d; k++)
    for (int j = 0; j < width; j++)
      space->sinks_by_dimension[(size_t)k * width + j] = space->sinks[(size_t)(j < n ? j : 0) * d + k];

  Progress progress = {center_costs(space), 0.0, 0, 0};
  double rows = 0.0, columns = 0.0;
  for (int i = 0; i < m; i++)
    rows = fmax(rows, fabs(space->row_part[i] - space->first_distance[i]));
  for (int j = 0; j < n; j++) columns = fmax(columns, fabs(space->column_part[j]));
  progress.magnitude = rows + columns;
  int status = start_plan(space);
  if (status != DONE) return status;
  build_tree(space);
  for (int j = n; j < width; j++) space->prices[j] = 0.0f;
  space->n_candidates = 0;
  search_rows(space, &progress);
  if ((int64_t)m * n > LARGE) search_lists(space, &progress);
  prove(space, &progress);
  *value = supply_shares ? value_of_potentials(space, supply_shares, demand_shares)
                         : cost_of_plan(space, shift, total);
  return DONE;
}
