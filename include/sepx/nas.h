/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The benchmarks of neural architecture search: their cells and their data.
 * Experimental: these functions may change in any version. Not part of a
 * build with -Dnas=disabled.
 */
#ifndef SEPX_NAS_H
#define SEPX_NAS_H

#include "sepx/nb101.h"
#include "sepx/nb101_table.h"
#include "sepx/nbnlp.h"

#endif
