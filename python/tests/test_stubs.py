# SPDX-License-Identifier: Apache-2.0
"""The stubs have what the package has: names, arguments and their order."""
import ast
import importlib
import inspect
import pathlib

import pytest

import sepx

FOLDER = pathlib.Path(sepx.__file__).parent
STUBS = sorted(path.stem for path in FOLDER.glob("*.pyi"))


def arguments(function):
    """Names of a stub's arguments, without those that only C can see."""
    every = function.args
    return [argument.arg for argument in
            every.posonlyargs + every.args + every.kwonlyargs]


def compare(stub, found, where):
    if isinstance(stub, ast.ClassDef):
        for part in stub.body:
            if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
                if part.name in ("__buffer__",):  # Python 3.12 shows it
                    continue
                compare(part, inspect.getattr_static(found, part.name),
                        f"{where}.{part.name}")
        return
    function = getattr(found, "__func__", getattr(found, "fget", None)
                       or found)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # of C, without a text signature
    if not inspect.isfunction(function):
        return
    names = [name for name, parameter in signature.parameters.items()
             if parameter.kind not in (parameter.VAR_POSITIONAL,
                                       parameter.VAR_KEYWORD)]
    assert names == arguments(stub), where


@pytest.mark.parametrize("name", STUBS)
def test_stubs_are_those_of_the_package(name):
    module = importlib.import_module(
        "sepx" if name == "__init__" else f"sepx.{name}")
    tree = ast.parse((FOLDER / f"{name}.pyi").read_text())
    for part in tree.body:
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            compare(part, getattr(module, part.name), f"{name}.{part.name}")


def test_everything_public_has_a_stub():
    tree = ast.parse((FOLDER / "__init__.pyi").read_text())
    names = {alias.asname for part in tree.body
             if isinstance(part, ast.ImportFrom) for alias in part.names}
    assert names == set(sepx.__all__)
