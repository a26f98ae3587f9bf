# SPDX-License-Identifier: Apache-2.0
# Sourced by quickstart and check: packages by name, and the optimised build.
# A|B: whichever of the two the lists of apt offer. Debian 13 and Ubuntu 24.04
# have libnauty-dev, Debian 12 has libnauty2-dev.
# shellcheck shell=sh disable=SC2034

BUILD_PACKAGES="gcc libc6-dev meson ninja-build pkgconf libjansson-dev
libexpat1-dev libnauty-dev|libnauty2-dev libsqlite3-dev libmicrohttpd-dev
python3 python3-dev"
RUN_PACKAGES="graphviz gnuplot-nox"
# zlib: pkg-config --static names it, and libsqlite3-dev does not depend on it.
CHECK_PACKAGES="g++ clang clang-format libclang-rt-dev cppcheck libcmocka-dev
zlib1g-dev python3-numpy python3-networkx python3-pytest python3-hypothesis
python3-scipy postgresql libpq-dev"
# Large or for root, so ./check does without them; CI has them, and skips no test
# of theirs.
CI_PACKAGES="python3-torch python3-torchvision python3-sklearn python3-pandas
libxgboost-dev python3-xgboost iproute2"
# For the browser tests; Node.js of another origin will do, too.
PAGE_PACKAGES="chromium"
command -v npm >/dev/null || PAGE_PACKAGES="$PAGE_PACKAGES nodejs npm"

say() {
    printf '%s\n' "$*" >&2
}

is_installed() {
    case $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) in
    *' installed') return 0 ;;
    *) return 1 ;;
    esac
}

# package_name NAME[|NAME]...: the one that is installed, else the first that
# apt offers; the first of all if its lists are empty.
package_name() {
    names=$(echo "$1" | tr '|' ' ')
    for name in $names; do
        is_installed "$name" && echo "$name" && return
    done
    for name in $names; do
        apt-cache show "$name" >/dev/null 2>&1 && echo "$name" && return
    done
    echo "${1%%|*}"
}

# package_names NAME[|NAME]...: on one line.
package_names() {
    for word in "$@"; do
        printf '%s ' "$(package_name "$word")"
    done
}

# missing_packages NAME[|NAME]...: those that are not installed.
missing_packages() {
    for name in $(package_names "$@"); do
        is_installed "$name" || printf '%s ' "$name"
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

has_lists() {
    ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1
}

# install_missing SUDO NAME[|NAME]...: the lists of a fresh machine are empty
# or old, so a failure is retried once after an update, which may offer other
# names.
install_missing() {
    with=$1
    shift
    export DEBIAN_FRONTEND=noninteractive
    # Splitting into words is meant.
    # shellcheck disable=SC2046
    if has_lists && as_root "$with" apt-get install -y \
        --no-install-recommends $(missing_packages "$@") >&2; then
        return 0
    fi
    # shellcheck disable=SC2046
    as_root "$with" apt-get update >&2 &&
        as_root "$with" apt-get install -y --no-install-recommends \
            $(missing_packages "$@") >&2
}

# need_packages NAME[|NAME]...: install what is missing, or say what to install.
need_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "not a Debian system; assuming that these are installed: $*"
        return 0
    fi
    missing=$(missing_packages "$@")
    [ -z "$missing" ] && return 0
    say "missing packages: $missing"
    if with=$(become_root) && install_missing "$with" "$@"; then
        return 0
    fi
    say "could not install them; as root, run:"
    if has_lists; then
        say "    apt-get update && apt-get install --no-install-recommends $missing"
    else
        say "    apt-get update"
        say "then run this again: names depend on the lists of apt, which are empty"
    fi
    return 1
}

# The packages that a build can find: headers, and the tools that look for
# them.
found_packages() {
    if command -v dpkg-query >/dev/null; then
        dpkg-query -W -f '${Status} ${Package} ${Version}\n' '*-dev' meson
    else
        pkg-config --list-all | sort
    fi
}

# configure DIR OPTION...: set up or set again; the options win. If packages
# have come or gone since, libraries and headers are looked up anew, those too
# that meson remembers as missing. A link leads to the build of another tree,
# which stays as it is.
configure() {
    dir=$1
    shift
    [ -L "$dir" ] && return 0
    found=$(found_packages)
    if [ ! -f "$dir/build.ninja" ]; then
        meson setup "$dir" "$@" || return 1
    elif [ "$found" != "$(cat "$dir/packages" 2>/dev/null)" ]; then
        say "packages have changed since $dir was configured"
        meson configure "$dir" --clearcache &&
            meson setup --reconfigure "$dir" "$@" || return 1
    elif [ $# != 0 ]; then
        meson configure "$dir" "$@" || return 1
    fi
    printf '%s\n' "$found" >"$dir/packages"
}

# build_release DIR: the program and the Python package; messages go to
# stderr.
build_release() {
    configure "$1" >&2 && ninja -C "$1" parts >&2
}
