// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Called by AddressSanitizer, if this is built with it. HDF5 1.10 reads beyond its own buffers
// where the headers of a damaged file of the older layout, which has no checksums, lie about their
// sizes (seen: H5O__attr_exists). That is inside HDF5, before we see anything of the file. Our
// captures have checksums over such headers. Only libc functions called by HDF5 itself are excused.
extern "C" const char* __asan_default_suppressions();
extern "C" const char* __asan_default_suppressions() { return "interceptor_via_lib:libhdf5\n"; }
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }
