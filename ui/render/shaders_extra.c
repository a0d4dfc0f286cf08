// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/shaders.h"

#include "ui/render/heat.h"

#define HEAT_STOP(r, g, b) "vec3(" #r ", " #g ", " #b ")"
#define HEAT_COMMA         ", "

const char qvuiMaskVertexShader[] = "layout(location = 0) in vec3 position;\n"
                                    "uniform mat4 view, projection;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    gl_Position = projection * view * vec4(position, 1.0);\n"
                                    "}\n";

const char qvuiMaskFragmentShader[] = "out vec4 color;\n"
                                      "void main()\n"
                                      "{\n"
                                      "    color = vec4(1.0);\n"
                                      "}\n";

const char qvuiTileVertexShader[] = "layout(location = 0) in vec2 corner;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    gl_Position = vec4(corner, 0.0, 1.0);\n"
                                    "}\n";

// What the outline's shader finds where there is ghost all around.
const char qvuiInsideFragmentShader[] = "uniform float fill;\n"
                                        "out vec4 color;\n"
                                        "void main()\n"
                                        "{\n"
                                        "    color = vec4(fill);\n"
                                        "}\n";

// The mean of the mask around a pixel is 1 inside, 0 outside and one half on the edge. Dashes are where diagonal
// stripes of the screen cross the edge.
const char qvuiOutlineFragmentShader[] =
    "uniform sampler2D mask;\n"
    "uniform vec2 texel;\n"
    "uniform float fill, outline, lineWidth;\n"
    "uniform bool dashed;\n"
    "out vec4 color;\n"
    "void main()\n"
    "{\n"
    "    vec2 uv = gl_FragCoord.xy * texel, d = 0.75 * lineWidth * texel;\n"
    "    float mean = 0.25 * (texture(mask, uv + d).r + texture(mask, uv - d).r\n"
    "                         + texture(mask, uv + vec2(d.x, -d.y)).r + texture(mask, uv + vec2(-d.x, d.y)).r);\n"
    "    float edge = 1.0 - abs(2.0 * mean - 1.0);\n"
    "    if (dashed)\n"
    "    {\n"
    "        vec2 p = gl_FragCoord.xy / lineWidth;\n"
    "        vec2 stripe = abs(fract(vec2(p.x + p.y, p.x - p.y) / 12.0) - 0.5);\n"
    "        vec2 slope = vec2(texture(mask, uv + vec2(d.x, 0.0)).r - texture(mask, uv - vec2(d.x, 0.0)).r,\n"
    "                          texture(mask, uv + vec2(0.0, d.y)).r - texture(mask, uv - vec2(0.0, d.y)).r);\n"
    // Of the two stripes the one that does not run along the edge.
    "        float along = slope.x * slope.y > 0.0 ? stripe.y : stripe.x;\n"
    "        edge *= clamp((along - 0.2) * 12.0, 0.0, 1.0);\n"
    "    }\n"
    "    color = vec4(max(fill * mean, outline * edge));\n"
    "}\n";

const char qvuiLayerFragmentShader[] =
    "uniform sampler2D layer;\n"
    "uniform int firstRow;\n"
    "uniform vec4 ghostColor;\n"
    "out vec4 color;\n"
    "void main()\n"
    "{\n"
    "    float alpha = ghostColor.a * texelFetch(layer, ivec2(gl_FragCoord.xy) + ivec2(0, firstRow), 0).r;\n"
    "    if (alpha <= 0.0)\n"
    "        discard;\n"
    "    color = vec4(ghostColor.rgb * alpha, alpha);\n"
    "}\n";

const char qvuiDotVertexShader[] = "layout(location = 0) in vec3 position;\n"
                                   "uniform mat4 view, projection;\n"
                                   "uniform float dotSize;\n"
                                   "void main()\n"
                                   "{\n"
                                   "    gl_Position = projection * view * vec4(position, 1.0);\n"
                                   "    gl_Position.z -= 2e-3 * gl_Position.w;\n" // in front of its own surface
                                   "    gl_PointSize = dotSize;\n"
                                   "}\n";

const char qvuiDotFragmentShader[] = "uniform vec4 dotColor;\n"
                                     "uniform float dotSize;\n"
                                     "out vec4 color;\n"
                                     "void main()\n"
                                     "{\n"
                                     "    float d = (0.5 - length(gl_PointCoord - 0.5)) * dotSize;\n"
                                     "    float alpha = dotColor.a * clamp(d, 0.0, 1.0);\n"
                                     "    float inner = mix(0.35, 1.0, clamp(d - 1.0, 0.0, 1.0));\n" // a dark rim
                                     "    color = vec4(dotColor.rgb * inner * alpha, alpha);\n"
                                     "}\n";

const char qvuiBallVertexShader[] =
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in float value;\n"
    "uniform mat4 view, projection;\n"
    "uniform float radius, height;\n"
    "out vec3 ballColor;\n"
    "void main()\n"
    "{\n"
    "    const vec3 stops[5] = vec3[](" QVUI_HEAT_STOPS(
        HEAT_STOP, HEAT_COMMA) ");\n"
                               "    vec4 place = view * vec4(position, 1.0);\n"
                               "    gl_Position = projection * place;\n"
                               "    gl_PointSize = max(2.0, abs(projection[1][1]) * radius * height / gl_Position.w);\n"
                               "    float t = clamp(value, 0.0, 1.0) * 4.0;\n"
                               "    int i = min(int(t), 3);\n"
                               "    ballColor = mix(stops[i], stops[i + 1], t - float(i));\n"
                               "}\n";

const char qvuiBallFragmentShader[] = "in vec3 ballColor;\n"
                                      "out vec4 color;\n"
                                      "void main()\n"
                                      "{\n"
                                      "    vec2 p = 2.0 * gl_PointCoord - 1.0;\n"
                                      "    float square = dot(p, p);\n"
                                      "    if (square > 1.0)\n"
                                      "        discard;\n"
                                      "    float light = 0.45 + 0.55 * sqrt(1.0 - square);\n"
                                      "    color = vec4(pow(ballColor * light, vec3(1.0 / 2.2)), 1.0);\n"
                                      "}\n";

// Twelve sides; of each two triangles of the shaft and one of the head.
const char qvuiArrowVertexShader[] =
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in float value;\n"
    "layout(location = 2) in vec3 arrow;\n"
    "uniform mat4 view, projection;\n"
    "uniform float radius;\n"
    "out vec3 arrowColor;\n"
    "void main()\n"
    "{\n"
    "    const vec3 stops[5] = vec3[](" QVUI_HEAT_STOPS(
        HEAT_STOP,
        HEAT_COMMA) ");\n"
                    "    const int part[9] = int[](0, 1, 3, 0, 3, 2, 4, 5, 6);\n" // of a side
                    "    float size = length(arrow), head = min(3.0 * radius, 0.5 * size);\n"
                    "    vec3 along = arrow / max(size, 1e-20);\n"
                    "    vec3 other = abs(along.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);\n"
                    "    vec3 u = normalize(cross(along, other)), v = cross(along, u);\n"
                    "    int side = gl_VertexID / 9, corner = part[gl_VertexID % 9];\n"
                    "    float turn = 6.28318530718 / 12.0;\n"
                    "    float angle = turn * float(side + (corner == 1 || corner == 3 || corner == 5 ? 1 : 0));\n"
                    "    vec3 middle = cos(turn * (float(side) + 0.5)) * u + sin(turn * (float(side) + 0.5)) * v;\n"
                    "    float wide = corner < 4 ? 0.25 * head : corner < 6 ? 0.6 * head : 0.0;\n"
                    "    float far = corner < 2 ? 0.0 : corner < 6 ? size - head : size;\n"
                    "    vec3 place = position + far * along + wide * (cos(angle) * u + sin(angle) * v);\n"
                    "    vec3 normal = normalize(mat3(view) * (corner < 4 ? middle : middle + 0.6 * along));\n"
                    "    vec4 seen = view * vec4(place, 1.0);\n"
                    "    bool away = size < 1e-3 * radius;\n"
                    "    gl_Position = away ? vec4(2.0, 2.0, 2.0, 1.0) : projection * seen;\n"
                    "    float t = clamp(value, 0.0, 1.0) * 4.0;\n"
                    "    int i = min(int(t), 3);\n"
                    "    float light = 0.45 + 0.55 * abs(normal.z);\n"
                    "    arrowColor = mix(stops[i], stops[i + 1], t - float(i)) * light;\n"
                    "}\n";

const char qvuiArrowFragmentShader[] = "in vec3 arrowColor;\n"
                                       "out vec4 color;\n"
                                       "void main()\n"
                                       "{\n"
                                       "    color = vec4(pow(arrowColor, vec3(1.0 / 2.2)), 1.0);\n"
                                       "}\n";

const char qvuiPlaneFragmentShader[] =
    "in vec2 ground;\n"
    "uniform float extent, lineWidth;\n"
    "uniform vec4 planeColor;\n"
    "out vec4 color;\n"
    "void main()\n"
    "{\n"
    "    vec2 inside = (vec2(extent) - abs(ground)) / max(fwidth(ground), vec2(1e-9));\n"
    "    float edge = clamp(1.5 * lineWidth - min(inside.x, inside.y), 0.0, 1.0);\n"
    "    vec2 middle = abs(ground) / max(fwidth(ground), vec2(1e-9));\n"
    "    float axis = clamp(0.75 * lineWidth + 0.5 - min(middle.x, middle.y), 0.0, 1.0);\n"
    "    float alpha = planeColor.a * max(0.16, max(0.8 * edge, 0.35 * axis));\n"
    "    color = vec4(planeColor.rgb * alpha, alpha);\n"
    "}\n";
