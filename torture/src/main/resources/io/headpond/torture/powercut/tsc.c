// SPDX-License-Identifier: Apache-2.0
//
// Prints the rate of the processor's time stamp counter, kHz: the median of some measurements.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

enum { TIMES = 5 };

static int64_t nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int compare(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return left < right ? -1 : left > right;
}

int main(void) {
  uint64_t rates[TIMES];
  for (int i = 0; i < TIMES; i++) {
    int64_t begin = nanos();
    uint64_t first = __rdtsc();
    const struct timespec pause = {0, 20 * 1000 * 1000};
    nanosleep(&pause, NULL);
    uint64_t last = __rdtsc();
    rates[i] = (last - first) * 1000000 / (nanos() - begin);
  }
  qsort(rates, TIMES, sizeof rates[0], compare);
  printf("%llu\n", (unsigned long long)rates[TIMES / 2]);
  return 0;
}
