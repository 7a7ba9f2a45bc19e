#!/bin/sh
# Installs one Signet connector for this user. Needs sh, curl (or wget) and a
# checksum tool. Writes one file; does not edit shell files or ask for a password.
#
#   sh install.sh [--version V] [--dir DIR] [--base-url URL] [CONNECTOR] [-- ARGUMENTS…]
#
# Everything is in functions and the last line calls main, so that a truncated
# download of this script does nothing.
set -eu

# `deno task release --base-url URL` writes the URL of the release here.
default_base_url=
# `--sign KEYFILE` writes the public key of the release here.
release_key=

usage() {
  cat <<'END'
Usage: sh install.sh [options] [CONNECTOR] [-- ARGUMENTS…]

  CONNECTOR         pyagent, claude-code, codex, opencode, openclaw, gemini, pi
                    or connect, which supports all of them (default)
  --version V       install this version, from URL/vV
  --dir DIR         install directory (default: ~/.local/bin)
  --base-url URL    URL of the release
  --insecure-http   allow http:// to another machine
  -- ARGUMENTS…     run the connector with these arguments afterwards:
                    sh install.sh pi -- install --url https://… --agent-id me/pi

Exit code: 0 installed; 1 failed, nothing was changed; 2 usage error;
with --, the exit code of the connector.
END
}

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "install.sh: $*"
  exit 1
}
misused() {
  say "install.sh: $*"
  say "See: sh install.sh --help"
  exit 2
}
have() { command -v "$1" >/dev/null 2>&1; }

main() {
  connector='' version='' dir='' base_url=${SIGNET_RELEASE_URL:-$default_base_url} insecure=no run=no
  work='' child='' made=''
  while [ $# -gt 0 ]; do
    case $1 in
      --version | --dir | --base-url)
        [ -n "${2-}" ] || misused "$1 needs a value."
        case $1 in
          --version) version=${2#v} ;;
          --dir) dir=${2%/} ;;
          --base-url) base_url=$2 ;;
        esac
        shift
        ;;
      --insecure-http) insecure=yes ;;
      -h | --help)
        usage
        exit 0
        ;;
      --)
        run=yes
        shift
        break
        ;;
      -*) misused "unknown option $1." ;;
      *)
        [ -z "$connector" ] || misused "only one connector at a time: $connector or $1?"
        connector=${1#signet-}
        ;;
    esac
    shift
  done
  connector=${connector:-connect}
  case $connector in
    *[!a-z-]*) misused "\"$connector\" is not a connector name." ;;
  esac
  case $version in
    *[!0-9A-Za-z.+-]*) misused "\"$version\" is not a version." ;;
  esac
  [ -n "$dir" ] || dir=${HOME:+$HOME/.local/bin}
  [ -n "$dir" ] || misused "HOME is not set: use --dir to set the install directory."
  case $dir in
    /*) ;;
    *) dir=$(pwd)/$dir ;;
  esac
  check_url

  platform=$(platform) || exit 1
  checksum_tool=$(checksum_tool) || exit 1
  name=signet-$connector
  asset=$name-$platform

  prepare_dir
  # In the target directory, so that the last step is an atomic rename.
  work=$(mktemp -d "$dir/.signet-install.XXXXXX" 2>/dev/null) ||
    fail "cannot write to $dir: choose another directory with --dir."
  trap 'cleanup; exit 129' HUP
  trap 'cleanup; exit 130' INT
  trap 'cleanup; exit 143' TERM

  download SHA256SUMS "$work/SHA256SUMS"
  [ -n "$(sum_of "$asset")" ] ||
    fail "$base_url has no $asset: check the name \"$connector\", and whether $platform is supported."
  unpack_into_work
  start_check
  mv -f "$work/$asset" "$dir/$name"
  made=''
  cleanup
  trap - EXIT HUP INT TERM

  say "✓ Installed $dir/$name"
  case :${PATH-}: in
    *":$dir:"*) command=$name ;;
    *)
      command=$dir/$name
      say "- $dir is not on your PATH. To add it, put this line into your shell's startup file:"
      say "    export PATH=\"$dir:\$PATH\""
      ;;
  esac
  [ "$run" = no ] || exec "$dir/$name" "$@"
  case $connector in
    connect) say "- Next: $command setup" ;;
    *) say "- Next: $command install --url URL --api-key-file FILE" ;;
  esac
}

check_url() {
  [ -n "$base_url" ] || misused "no release URL: use --base-url URL."
  base_url=${base_url%/}
  [ -z "$version" ] || base_url=$base_url/v$version
  protocols='=http,https'
  case $base_url in
    *@*) misused "\"$base_url\" contains an @: user names and passwords are not allowed." ;;
    https://*) protocols='=https' ;;
    http://127.0.0.1[:/]* | http://localhost[:/]* | "http://[::1]"[:/]*) ;;
    http://127.0.0.1 | http://localhost | "http://[::1]") ;;
    http://*)
      # The checksums come from the same server, so over plain HTTP they prove nothing.
      [ "$insecure" = yes ] || fail "$base_url is plain HTTP to another machine: use https, or --insecure-http."
      ;;
    *) misused "\"$base_url\" is not an http or https URL." ;;
  esac
}

# The platform part of a file name.
platform() {
  os=$(uname -s) cpu=$(uname -m)
  case $os in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    MINGW* | MSYS* | CYGWIN*) fail "on Windows, download and unpack the windows-x64.zip of the release." ;;
    *) fail "there is no binary for $os: only Linux and macOS are supported." ;;
  esac
  case $cpu in
    x86_64 | amd64) cpu=x64 ;;
    aarch64 | arm64) cpu=arm64 ;;
    *) fail "there is no binary for $cpu processors: only x86_64 and aarch64 are supported." ;;
  esac
  if [ "$os" = darwin ] && [ "$cpu" = x64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then
    cpu=arm64 # a shell under Rosetta, on Apple silicon
  fi
  [ "$os" != linux ] || check_libc
  echo "$os-$cpu"
}

# The binaries need glibc 2.27 or later. If the libc is unknown, start_check decides.
check_libc() {
  if have getconf && [ "$(getconf LONG_BIT 2>/dev/null)" = 32 ]; then
    fail "this is a 32-bit system: the binaries are 64-bit."
  fi
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || glibc=''
  glibc=${glibc#glibc }
  if [ -z "$glibc" ]; then
    case $(ldd --version 2>&1 || :) in
      *musl*) fail "this system uses musl, but the binaries need glibc 2.27 or later, as in Debian, Ubuntu or Fedora." ;;
    esac
    glibc=$(ldd --version 2>/dev/null | sed -n '1s/.* \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p') || glibc=''
  fi
  case $glibc in
    [0-9]*.[0-9]*) ;;
    *) return 0 ;;
  esac
  major=${glibc%%.*} minor=${glibc#*.}
  minor=${minor%%[!0-9]*}
  if [ "$major" -lt 2 ] || { [ "$major" -eq 2 ] && [ "$minor" -lt 27 ]; }; then
    fail "this system has glibc $glibc, but the binaries need 2.27 or later."
  fi
}

checksum_tool() {
  for tool in sha256sum shasum openssl; do
    if have "$tool"; then
      echo "$tool"
      return
    fi
  done
  fail "sha256sum, shasum or openssl is needed to verify the download: install one of them."
}

hash_of() {
  case $checksum_tool in
    sha256sum) sha256sum <"$1" ;;
    shasum) shasum -a 256 <"$1" ;;
    openssl) openssl dgst -sha256 -r <"$1" ;;
  esac | sed 's/[^0-9a-f].*//'
}

sum_of() {
  sed -n "s/^\([0-9a-f]\{64\}\) [ *]$1\$/\1/p" "$work/SHA256SUMS"
}

prepare_dir() {
  made=$dir
  while [ ! -e "${made%/*}" ] && [ -n "${made%/*}" ]; do made=${made%/*}; done
  [ ! -e "$made" ] || made=''
  trap cleanup EXIT
  mkdir -p "$dir" 2>/dev/null || fail "cannot create $dir: choose another directory with --dir."
  if [ -d "$dir/$name" ]; then
    fail "$dir/$name is a directory: remove it, or choose another directory with --dir."
  fi
}

# Downloads the smallest format that this machine can unpack; the unpacked binary must
# match its checksum too.
unpack_into_work() {
  if have xz && [ -n "$(sum_of "$asset.xz")" ]; then
    fetch_checked "$asset.xz"
    xz -dc "$work/$asset.xz" >"$work/$asset" || fail "$asset.xz cannot be unpacked."
  elif have unzip && [ -n "$(sum_of "$asset.zip")" ]; then
    fetch_checked "$asset.zip"
    unzip -p "$work/$asset.zip" >"$work/$asset" || fail "$asset.zip cannot be unpacked."
  else
    fetch_checked "$asset"
  fi
  check_sum "$asset"
}

fetch_checked() {
  say "Downloading $1 …"
  download "$1" "$work/$1"
  check_sum "$1"
}

check_sum() {
  wanted=$(sum_of "$1")
  got=$(hash_of "$work/$1")
  if [ -z "$wanted" ] || [ "$wanted" != "$got" ]; then
    fail "$1 has the wrong checksum (${got:-none}, expected ${wanted:-none}): the download is damaged or was tampered with. Nothing was installed."
  fi
}

# In the background, because a shell does not handle signals while it waits for a
# foreground program.
download() {
  if have curl; then
    progress=-s
    [ ! -t 2 ] || progress=--progress-bar
    curl -fL -S "$progress" --proto "$protocols" --connect-timeout 20 --speed-limit 1 --speed-time 60 -o "$2" "$base_url/$1" &
  elif have wget; then
    wget -q -T 60 -O "$2" "$base_url/$1" &
  else
    fail "curl or wget is needed: install one of them."
  fi
  child=$!
  wait "$child" || fail "cannot download $base_url/$1: check the URL and the network. Nothing was installed."
  child=''
}

start_check() {
  chmod 755 "$work/$asset"
  "$work/$asset" --version >/dev/null 2>"$work/why" </dev/null ||
    fail "$asset does not start on this machine ($(sed -n 1p "$work/why")). Nothing was installed."
}

cleanup() {
  [ -z "$child" ] || kill "$child" 2>/dev/null || :
  [ -z "$work" ] || rm -rf "$work"
  # Remove the directories created for a failed install.
  if [ -n "$made" ]; then
    empty=$dir
    while [ "$empty" != "${made%/*}" ]; do
      rmdir "$empty" 2>/dev/null || break
      empty=${empty%/*}
    done
  fi
  child='' work='' made=''
}

main "$@"
