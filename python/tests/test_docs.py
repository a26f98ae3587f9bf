# SPDX-License-Identifier: Apache-2.0
"""The examples of docstrings and of docs/python.md do what they show."""
import doctest
import importlib
import pkgutil

import pytest

import sepx
from conftest import ROOT

MODULES = ["sepx"] + [
    f"sepx.{found.name}" for found in pkgutil.iter_modules(sepx.__path__)
    if found.name not in ("_core", "torch", "_backend")]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_examples_were_found():
    finder = doctest.DocTestFinder()
    graph = finder.find(sepx.Graph, module=False)
    assert sum(len(found.examples) for found in graph) >= 6


def test_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(ROOT / "docs" / "python.md"),
                              module_relative=False,
                              optionflags=doctest.ELLIPSIS)
    assert result.attempted > 10 and result.failed == 0
