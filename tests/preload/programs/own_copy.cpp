// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

/// Stands for a program that has linked Bullet statically: the class is the program's own.
class btDiscreteDynamicsWorld {
 public:
  virtual ~btDiscreteDynamicsWorld();
  virtual int stepSimulation(float time, int most_substeps, float substep);
};

btDiscreteDynamicsWorld::~btDiscreteDynamicsWorld() = default;

int btDiscreteDynamicsWorld::stepSimulation(float /*time*/, int /*most*/, float /*substep*/) {
  return 1;
}

#ifdef NONSMOOTH_AS_PLUGIN
extern "C" int RunBoxes(const char* /*mode*/) {
  auto* world = new btDiscreteDynamicsWorld;
#else
int main() {
  auto* world = new btDiscreteDynamicsWorld;
#endif
  btDiscreteDynamicsWorld* volatile unknown = world;
  const int steps = unknown->stepSimulation(0.01F, 1, 0.01F);
  delete unknown;
  return steps == 1 ? 0 : 1;
}
