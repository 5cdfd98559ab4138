// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/interchange/fclib/fclib_file.h"

#include "recorders/hdf5/file.h"
#include "recorders/hdf5/replacement_file.h"

namespace nonsmooth {
namespace {

constexpr int kMostGuesses = 1000;

FclibMatrix ReadMatrix(const hdf5::Group& parent, const char* name) {
  const hdf5::Group group = parent.OpenGroup(name);
  FclibMatrix matrix;
  matrix.rows = group.ReadOne<std::int32_t>("m");
  matrix.columns = group.ReadOne<std::int32_t>("n");
  if (matrix.rows < 0 || matrix.columns < 0) {
    group.Fail("has the negative size " + std::to_string(matrix.rows) + " x " +
               std::to_string(matrix.columns));
  }
  const int nz = group.ReadOne<std::int32_t>("nz");
  if (nz < -2) group.Fail("nz = " + std::to_string(nz) + ", expected -2, -1 or a count");
  matrix.storage = nz == -1   ? FclibStorage::kCompressedColumns
                   : nz == -2 ? FclibStorage::kCompressedRows
                              : FclibStorage::kTriplets;
  matrix.p = group.Read<std::int32_t>("p");
  matrix.i = group.Read<std::int32_t>("i");
  matrix.x = group.Read<double>("x");
  const auto expect = [&group](const char* what, std::size_t size, std::size_t expected) {
    if (size != expected) {
      group.Fail(std::string(what) + " has " + std::to_string(size) + " entries, expected " +
                 std::to_string(expected));
    }
  };
  if (nz >= 0) {
    // CSparse may allocate more than it uses; only the first nz entries count.
    const auto count = static_cast<std::size_t>(nz);
    for (std::size_t size : {matrix.p.size(), matrix.i.size(), matrix.x.size()}) {
      if (size < count) expect("p, i or x", size, count);
    }
    matrix.p.resize(count);
    matrix.i.resize(count);
    matrix.x.resize(count);
  } else {
    const auto outer = static_cast<std::size_t>(nz == -1 ? matrix.columns : matrix.rows);
    expect("p", matrix.p.size(), outer + 1);
    expect("i", matrix.i.size(), matrix.x.size());
  }
  return matrix;
}

void WriteMatrix(const hdf5::Group& parent, const char* name, const FclibMatrix& matrix) {
  const hdf5::Group group = parent.CreateGroup(name);
  const auto entries = static_cast<std::int32_t>(matrix.x.size());
  const auto one = [&group](const char* field, std::int32_t value) {
    group.Write<std::int32_t>(field, std::vector<std::int32_t>{value});
  };
  one("nzmax", entries);
  one("m", matrix.rows);
  one("n", matrix.columns);
  one("nz", matrix.storage == FclibStorage::kTriplets            ? entries
            : matrix.storage == FclibStorage::kCompressedColumns ? -1
                                                                 : -2);
  group.Write<std::int32_t>("p", matrix.p);
  group.Write<std::int32_t>("i", matrix.i);
  group.Write<double>("x", matrix.x);
}

std::vector<double> ReadIfThere(const hdf5::Group& group, const char* name) {
  return group.HasDataset(name) ? group.Read<double>(name) : std::vector<double>();
}

/// Declared but never written: HDF5 would make up its values.
bool Unwritten(const hdf5::Group& group, const char* name) {
  if (!group.HasDataset(name)) return false;
  const hdf5::Session session;
  const hdf5::Handle dataset(H5Dopen2(group.id(), name, H5P_DEFAULT));
  H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
  return dataset && H5Dget_space_status(dataset.get(), &status) >= 0 &&
         status == H5D_SPACE_STATUS_NOT_ALLOCATED;
}

/// Siconos writes solutions that it does not have as datasets without data.
FclibSolution ReadSolution(const hdf5::Group& group) {
  FclibSolution solution;
  const auto read = [&group](const char* name) {
    return Unwritten(group, name) ? std::vector<double>() : ReadIfThere(group, name);
  };
  solution.v = read("v");
  solution.u = read("u");
  solution.r = read("r");
  solution.l = read("l");
  solution.unwritten = Unwritten(group, "r");
  return solution;
}

void WriteSolution(const hdf5::Group& group, const FclibSolution& solution) {
  if (!solution.v.empty()) group.Write<double>("v", solution.v);
  group.Write<double>("u", solution.u);
  group.Write<double>("r", solution.r);
  if (!solution.l.empty()) group.Write<double>("l", solution.l);
}

void ReadLocal(const hdf5::Group& group, FclibProblem* problem) {
  const hdf5::Group vectors = group.OpenGroup("vectors");
  problem->W = ReadMatrix(group, "W");
  problem->q = vectors.Read<double>("q");
  problem->equalities = group.HasGroup("V") || group.HasGroup("R");
  if (!problem->equalities) return;
  problem->V = ReadMatrix(group, "V");
  problem->R = ReadMatrix(group, "R");
  problem->s = vectors.Read<double>("s");
}

void ReadGlobal(const hdf5::Group& group, FclibProblem* problem) {
  const hdf5::Group vectors = group.OpenGroup("vectors");
  problem->M = ReadMatrix(group, "M");
  problem->H = ReadMatrix(group, "H");
  problem->f = vectors.Read<double>("f");
  problem->w = vectors.Read<double>("w");
  problem->equalities = group.HasGroup("G");
  if (!problem->equalities) return;
  problem->G = ReadMatrix(group, "G");
  problem->b = vectors.Read<double>("b");
}

void ReadInfo(const hdf5::Group& group, FclibProblem* problem) {
  if (!group.HasGroup("info")) return;
  const hdf5::Group info = group.OpenGroup("info");
  const auto text = [&info](const char* name) {
    return info.HasDataset(name) ? info.ReadText(name) : std::string();
  };
  problem->title = text("title");
  problem->description = text("description");
  problem->math_info = text("math_info");
}

void ReadSolutions(const hdf5::File& file, FclibProblem* problem) {
  problem->has_solution = file.HasGroup("solution");
  if (problem->has_solution) problem->solution = ReadSolution(file.OpenGroup("solution"));
  if (!file.HasGroup("guesses")) return;
  const hdf5::Group guesses = file.OpenGroup("guesses");
  const int count = guesses.ReadOne<std::int32_t>("number_of_guesses");
  if (count < 0 || count > kMostGuesses) {
    guesses.Fail("number_of_guesses = " + std::to_string(count) + ", expected 0 to " +
                 std::to_string(kMostGuesses));
  }
  for (int k = 1; k <= count; ++k) {
    problem->guesses.push_back(ReadSolution(guesses.OpenGroup(std::to_string(k))));
  }
}

void WriteProblem(const hdf5::Group& group, const FclibProblem& problem) {
  group.Write<std::int32_t>("spacedim", std::vector<std::int32_t>{problem.spacedim});
  if (problem.kind == FclibKind::kLocal) {
    WriteMatrix(group, "W", problem.W);
    if (problem.equalities) {
      WriteMatrix(group, "V", problem.V);
      WriteMatrix(group, "R", problem.R);
    }
    const hdf5::Group vectors = group.CreateGroup("vectors");
    vectors.Write<double>("q", problem.q);
    vectors.Write<double>("mu", problem.mu);
    if (problem.equalities) vectors.Write<double>("s", problem.s);
  } else {
    WriteMatrix(group, "M", problem.M);
    WriteMatrix(group, "H", problem.H);
    if (problem.equalities) WriteMatrix(group, "G", problem.G);
    const hdf5::Group vectors = group.CreateGroup("vectors");
    vectors.Write<double>("f", problem.f);
    vectors.Write<double>("w", problem.w);
    vectors.Write<double>("mu", problem.mu);
    if (problem.equalities) vectors.Write<double>("b", problem.b);
  }
  const hdf5::Group info = group.CreateGroup("info");
  info.WriteText("title", problem.title);
  info.WriteText("description", problem.description);
  info.WriteText("math_info", problem.math_info);
}

}  // namespace

FclibProblem ReadFclib(const std::string& path) {
  const hdf5::File file = hdf5::File::Open(path);
  FclibProblem problem;
  const bool local = file.HasGroup("fclib_local");
  if (!local && !file.HasGroup("fclib_global")) {
    if (file.HasGroup("fclib_global_rolling")) {
      throw FileError(path, "/fclib_global_rolling", "FCLIB's rolling problems are not supported");
    }
    throw FileError(path, "/", "has neither fclib_local nor fclib_global");
  }
  problem.kind = local ? FclibKind::kLocal : FclibKind::kGlobal;
  const hdf5::Group group = file.OpenGroup(local ? "fclib_local" : "fclib_global");
  problem.spacedim = group.ReadOne<std::int32_t>("spacedim");
  problem.mu = group.OpenGroup("vectors").Read<double>("mu");
  if (local) {
    ReadLocal(group, &problem);
  } else {
    ReadGlobal(group, &problem);
  }
  ReadInfo(group, &problem);
  ReadSolutions(file, &problem);
  return problem;
}

void WriteFclib(const std::string& path, const FclibProblem& problem) {
  ReplacementFile replacement(path);
  {
    hdf5::File file = hdf5::File::Create(replacement.temporary_path());
    WriteProblem(
        file.CreateGroup(problem.kind == FclibKind::kLocal ? "fclib_local" : "fclib_global"),
        problem);
    if (problem.has_solution) WriteSolution(file.CreateGroup("solution"), problem.solution);
    if (!problem.guesses.empty()) {
      const hdf5::Group guesses = file.CreateGroup("guesses");
      const auto count = static_cast<std::int32_t>(problem.guesses.size());
      guesses.Write<std::int32_t>("number_of_guesses", std::vector<std::int32_t>{count});
      for (int k = 0; k < count; ++k) {
        WriteSolution(guesses.CreateGroup(std::to_string(k + 1)), problem.guesses[k]);
      }
    }
    file.Finish(path);
  }
  replacement.Commit();
}

}  // namespace nonsmooth
