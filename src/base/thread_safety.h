// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rules of locks that Clang checks (-Wthread-safety, https://clang.llvm.org/docs/ThreadSafetyAnalysis.html). The
/// macros are empty for other compilers. Constructors and destructors are not checked: no other thread has the object
/// then.
#pragma once

#if defined(__clang__)
#define LANEWISE_THREAD_SAFETY(x) __attribute__((x))
#else
#define LANEWISE_THREAD_SAFETY(x)
#endif

/// A class whose objects can be held; `name` is its name in messages.
#define CAPABILITY(name) LANEWISE_THREAD_SAFETY(capability(name))
/// A class whose objects hold something while they exist.
#define SCOPED_CAPABILITY LANEWISE_THREAD_SAFETY(scoped_lockable)

/// A variable that is read and written only while the mutex is held.
#define GUARDED_BY(mutex) LANEWISE_THREAD_SAFETY(guarded_by(mutex))
/// A mutex that is locked before the given ones, and a mutex that is locked after them.
#define ACQUIRED_BEFORE(...) LANEWISE_THREAD_SAFETY(acquired_before(__VA_ARGS__))
#define ACQUIRED_AFTER(...) LANEWISE_THREAD_SAFETY(acquired_after(__VA_ARGS__))

/// A function that is called with the mutex held, and a function that must not be, because it locks the mutex itself.
#define REQUIRES(...) LANEWISE_THREAD_SAFETY(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) LANEWISE_THREAD_SAFETY(locks_excluded(__VA_ARGS__))
/// A function that locks the mutex, and a function that unlocks it. Without arguments: the object itself.
#define ACQUIRE(...) LANEWISE_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
#define RELEASE(...) LANEWISE_THREAD_SAFETY(release_capability(__VA_ARGS__))
/// A function that may lock the mutex; the first argument is its result if it has locked.
#define TRY_ACQUIRE(...) LANEWISE_THREAD_SAFETY(try_acquire_capability(__VA_ARGS__))

/// A function that is not checked. A sentence beside it says why that is right.
#define NO_THREAD_SAFETY_ANALYSIS LANEWISE_THREAD_SAFETY(no_thread_safety_analysis)
