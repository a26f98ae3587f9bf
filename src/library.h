/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library as the program sees it. The public headers come first; the
 * private ones below are open to the program, the benchmarks, the paper and
 * the tests (tools/layers.txt), and are not installed.
 */
#ifndef SEPX_LIBRARY_H
#define SEPX_LIBRARY_H

#include "sepx.h"
#include "sepx/ged_index.h"
#include "sepx/nas.h"
#include "sepx/research.h"
#include "sepx/results.h"
#include "sepx/run.h"

#include "base/json.h"
#include "base/option.h"
#include "base/private.h"
#include "eval/private.h"
#include "graph/private.h"
#include "nas/nbnlp/private.h"
#include "research/report/report.h"
#include "research/theory/private.h"
#include "run/private.h"
#include "search/private.h"
#include "space/private.h"
#include "store/private.h"
#include "vary/private.h"

#endif
