# SPDX-License-Identifier: Apache-2.0
"""The examples run and say what they should."""
import importlib.util
import subprocess
import sys

import pytest

from conftest import ROOT


def run(name, *words):
    done = subprocess.run(
        [sys.executable, "-B", str(ROOT / "examples" / "python" / name),
         *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_distances():
    text = run("distances.py")
    assert "distance 5.0" in text and "44850 distances" in text


def test_objectives():
    text = run("objectives.py", "300")
    assert text.startswith("complete") and "edges" in text


def test_molecules():
    if not importlib.util.find_spec("sklearn"):
        pytest.skip("python3-sklearn is not installed")
    text = run("molecules.py")
    assert "phenol to aniline: 1.0" in text and "of 30 right" in text
