"""POT's solver is imported alone, and is the same function as with all of POT."""

from __future__ import annotations

import subprocess
import sys

import pytest

from clustcmp.transport import pot

LIST_MODULES = "import sys; print('ot' in sys.modules, 'sklearn' in sys.modules)"


def run(code: str) -> str:
    """What a fresh interpreter prints."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], check=True, capture_output=True, text=True
    ).stdout


def test_the_solver_is_imported_without_the_rest_of_pot() -> None:
    code = f"from clustcmp.transport.pot import load_emd; emd = load_emd(); {LIST_MODULES}"
    code += "; print(emd([1.0], [1.0], [[2.0]]).tolist())"
    assert run(code) == "False False\n[[1.0]]\n"


def test_importing_the_solver_imports_no_framework_and_keeps_the_environment() -> None:
    code = "import os, sys; sys.modules['torch'] = None; before = dict(os.environ)\n"
    code += "os.environ['POT_BACKEND_DISABLE_JAX'] = 'mine'\n"
    code += "from clustcmp.transport.pot import load_emd\n"
    code += "load_emd(); print(dict(os.environ) == {**before, 'POT_BACKEND_DISABLE_JAX': 'mine'})"
    assert run(code) == "True\n"


@pytest.mark.parametrize(
    "first", ["import ot\n", "from clustcmp.transport.pot import load_emd; load_emd()\n"]
)
def test_pot_can_be_imported_before_or_after_the_solver(first: str) -> None:
    code = f"{first}import ot, ot.lp\nfrom clustcmp.transport.pot import load_emd\n"
    code += "print(ot.emd([1.0], [1.0], [[2.0]]).tolist(), load_emd() is ot.lp.emd, "
    code += "callable(ot.lp.emd_wrap.emd_c))"
    assert run(code) == "[[1.0]] True True\n"


def test_a_pot_with_another_layout_is_imported_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    import ot.lp

    def fail() -> pot.Emd:
        raise ImportError("there is no module of this name")

    monkeypatch.setattr(pot, "import_emd", fail)
    monkeypatch.delitem(sys.modules, "ot")
    assert callable(pot.load_emd())
    assert pot.load_emd().__module__ == ot.lp.emd.__module__
