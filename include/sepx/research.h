/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expected improvement of one step of search, derived and measured.
 * Experimental: these functions may change in any version. Not part of a
 * build with -Dresearch=disabled.
 */
#ifndef SEPX_RESEARCH_H
#define SEPX_RESEARCH_H

#include "sepx/theory.h"

#endif
