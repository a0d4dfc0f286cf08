// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/program.h"

#include <epoxy/gl.h>

static const char header[] = "#version 330 core\n";

static qvResult Compile(const char* name, GLenum stage, const char* text, GLuint* shader, qvError* error)
{
    *shader = glCreateShader(stage);
    const char* parts[] = { header, text };
    glShaderSource(*shader, 2, parts, NULL);
    glCompileShader(*shader);
    GLint done = 0;
    glGetShaderiv(*shader, GL_COMPILE_STATUS, &done);
    if (done)
        return qv_ok;
    char log[512] = "";
    glGetShaderInfoLog(*shader, sizeof(log), NULL, log);
    glDeleteShader(*shader);
    return qvError_Set(error, qv_unsupported, "the graphics driver refuses the %s shader: %s; update the driver", name,
                       log);
}

static qvResult Link(const char* name, GLuint vertex, GLuint fragment, GLuint* program, qvError* error)
{
    *program = glCreateProgram();
    glAttachShader(*program, vertex);
    glAttachShader(*program, fragment);
    glLinkProgram(*program);
    GLint done = 0;
    glGetProgramiv(*program, GL_LINK_STATUS, &done);
    if (done)
        return qv_ok;
    char log[512] = "";
    glGetProgramInfoLog(*program, sizeof(log), NULL, log);
    glDeleteProgram(*program);
    *program = 0;
    return qvError_Set(error, qv_unsupported, "the graphics driver cannot link the %s shader: %s; update the driver",
                       name, log);
}

qvResult qvuiCreateProgram(const char* name, const char* vertexText, const char* fragmentText, unsigned int* program,
                           qvError* error)
{
    *program = 0;
    GLuint vertex = 0, fragment = 0;
    qvResult result = Compile(name, GL_VERTEX_SHADER, vertexText, &vertex, error);
    if (result != qv_ok)
        return result;
    result = Compile(name, GL_FRAGMENT_SHADER, fragmentText, &fragment, error);
    if (result == qv_ok)
    {
        result = Link(name, vertex, fragment, program, error);
        glDeleteShader(fragment);
    }
    glDeleteShader(vertex);
    return result;
}

void qvuiSetInt(unsigned int program, const char* name, int value)
{
    glUniform1i(glGetUniformLocation(program, name), value);
}

void qvuiSetFloat(unsigned int program, const char* name, double value)
{
    glUniform1f(glGetUniformLocation(program, name), (float)value);
}

void qvuiSetVec2(unsigned int program, const char* name, double x, double y)
{
    glUniform2f(glGetUniformLocation(program, name), (float)x, (float)y);
}

void qvuiSetVec3(unsigned int program, const char* name, qvVec3 value)
{
    glUniform3f(glGetUniformLocation(program, name), (float)value.x, (float)value.y, (float)value.z);
}

void qvuiSetColor(unsigned int program, const char* name, qvColor value)
{
    glUniform4f(glGetUniformLocation(program, name), value.r, value.g, value.b, value.a);
}

void qvuiSetMatrix(unsigned int program, const char* name, const qvuiMatrix* value)
{
    glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, value->m);
}
