/* SPDX-License-Identifier: Apache-2.0 */
/* Names of studies: none with a password is taken, and none is repeated. */
#include "unit/check.h"

#include <stdio.h>
#include <string.h>

#include "sepx/study.h"
#include "store/private.h"

#define SECRET "S3kr3t"

static void
expect_clear(const char *name)
{
    struct sepx_msg msg = {0};

    CHECK(!sepx_store_check_name(name, &msg), "%s: %s", name, msg.text);
}

static bool
is_silent(const struct sepx_msg *msg)
{
    return !strstr(msg->text, SECRET) && !strstr(msg->remedy, SECRET) &&
           !strstr(msg->file, SECRET);
}

/* Refused by each function that takes a name. */
static void
expect_refused(const char *name)
{
    struct sepx_store *store;
    struct sepx_msg msg = {0};

    CHECK(sepx_store_check_name(name, &msg) == SEPX_EINVAL && is_silent(&msg),
          "%s: %s", name, msg.text);
    CHECK(strstr(msg.text, "pgpass"), "%s", msg.text);
    msg = (struct sepx_msg){0};
    CHECK(sepx_store_open(&store, name, false, &msg) == SEPX_EINVAL &&
              is_silent(&msg),
          "open %s: %s", name, msg.text);
    msg = (struct sepx_msg){0};
    CHECK(sepx_store_create(name, "{}", NULL, &msg) == SEPX_EINVAL &&
              is_silent(&msg),
          "create %s: %s", name, msg.text);
}

static void
test_names_without_a_secret_are_taken(void **state)
{
    static const char *const names[] = {
        "a.study",
        "/home/me@corp/12:30/a b?c#d.study",
        ":memory:",
        "file:x",
        "password.study",
        "postgres.study",
        "postgresql://localhost/db?study=a",
        "postgresql://me@localhost:5432/db?study=a",
        "postgres://me@localhost/db?study=a&sslmode=require",
        "postgresql://me%40corp@[2001:db8::1]:5432,other:5433/db?study=a%3Ab",
        "postgresql://me@localhost:5432/db?passfile=/home/a@b/.pg&study=a@b:c",
        "postgresql://me@localhost:5432/db?study=a#1",
        "postgresql:///db?host=/tmp/sockets&study=a",
        "postgresql://%2Ftmp%2Fsockets/db?study=a",
        "postgresql://me@localhost",
        "postgresql://localhost?study=a",
        "postgresql://localhost:/db?&study=&",
        "postgresql://me@localhost/db?study=a://b&passfile=/c:d",
        "postgresql://",
        "postgres/a:b.study",
        "postgres@a:b.study",
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_clear(names[i]);
}

static void
test_names_with_a_secret_are_refused(void **state)
{
    static const char *const names[] = {
        "postgresql://me:" SECRET "@localhost/db?study=a",
        "postgresql://me:a?" SECRET "@localhost/db?study=a",
        "postgresql://me:" SECRET "?b@localhost/db?study=a",
        "postgresql://me:" SECRET "#b@localhost/db?study=a",
        "postgresql://me:#" SECRET "@localhost/db",
        "postgresql://me:a/" SECRET "@localhost/db?study=a",
        "postgresql://me:12/" SECRET "@localhost/db?study=a",
        "postgresql://me:12/?study=" SECRET "@localhost/db?study=a",
        "postgresql://me:a@" SECRET "@localhost/db?study=a",
        "postgresql://:" SECRET "@localhost/db?study=a",
        "postgresql://me%3A" SECRET "@localhost/db?study=a",
        "postgresql://me%3a" SECRET "%40localhost:x/db?study=a",
        "postgres://me:" SECRET "@localhost/db?study=a",
        "postgresql://me@localhost/db?password=" SECRET "&study=a",
        "postgresql://me@localhost/db?study=a&sslpassword=" SECRET,
        "postgresql://me@localhost/db?study=a&ssl%70assword=" SECRET,
        "postgresql://me@localhost/db?%70%61ssword=" SECRET,
        "postgresql://me@localhost/db?password%3D" SECRET,
        "postgresql://me@localhost/db?PASSWORD=" SECRET,
        "postgresql://me@localhost/db?" SECRET,
        "postgresql://me@localhost/db?study=a&" SECRET "=b",
        "postgresql://me@localhost/?dbname=postgres://a:" SECRET "@b/c",
        "postgresql://localhost/postgres%3A%2F%2Fa%3A" SECRET "%40b?study=a",
        "POSTGRESQL://me:" SECRET "@localhost/db",
        "postgresql+psycopg2://me:" SECRET "@localhost/db",
        "postgresql:me:" SECRET "@localhost/db",
        "postgresql:/me:" SECRET "@localhost/db",
        "postgresql//me:" SECRET "@localhost/db",
        "mysql://me:" SECRET "@localhost/db",
        "host=localhost dbname=db password=" SECRET,
        "password=" SECRET " host=localhost",
        "host=localhost password = '" SECRET "'",
        "host=localhost sslpassword\t=" SECRET,
        "Host=localhost;Password=" SECRET,
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_refused(names[i]);
}

/* A parameter that libpq does not know may be a part of a password. */
static void
test_unknown_parameters_are_not_repeated(void **state)
{
    struct sepx_store *store;
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_store_open(
        &store, "postgresql://127.0.0.1:1/db?study=a&foo=" SECRET, false, &msg);

    (void)state;
    CHECK(err == SEPX_EINVAL || err == SEPX_EUNSUPPORTED, "%s", msg.text);
    CHECK(is_silent(&msg), "%s", msg.text);
}

/* ---- random passwords ---- */

static void
put(char *name, size_t size, const char *text, struct sepx_rng *rng)
{
    const size_t len = strlen(name);

    /* Any character may be written as its number. */
    for (size_t to = len; *text && to + 4 < size; text++) {
        if (!sepx_rng_below(rng, 9))
            to += (size_t)snprintf(name + to, size - to, "%%%02X",
                                   (unsigned)(unsigned char)*text);
        else
            name[to++] = *text;
        name[to] = '\0';
    }
}

static void
put_password(char *name, size_t size, bool quoted, struct sepx_rng *rng)
{
    static const char marks[] = "?#/:@&=%;,'+ []!$*19az";
    char text[32] = "";

    for (uint32_t i = 0, n = sepx_rng_below(rng, 8); i < n; i++)
        text[i] = marks[sepx_rng_below(rng, sizeof marks - 1)];
    snprintf(name + strlen(name), size - strlen(name), "%s%s%s%s",
             quoted ? "'" : "", text, SECRET, text);
    if (quoted)
        snprintf(name + strlen(name), size - strlen(name), "'");
}

static void
test_random_passwords_are_refused(void **state)
{
    const uint64_t seed = 24;
    struct sepx_rng rng;

    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        struct sepx_msg msg = {0};
        char name[512] = "";
        uint32_t form = i % 4;

        sepx_rng_init(&rng, seed, i, 0, 0);
        if (form == 0) {
            snprintf(name, sizeof name, "postgresql://me:");
            put_password(name, sizeof name, false, &rng);
            snprintf(name + strlen(name), sizeof name - strlen(name),
                     "@localhost:5432/db?study=a");
        } else if (form == 1 || form == 2) {
            snprintf(name, sizeof name,
                     "postgresql://me@localhost/db?study=a&");
            put(name, sizeof name, form == 1 ? "password" : "sslpassword",
                &rng);
            snprintf(name + strlen(name), sizeof name - strlen(name), "=");
            put_password(name, sizeof name, false, &rng);
        } else {
            snprintf(name, sizeof name, "host=localhost %spassword%*s=%*s",
                     sepx_rng_below(&rng, 2) ? "ssl" : "",
                     (int)sepx_rng_below(&rng, 3), "",
                     (int)sepx_rng_below(&rng, 3), "");
            put_password(name, sizeof name, true, &rng);
        }
        CHECK(sepx_store_check_name(name, &msg) == SEPX_EINVAL,
              "seed %llu, name %u: %s", (unsigned long long)seed, i, name);
        CHECK(is_silent(&msg), "%s", msg.text);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_without_a_secret_are_taken),
        cmocka_unit_test(test_names_with_a_secret_are_refused),
        cmocka_unit_test(test_unknown_parameters_are_not_repeated),
        cmocka_unit_test(test_random_passwords_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
