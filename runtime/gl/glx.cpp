// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// GLX. The driver has a connection of its own to the X server: on that of the application its requests could raise
/// errors that end the process, and a closed connection would take the context with it.
#include <CL/cl_gl.h>
#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gl/binding.h"
#include "runtime/gl/library.h"
#include "src/base/mutex.h"

// Their macros have usual names, so they come last.
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xlibint.h>

namespace lanewise::gl {

namespace {

/// The functions of libGLX and libX11.
struct GlxFunctions {
  Library glx{"libGLX.so.0", "libGL.so.1"};
  Library x11{"libX11.so.6"};
#define GLX_FUNCTION(library, name) decltype(&::name) name = library.find<decltype(&::name)>(#name);
  GLX_FUNCTION(glx, glXQueryContext)
  GLX_FUNCTION(glx, glXGetProcAddressARB)
  GLX_FUNCTION(glx, glXChooseFBConfig)
  GLX_FUNCTION(glx, glXMakeContextCurrent)
  GLX_FUNCTION(glx, glXDestroyContext)
  GLX_FUNCTION(glx, glXGetCurrentContext)
  GLX_FUNCTION(x11, XOpenDisplay)
  GLX_FUNCTION(x11, XCloseDisplay)
  GLX_FUNCTION(x11, XFree)
  GLX_FUNCTION(x11, XAddExtension)
  GLX_FUNCTION(x11, XESetCloseDisplay)
  GLX_FUNCTION(x11, XESetWireToError)
#undef GLX_FUNCTION
  /// libX11 before 1.7 has none.
  decltype(&::XSetIOErrorExitHandler) set_exit_handler =
      x11.find<decltype(&::XSetIOErrorExitHandler)>("XSetIOErrorExitHandler");

  [[nodiscard]] bool complete() const {
    return glXQueryContext != nullptr && glXGetProcAddressARB != nullptr && glXChooseFBConfig != nullptr &&
           glXMakeContextCurrent != nullptr && glXDestroyContext != nullptr && glXGetCurrentContext != nullptr &&
           XOpenDisplay != nullptr && XCloseDisplay != nullptr && XFree != nullptr && XAddExtension != nullptr &&
           XESetCloseDisplay != nullptr && XESetWireToError != nullptr;
  }
};

/// Copies memory of this process that may not be there. False: it is not.
bool copy_if_readable(void* to, const void* from, std::size_t bytes) {
  const iovec local{to, bytes};
  const iovec remote{const_cast<void*>(from), bytes};
  const ssize_t copied = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  if (copied >= 0 || errno == EFAULT) return std::cmp_equal(copied, bytes);
  std::memcpy(to, from, bytes);  // the process may not make this system call
  return true;
}

constexpr std::size_t kMostName = 256;

/// The name of the application's Display, which may be none. Nothing: it is none.
std::optional<std::string> name_of(void* display) {
  std::remove_pointer_t<_XPrivDisplay> facts{};
  if (!copy_if_readable(&facts, display, sizeof facts) || facts.display_name == nullptr) return std::nullopt;
  std::string name;
  for (char c = 0; name.size() < kMostName; name += c) {
    if (!copy_if_readable(&c, facts.display_name + name.size(), 1)) return std::nullopt;
    if (c == 0) return name.empty() ? std::nullopt : std::optional(name);
  }
  return std::nullopt;
}

/// An error of the driver's own connection: the call returns that it has failed, and nobody else is told.
Bool keep_error(Display* /*display*/, XErrorEvent* /*event*/, xError* /*error*/) {
  return False;
}
/// The X server has gone.
void keep_going(Display* /*display*/, void* /*data*/) {}

class GlxBinding final : public Binding {
 public:
  GlxBinding(GlxFunctions functions, std::string display, void* context)
      : glx_(std::move(functions)), name_(std::move(display)), theirs_(static_cast<GLXContext>(context)) {}
  ~GlxBinding() override = default;

  Result<void> open() override {
    auto made = connect();
    if (!made.ok()) close();
    return made;
  }

  void close() noexcept override {
    if (own_ != nullptr) {
      glx_.glXMakeContextCurrent(display_, None, None, nullptr);
      glx_.glXDestroyContext(display_, std::exchange(own_, nullptr));
    }
    if (display_ != nullptr) glx_.XCloseDisplay(std::exchange(display_, nullptr));
  }

  bool has_current_context() const override { return glx_.glXGetCurrentContext() != nullptr; }

 private:
  static Error refusal(const char* reason) { return Error{CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, reason}; }

  Result<void> connect() {
    display_ = glx_.XOpenDisplay(name_.c_str());
    if (display_ == nullptr) return refusal("no connection to the X server of the Display");
    for (int error = 1; error < 256; ++error) glx_.XESetWireToError(display_, error, &keep_error);
    if (glx_.set_exit_handler != nullptr) glx_.set_exit_handler(display_, &keep_going, nullptr);
    // libglvnd finds the context among those that exist, and reads nothing of it.
    int screen = 0;
    if (glx_.glXQueryContext(display_, theirs_, GLX_SCREEN, &screen) != Success) return refusal("not a GLXContext");
    if (screen < 0 || screen >= ScreenCount(display_)) return refusal("a GLXContext of another X server");
    return make_context(screen);
  }

  Result<void> make_context(int screen) {
    const auto create = reinterpret_cast<PFNGLXCREATECONTEXTATTRIBSARBPROC>(
        glx_.glXGetProcAddressARB(reinterpret_cast<const GLubyte*>("glXCreateContextAttribsARB")));
    int count = 0;
    GLXFBConfig* configs = glx_.glXChooseFBConfig(display_, screen, nullptr, &count);
    const GLXFBConfig first = configs != nullptr && count > 0 ? configs[0] : nullptr;
    if (configs != nullptr) glx_.XFree(configs);
    if (create == nullptr || first == nullptr) return refusal("GLX has no GLX_ARB_create_context");
    constexpr std::array<int, 7> kAttributes = {
        GLX_CONTEXT_MAJOR_VERSION_ARB,    3,   GLX_CONTEXT_MINOR_VERSION_ARB, 2, GLX_CONTEXT_PROFILE_MASK_ARB,
        GLX_CONTEXT_CORE_PROFILE_BIT_ARB, None};
    own_ = create(display_, first, theirs_, True, kAttributes.data());
    if (own_ == nullptr) return refusal("the GLXContext cannot share with one of OpenGL 3.2");
    if (glx_.glXMakeContextCurrent(display_, None, None, own_) == False)
      return refusal("a context without a window cannot be made current");
    const auto find = [](const char* name, void* data) {
      const auto* self = static_cast<const GlxBinding*>(data);
      return reinterpret_cast<void*>(self->glx_.glXGetProcAddressARB(reinterpret_cast<const GLubyte*>(name)));
    };
    if (!functions_.load(find, this)) return refusal("functions of OpenGL 3.2 are missing");
    return {};
  }

  GlxFunctions glx_;
  std::string name_;
  GLXContext theirs_;
  Display* display_ = nullptr;  ///< the driver's own
  GLXContext own_ = nullptr;
};

/// What is to be called before a Display is closed. Xlib has no way to take back a hook, so each Display has one, which
/// looks here.
struct Closings {
  Mutex mutex;
  std::vector<std::pair<Display*, std::function<void()>>> all GUARDED_BY(mutex);

  static Closings& instance() {
    static auto* closings = new Closings;
    return *closings;
  }

  /// Adds a call. True: it is the first for this Display.
  bool add(Display* display, std::function<void()> closing) {
    const MutexLock lock(mutex);
    bool first = true;
    for (const auto& [other, call] : all) first = first && other != display;
    all.emplace_back(display, std::move(closing));
    return first;
  }

  std::vector<std::function<void()>> take(Display* display) {
    std::vector<std::function<void()>> taken;
    const MutexLock lock(mutex);
    for (auto& [other, call] : all)
      if (other == display) taken.push_back(std::move(call));
    std::erase_if(all, [&](const auto& entry) { return entry.first == display; });
    return taken;
  }
};

int on_close_display(Display* display, XExtCodes* /*codes*/) {
  for (const auto& call : Closings::instance().take(display)) call();
  return 0;
}

}  // namespace

Result<std::unique_ptr<Binding>> bind_glx(void* display, void* context) {
  GlxFunctions functions;
  if (!functions.complete())
    return Error{CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "the process has no libGLX or libX11"};
  auto name = name_of(display);
  if (!name.has_value()) return Error{CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "not a Display"};
  return std::unique_ptr<Binding>(std::make_unique<GlxBinding>(std::move(functions), std::move(*name), context));
}

bool watch_display(void* display, std::function<void()> closing) {
  const GlxFunctions functions;
  auto* theirs = static_cast<Display*>(display);
  if (!Closings::instance().add(theirs, std::move(closing))) return true;
  const XExtCodes* codes = functions.XAddExtension(theirs);
  if (codes == nullptr) return false;
  functions.XESetCloseDisplay(theirs, codes->extension, &on_close_display);
  return true;
}

}  // namespace lanewise::gl
