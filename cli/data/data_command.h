/* SPDX-License-Identifier: Apache-2.0 */
/* The actions of sepx data; each returns an exit code. */
#ifndef SEPX_CLI_DATA_H
#define SEPX_CLI_DATA_H

#include "frame/cli.h"

struct data_settings {
    const char *out, *test_sums, *space, *graph, *metrics;
    uint64_t seed;
    bool json, csv, nbnlp, skip, once;
};

/* Tables of results, of any benchmark. */
int data_table(const struct call *call);
int data_info_results(const struct call *call);
int data_verify_results(const struct call *call);
int data_query_results(const struct call *call);

/* "import needs FILE, ..." if the operands are not one file. */
int data_one_file(const struct call *call);

/* Those of the benchmarks that have files of their own: with SEPX_NAS. */
int data_import(const struct call *call);
int data_build(const struct call *call);
int data_info(const struct call *call);
int data_verify(const struct call *call);
int data_query(const struct call *call);
int data_cells(const struct call *call);

int data_import_losses(const struct call *call);
/* For info and verify: the whole file is read either way. */
int data_info_losses(const struct call *call);
int data_query_losses(const struct call *call);
/* Whether a file is a table of losses: it begins with a brace. */
bool data_is_losses(const char *path);

/* A hash as 32 digits. */
void data_print_hash(char text[33], const unsigned char hash[16]);

#endif
