// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies in motion: reduced models with frames of their own, contact with friction, pins and joints.
//
// R. Sugimoto, C. Batty, T. Hachisuka, "Surface-Only Dynamic Deformables using a Boundary Element Method" (2022),
// sections 3.2 and 3.4, on the reduced model of bem/model.h. A step of length h is a kick and an exact drift:
//     frame   v += h (g + F/m), T += h v; L += h torque, R <- exp(h w_mid) R (bem/frame.h)
//     modes   v_j += h (phi_j.f + spin load), then an exact damped oscillator
//     rest    u_res = C_res f, without memory
// A body may answer forces by its full history instead (bem/history.h): then modes have only what began with them and
// what the spin does, and both displacements add up.
// Forces at vertices solve contact with obstacles and between bodies, friction, pins and joints at the end of the step,
// on the compliance
//     A = h^2 J diag(1/m, I^-1) J^T + Phi diag(h a12) Phi^T + C_res        (positive by construction)
// A force between bodies acts on both at one place, so that momenta are kept to rounding.
// A system does not change once joints hang; what moves is one flat array of doubles, so that any state can be kept and
// gone on from.
#pragma once

#include "bem/history.h"
#include "bem/model.h"

typedef struct qvBemBodyDef
{
    const qvBemModel* model; ///< must outlive the system; may be shared
    double wobble;           ///< Hz of the lowest mode
    double settle;           ///< seconds until a wobble has faded to 5 %
    double density;
    double friction;
    double drag; ///< 1/s: the frame slows down by itself (pinned bodies would swing for ever)
    /// Answers forces on vertices, with the system's steps and the body's material; must outlive the system. NULL:
    /// modes do.
    const qvBemHistory* history;
} qvBemBodyDef;

/// 2 Hz, 1 s, density 1, friction 0.5, no drag.
qvBemBodyDef qvDefaultBemBodyDef(void);

/// Places of two bodies that stay together: each hangs on a vertex, by a vector in its body's axes. Bodies with a joint
/// do not meet each other.
typedef struct qvBemJoint
{
    int body[2], vertex[2];
    qvVec3 offset[2];
} qvBemJoint;

typedef struct qvBemSystemDef
{
    const qvBemBodyDef* bodies;
    int bodyCount;
    const qvBemJoint* joints;
    int jointCount;
    qvVec3 gravity;
    double step;       ///< seconds; 0: qvBemStepLength. In longer ones fast modes answer at once, without inertia
    double tolerance;  ///< of contact, in diameters of the smallest body
    int maxIterations; ///< of contact in one step
} qvBemSystemDef;

/// Gravity -9.81 along y, tolerance 3e-6, 200 iterations.
qvBemSystemDef qvDefaultBemSystemDef(void);

typedef struct qvBemSystem qvBemSystem;

QV_CHECKED qvResult qvCreateBemSystem(const qvBemSystemDef* def, const qvJob* job, qvBemSystem** system,
                                      qvError* error);
void qvDestroyBemSystem(qvBemSystem* system); ///< NULL is allowed

/// The whole part of 1/240 s that resolves the fastest mode of all bodies.
double qvBemStepLength(const qvBemBodyDef* bodies, int bodyCount);

/// What a body of this model is made of to have that lowest frequency.
qvBemMaterial qvBemMaterialOf(const qvBemModel* model, double wobble, double density);

/// Says by which vectors a joint hangs, for those who know it only once the bodies are in place; before the first step.
void qvBemSystem_HangJoint(qvBemSystem* system, int joint, const qvVec3 offset[2]);

/// --- State ---

int qvBemSystem_StateSize(const qvBemSystem* system); ///< doubles

/// All bodies as their meshes have them, at rest.
void qvBemSystem_Rest(const qvBemSystem* system, double* state);

/// Moves a body of a state: turned by rotation about its centroid and shifted, with velocities (world).
void qvBemSystem_Move(const qvBemSystem* system, double* state, int body, qvVec3 shift, qvQuat rotation,
                      qvVec3 velocity, qvVec3 spin);

/// How a body of a state moves: its frame and the coordinates of its modes, [modeCount] each.
typedef struct qvBemPose
{
    qvVec3 place; ///< of the centroid
    qvQuat rotation;
    qvVec3 velocity, spin; ///< world
    double *q, *rates;     ///< of the state itself
} qvBemPose;

/// q and rates may be written.
qvBemPose qvBemSystem_Pose(const qvBemSystem* system, double* state, int body);
/// Writes the frame.
void qvBemSystem_SetPose(const qvBemSystem* system, double* state, int body, const qvBemPose* pose);

/// Velocities of a body's vertices.
void qvBemSystem_Velocities(const qvBemSystem* system, const double* state, int body, qvVec3* velocities);

/// Positions of a body's vertices.
void qvBemSystem_Positions(const qvBemSystem* system, const double* state, int body, qvVec3* positions);

/// Forces on a body's vertices in the last step.
void qvBemSystem_Forces(const qvBemSystem* system, const double* state, int body, qvVec3* forces);

/// Displacements of a body's vertices in its own axes.
void qvBemSystem_Displacements(const qvBemSystem* system, const double* state, int body, qvVec3* displacements);

/// Kinetic, elastic and potential energy of all bodies; the potential counts from the origin. What is in the answer of
/// a history nobody knows: it is left out.
double qvBemSystem_Energy(const qvBemSystem* system, const double* state);

/// --- Steps ---

/// What is near a point at a time.
typedef struct qvBemTouch
{
    double distance; ///< negative inside
    qvVec3 normal;   ///< unit, away from the obstacle
    qvVec3 velocity; ///< of the obstacle there
    double friction;
} qvBemTouch;

/// False when nothing is near.
typedef bool qvBemQueryFcn(void* context, qvVec3 point, double time, qvBemTouch* touch);

/// A vertex that is held at a place at the end of the step.
typedef struct qvBemPin
{
    int body, vertex;
    qvVec3 target;
} qvBemPin;

typedef struct qvBemStepDef
{
    double time;          ///< at the end of the step
    qvBemQueryFcn* query; ///< NULL: no obstacles
    void* context;
    const qvBemPin* pins;
    int pinCount;
    const qvVec3* forces; ///< more forces on the vertices, body after body; NULL: none
    qvPool* pool;         ///< for histories, with the same bits; NULL: none
} qvBemStepDef;

typedef struct qvBemStepReport
{
    int contacts;
    int meetings;       ///< those of them that are between bodies
    int iterations;     ///< of Gauss-Seidel, over all rounds
    int rounds;         ///< in which contacts were found and the frame was turned
    double residual;    ///< of contact, in lengths
    double penetration; ///< the deepest after the step
    double stretch;     ///< the largest displacement, in diameters of its body
} qvBemStepReport;

/// One step. Fails with qv_notConverged when a body comes apart (not a number, or displacements beyond its size); the
/// state is then as before.
QV_CHECKED qvResult qvBemSystem_Step(const qvBemSystem* system, const qvBemStepDef* def, double* state,
                                     qvBemStepReport* report, qvError* error);
