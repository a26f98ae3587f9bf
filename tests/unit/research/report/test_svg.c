/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <string.h>

#include "unit/faults.h"
#include "research/report/report.h"

static void
check_inline(const char *svg, const char *want)
{
    struct sepx_text html = {0};

    assert_int_equal(sepx_svg_inline(&html, svg, strlen(svg), "p-", "a <b>"),
                     SEPX_OK);
    CHECK(!strcmp(html.at, want), "got\n%s\nwanted\n%s", html.at, want);
    sepx_text_release(&html);
}

#define ROOT "<svg role=\"img\" aria-label=\"a &lt;b&gt;\""

static void
test_size_namespaces_and_head_go(void **state)
{
    (void)state;
    check_inline("<?xml version=\"1.0\"?><!DOCTYPE svg PUBLIC \"x\" "
                 "\"http://y\"><svg width=\"8\" height='9' viewBox=\"0 0 8 9\" "
                 "xmlns=\"http://z\" xmlns:xlink=\"http://w\">"
                 "<title>Gnuplot</title><!-- a --></svg>",
                 ROOT " viewBox=\"0 0 8 9\"></svg>");
}

static void
test_names_get_the_prefix(void **state)
{
    (void)state;
    check_inline("<svg><g id='one'><use xlink:href='#one'/><path "
                 "fill=\"url(#two)\" d='M1,#'/></g></svg>",
                 ROOT "><g id='p-one'><use xlink:href='#p-one'/><path "
                      "fill=\"url(#p-two)\" d='M1,#'/></g></svg>");
}

/* gnuplot puts blanks around the equals sign of cells. */
static void
test_the_ground_goes_and_colours_stay(void **state)
{
    (void)state;
    check_inline("<svg><rect x=\"0\" y=\"0\" width=\"8\" "
                 "fill=\"#ffffff\"/><g stroke='black'><polygon fill = "
                 "'rgb(1, 2, 3)' points = '1,2'/><text fill=\"#000000\" "
                 "font-family=\"Arial\">a &amp; b</text></g></svg>",
                 ROOT "><g stroke='black'><polygon fill='rgb(1, 2, 3)' "
                      "points='1,2'/><text fill=\"#000000\">a &amp; b"
                      "</text></g></svg>");
    check_inline("<svg><polygon fill=\"white\" points=\"1\"/>"
                 "<polygon fill=\"white\" points=\"2\"/></svg>",
                 ROOT "><polygon fill=\"white\" points=\"2\"/></svg>");
}

static void
test_what_is_no_picture_is_refused(void **state)
{
    static const char *const bad[] = {"", "<html></html>", "<svg", "<svg><g"};

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct sepx_text html = {0};

        CHECK(sepx_svg_inline(&html, bad[i], strlen(bad[i]), "", "") ==
                  SEPX_EDATA,
              "'%s'", bad[i]);
        sepx_text_release(&html);
    }
}

/* Every part of a picture, with odd quotes: no read beyond its end. */
static void
test_cut_pictures_do_no_harm(void **state)
{
    static const char svg[] = "<svg a='b' c><g id = \"x\" / ><title>t</title>"
                              "<p q=r s='/></svg>";
    char part[sizeof svg];

    (void)state;
    for (size_t len = 0; len < sizeof svg; len++) {
        struct sepx_text html = {0};
        enum sepx_err err;

        memcpy(part, svg, len);
        err = sepx_svg_inline(&html, part, len, "p-", "n");
        assert_true(err == SEPX_OK || err == SEPX_EDATA);
        sepx_text_release(&html);
    }
}

static void
test_text_is_escaped(void **state)
{
    struct sepx_text html = {0};

    (void)state;
    assert_int_equal(sepx_html_text(&html, "a<b> & \"c\" 'd'"), SEPX_OK);
    assert_string_equal(html.at, "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    sepx_text_release(&html);
}

static void
test_without_memory(void **state)
{
    static const char svg[] = "<svg a='b'><g id='c'>text</g></svg>";

    (void)state;
    EACH_FAULT (fault) {
        struct sepx_text html = {0};

        fault.err = sepx_svg_inline(&html, svg, sizeof svg - 1, "p-", "name");
        sepx_text_release(&html);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size_namespaces_and_head_go),
        cmocka_unit_test(test_names_get_the_prefix),
        cmocka_unit_test(test_the_ground_goes_and_colours_stay),
        cmocka_unit_test(test_what_is_no_picture_is_refused),
        cmocka_unit_test(test_cut_pictures_do_no_harm),
        cmocka_unit_test(test_text_is_escaped),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
