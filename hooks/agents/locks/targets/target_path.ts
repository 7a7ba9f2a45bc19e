import { home, HOST, parentDir, type Surroundings } from "../../../state/paths.ts";

const MAX_LINKS = 40;
/** No system has longer paths. */
export const MAX_PATH = 4096;

/** A path that is about to be written, and what it may mean on disk. */
export interface TargetPath {
  /** The real paths it may mean; nearly always one. */
  readonly paths: readonly string[];
  /** Whether names that differ in case mean the same file there. Looks at the disk. */
  readonly foldsCase: boolean;
}

/**
 * Resolves links, `..` and the parts that do not exist yet. There can be two
 * answers: a program may remove `..` from the text first, as Node does, or after
 * following links, as the system does; and a link may be followed or replaced.
 */
export function targetPath(path: string, cwd: string, host: Surroundings = HOST): TargetPath {
  const absolute = isAbsolute(path, host) ? path : `${cwd}/${path}`;
  const lexical = withoutDots(absolute, host);
  const parent = parentDir(lexical);
  const name = lexical.slice(lexical.lastIndexOf("/") + 1);
  if (parent === "" || name === "") {
    return target([lexical], lexical, undefined, host);
  }
  // The name itself: `rm link`, or a file that became a link after it was locked.
  const own = below(realPath(parent, host), name);
  const info = lstat(own);
  const paths = new Set(info?.isSymlink ? [realPath(own, host), own] : [own]);
  if (/(^|[\\/])\.\.([\\/]|$)/.test(absolute)) paths.add(realPath(absolute, host));
  return target([...paths], own, info, host);
}

/** Few callers need to know about case: a check of a free file finds no lock to compare names with. */
function target(
  paths: string[],
  own: string,
  info: Deno.FileInfo | undefined,
  host: Surroundings,
): TargetPath {
  return {
    paths,
    get foldsCase() {
      return foldsCase(own, info, host);
    },
  };
}

/** The real path of a file, also if it or its directories do not exist yet. */
export function realPath(path: string, host: Surroundings = HOST): string {
  const tail: string[] = [];
  let rest = path;
  for (let links = 0; links < MAX_LINKS;) {
    const real = existing(rest, host);
    if (real !== undefined) return withoutDots([real, ...tail.toReversed()].join("/"), host);
    const link = linkTarget(rest);
    if (link !== undefined) {
      // A link to a file that does not exist yet: writing through it creates that file.
      rest = isAbsolute(link, host) ? link : `${parentDir(rest)}/${link}`;
      links++;
      continue;
    }
    const parent = parentDir(rest);
    if (parent === "" || parent === rest) break;
    tail.push(trimSlashes(rest).slice(parent === "/" ? 1 : parent.length + 1));
    rest = parent;
  }
  return withoutDots(path, host);
}

function existing(path: string, host: Surroundings): string | undefined {
  try {
    return slashes(Deno.realPathSync(path), host);
  } catch {
    return undefined;
  }
}

/** Where a symbolic link points to; undefined for anything else. */
export function linkTarget(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Whether the volume ignores case. macOS and Windows are taken to: two names that
 * differ only in case then share a lock, which is rare and harmless. Elsewhere
 * (a USB stick, /mnt/c) the nearest name on disk is looked up in the other case.
 */
function foldsCase(path: string, info: Deno.FileInfo | undefined, host: Surroundings): boolean {
  if (host.os === "darwin" || host.os === "windows") return true;
  let named = info;
  for (let at = path; at !== "" && at !== "/"; at = parentDir(at), named = lstat(at)) {
    const cut = at.lastIndexOf("/") + 1;
    const swapped = swapCase(at.slice(cut));
    if (swapped === at.slice(cut) || named === undefined) continue;
    const other = lstat(at.slice(0, cut) + swapped);
    return other !== undefined && other.ino === named.ino && other.dev === named.dev;
  }
  return false;
}

/** Whether a file has hard links: another name of it may be locked. */
export function hasOtherNames(paths: readonly string[]): boolean {
  return paths.some((path) => {
    const info = stat(path);
    return info?.isFile === true && (info.nlink ?? 1) > 1;
  });
}

export function stat(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function lstat(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined;
  }
}

function swapCase(name: string): string {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
}

/** What a lock's file is named after: paths that mean the same file give the same key. */
export function lockKey(path: string, foldsCase: boolean): string {
  // macOS stores names decomposed or composed, and finds both.
  return foldsCase ? path.normalize("NFC").toLowerCase() : path;
}

/** A tool's path as the user might have written it: `~/x` and `@x` have two readings. */
export function readings(path: string, host: Surroundings = HOST): string[] {
  const list = [path];
  const base = home(host);
  if (base !== undefined && (path === "~" || path.startsWith("~/"))) list.push(base + path.slice(1));
  if (path.startsWith("@") && path.length > 1) list.push(path.slice(1));
  if (path.startsWith("file://")) {
    try {
      list.push(decodeURIComponent(new URL(path).pathname));
    } catch {
      // Not a URL: only the name itself.
    }
  }
  return list;
}

/** Removes `.`, `..` and empty parts from the text of an absolute path. */
export function withoutDots(path: string, host: Surroundings = HOST): string {
  const parts: string[] = [];
  for (const part of slashes(path, host).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  const joined = parts.join("/");
  return host.os === "windows" && /^[A-Za-z]:/.test(joined) ? joined : `/${joined}`;
}

function slashes(path: string, host: Surroundings): string {
  return host.os === "windows" ? path.replace(/^\\\\\?\\/, "").replaceAll("\\", "/") : path;
}

export function isAbsolute(path: string, host: Surroundings = HOST): boolean {
  return path.startsWith("/") || (host.os === "windows" && /^(?:[A-Za-z]:[\\/]|\\)/.test(path));
}

function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}

function below(dir: string, name: string): string {
  return dir === "/" ? `/${name}` : `${dir}/${name}`;
}

/** Whether a path is a directory's own or inside of it. */
export function isWithin(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir === "/" ? "/" : `${dir}/`);
}
