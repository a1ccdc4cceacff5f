# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenMM: a fluid of Lennard-Jones particles on its OpenCL platform; seconds for each step."""

import random

import openmm
from openmm import unit
from timing import expect, first_result, report_each


def fluid(edge):
    """edge^3 particles in a periodic box, near the places of a cubic lattice.

    On the lattice itself many pairs are exactly as far apart as the lists of neighbours reach, so the last bit of a
    result decides how long the lists are: drivers had from 848 to 1,103 tiles of them to compute after a hundred steps.
    """
    count, spacing = edge**3, 0.4
    system = openmm.System()
    force = openmm.NonbondedForce()
    force.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    force.setCutoffDistance(1.0)
    for _ in range(count):
        system.addParticle(39.9)
        force.addParticle(0, 0.34, 1.0)
    system.addForce(force)
    size = edge * spacing
    system.setDefaultPeriodicBoxVectors((size, 0, 0), (0, size, 0), (0, 0, size))
    lattice = [(x, y, z) for x in range(edge) for y in range(edge) for z in range(edge)]
    shaken = random.Random(1)
    places = [[at * spacing + shaken.uniform(-0.02, 0.02) for at in place] for place in lattice]
    return system, places


MELTING = 200
STEPS = 100

for edge in (12, 16, 20, 25):
    system, places = fluid(edge)
    integrator = openmm.VerletIntegrator(0.002)
    platform = openmm.Platform.getPlatformByName("OpenCL")
    context = openmm.Context(system, integrator, platform, {"Precision": "single"})
    context.setPositions(places)
    context.setVelocitiesToTemperature(120, 1)
    integrator.step(1)
    context.getState(getEnergy=True)
    first_result(f"first_{edge**3}")
    integrator.step(MELTING)
    energy = context.getState(getEnergy=True).getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole)
    expect(-20 < energy / edge**3 < 0, f"energy {energy}")
    # The query waits for the steps.
    report_each(f"particles_{edge**3}", STEPS, lambda: (integrator.step(STEPS), context.getState(getEnergy=True)))
