// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What launchers of parallel programs (mpirun, srun) say in the environment about the processes on this machine.
#pragma once

#include <string>

#include "src/config/config.h"

namespace lanewise::host {

/// How a launcher divides the machine among the processes that it starts there.
struct Launcher {
  unsigned processes = 0;  ///< processes on this machine; 0: not known
  unsigned each = 0;       ///< processors that are meant for each of them; 0: not known
  std::string variable;    ///< variable that says so; empty: there is no such launcher
};

/// Reads the variables of Open MPI, of MPICH and those that descend from it, and of SLURM. SLURM's variables name the
/// processes of a step; where they differ from machine to machine, the largest number counts.
Launcher read_launcher(const EnvironmentLookup& lookup);

}  // namespace lanewise::host
