// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "handle.h"
#include "output_file.h"

namespace nonsmooth::hdf5 {

/// Makes H5Fcreate() with the access list `access` write through an OutputFile, which it puts into
/// `*output`; that must stay where it is until then. To be called within a Session. False if HDF5
/// refuses. Nobody else's files are concerned: the driver is one more that HDF5 knows, it is not
/// the default.
bool UseOutputDriver(hid_t access, std::shared_ptr<OutputFile>* output);

}  // namespace nonsmooth::hdf5
