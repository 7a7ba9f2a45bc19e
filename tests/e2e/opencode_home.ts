import type { Stage } from "./stage.ts";

/** A plugin of the user's own, in the directory that OpenCode and Kilo search. */
export function userPlugin(stage: Stage): string {
  return `import { execSync } from "node:child_process";
export const Mine = async () => ({
  "chat.message": async () => { execSync(${JSON.stringify(stage.userHook("message"))}); },
});
`;
}

/**
 * The files of a package that OpenCode and Kilo fetch for their first plugin. With these they do not
 * wait for npm: 71 s and 97 s where there is no network.
 */
export async function fetchedAlready(
  stage: Stage,
  dir: string,
  name: string,
  version: string,
): Promise<void> {
  const dependencies = { [name]: version };
  const lock = { lockfileVersion: 3, packages: { "": { dependencies } } };
  await stage.userFile(`${dir}/package.json`, JSON.stringify({ dependencies }));
  await stage.userFile(`${dir}/package-lock.json`, JSON.stringify(lock));
  await Deno.mkdir(stage.at(`${dir}/node_modules`));
}
