/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <stdio.h>
#include <string.h>

#include "base/internal.h"

#define LANES SEPX__MD5_LANES

static void
check_digest(const char *text, const char *expected)
{
    const unsigned char *at[LANES];
    unsigned char digest[LANES][16];
    char hex[33];

    for (unsigned k = 0; k < LANES; k++)
        at[k] = (const unsigned char *)text;
    sepx__md5_lanes(digest, at, strlen(text));
    for (unsigned k = 0; k < LANES; k++) {
        for (unsigned i = 0; i < 16; i++)
            snprintf(hex + 2 * i, 3, "%02x", digest[k][i]);
        assert_string_equal(hex, expected);
    }
}

/* The test suite of RFC 1321. */
static void
digests_are_those_of_the_rfc(void **state)
{
    (void)state;
    check_digest("", "d41d8cd98f00b204e9800998ecf8427e");
    check_digest("a", "0cc175b9c0f1b6a831c399e269772661");
    check_digest("abc", "900150983cd24fb0d6963f7d28e17f72");
    check_digest("message digest", "f96b697d7cb7938d525a2f31aaf161d0");
    check_digest("abcdefghijklmnopqrstuvwxyz",
                 "c3fcd3d76192e4007dfb496cca67e13b");
    check_digest("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz01234567"
                 "89",
                 "d174ab98d277d9f5a5611c2c9f419d9f");
    check_digest("1234567890123456789012345678901234567890123456789012345678901"
                 "2345678901234567890",
                 "57edf4a22be3c955ac49da2e2107b67a");
}

/* Each lane is a message of its own, whatever the others hold. */
static void
lanes_do_not_mix(void **state)
{
    unsigned char text[LANES][200], all[LANES][16], one[LANES][16];
    const unsigned char *at[LANES], *same[LANES];

    (void)state;
    for (unsigned k = 0; k < LANES; k++) {
        at[k] = text[k];
        for (unsigned i = 0; i < sizeof(text[k]); i++)
            text[k][i] = (unsigned char)(31 * k + 7 * i);
    }
    for (size_t len = 0; len <= sizeof(text[0]); len++) {
        sepx__md5_lanes(all, at, len);
        for (unsigned k = 0; k < LANES; k++) {
            for (unsigned i = 0; i < LANES; i++)
                same[i] = text[k];
            sepx__md5_lanes(one, same, len);
            CHECK(memcmp(all[k], one[0], 16) == 0, "lane %u, %zu bytes", k,
                  len);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_those_of_the_rfc),
        cmocka_unit_test(lanes_do_not_mix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
