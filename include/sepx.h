/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx: evolve attributed directed graphs. All of the stable interface; the
 * experimental headers, sepx/run.h, sepx/nas.h and sepx/research.h, are
 * included one by one.
 */
#ifndef SEPX_H
#define SEPX_H

#include "sepx/base.h"
#include "sepx/graph.h"
#include "sepx/ged.h"
#include "sepx/ged_index.h"
#include "sepx/space.h"
#include "sepx/vary.h"
#include "sepx/results.h"
#include "sepx/eval.h"
#include "sepx/front.h"
#include "sepx/search.h"
#include "sepx/store.h"
#include "sepx/study.h"

#endif
