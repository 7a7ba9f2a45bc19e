import { join, type Surroundings } from "../../../hooks/state/paths.ts";

/** A path in a directory; `name` has `/` between its parts on every system. */
export function pathIn(host: Surroundings, dir: string, name: string): string {
  return join(host, dir, ...name.split("/"));
}

/** A path with a leading `~` replaced by the home directory, for variables that the harness expands itself. */
export function expandHome(path: string, home: string): string {
  return path.replace(/^~(?=$|[\\/])/, () => home);
}
