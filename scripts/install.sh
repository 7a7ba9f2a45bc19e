#!/bin/sh
# Installs one Signet connector for this user. Needs sh, curl (or GNU wget) and a
# checksum tool. Writes the program, and the URL that it came from for
# `signet-connect upgrade`; does not edit shell files or ask for a password.
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

  CONNECTOR            pyagent, claude-code, codex, opencode, openclaw, gemini,
                       copilot, qwen, kimi, pi, kilo, omp
                       or connect, which supports all of them (default)
  --version V          install this version, from URL/vV
  --dir DIR            install directory (default: ~/.local/bin)
  --base-url URL       URL of the release
  --require-signature  fail if the signature of the release cannot be verified
                       here (needs minisign or OpenSSL 3)
  --insecure-http      allow http:// to another machine
  -- ARGUMENTS…        run the connector with these arguments afterwards:
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
  require_signature=no work='' child='' made=''
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
      --require-signature) require_signature=yes ;;
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
  verifier=$(verifier) || exit 1
  check_downloader
  name=signet-$connector
  asset=$name-$platform

  # Nobody else may write to a directory made here, whatever the umask.
  user_umask=$(umask)
  umask u+rwx,go-w
  prepare_dir
  # In the target directory, so that the last step is an atomic rename.
  work=$(mktemp -d "$dir/.signet-install.XXXXXX" 2>/dev/null) ||
    fail "cannot write to $dir: choose another directory with --dir."
  trap 'cleanup; exit 129' HUP
  trap 'cleanup; exit 130' INT
  trap 'cleanup; exit 143' TERM

  download SHA256SUMS "$work/SHA256SUMS"
  check_signature
  [ -n "$(sum_of "$asset")" ] ||
    fail "$base_url has no $asset: check the name \"$connector\", and whether $platform is supported."
  unpack_into_work
  start_check
  mv -f "$work/$asset" "$dir/$name"
  made=''
  cleanup
  trap - EXIT HUP INT TERM

  say "✓ Installed $dir/$name"
  [ -z "$signature_note" ] || say "- $signature_note"
  record_source
  umask "$user_umask"
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
  case $base_url in
    *@*) misused "\"$base_url\" contains an @: user names and passwords are not allowed." ;;
    https://*) ;;
    http://*)
      # The checksums come from the same server, so over plain HTTP they prove nothing.
      is_local "$base_url" || [ "$insecure" = yes ] ||
        fail "$base_url is plain HTTP to another machine: use https, or --insecure-http."
      ;;
    *) misused "\"$base_url\" is not an http or https URL." ;;
  esac
}

# The part of a URL that names the server: host:port.
authority_of() {
  authority=${1#*://}
  printf '%s\n' "${authority%%[/?#]*}"
}

is_local() {
  case $(authority_of "$1") in
    127.0.0.1 | 127.0.0.1:* | localhost | localhost:* | "[::1]" | "[::1]:"*) ;;
    *) return 1 ;;
  esac
}

# Checks a redirect from $1 to $2 before $2 is requested.
check_redirect() {
  case $(authority_of "$2") in
    *@*) fail "$1 redirects to $2, which contains an @. Nothing was installed." ;;
  esac
  case $1,$2 in
    https://*,https://* | http://*,https://*) ;;
    https://*,http://*) fail "$1 redirects from https to $2: the download could be tampered with. Nothing was installed." ;;
    http://*,http://*)
      is_local "$2" || [ "$insecure" = yes ] ||
        fail "$1 redirects to $2, which is plain HTTP to another machine. Nothing was installed."
      ;;
    *) fail "$1 redirects to $2, which is not an http or https URL. Nothing was installed." ;;
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

# The program that can verify the signature of the release; empty if there is none, or no key.
verifier() {
  if [ -z "$release_key" ]; then
    [ "$require_signature" = no ] || fail "this install.sh has no release key, so --require-signature cannot be met."
  elif have minisign; then
    echo minisign
  else
    case $(openssl version 2>/dev/null || :) in
      "OpenSSL "[3-9]*) echo openssl ;;
      *)
        [ "$require_signature" = no ] ||
          fail "--require-signature needs minisign or OpenSSL 3 to verify the signature: install one of them."
        ;;
    esac
  fi
}

check_signature() {
  signature_note=''
  if [ -z "$verifier" ]; then
    [ -z "$release_key" ] || signature_note="Only the checksum was verified. To verify the signature too, install minisign or OpenSSL 3."
    return 0
  fi
  download SHA256SUMS.minisig "$work/SHA256SUMS.minisig"
  "verify_with_$verifier" >/dev/null 2>&1 ||
    fail "the signature of $base_url/SHA256SUMS is not valid: the release was tampered with, or signed with another key. Nothing was installed."
  say "✓ Verified the signature of the release with $verifier"
}

verify_with_minisign() {
  minisign -V -q -P "$release_key" -m "$work/SHA256SUMS" -x "$work/SHA256SUMS.minisig"
}

# minisign's lines are base64 of the algorithm and the key id (10 bytes), then the key or
# the signature. The last line of a signature signs the first one and the trusted comment.
verify_with_openssl() (
  cd "$work" || exit 1
  printf '%s' "$release_key" | openssl base64 -d -A >key
  sed -n 2p SHA256SUMS.minisig | openssl base64 -d -A >signature
  [ "$(dd bs=1 count=10 <key | openssl base64)" = "$(dd bs=1 count=10 <signature | openssl base64)" ] || exit 1
  # The header of an Ed25519 public key in DER.
  printf '\060\052\060\005\006\003\053\145\160\003\041\000' >key.der
  dd bs=1 skip=10 <key >>key.der
  dd bs=1 skip=10 <signature >signature.raw
  openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in SHA256SUMS -sigfile signature.raw || exit 1
  sed -n 4p SHA256SUMS.minisig | openssl base64 -d -A >comment.raw
  comment=$(sed -n '3s/^trusted comment: //p' SHA256SUMS.minisig)
  {
    cat signature.raw
    printf '%s' "$comment"
  } >commented
  openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in commented -sigfile comment.raw || exit 1
)

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

check_downloader() {
  if have curl; then
    downloader=curl
  elif have wget; then
    # Other wgets follow redirects, to plain HTTP too, and cannot be told not to.
    case $(wget --version 2>/dev/null || :) in
      "GNU Wget"*) downloader=wget ;;
      *) fail "curl or GNU wget is needed; this wget may follow unsafe redirects: install one of them." ;;
    esac
  else
    fail "curl or wget is needed: install one of them."
  fi
}

# Follows redirects one by one, so that each address is checked before it is requested.
download() {
  url=$base_url/$1 hops=0
  while :; do
    "request_with_$downloader" "$url" "$2" ||
      fail "cannot download $base_url/$1: check the URL and the network. Nothing was installed."
    [ -n "$redirect" ] || return 0
    hops=$((hops + 1))
    [ "$hops" -le 10 ] || fail "$base_url/$1 redirects more than 10 times. Nothing was installed."
    check_redirect "$url" "$redirect"
    url=$redirect
  done
}

# Downloads $1 to $2 and sets redirect to where the server redirects to, if it does. In the
# background, because a shell does not handle signals while it waits for a foreground program.
request_with_curl() {
  progress=-s
  [ ! -t 2 ] || progress=--progress-bar
  curl -f -S "$progress" --proto =http,https --connect-timeout 20 --speed-limit 1 --speed-time 60 \
    -w '%{redirect_url}' -o "$2" "$1" >"$work/redirect" &
  child=$!
  wait "$child" || {
    child=''
    return 1
  }
  child=''
  redirect=$(cat "$work/redirect")
}

request_with_wget() {
  wget -q -S -T 60 --max-redirect=0 -O "$2" "$1" 2>"$work/headers" &
  child=$!
  code=0
  wait "$child" || code=$?
  child=''
  redirect=''
  [ "$code" -ne 0 ] || return 0
  # A redirect that is not followed ends with code 8, as an error of the server does.
  redirect=$(sed -n 's/^[[:space:]]*[Ll]ocation:[[:space:]]*\([^[:space:]]*\).*/\1/p' "$work/headers" | sed -n '$p')
  case $redirect in
    '') return 1 ;;
    *://* | //*) ;;
    /*) redirect=${1%%://*}://$(authority_of "$1")$redirect ;;
    *) redirect=${1%/*}/$redirect ;;
  esac
}

start_check() {
  chmod 755 "$work/$asset"
  "$work/$asset" --version >/dev/null 2>"$work/why" </dev/null ||
    fail "$asset does not start on this machine ($(sed -n 1p "$work/why")). Nothing was installed."
}

# For `signet-connect upgrade`, which then needs no URL.
record_source() {
  case ${XDG_STATE_HOME-} in
    /*) state=$XDG_STATE_HOME ;;
    *) state=${HOME:+$HOME/.local/state} ;;
  esac
  [ -n "$state" ] || return 0
  record=$state/signet/release-source
  # The last uninstall removes the directories that this file lists.
  case $state in
    "${HOME-}/.local/state")
      [ -e "$state" ] || { mkdir -p "$state/signet" && echo '["~/.local/state"]' >"$state/signet/install.dirs"; } 2>/dev/null || :
      ;;
  esac
  { mkdir -p "$state/signet" && printf '%s\n' "$base_url" >"$record.new" && mv -f "$record.new" "$record"; } 2>/dev/null ||
    say "- $record cannot be written: later, run signet-connect upgrade --from $base_url"
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
