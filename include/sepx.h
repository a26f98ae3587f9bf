/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx: evolve attributed graphs and compute exact graph edit distances. This
 * header is the whole stable interface. The experimental headers are included
 * one by one: sepx/ged_index.h, sepx/results.h, sepx/run.h, sepx/nas.h and
 * sepx/research.h.
 */
#ifndef SEPX_H
#define SEPX_H

#include "sepx/base.h"
#include "sepx/graph.h"
#include "sepx/ged.h"
#include "sepx/space.h"
#include "sepx/vary.h"
#include "sepx/eval.h"
#include "sepx/front.h"
#include "sepx/search.h"
#include "sepx/store.h"
#include "sepx/study.h"

#endif
