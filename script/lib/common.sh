# Sourced by the scripts beside this folder: where the package is, and how they speak.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# Where the caller stood; paths that the caller gives are meant from there.
caller=$PWD
cd "$root" || exit

# say TEXT…: one line of what happens now, apart from the output of what is called.
say() { printf '\n==> %s\n' "$*" >&2; }

# fail TEXT…: one line of what went wrong and what to do, then the end.
fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# shellcheck disable=SC2034
photograph_package=lomiri-wallpapers-16.04

# SwiftPM writes the names of the traits and the map of output files in the order of a set, which differs from run to
# run, and compiles anew whatever is not as it was last time. With one seed for all sets the order stays. The check for
# data races does without it.
export SWIFT_DETERMINISTIC_HASHING=1

# The names in apt-packages.txt, one a line.
package_names() { sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$root/apt-packages.txt"; }

# The JPEG photographs of a Debian package, one a line.
photographs() {
    dpkg-query --listfiles "$1" | grep -iE '\.jpe?g$' | while read -r file; do
        if [ -f "$file" ] && [ ! -L "$file" ]; then echo "$file"; fi
    done
}

# Flags of a build in which a warning, or an import that the manifest does not allow, is an error. They are given
# here and not in the manifest, so that other packages can depend on this one and newer compilers can build it.
strict_flags=(--explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors -Xcc -Werror)

# KUVA_STRICT=1 makes every script build strictly, so that one build serves them all; CI sets it.
# shellcheck disable=SC2034
build_flags=()
# shellcheck disable=SC2034
if [ "${KUVA_STRICT:-0}" = 1 ]; then build_flags=("${strict_flags[@]}"); fi

# Flags of the build of the tests. Optimised: decoders and their tests over whole corpora would take half an hour
# otherwise, and release code is what users run. Testable builds keep a folder of their own.
# shellcheck disable=SC2034
optimised=(-c release -Xswiftc -enable-testing --scratch-path .build-test "${build_flags[@]}")

# build_nested FOLDER SCRATCH OPTION…: builds a package inside this one. Its plan lists the files of this package too,
# and SwiftPM looks for new ones only if the manifest is newer than the plan.
build_nested() {
    local folder=$1 scratch=$2
    shift 2
    touch "$folder/Package.swift"
    swift build --package-path "$folder" --scratch-path "$scratch" "$@"
}
