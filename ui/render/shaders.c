// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/shaders.h"

#include "ui/render/heat.h"

#define STOP_TEXT(r, g, b) "vec3(" #r ", " #g ", " #b ")"

// What light makes of a body's own colour c at a place with the normal n, both as the camera sees them; inside: the
// surface is seen from behind.
#define SHADE                                                                                                       \
    "uniform mat4 view;\n"                                                                                          \
    "uniform bool orthographic;\n"                                                                                  \
    "uniform int heatRamp;\n" /* qvuiHeatRamp */                                                                    \
    "uniform float occlusionHeight;\n"                                                                              \
    "vec3 ramp(float t)\n"                                                                                          \
    "{\n"                                                                                                           \
    "    const vec3 stop[5] = vec3[5](" QVUI_HEAT_STOPS(                                                            \
        STOP_TEXT,                                                                                                  \
        ", ") ");\n"                                                                                                \
              "    float x = 4.0 * clamp(t, 0.0, 0.9999);\n"                                                        \
              "    int i = int(x);\n"                                                                               \
              "    return mix(stop[i], stop[i + 1], x - float(i));\n"                                               \
              "}\n"                                                                                                 \
              "vec3 heated(vec3 c, float warmth)\n"                                                                 \
              "{\n"                                                                                                 \
              "    if (heatRamp == 1)\n"                                                                            \
              "        return ramp(warmth);\n"                                                                      \
              "    if (heatRamp == 2)\n" /* waves in coral over the body's own colour */                            \
              "        return mix(c, mix(vec3(0.72, 0.10, 0.07), vec3(1.0, 0.80, 0.62), clamp(2.0 * warmth - 1.0, " \
              "0.0, 1.0)),\n"                                                                                       \
              "                   smoothstep(0.02, 0.5, warmth));\n"                                                \
              "    return heatRamp == 3 ? mix(0.12 * c + vec3(0.01, 0.012, 0.02), c, warmth) : c;\n"                \
              "}\n"                                                                                                 \
              "vec3 shade(vec3 albedo, vec3 n, vec3 place, float height, bool inside)\n"                            \
              "{\n"                                                                                                 \
              "    vec3 v = orthographic ? vec3(0.0, 0.0, 1.0) : normalize(-place);\n"                              \
              "    vec3 up = mat3(view) * vec3(0.0, 1.0, 0.0);\n"                                                   \
              "    float sky = 0.5 + 0.5 * dot(n, up);\n"                                                           \
              "    vec3 ambient = mix(vec3(0.085, 0.066, 0.052), vec3(0.235, 0.25, 0.285), sky);\n"                 \
              "    vec3 key = normalize(vec3(-0.55, 0.58, 0.60));\n"                                                \
              "    float lit = clamp((dot(n, key) + 0.22) / 1.22, 0.0, 1.0);\n"                                     \
              "    vec3 fill = normalize(vec3(0.75, 0.05, 0.45));\n"                                                \
              "    vec3 light = ambient + 1.02 * lit * lit * vec3(1.0, 0.97, 0.92)\n"                               \
              "               + 0.07 * clamp(dot(n, fill), 0.0, 1.0) * vec3(0.75, 0.85, 1.0);\n"                    \
              "    float grazing = 1.0 - clamp(dot(n, v), 0.0, 1.0), g2 = grazing * grazing;\n"                     \
              "    float shine = clamp(dot(n, normalize(key + v)), 0.0, 1.0), s2 = shine * shine, s4 = s2 * s2;\n"  \
              "    float contact = mix(0.72, 1.0, smoothstep(-0.1, 1.0, height / occlusionHeight));\n"              \
              "    vec3 base = inside ? 0.35 * albedo + vec3(0.01, 0.015, 0.03) : albedo;\n"                        \
              "    vec3 c = base * light * contact + 0.085 * s4 * s4 * s4 * s2 + 0.10 * g2 * g2 * sky * base;\n"    \
              "    c = c / (1.0 + 0.12 * c);\n"                                                                     \
              "    return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2));\n"                                              \
              "}\n"

#define MESH_INPUTS                            \
    "layout(location = 0) in vec3 position;\n" \
    "layout(location = 1) in vec3 normal;\n"   \
    "layout(location = 2) in vec4 color;\n"    \
    "layout(location = 3) in vec2 uv;\n"       \
    "layout(location = 4) in float heat;\n"    \
    "uniform mat4 projection;\n"               \
    "uniform float groundHeight;\n"

const char qvuiMeshVertexShader[] =
    MESH_INPUTS "uniform mat4 view;\n"
                "out vec3 viewPosition, viewNormal, plain;\n"
                "out vec2 place;\n"
                "out float height, warmth;\n"
                "void main()\n"
                "{\n"
                "    vec4 p = view * vec4(position, 1.0);\n"
                "    viewPosition = p.xyz;\n"
                "    viewNormal = mat3(view) * normal;\n"
                "    plain = color.rgb * color.rgb;\n" // colours are stored as square roots, close to sRGB
                "    place = uv;\n"
                "    warmth = heat;\n"
                "    height = position.y - groundHeight;\n"
                "    gl_Position = projection * p;\n"
                "}\n";

const char qvuiMeshFragmentShader[] =
    SHADE "in vec3 viewPosition, viewNormal, plain;\n"
          "in vec2 place;\n"
          "in float height, warmth;\n"
          "uniform bool flatShading;\n"
          "uniform sampler2D picture;\n"
          "out vec4 color;\n"
          "void main()\n"
          "{\n"
          // Rows count downwards.
          "    vec3 n = normalize(flatShading ? cross(dFdy(viewPosition), dFdx(viewPosition)) : viewNormal);\n"
          "    bool inside = !gl_FrontFacing;\n"
          "    vec3 albedo = heated(plain * texture(picture, place).rgb, warmth);\n"
          "    color = vec4(shade(albedo, !flatShading && inside ? -n : n, viewPosition, height, inside), 1.0);\n"
          "}\n";

const char qvuiFineVertexShader[] =
    SHADE MESH_INPUTS "out vec3 shaded;\n"
                      "void main()\n"
                      "{\n"
                      "    vec4 p = view * vec4(position, 1.0);\n"
                      "    vec3 albedo = heated(color.rgb * color.rgb, heat);\n"
                      "    vec3 n = normalize(mat3(view) * normal);\n"
                      "    shaded = shade(albedo, n, p.xyz, position.y - groundHeight, false);\n"
                      "    gl_Position = projection * p;\n"
                      "}\n";

const char qvuiFineFragmentShader[] = "in vec3 shaded;\n"
                                      "out vec4 result;\n"
                                      "void main()\n"
                                      "{\n"
                                      "    result = vec4(shaded, 1.0);\n"
                                      "}\n";

const char qvuiSplatVertexShader[] =
    MESH_INPUTS "layout(location = 5) in float radius;\n"
                "uniform mat4 view;\n"
                "uniform float pixelRows;\n"
                "out vec3 viewPosition, viewNormal, plain;\n"
                "out vec2 place;\n"
                "out float height, warmth;\n"
                "void main()\n"
                "{\n"
                "    vec4 p = view * vec4(position, 1.0);\n"
                "    viewPosition = p.xyz;\n"
                "    viewNormal = mat3(view) * normal;\n"
                "    plain = color.rgb * color.rgb;\n"
                "    place = uv;\n"
                "    warmth = heat;\n"
                "    height = position.y - groundHeight;\n"
                "    gl_Position = projection * p;\n"
                "    gl_PointSize = max(2.0, abs(projection[1][1]) * radius * pixelRows / gl_Position.w);\n"
                "}\n";

// A disc that is seen from the side is an ellipse, though never thinner than a fifth of its length: between discs seen
// from their edges there would be holes.
const char qvuiSplatFragmentShader[] =
    SHADE "in vec3 viewPosition, viewNormal, plain;\n"
          "in vec2 place;\n"
          "in float height, warmth;\n"
          "uniform sampler2D picture;\n"
          "out vec4 color;\n"
          "void main()\n"
          "{\n"
          "    vec2 p = 2.0 * gl_PointCoord - 1.0;\n" // rows count downwards
          "    vec3 n = normalize(viewNormal);\n"
          "    vec3 v = orthographic ? vec3(0.0, 0.0, 1.0) : normalize(-viewPosition);\n"
          "    bool inside = dot(n, v) < 0.0;\n"
          "    n = inside ? -n : n;\n"
          "    float depth = dot(n.xy, p) / max(n.z, 0.2);\n"
          "    if (dot(p, p) + depth * depth > 1.0)\n"
          "        discard;\n"
          "    vec3 albedo = heated(plain * textureLod(picture, place, 0.0).rgb, warmth);\n"
          "    color = vec4(shade(albedo, n, viewPosition, height, inside), 1.0);\n"
          "}\n";

const char qvuiWireVertexShader[] = "layout(location = 0) in vec3 position;\n"
                                    "uniform mat4 view, projection;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    gl_Position = projection * view * vec4(position, 1.0);\n"
                                    "    gl_Position.z -= 2e-4 * gl_Position.w;\n" // in front of its own surface
                                    "}\n";

const char qvuiWireFragmentShader[] = "uniform vec4 lineColor;\n"
                                      "out vec4 color;\n"
                                      "void main()\n"
                                      "{\n"
                                      "    color = vec4(lineColor.rgb * lineColor.a, lineColor.a);\n"
                                      "}\n";

const char qvuiScreenVertexShader[] =
    "out vec2 place;\n"
    "void main()\n"
    "{\n"
    "    place = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
    "    gl_Position = vec4(place, 0.0, 1.0);\n"
    "}\n";

const char qvuiBackdropFragmentShader[] =
    "in vec2 place;\n"
    "uniform float aspect;\n"
    "out vec4 color;\n"
    "void main()\n"
    "{\n"
    "    vec2 d = (place + vec2(0.0, 0.12)) * vec2(min(aspect, 1.9) / 1.9, 1.0);\n"
    "    vec3 c = mix(vec3(0.226, 0.240, 0.272), vec3(0.117, 0.126, 0.141), smoothstep(0.0, 1.25, length(d)));\n"
    // Noise of one step hides the bands of 8 bits.
    "    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));\n"
    "    color = vec4(c + (noise - 0.5) / 255.0, 1.0);\n"
    "}\n";

const char qvuiGroundVertexShader[] =
    "uniform mat4 view, projection;\n"
    "uniform vec2 centre;\n"
    "uniform float extent;\n"
    "uniform vec3 origin, axisU, axisV;\n"
    "out vec2 ground;\n"
    "out vec3 world;\n"
    "void main()\n"
    "{\n"
    "    ground = centre + extent * vec2(gl_VertexID % 2 * 2 - 1, gl_VertexID / 2 * 2 - 1);\n"
    "    world = origin + ground.x * axisU + ground.y * axisV;\n"
    "    gl_Position = projection * view * vec4(world, 1.0);\n"
    "}\n";

// Lines are one pixel wide through the derivative of the ground coordinate, and fade where several would fall into one
// pixel, far away, and where the ground is seen edge-on. Grid lines add light (alpha 0), axes cover.
const char qvuiGridFragmentShader[] =
    "in vec2 ground;\n"
    "in vec3 world;\n"
    "uniform vec3 eye, colorU, colorV;\n"
    "uniform bool orthographic;\n"
    "uniform vec2 centre;\n"
    "uniform float tilt, perSpacing, spacing, perReach, lineWidth;\n"
    "out vec4 color;\n"
    // p and width in cells, perWidth its inverse: divisions cost more than all else here without a graphics card.
    "float line(vec2 p, vec2 width, vec2 perWidth)\n"
    "{\n"
    "    vec2 d = abs(fract(p - 0.5) - 0.5) * perWidth;\n"
    "    vec2 cover = clamp(lineWidth * 0.5 + 0.5 - d, 0.0, 1.0) * clamp(1.4 - 3.0 * width, 0.0, 1.0);\n"
    "    return max(cover.x, cover.y);\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    vec2 width = max(fwidth(ground), vec2(1e-9)), perWidth = 1.0 / width;\n"
    "    vec2 from = (ground - centre) * perReach;\n"
    "    vec3 ray = world - eye;\n"
    "    float slope = orthographic ? tilt : tilt * inversesqrt(dot(ray, ray));\n"
    "    float fade = exp(-dot(from, from)) * smoothstep(0.0, 0.06, slope);\n"
    "    vec2 p = perSpacing * ground, w = perSpacing * width, perW = spacing * perWidth;\n"
    "    float g = max(line(p, w, perW) * 0.075, line(0.1 * p, 0.1 * w, 10.0 * perW) * 0.10) * fade;\n"
    "    vec2 axis = clamp(lineWidth * 0.5 + 0.7 - abs(ground) * perWidth, 0.0, 1.0) * fade * 0.55;\n"
    "    vec4 c = mix(vec4(g, g, g, 0.0), vec4(colorU, 1.0), axis.y);\n"
    "    color = mix(c, vec4(colorV, 1.0), axis.x);\n"
    "}\n";

const char qvuiShadeFragmentShader[] =
    "in vec2 ground;\n"
    "uniform vec2 centre;\n"
    "uniform float extent;\n"
    "uniform sampler2D shadowMap;\n"
    "out vec4 color;\n"
    "void main()\n"
    "{\n"
    "    vec2 s = texture(shadowMap, (ground - centre) / (2.0 * extent) + 0.5).rg;\n"
    "    color = vec4(0.0, 0.0, 0.0, 1.0 - (1.0 - 0.62 * s.r) * (1.0 - 0.55 * s.g));\n"
    "}\n";
