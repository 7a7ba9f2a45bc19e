/** `deno task docs`: writes the parts of documents and of install.sh that come from the descriptors. */
import { GENERATED, regenerate } from "./docs/generated.ts";

for (const path of GENERATED) {
  const file = new URL(`../${path}`, import.meta.url);
  const text = await Deno.readTextFile(file);
  const fresh = await regenerate(path, text);
  if (fresh !== text) await Deno.writeTextFile(file, fresh);
  console.log(`${path}: ${fresh === text ? "up to date" : "written"}`);
}
