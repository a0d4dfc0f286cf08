// SPDX-License-Identifier: GPL-3.0-or-later
// One line per benchmark: the descriptor at the end of its file.
BENCH(qvBenchHash)
BENCH(qvBenchModal)
BENCH(qvBenchMesh)
BENCH(qvBenchImport)
BENCH(qvBenchWiggly)
BENCH(qvBenchBvh)
BENCH(qvBenchGltf)
BENCH(qvBenchKelvinlet)
BENCH(qvBenchWaves)
BENCH(qvBenchShell)
BENCH(qvBenchSpacetime)
BENCH(qvBenchSpacetimeLarge)
