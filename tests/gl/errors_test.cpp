// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The errors of the functions for OpenGL, and what deletions and wrong orders do.
#include <thread>

#include "tests/gl/egl_fixture.h"

namespace lanewise::test {
namespace {

class GlErrors : public WithEgl {
 protected:
  cl_int creation(const std::vector<cl_context_properties>& list) {
    cl_int code = 1;
    cl_context made = clCreateContext(list.data(), 1, &device, nullptr, nullptr, &code);
    EXPECT_EQ(made != nullptr, code == CL_SUCCESS);
    if (made != nullptr) clReleaseContext(made);
    return code;
  }
  static cl_context_properties number(const void* handle) { return reinterpret_cast<cl_context_properties>(handle); }

  cl_int texture_error(GLenum target, GLuint name, GLint level = 0, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    cl_int code = 1;
    cl_mem made = clCreateFromGLTexture(context, flags, target, level, name, &code);
    EXPECT_EQ(made != nullptr, code == CL_SUCCESS);
    if (made != nullptr) clReleaseMemObject(made);
    return code;
  }
  cl_int buffer_error(GLuint name, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    cl_int code = 1;
    cl_mem made = clCreateFromGLBuffer(context, flags, name, &code);
    EXPECT_EQ(made != nullptr, code == CL_SUCCESS);
    if (made != nullptr) clReleaseMemObject(made);
    return code;
  }
  cl_int acquire_error(cl_uint count, const cl_mem* objects) {
    return clEnqueueAcquireGLObjects(queue, count, objects, 0, nullptr, nullptr);
  }
  int number_in(const Mem& memory) {
    int value = -1;
    EXPECT_EQ(clEnqueueReadBuffer(queue, memory.get(), CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr),
              CL_SUCCESS);
    return value;
  }
};

TEST_F(GlErrors, PropertiesOfContexts) {
  const cl_context_properties gl = number(gl_context);
  const cl_context_properties egl = number(surfaceless_display());
  int nothing[1024] = {};
  EXPECT_EQ(creation({CL_GL_CONTEXT_KHR, gl, CL_EGL_DISPLAY_KHR, egl, 0}), CL_SUCCESS);
  EXPECT_EQ(creation({CL_GL_CONTEXT_KHR, 0, CL_EGL_DISPLAY_KHR, 0, 0}), CL_SUCCESS);
  EXPECT_EQ(creation({CL_GL_CONTEXT_KHR, gl, 0}), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  EXPECT_EQ(creation({CL_EGL_DISPLAY_KHR, egl, 0}), CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  EXPECT_EQ(creation({CL_GL_CONTEXT_KHR, number(nothing), CL_EGL_DISPLAY_KHR, egl, 0}),
            CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  EXPECT_EQ(creation({CL_GL_CONTEXT_KHR, gl, CL_EGL_DISPLAY_KHR, number(nothing), 0}),
            CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  EXPECT_EQ(creation({CL_GL_CONTEXT_KHR, gl, CL_EGL_DISPLAY_KHR, egl, CL_GLX_DISPLAY_KHR, egl, 0}),
            CL_INVALID_OPERATION);
  EXPECT_EQ(creation({CL_GL_CONTEXT_KHR, gl, CL_WGL_HDC_KHR, 1, 0}), CL_INVALID_OPERATION);
  EXPECT_EQ(creation({CL_CGL_SHAREGROUP_KHR, 1, 0}), CL_INVALID_OPERATION);
  EXPECT_EQ(creation({CL_GL_CONTEXT_KHR, gl, CL_EGL_DISPLAY_KHR, egl, CL_CONTEXT_INTEROP_USER_SYNC, CL_FALSE, 0}),
            CL_INVALID_PROPERTY);
  EGLContext gone = make_egl_context(Api::core);
  eglDestroyContext(surfaceless_display(), gone);
  EXPECT_EQ(creation({CL_GL_CONTEXT_KHR, number(gone), CL_EGL_DISPLAY_KHR, egl, 0}),
            CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  const cl_context_properties unknown[] = {CL_GL_CONTEXT_KHR, gl, CL_EGL_DISPLAY_KHR, egl, 0x7777, 1, 0};
  EXPECT_EQ(clGetGLContextInfoKHR(unknown, CL_DEVICES_FOR_GL_CONTEXT_KHR, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetGLContextInfoKHR(nullptr, CL_DEVICES_FOR_GL_CONTEXT_KHR, 0, nullptr, nullptr),
            CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
}

TEST_F(GlErrors, Objects) {
  GLuint names[2] = {};
  glGenBuffers(1, &names[0]);
  EXPECT_EQ(buffer_error(0), CL_INVALID_GL_OBJECT);
  EXPECT_EQ(buffer_error(names[0]), CL_INVALID_GL_OBJECT);  // never bound
  glBindBuffer(GL_ARRAY_BUFFER, names[0]);
  EXPECT_EQ(buffer_error(names[0]), CL_INVALID_GL_OBJECT);  // without a data store
  glBufferData(GL_ARRAY_BUFFER, 64, nullptr, GL_STATIC_DRAW);
  EXPECT_EQ(buffer_error(names[0]), CL_SUCCESS);
  EXPECT_EQ(buffer_error(names[0], CL_MEM_USE_HOST_PTR), CL_INVALID_VALUE);
  EXPECT_EQ(buffer_error(names[0], CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  const GLuint texture = gl_texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  EXPECT_EQ(texture_error(GL_TEXTURE_2D, texture), CL_SUCCESS);
  EXPECT_EQ(texture_error(GL_TEXTURE_2D, texture, 0, CL_MEM_COPY_HOST_PTR), CL_INVALID_VALUE);
  EXPECT_EQ(texture_error(GL_TEXTURE_3D, texture), CL_INVALID_GL_OBJECT);
  EXPECT_EQ(texture_error(GL_TEXTURE_2D, 0), CL_INVALID_GL_OBJECT);
  EXPECT_EQ(texture_error(GL_TEXTURE_2D, 12345), CL_INVALID_GL_OBJECT);
  EXPECT_EQ(texture_error(GL_TEXTURE_CUBE_MAP, texture), CL_INVALID_VALUE);
  EXPECT_EQ(texture_error(GL_ARRAY_BUFFER, texture), CL_INVALID_VALUE);
  glGenTextures(1, &names[1]);
  glBindTexture(GL_TEXTURE_2D, names[1]);
  EXPECT_EQ(texture_error(GL_TEXTURE_2D, names[1]), CL_INVALID_GL_OBJECT);  // without a level
  cl_int code = 1;
  EXPECT_EQ(clCreateFromGLRenderbuffer(context, CL_MEM_READ_WRITE, 77, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_GL_OBJECT);
  GLuint multisampled = 0;
  glGenRenderbuffers(1, &multisampled);
  glBindRenderbuffer(GL_RENDERBUFFER, multisampled);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, 8, 8);
  EXPECT_EQ(clCreateFromGLRenderbuffer(context, CL_MEM_READ_WRITE, multisampled, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
  glDeleteRenderbuffers(1, &multisampled);
  glDeleteTextures(1, &texture);
}

TEST_F(GlErrors, ContextsThatShareNothing) {
  cl_int code = 1;
  cl_context plain = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(clCreateFromGLBuffer(plain, CL_MEM_READ_WRITE, 1, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateFromGLTexture(plain, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, 1, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateFromGLTexture2D(nullptr, CL_MEM_READ_WRITE, GL_TEXTURE_2D, 0, 1, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateFromGLRenderbuffer(plain, CL_MEM_READ_WRITE, 1, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateEventFromGLsyncKHR(plain, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateEventFromEGLSyncKHR(plain, nullptr, surfaceless_display(), &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  cl_command_queue other = clCreateCommandQueue(plain, device, 0, nullptr);
  cl_mem memory = clCreateBuffer(plain, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  EXPECT_EQ(clEnqueueAcquireGLObjects(other, 1, &memory, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueReleaseGLObjects(other, 1, &memory, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clGetGLObjectInfo(memory, nullptr, nullptr), CL_INVALID_GL_OBJECT);
  EXPECT_EQ(clGetGLTextureInfo(memory, CL_GL_TEXTURE_TARGET, 0, nullptr, nullptr), CL_INVALID_GL_OBJECT);
  EXPECT_EQ(clGetGLObjectInfo(nullptr, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  clReleaseMemObject(memory);
  clReleaseCommandQueue(other);
  clReleaseContext(plain);
}

TEST_F(GlErrors, Commands) {
  const GLuint name = gl_buffer("text", 4);
  const Mem memory = from_buffer(name);
  cl_mem handle = memory.get();
  cl_mem plain = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  EXPECT_EQ(acquire_error(0, nullptr), CL_SUCCESS);
  EXPECT_EQ(acquire_error(0, &handle), CL_INVALID_VALUE);
  EXPECT_EQ(acquire_error(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(acquire_error(1, &plain), CL_INVALID_GL_OBJECT);
  cl_mem none = nullptr;
  EXPECT_EQ(acquire_error(1, &none), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueAcquireGLObjects(nullptr, 1, &handle, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueAcquireGLObjects(queue, 1, &handle, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueAcquireEGLObjectsKHR(queue, 1, &handle, 0, nullptr, nullptr), CL_INVALID_EGL_OBJECT_KHR);
  clReleaseMemObject(plain);
}

TEST_F(GlErrors, UseWithoutAcquire) {
  const GLuint name = gl_buffer("text", 4);
  const Mem memory = from_buffer(name);
  char text[4] = {};
  const auto read = [&] {
    return clEnqueueReadBuffer(queue, memory.get(), CL_TRUE, 0, sizeof text, text, 0, nullptr, nullptr);
  };
  EXPECT_EQ(read(), CL_INVALID_GL_OBJECT);
  cl_kernel kernel = kernel_of("kernel void change(global char* c) { c[0] = 'n'; }", "change");
  cl_mem handle = memory.get();
  clSetKernelArg(kernel, 0, sizeof handle, &handle);
  const std::size_t one = 1;
  const auto launch = [&] {
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  };
  EXPECT_EQ(launch(), CL_INVALID_GL_OBJECT);
  const cl_buffer_region half{0, 2};
  const Mem part(clCreateSubBuffer(memory.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &half, nullptr));
  EXPECT_EQ(clEnqueueFillBuffer(queue, part.get(), "x", 1, 0, 2, 0, nullptr, nullptr), CL_INVALID_GL_OBJECT);
  acquire(memory);
  acquire(memory);  // a second time: has no effect
  EXPECT_EQ(launch(), CL_SUCCESS);
  EXPECT_EQ(read(), CL_SUCCESS);
  EXPECT_EQ(text[0], 'n');
  release(memory);
  release(memory);
  EXPECT_EQ(read(), CL_INVALID_GL_OBJECT);
  clReleaseKernel(kernel);
}

/// The data store of a deleted object lives on as long as the memory object (cl_khr_gl_sharing, issue 3).
TEST_F(GlErrors, DeletedNames) {
  const int seven = 7;
  const GLuint buffer = gl_buffer(&seven, sizeof seven);
  const Mem memory = from_buffer(buffer);
  const std::vector<unsigned char> texels(64, 9);
  const GLuint texture = gl_texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  const Mem image = from_texture(GL_TEXTURE_2D, texture);
  glDeleteBuffers(1, &buffer);
  glDeleteTextures(1, &texture);
  // The names are used again, for other objects.
  const int eight = 8;
  gl_buffer(&eight, sizeof eight);
  gl_texture_2d(GL_RGBA8, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  acquire(memory);
  acquire(image);
  EXPECT_EQ(number_in(memory), 7);
  const std::size_t origin[3] = {};
  const std::size_t one[3] = {1, 1, 1};
  unsigned char texel[4] = {};
  EXPECT_EQ(clEnqueueReadImage(queue, image.get(), CL_TRUE, origin, one, 0, 0, texel, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(texel[0], 9);
  release(image);
  release(memory);
}

/// Other sizes are an error of the command, and what uses the object fails.
TEST_F(GlErrors, ObjectsThatChangeTheirSize) {
  const GLuint buffer = gl_buffer(nullptr, 1 << 20);
  const Mem memory = from_buffer(buffer);
  const GLuint texture = gl_texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  const Mem image = from_texture(GL_TEXTURE_2D, texture);
  glBufferData(GL_ARRAY_BUFFER, 16, nullptr, GL_STATIC_DRAW);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  for (cl_mem handle : {memory.get(), image.get()}) {
    cl_event event = nullptr;
    ASSERT_EQ(clEnqueueAcquireGLObjects(queue, 1, &handle, 0, nullptr, &event), CL_SUCCESS);
    std::vector<char> bytes(64);
    if (handle == memory.get()) {
      const cl_int code =
          clEnqueueReadBuffer(queue, handle, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr);
      EXPECT_NE(code, CL_SUCCESS);
    }
    EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    cl_int status = 0;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
    EXPECT_EQ(status, CL_INVALID_GL_OBJECT);
    cl_command_type type = 0;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
    EXPECT_EQ(type, static_cast<cl_command_type>(CL_COMMAND_ACQUIRE_GL_OBJECTS));
    clReleaseEvent(event);
  }
}

/// Everything is released while objects are acquired and commands run.
TEST_F(GlErrors, ReleasedInTheWrongOrder) {
  const int seven = 7;
  Mem memory = from_buffer(gl_buffer(&seven, sizeof seven));
  Mem image = from_texture(GL_TEXTURE_2D, gl_texture_2d(GL_RGBA8, 512, 512, GL_RGBA, GL_UNSIGNED_BYTE, nullptr));
  acquire(memory);
  acquire(image);
  clReleaseContext(context);
  context = nullptr;
  leave();
  eglDestroyContext(surfaceless_display(), gl_context);
  gl_context = EGL_NO_CONTEXT;
  release(image);
  image.reset();
  memory.reset();
}

TEST_F(GlErrors, ManyObjectsInOneContext) {
  // More textures than a context has units.
  std::vector<Mem> images;
  for (unsigned char i = 0; i < 250; ++i) {
    const std::vector<unsigned char> texels(4, i);
    images.push_back(
        from_texture(GL_TEXTURE_2D, gl_texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data())));
  }
  std::vector<cl_mem> handles;
  for (const Mem& image : images) handles.push_back(image.get());
  ASSERT_EQ(acquire_error(static_cast<cl_uint>(handles.size()), handles.data()), CL_SUCCESS);
  const std::size_t origin[3] = {};
  const std::size_t one[3] = {1, 1, 1};
  for (unsigned char i = 0; i < 250; ++i) {
    unsigned char texel[4] = {};
    EXPECT_EQ(clEnqueueReadImage(queue, handles[i], CL_TRUE, origin, one, 0, 0, texel, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(texel[0], i);
  }
}

TEST_F(GlErrors, SeveralThreads) {
  std::vector<std::thread> threads;
  std::vector<Mem> memories;
  for (int i = 0; i < 4; ++i) memories.push_back(from_buffer(gl_buffer(&i, sizeof i)));
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      const Mem& memory = memories[static_cast<std::size_t>(i)];
      cl_command_queue own = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, nullptr);
      cl_mem handle = memory.get();
      for (int n = 0; n < 50; ++n) {
        cl_event events[3] = {};
        int value = -1;
        EXPECT_EQ(clEnqueueAcquireGLObjects(own, 1, &handle, 0, nullptr, &events[0]), CL_SUCCESS);
        EXPECT_EQ(clEnqueueReadBuffer(own, handle, CL_FALSE, 0, sizeof value, &value, 1, &events[0], &events[1]),
                  CL_SUCCESS);
        EXPECT_EQ(clEnqueueReleaseGLObjects(own, 1, &handle, 1, &events[1], &events[2]), CL_SUCCESS);
        EXPECT_EQ(clWaitForEvents(1, &events[2]), CL_SUCCESS);
        EXPECT_EQ(value, i);
        for (cl_event event : events) clReleaseEvent(event);
      }
      clReleaseCommandQueue(own);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace lanewise::test
