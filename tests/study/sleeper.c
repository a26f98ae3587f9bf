/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An evaluator for tests: sleeper MILLISECONDS. Sleeps for up to so long, at
 * random, then answers with a score that follows from the graph alone.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
    double most = argc > 1 ? strtod(argv[1], NULL) : 10;
    uint32_t hash = 2166136261u;
    unsigned commas = 0;
    struct timespec now, nap = {0};
    int c;

    while ((c = getchar()) != EOF) {
        hash = (hash ^ (uint32_t)c) * 16777619u;
        commas += c == ',';
    }
    clock_gettime(CLOCK_REALTIME, &now);
    srand48(now.tv_nsec ^ ((long)getpid() << 12));
    nap.tv_nsec = (long)(drand48() * most * 1e6) % 1000000000;
    nanosleep(&nap, NULL);
    printf("{\"score\": %u.%03u, \"commas\": %u}\n", commas, hash % 1000,
           commas);
    return 0;
}
