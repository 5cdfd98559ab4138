// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "recorders/tasks/task_runner.h"

namespace nonsmooth::mpi {

/// Rank 0: hands out `tasks`, the longest first, until all are done. A rank that asks is given a
/// share of the cost that is left: many tasks where they are short, so that they do not wait for a
/// message each, one towards the end, so that all ranks end together (guided self-scheduling,
/// Polychronopoulos and Kuck, 1987, by cost instead of number). It sleeps between messages, so that
/// it needs no core of its own. What could not be written is in `trouble`.
void HandOut(MPI_Comm world, const TaskPlan& plan, const std::vector<Task>& tasks,
             const TasksProgress& progress, std::string* trouble);

/// Every other rank: does what it is given until there is no more. A result that cannot be written
/// is told to rank 0, which hands out no more.
void Work(MPI_Comm world, const TaskPlan& plan, const ResultStore& store, int side_by_side);

/// Solving ranks on this machine.
int WorkersBeside(MPI_Comm world);

/// `text` of rank 0, on every rank.
std::string Broadcast(MPI_Comm world, std::string text);

}  // namespace nonsmooth::mpi
