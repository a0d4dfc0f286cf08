// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of layers, from the bottom up.
QV_LAYER(qvClipLayer)
QV_LAYER(qvKeysLayer)
QV_LAYER(qvTransientsLayer)
QV_LAYER(qvSimulationLayer)
QV_LAYER(qvWavesLayer)
QV_LAYER(qvImpactsLayer)
QV_LAYER(qvSecondaryLayer)
