#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""packages.py: tools/setup.sh, on which quickstart and check stand.

Package names follow what apt offers, and a build is configured again when a
package has come that the last configuration did not find.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# An apt with files instead of lists: `offered` and `installed` in $STATE.
FAKES = {
    "apt-cache": 'grep -qx "$2" "$STATE/offered"',
    "dpkg-query": """
for last; do :; done
case $* in
*'*-dev'*) sed 's/^/install ok installed /' "$STATE/installed" ;;
*) grep -qx "$last" "$STATE/installed" && printf 'install ok installed' ;;
esac""",
}
# Meson caches a missing header; since 1.3 the cache can be cleared.
PROJECT = """project('late', 'c', meson_version: '>=1.0')
late = dependency('sepx-late', required: get_option('late'))
cached = meson.version().version_compare('>=1.3')
header = meson.get_compiler('c').has_header('sepx_late.h') or not cached
configure_file(input: 'late.in', output: 'late',
  configuration: {'found': (late.found() and header).to_string()})
"""


class Machine:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        bin = self.folder / "bin"
        bin.mkdir()
        for name, body in FAKES.items():
            (bin / name).write_text(f"#!/bin/sh\n{body}\n")
            (bin / name).chmod(0o755)
        self.environment = dict(os.environ, STATE=folder,
                                PATH=f"{bin}:{os.environ['PATH']}",
                                CPATH=folder, PKG_CONFIG_PATH=folder)
        self.set([], [])

    def set(self, offered, installed):
        for name, lines in [("offered", offered), ("installed", installed)]:
            text = "".join(line + "\n" for line in lines)
            (self.folder / name).write_text(text)

    def run(self, commands):
        return subprocess.run(
            ["sh", "-euc", f'. "{ROOT}/tools/setup.sh"\n{commands}'],
            cwd=self.folder, env=self.environment, text=True, check=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            timeout=60).stdout


def names(machine, packages):
    return machine.run(f'package_names {packages}').split()


def test_names_are_those_that_apt_offers(machine):
    words = "'gcc' 'libnauty-dev|libnauty2-dev'"
    for offered, installed, expected in [
            (["libnauty-dev"], [], "libnauty-dev"),
            (["libnauty2-dev"], [], "libnauty2-dev"),
            (["libnauty2-dev", "libnauty-dev"], [], "libnauty-dev"),
            (["libnauty-dev"], ["libnauty2-dev"], "libnauty2-dev"),
            ([], [], "libnauty-dev")]:
        machine.set(offered, installed)
        got = names(machine, words)
        assert got == ["gcc", expected], (offered, installed, got)


def test_missing_packages_are_those_to_install(machine):
    machine.set(["libnauty2-dev"], ["gcc"])
    words = "'gcc' 'libnauty-dev|libnauty2-dev'"
    got = machine.run(f"missing_packages {words}").split()
    assert got == ["libnauty2-dev"], got
    machine.set(["libnauty2-dev"], ["gcc", "libnauty2-dev"])
    assert not machine.run(f"missing_packages {words}").split()


def test_real_names_have_no_alternatives_left(machine):
    machine.set(["libnauty2-dev"], [])
    got = names(machine, "$BUILD_PACKAGES $RUN_PACKAGES $CHECK_PACKAGES")
    assert "libnauty2-dev" in got and "python3-dev" in got, got
    assert not [name for name in got if "|" in name], got


def test_a_package_that_came_is_found(machine):
    def configured():
        machine.run("configure build >log")
        return (machine.folder / "build/late").read_text().strip()

    (machine.folder / "meson.build").write_text(PROJECT)
    (machine.folder / "meson_options.txt").write_text(
        "option('late', type: 'feature', value: 'auto')\n")
    (machine.folder / "late.in").write_text("@found@\n")
    assert configured() == "false"
    (machine.folder / "sepx_late.h").touch()
    (machine.folder / "sepx-late.pc").write_text(
        "Name: late\nDescription: late\nVersion: 1\n")
    machine.set([], ["sepx-late-dev"])
    assert configured() == "true"
    assert "changed" not in machine.run("configure build 2>&1 >log")
    # Options that are given at the same time hold.
    machine.set([], [])
    machine.run("configure build -Dlate=disabled >log")
    assert configured() == "false"


def main():
    for name, test in sorted(globals().items()):
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Machine(folder))
            except subprocess.CalledProcessError as error:
                sys.exit(f"{name}: {error}\n{error.stdout}")
        print(f"{name}: passed")


main()
