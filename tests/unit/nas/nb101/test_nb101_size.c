/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of NAS-Bench-101 networks, against trained ones. */
#include "unit/check.h"

#include "sepx/nb101.h"

/*
 * Cells by their codes, with the counts that trained networks reported
 * (EC-NAS-Bench, github.com/PedramBakh/EC-NAS-Bench, MIT). In half of them
 * three nodes share the output's channels, so that their order matters.
 */
static const struct {
    uint32_t code, parameters;
} known[] = {
    {0xa90003db, 2797220}, {0xa5a0031d, 3468426},  {0xab4003f7, 2735394},
    {0xaa2003a5, 2479416}, {0xac6003f5, 2328359},  {0xa5a00265, 12088970},
    {0xaa2003ed, 3643054}, {0xb0e00235, 11215242}, {0xaea003ef, 2105744},
    {0xa12002f5, 6230410}, {0xbb0003bf, 1907355},  {0xa5a00267, 12962698},
};

static void
test_counts_are_those_of_trained_networks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct sepx_nb101_cell cell;

        assert_true(sepx_nb101_cell_decode(&cell, known[i].code));
        assert_int_equal(sepx_nb101_cell_parameters(&cell),
                         known[i].parameters);
    }
}

/* The benchmark names the least and the most of all cells. */
static void
test_the_range_is_the_published_one(void **state)
{
    struct sepx_nb101_cell cell;
    struct sepx_rng rng;
    uint32_t cells = 0;

    (void)state;
    assert_true(sepx_nb101_cell_decode(&cell, 0xfe5b2115));
    assert_int_equal(sepx_nb101_cell_parameters(&cell), 227274);
    assert_true(sepx_nb101_cell_decode(&cell, 0xe010c353));
    assert_int_equal(sepx_nb101_cell_parameters(&cell), 49979274);
    sepx_rng_init(&rng, 29, 0, 0, 0);
    while (cells < 4000) {
        uint32_t code = sepx_rng_u32(&rng), size;

        if (!sepx_nb101_cell_decode(&cell, code) ||
            !sepx_nb101_cell_valid(&cell))
            continue;
        size = sepx_nb101_cell_parameters(&cell);
        CHECK(size >= 227274 && size <= 49979274, "%u of cell %#x", size, code);
        cells++;
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_are_those_of_trained_networks),
        cmocka_unit_test(test_the_range_is_the_published_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
