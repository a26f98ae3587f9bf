/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nb101-features: write the hash and the features of all cells, in the order
 * of rows, as bytes. What tools/fit-nb101 reads.
 */
#include <stdio.h>

#include "nas/nb101/nb101_features.h"

int
main(void)
{
    struct sepx_nb101_cells *cells;

    if (sepx_nb101_cells_new(&cells, 0, NULL, NULL)) {
        fputs("nb101-features: out of memory\n", stderr);
        return 1;
    }
    for (uint32_t row = 0; row < SEPX_NB101_CELLS; row++) {
        uint8_t feature[SEPX__NB101_FEATURES];
        struct sepx_nb101_cell cell;

        sepx_nb101_cells_get(cells, &cell, row);
        sepx__nb101_features(feature, &cell);
        fwrite(sepx_nb101_cells_hash(cells, row), 1, 16, stdout);
        fwrite(feature, 1, sizeof feature, stdout);
    }
    sepx_nb101_cells_free(cells);
    return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
