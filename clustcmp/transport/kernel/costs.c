/* Centred costs in single precision, and the search of rows for arcs that improve the plan.
 *
 * Vectors of the compiler say what each lane does; for x86 it compiles these functions several times
 * and chooses at run time. Lanes, and so results, are the same everywhere.
 */
#include "kernel.h"

#include <string.h>

typedef float Floats __attribute__((vector_size(4 * LANES)));
typedef int32_t Integers __attribute__((vector_size(4 * LANES)));
typedef double Doubles __attribute__((vector_size(8 * LANES / 2)));

enum { HALF = LANES / 2, STRETCH = 128 };

static const Integers LANE = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* Each lane keeps its least cost below a limit. At most 16 columns, in the order of the lanes; `keys`
 * are their costs less the prices, if wanted. */
FOR_EACH_MACHINE
int best_of_lanes(const float *costs, const float *prices, int width, float below, int *columns,
                  float *keys) {
  Floats best = below - (Floats){0};
  Integers at = LANE - LANE - 1, column = LANE;
  for (int j = 0; j < width; j += LANES) {
    Floats cost = *(const Floats *)(costs + j) - *(const Floats *)(prices + j);
    Integers less = cost < best;
    best = (Floats)((less & (Integers)cost) | (~less & (Integers)best));
    at = (less & column) | (~less & at);
    column += LANES;
  }
  /* Without branches: which lanes have found a column cannot be foretold. */
  int32_t column_of[LANES];
  float key_of[LANES];
  int found = 0;
  memcpy(column_of, &at, sizeof at);
  memcpy(key_of, &best, sizeof best);
  for (int lane = 0; lane < LANES; lane++) {
    columns[found] = column_of[lane];
    if (keys) keys[found] = key_of[lane];
    found += column_of[lane] >= 0;
  }
  return found;
}

/* All columns of a row whose costs less the prices are below a limit, or the first `most` of them. */
FOR_EACH_MACHINE
int all_below(const float *costs, const float *prices, int width, float below, int *columns,
              int most) {
  int found = 0;
  for (int j = 0; j < width; j += LANES) {
    Integers less = *(const Floats *)(costs + j) - *(const Floats *)(prices + j) < below;
    int64_t pairs[HALF], any = 0;
    memcpy(pairs, &less, sizeof less);
    for (int k = 0; k < HALF; k++) any |= pairs[k];
    for (int lane = 0; any && lane < LANES; lane++) {
      if (!less[lane]) continue;
      if (found == most) return found;
      columns[found++] = j + lane;
    }
  }
  return found;
}

/* Which arcs of a row's list are below a limit: bit l is for entry l. */
FOR_EACH_MACHINE
unsigned list_below(const int *columns, const float *costs, const float *prices, float below) {
  unsigned found = 0;
  for (int l = 0; l < LANES; l++) found |= (unsigned)(costs[l] - prices[columns[l]] < below) << l;
  return found;
}

/* The distances of one source to a stretch of sinks, less its distance to the first sink: where
 * clouds are far apart, this keeps the digits. Adds them to the columns' sums and returns their sum. */
FOR_EACH_MACHINE
static double fill_stretch(const Space *space, int source, int first, int length, double *sums) {
  const double *x = space->sources + (size_t)source * space->d;
  const double subtract = space->first_distance[source];
  float *costs = row_of(space, source) + first;
  double relative[STRETCH], sum[HALF] = {0};
  for (int j = 0; j < length; j += HALF) {
    Doubles squares = {0};
    for (int k = 0; k < space->d; k++) {
      size_t at = (size_t)k * space->width + first + j;
      Doubles apart = x[k] - *(const Doubles *)(space->sinks_by_dimension + at);
      squares += apart * apart;
    }
    memcpy(relative + j, &squares, sizeof squares);
  }
  for (int j = 0; j < length; j++) {
    relative[j] = sqrt(relative[j]) - subtract;
    sums[j] += relative[j];
    costs[j] = (float)relative[j];
  }
  /* Columns that only fill up the lanes do not count. */
  int real = space->n - first < length ? space->n - first : length;
  for (int j = real; j < length; j++) relative[j] = 0.0;
  for (int j = 0; j < length; j += HALF)
    for (int l = 0; l < HALF; l++) sum[l] += relative[j + l];
  double total = 0.0;
  for (int l = 0; l < HALF; l++) total += sum[l];
  return total;
}

/* Subtracts the parts of the row and of the columns; returns the largest cost without its sign. */
FOR_EACH_MACHINE
static float subtract_parts(float *costs, const float *columns, float row, int n) {
  Floats sizes = {0};
  int j = 0;
  for (; j + LANES <= n; j += LANES) {
    Floats cost = (*(const Floats *)(costs + j) - row) - *(const Floats *)(columns + j);
    *(Floats *)(costs + j) = cost;
    /* Without the bit of the sign, floats have the order of whole numbers. */
    Integers size = (Integers)cost & INT32_MAX;
    Integers larger = size > (Integers)sizes;
    sizes = (Floats)((larger & size) | (~larger & (Integers)sizes));
  }
  float highest = 0.0f;
  for (int lane = 0; lane < LANES; lane++) highest = fmaxf(highest, sizes[lane]);
  for (; j < n; j++) {
    costs[j] = (costs[j] - row) - columns[j];
    highest = fmaxf(highest, fabsf(costs[j]));
  }
  return highest;
}

/* Fills the costs and the parts that were subtracted, which are means of the rows and of the columns.
 * Returns the largest cost without its sign. */
double center_costs(Space *space) {
  int m = space->m, n = space->n, width = space->width;
  double *sums = space->column_part;
  memset(sums, 0, sizeof *sums * (size_t)width);
  for (int i = 0; i < m; i++) {
    space->row_part[i] = 0.0;
    space->first_distance[i] = distance(space, i, 0);
  }
  /* A stretch of all sinks' coordinates stays in the nearest cache. */
  for (int first = 0; first < width; first += STRETCH) {
    int length = width - first < STRETCH ? width - first : STRETCH;
    for (int i = 0; i < m; i++)
      space->row_part[i] += fill_stretch(space, i, first, length, sums + first);
  }
  double mean = 0.0;
  for (int i = 0; i < m; i++) mean += space->row_part[i] /= n;
  mean /= m;
  /* Parts are rounded to single precision, so that costs in double precision subtract the same. */
  for (int j = 0; j < width; j++) {
    space->prices[j] = (float)(sums[j] / m - mean);
    space->column_part[j] = space->prices[j];
  }
  float highest = 0.0f;
  for (int i = 0; i < m; i++) {
    float row = (float)space->row_part[i], *costs = row_of(space, i);
    float size = subtract_parts(costs, space->prices, row, n);
    highest = size > highest ? size : highest;
    for (int j = n; j < width; j++) costs[j] = UNREACHABLE;
    space->row_part[i] = (double)row + space->first_distance[i];
  }
  return highest;
}
