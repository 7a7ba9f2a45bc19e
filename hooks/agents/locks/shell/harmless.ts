/** Commands that write no file, whatever their arguments are. */
export const HARMLESS: ReadonlySet<string> = new Set(
  [
    // Shell built-ins.
    ": [ [[ break cd continue echo exit export false getopts hash jobs kill local printf pwd read readonly",
    "return set shift test times true type ulimit umask unset wait declare typeset for in do done fi } ]] esac",
    // Reading and text.
    "arch b2sum base32 base64 basename cat cksum cmp column comm cut df diff dirname du egrep expand expr",
    "factor fgrep fmt fold grep groups head hexdump hostid id join jq ls md5sum nl nproc numfmt od paste",
    "pathchk pr printenv ps readlink realpath rev sdiff seq sha1sum sha224sum sha256sum sha384sum sha512sum",
    "sleep stat strings sum tac tail tr tsort tty uname unexpand uptime users wc which who whoami yes",
  ].join(" ").split(" "),
);

/** Assignments to these change which program runs, where a path leads, or what a program does first. */
const DANGEROUS =
  /^(?:PATH|HOME|PWD|OLDPWD|CDPATH|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|POSIXLY_CORRECT|GLOBIGNORE|ZDOTDIR|LESSOPEN|LESSCLOSE|(?:LD|DYLD|GIT|BASH_FUNC)_.*)$/;

export function isDangerousVariable(name: string): boolean {
  return DANGEROUS.test(name);
}
