// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// LeakSanitizer asks for this by name. The destructor of Chrono 10.0's collision system forgets
// what its constructor made for segments on segments, m_collision_seg_seg: 16 bytes for every
// system.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:chrono::ChCollisionSystemBullet::ChCollisionSystemBullet\n";
}
