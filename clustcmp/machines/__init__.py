"""Other machines that run tasks: workers of dask, which a scheduler hands out tasks to.

    with joined("tcp://host:8786"):
        map_tasks(function, tasks, jobs)

    joining     finding the scheduler, and its workers with the same programs
    sending     which tasks are worth sending, batches of them, retries, errors
    packing     functions and tasks as bytes; each large array travels once
    working     what a worker does

Analyses know `joined` alone, and nothing here imports dask until a scheduler is needed.
"""

from clustcmp.machines.joining import joined, uses_machines

__all__ = ["joined", "uses_machines"]
