// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes from local rotations and strains instead of displacements, so that what turns does not stretch. J. Huang,
// Y. Tong, K. Zhou, H. Bao, M. Desbrun, "Interactive shape interpolation through controllable dynamic deformation",
// 2011 (rotation-strain coordinates); R. W. Sumner, J. Schmid, M. Pauly, "Embedded deformation for shape
// manipulation", 2007 (nodes that carry the points).
//
// A few hundred nodes spread over the surface, each with a rotation vector w and a position x; edges between them with
// a vector l in the axes of the mean rotation of both ends; every point of the body with its place z in the axes of
// the nodes that carry it. All of w, l and z are blended linearly between shapes. Positions follow:
//
//     R = exp(w) exp(psi)                    of every node, psi being what vibration adds
//     sum k |x_b - x_a - R_ab l_ab|^2        least over the node positions x: one small system, inverted once
//     point = sum b_c (x_c + R_c (z - p_c))  over the nodes c that carry it, p_c being their places at rest
//
// Vibration about a shape is lifted by the derivative of these coordinates there: the derivative of the point then is
// the displacement of the linear motion, to the last digit.
#pragma once

#include "motion/space.h"

#include <stddef.h>

enum
{
    qv_warpLinks = 4,   ///< nodes that carry a point
    qv_warpNodes = 384, ///< of a body, at most
    qv_warpTile = 64,   ///< nodes computed together
    qv_warpTerms = 2,   ///< shapes about which a vibration is lifted at one time
};

// --- The body -------------------------------------------------------------------------------------------------------

/// What a point adds to a node's place and, after it, to its mean gradient (point times weights^T).
typedef struct qvWarpEntry
{
    int32_t point;
    double weights[4];
} qvWarpEntry;

/// Places are those of the nodes and, after them, of the anchors: what each node carries of the pins.
typedef struct qvWarpEdge
{
    int32_t from, to; // places; only `to` may be an anchor
    int32_t turn;     // the node whose rotation the end `to` has
    double stiffness;
} qvWarpEdge;

/// A point near a pin goes along with what the pin is corrected by.
typedef struct qvWarpSpread
{
    int32_t point, pin; // pin: number in the list of pins
    double share;
} qvWarpSpread;

/// What depends on the rest shape and the pins only. Coordinates are scaled and about the pivot.
typedef struct qvWarpBody
{
    atomic_int owners; // spaces of the same body share it
    int pointCount, nodeCount, placeCount, edgeCount, partCount;
    int32_t (*links)[qv_warpLinks];  // [pointCount]
    double (*weights)[qv_warpLinks]; // [pointCount] sum 1
    double* centers;                 // [3 nodeCount] at rest
    double (*planes)[11]; // [nodeCount] two directions in the surface, one across it; weights of its normal and
                          // of no turn
    int32_t* entryStart;  // [placeCount + 1]
    qvWarpEntry* entries;
    qvWarpEdge* edges;
    int32_t *nodePart, *pointPart;
    double* pointShare; // [pointCount] of the mass of its part; 0 where the part is held by anchors
    double* nodeShare;  // [nodeCount] of the mass of its part; 0 where the part is held by anchors
    double* pull;       // [partCount] stiffness that holds the mean
    double* inverse;    // [nodeCount x nodeCount]
    float* tiles;       // the same: tiles of qv_warpTile rows [nodeCount x qv_warpTile], the last one padded with zeros
    int pinCount, spreadCount;
    int32_t* pins; // ascending
    qvWarpSpread* spreads;
} qvWarpBody;

typedef struct qvWarpDef
{
    const qvTopology* topology;
    const double* masses;
    const int32_t* pins;
    int pinCount;
    const double* rest; // scaled
    qvVec3 pivot;       // scaled
    double scale;
    const qvBasis* basis;
    int shapeCount;
    const qvMotionShape* shapes;
    const int32_t* seenStart;   // [shapeCount + 1] where the shapes that a shape sees begin in
    const int32_t* seen;        // this list, ascending, itself among them
    bool isBounded;             // keep of the lift what does not grow with shapes times dimension
    qvWarpBody* body;           // that of another warp of the same mesh and pins, or NULL
    const qvNumberStore* store; // keeps the nodes of a body, by the hash of its mesh; may be NULL
    uint64_t mesh;
    const qvJob* job;
} qvWarpDef;

/// rest [3 pointCount] is about the pivot. The definition is copied where needed.
QV_CHECKED qvResult qvCreateWarpBody(const qvWarpDef* def, const double* rest, qvWarpBody** body, qvError* error);
void qvReleaseWarpBody(qvWarpBody* body); // NULL is allowed

/// Places [3 placeCount] and mean gradients [9 nodeCount, by rows] of a field on the points.
void qvWarpBody_Gather(const qvWarpBody* body, const double* field, double* places, double* gradients);

// --- Shapes ---------------------------------------------------------------------------------------------------------

typedef struct qvWarpShape
{
    double* turns;         // [3 nodeCount] w
    double* rotations;     // [9 nodeCount] exp(w), by rows
    double* places;        // [3 placeCount]
    double* edges;         // [3 edgeCount] l
    double* edgeRotations; // [9 edgeCount]
    double* points;        // [3 pointCount] z
    double* pins;          // [3 pinCount] where the shape has them
    int seenCount;         // of the shapes that it sees: columns of what follows
    const int32_t* seen;   // [seenCount] ascending, itself among them
    double* shift;         // [d x seenCount] what lifting adds to the modal coordinates of each shape seen from here
    double* paths;         // [d x seenCount] the way to each shape in reduced coordinates
    double* stiffness;     // [seenCount] Rayleigh's quotient of that way
    float* inverse;        // [9 pointCount] of the linear part of the map that carries a point, by columns
    double* lift;          // [3 nodeCount x d] psi of a unit of every reduced coordinate; NULL if bounded: then
    qvExpander fastLift;   // the same
    double* measures;      // [27 nodeCount] psi of a unit of each of the nine numbers of the nodes' gradients is kept
} qvWarpShape;

/// The column of a shape in what another one sees; -1: it does not see it.
int qvWarpShape_Column(const qvWarpShape* shape, int other);

typedef struct qvWarp
{
    qvWarpBody* body;
    int dimension, shapeCount;
    double scale;                    // from the mesh's units to scaled ones
    double (*weights)[qv_warpLinks]; // [pointCount] of the body's links, sum 1
    qvWarpShape* shapes;
    double* places;                   // [3 placeCount x d] displacements for a unit of every reduced coordinate
    qvExpander fastPlaces;            // the same
    bool isBounded;                   // lift by measures of
    double* gradients;                // [9 nodeCount x d] gradients of a unit of every reduced coordinate, by nodes
    qvExpander fastGradients;         // the same
    int32_t* seen;                    // owns the lists of the shapes
    qvExpander points;                // [3 pointCount x shapeCount] z of all shapes
    float *linkWeights, *pointShares; // [4 pointCount], [pointCount] weights and the body's shares in float
    double* numbers;
    float* floats;
} qvWarp;

/// The affine map [rows of 3 numbers and an offset] that carries a point, from those of the nodes.
static inline void qvWarp_Carry(const qvWarp* warp, int point, const double* affines, double out[12])
{
    for (int k = 0; k < 12; k++)
        out[k] = 0.0;
    for (int l = 0; l < qv_warpLinks; l++)
    {
        const double* from = affines + 12 * (size_t)warp->body->links[point][l];
        for (int k = 0; k < 12; k++)
            out[k] += warp->weights[point][l] * from[k];
    }
}

/// The linear part of that map, from the rotations of the nodes, by rows.
static inline void qvWarp_MeanRotation(const qvWarp* warp, const double* rotations, int point, double map[9])
{
    for (int k = 0; k < 9; k++)
        map[k] = 0.0;
    for (int l = 0; l < qv_warpLinks; l++)
    {
        const double* from = rotations + 9 * (size_t)warp->body->links[point][l];
        for (int k = 0; k < 9; k++)
            map[k] += warp->weights[point][l] * from[k];
    }
}

/// Its inverse.
void qvWarp_InverseMap(const qvWarp* warp, const double* rotations, int point, double inverse[9]);

QV_CHECKED qvResult qvCreateWarp(const qvWarpDef* def, qvWarp** warp, qvError* error);
void qvDestroyWarp(qvWarp* warp); // NULL is allowed

/// The warp of a space that has its basis and shapes; rest is scaled. related: of the same mesh and pins, or NULL.
QV_CHECKED qvResult qvMotionSpace_MakeWarp(qvMotionSpace* space, const qvMotionSpaceDef* def, const double* rest,
                                           const qvMotionSpace* related, const qvJob* job, qvError* error);

struct qvElastic;

/// How a shape sees the others, and the wind in its modes, once these are known; elastic has the matrix there.
QV_CHECKED qvResult qvMotionSpace_FillShift(qvMotionSpace* space, const struct qvElastic* elastic, int index,
                                            const qvJob* job, qvError* error);

/// How a shape sees those that are listed in `to`, of which there are `count`; the matrix of elastic is at the shape.
QV_CHECKED qvResult qvMotionSpace_FillSome(qvMotionSpace* space, const struct qvElastic* elastic, int index,
                                           const int32_t* to, int count, const qvJob* job, qvError* error);

/// Makes the ways move pins (by orthonormal directions of the reduced space) as the shapes have them.
void qvWarp_HoldPaths(qvWarp* warp, const qvMotionShape* shapes, int heldCount, const double* held);

// --- A moment -------------------------------------------------------------------------------------------------------

/// Coordinates at a time, each with `order` derivatives.
typedef struct qvWarpInput
{
    int order;              // 0 to 2
    bool fast;              // without derivatives; lift in float: the same to 1e-7 of the vibration, whose first order
                            // that does not touch
    const double* blend[3]; // [shapeCount] shares of the shapes, sum 1
    const double* deviation[qv_warpTerms][3]; // [d] the vibration seen from each of the shapes
    int termCount;                            // 0: no vibration
    int shape[qv_warpTerms];                  // about which it is lifted,
    double share[qv_warpTerms][3];            // and how much of each counts, sum 1
} qvWarpInput;

/// Affine maps of the nodes; pointers into the scratch. Scaled.
typedef struct qvWarpMoment
{
    double* affines[3];              // [12 nodeCount] x -> R (x - p) + position
    double* terms[qv_warpTerms][3];  // [12 nodeCount] how a vibration moves each of the shapes
    double* scaled[qv_warpTerms][3]; // [d] the vibration of each term times its share
    double* means[3];                // [3 partCount] where the linear motion has the mass centres of parts without pins
} qvWarpMoment;

/// Numbers of scratch for a moment.
size_t qvWarp_MomentSize(const qvWarp* warp, int order);

/// The same bits for any pool.
void qvWarp_Compute(const qvWarp* warp, const qvWarpInput* input, double* scratch, qvPool* pool, qvWarpMoment* moment);

/// Positions of count points from the given one on, and `order` derivatives: scaled, about the pivot. fields [3 count]
/// are the displacements of the linear vibration of each term (the basis times moment->scaled).
void qvWarp_Points(const qvWarp* warp, const qvWarpInput* input, const qvWarpMoment* moment, int first, int count,
                   const double* const fields[qv_warpTerms][3], double* const out[3]);
