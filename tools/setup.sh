# SPDX-License-Identifier: Apache-2.0
# Sourced by quickstart and check: packages by name, and the optimised build.
# Debian 12 (bookworm) names.
# shellcheck shell=sh disable=SC2034

BUILD_PACKAGES="gcc libc6-dev meson ninja-build pkgconf libjansson-dev
libexpat1-dev libnauty2-dev libsqlite3-dev libmicrohttpd-dev python3"
RUN_PACKAGES="graphviz gnuplot-nox"
# zlib: pkg-config --static names it, and libsqlite3-dev does not depend on it.
CHECK_PACKAGES="g++ clang clang-format libclang-rt-14-dev cppcheck libcmocka-dev
zlib1g-dev python3-dev python3-numpy python3-networkx python3-pytest
python3-hypothesis python3-scipy postgresql libpq-dev"
# For the browser tests; Node.js of another origin will do, too.
PAGE_PACKAGES="chromium"
command -v npm >/dev/null || PAGE_PACKAGES="$PAGE_PACKAGES nodejs npm"

say() {
    printf '%s\n' "$*" >&2
}

# missing_packages NAME...: those that are not installed.
missing_packages() {
    for name in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$name" 2>/dev/null) in
        *' installed') ;;
        *) printf '%s ' "$name" ;;
        esac
    done
}

# The command that becomes root, "none" if we are root; fails if there is none.
become_root() {
    if [ "$(id -u)" = 0 ]; then
        echo none
    elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true; } \
        2>/dev/null; then
        echo sudo
    else
        return 1
    fi
}

# as_root SUDO COMMAND...
as_root() {
    with=$1
    shift
    if [ "$with" = none ]; then
        "$@"
    else
        "$with" env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

# The lists of a fresh machine are empty or old, so a failure is retried once
# after an update.
apt_install() {
    with=$1
    shift
    set -- apt-get install -y --no-install-recommends "$@"
    export DEBIAN_FRONTEND=noninteractive
    if ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 &&
        as_root "$with" "$@" >&2; then
        return 0
    fi
    as_root "$with" apt-get update >&2 && as_root "$with" "$@" >&2
}

# need_packages NAME...: install what is missing, or say what to install.
need_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "not a Debian system; assuming that these are installed: $*"
        return 0
    fi
    missing=$(missing_packages "$@")
    [ -z "$missing" ] && return 0
    say "missing packages: $missing"
    # Splitting $missing into words is meant.
    # shellcheck disable=SC2086
    if with=$(become_root) && apt_install "$with" $missing; then
        return 0
    fi
    say "could not install them; as root, run:"
    say "    apt-get update && apt-get install --no-install-recommends $missing"
    return 1
}

# build_release DIR: configure once, then build the program and, if
# python3-dev is there, the Python package; messages go to stderr.
build_release() {
    if [ ! -f "$1/build.ninja" ]; then
        meson setup "$1" >&2 || return 1
    fi
    ninja -C "$1" parts >&2
}
