// SPDX-License-Identifier: GPL-3.0-or-later
// What can be wrong with a mesh: HEALTH(kind, tag, repaired, before, one, many, element)
// The sentence is: before, the count, one or many, and "(first: element index)".
HEALTH(qv_healthDegenerate, "degenerate_triangles", true, "removed ", "triangle without area", "triangles without area",
       "face")
HEALTH(qv_healthDuplicate, "duplicate_triangles", true, "removed ", "triangle that repeats another",
       "triangles that repeat others", "face")
HEALTH(qv_healthWinding, "inconsistent_winding", true, "turned ", "triangle that faced against its neighbours",
       "triangles that faced against their neighbours", "face")
HEALTH(qv_healthUnreferenced, "unreferenced_vertices", false, "", "vertex is used by no triangle and does not move",
       "vertices are used by no triangle and do not move", "vertex")
HEALTH(qv_healthBadNormal, "bad_normals", true, "replaced ", "normal without a direction",
       "normals without a direction", "vertex")
HEALTH(qv_healthNonManifold, "non_manifold_edges", false, "", "edge has more than two triangles",
       "edges have more than two triangles", "face")
HEALTH(qv_healthNotOrientable, "not_orientable_parts", false, "", "part has no consistent inside and outside",
       "parts have no consistent inside and outside", "part")
HEALTH(qv_healthZeroVolume, "zero_volume_parts", false, "", "closed part has no volume", "closed parts have no volume",
       "part")
HEALTH(qv_healthInsideOut, "inside_out_parts", false, "", "closed part faces inwards", "closed parts face inwards",
       "part")
HEALTH(qv_healthFarFromOrigin, "far_from_origin", false, "",
       "vertex is so far from the origin that detail is lost; move the mesh closer",
       "vertices are so far from the origin that detail is lost; move the mesh closer", "vertex")
