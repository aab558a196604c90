"""POT's solver without the rest of POT.

`import ot` loads scikit-learn, networkx, scipy's statistics and each framework for deep learning
that is installed: one to four seconds, and often more than the transport itself. The solver needs
three of POT's files. They are imported here as modules of a package that has POT's folder but not
its `__init__`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

Emd = Callable[..., Any]

PACKAGE = "clustcmp_pot"
FRAMEWORKS = ("PYTORCH", "JAX", "CUPY", "TENSORFLOW")

loading = Lock()


def load_emd() -> Emd:
    """POT's function `emd`, alone if POT has the expected files and is not imported already."""
    with loading:
        if "ot" not in sys.modules:
            try:
                return import_emd()
            except (ImportError, AttributeError):
                pass
        import ot.lp

        emd: Emd = ot.lp.emd
        return emd


def import_emd() -> Emd:
    """The function `emd` of the module that defines it."""
    if PACKAGE not in sys.modules:
        spec = find_spec("ot")
        folders = spec.submodule_search_locations if spec else None
        for name, inside in ((PACKAGE, ""), (f"{PACKAGE}.lp", "lp")):
            package = ModuleType(name)
            package.__path__ = [str(Path(folder, inside)) for folder in folders or ()]
            sys.modules[name] = package
    with without_frameworks():
        emd: Emd = import_module(f"{PACKAGE}.lp._network_simplex").emd
    # The compiled module has entered itself in sys.modules under its own name too. With that entry
    # a later `import ot` would not set the attribute `emd_wrap` of `ot.lp`.
    sys.modules.pop("ot.lp.emd_wrap", None)
    return emd


@contextmanager
def without_frameworks() -> Iterator[None]:
    """Within this block POT's own switches keep it from importing any framework but numpy."""
    switches = [f"POT_BACKEND_DISABLE_{framework}" for framework in FRAMEWORKS]
    added = [switch for switch in switches if switch not in os.environ]
    os.environ.update(dict.fromkeys(added, "1"))
    try:
        yield
    finally:
        for switch in added:
            del os.environ[switch]
