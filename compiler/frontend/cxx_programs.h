// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Constructors and destructors of the program variables of C++ for OpenCL. Clang calls constructors in a kernel of its
/// own for each source, and registers destructors with `atexit`, in a form that is not finished for variables outside
/// of address space 0:
///
///     define internal spir_kernel void @_GLOBAL__sub_I_program.cl()  =>  define internal spir_func void ...
///       %0 = call i32 @atexit(ptr @__dtor_s)                             ; nothing
///     define internal spir_func void @__dtor_s()
///       call spir_func void @_ZNU3AS41SD1Ev(ptr null)                    ... (ptr addrspace(4) <address of @s>)
///                                                                        !lanewise.destructors = !{!{ptr @__dtor_s}}
#pragma once

namespace llvm {
class Module;
}

namespace lanewise {

/// Of one source, as Clang has left it: gives destructors their objects, and lists them as the module's metadata. Lists
/// of linked modules are joined, as those of constructors are.
void complete_destructors(llvm::Module& module);

/// Of a whole program: makes one kernel (include/lanewise/variable_kernels.h) that constructs all variables, in the order
/// of their sources, and one that destroys them in the reverse order; variables inside of functions, first, where they
/// have been constructed. Either is missing where it would be empty. Both are for one work-item.
void make_variable_kernels(llvm::Module& module);

/// Instead: variables are constructed and destroyed by other code of the program.
void drop_variable_kernels(llvm::Module& module);

}  // namespace lanewise
