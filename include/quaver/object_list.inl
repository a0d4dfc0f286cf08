// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of objects that have fields: the word for an edit, and the name of the kind. Those that a scene holds many of
// have their list in the rows of the scene.
QV_OBJECT(scene, Scene)
QV_OBJECT(mesh, Mesh)
QV_OBJECT(clip, Clip)
QV_OBJECT(material, Material)
QV_OBJECT(secondary, Secondary)
QV_OBJECT(pin, Pin)
QV_OBJECT(strip, Strip)
QV_OBJECT(marker, Marker)
QV_OBJECT(key, Key)
QV_OBJECT(stroke, Stroke)
QV_OBJECT(event, Event)
QV_OBJECT(simulation, Simulation)
QV_OBJECT(joint, Joint)
QV_OBJECT(part, Part)
QV_OBJECT(obstacle, Obstacle)
QV_OBJECT(obstacle_key, ObstacleKey)
