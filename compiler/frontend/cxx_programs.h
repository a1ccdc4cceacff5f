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

/// Gives the destructors of one source, as Clang has left it, their objects, and lists them as the module's metadata.
/// Lists of linked modules are joined, as those of constructors are.
void complete_destructors(llvm::Module& module);

/// Makes two kernels of a whole program (include/lanewise/variable_kernels.h), each for one work-item. One constructs
/// all variables, in the order of their sources. One destroys them in the reverse order, first the variables inside of
/// functions that have been constructed. A kernel that would be empty is left out.
void make_variable_kernels(llvm::Module& module);

/// Drops what the kernels would be made of, where other code of the program constructs and destroys the variables.
void drop_variable_kernels(llvm::Module& module);

}  // namespace lanewise
