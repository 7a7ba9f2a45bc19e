import { assert, assertStringIncludes } from "@std/assert";
import { DEEP } from "../../testing/deep.ts";
import { FORMATS, largeConfig, oneConfig } from "../../testing/large_configs.ts";
import { withHome } from "../../testing/scratch.ts";

/** Ten times as much as is read in parts, or twice. */
const SIZE = DEEP ? 1_000_000 : 200_000;

// How long it takes, compared with a tenth of the text, is a target of `deno task bench`.
for (const format of FORMATS) {
  Deno.test(`planInstall() edits ${SIZE / 1000} kB of ${format}, and uninstall brings it back to the byte`, async () => {
    await withHome({}, async (home) => {
      const path = `${home}/large.${format}`;
      const text = largeConfig(format, SIZE);
      await Deno.writeTextFile(path, text);
      const config = oneConfig(home, path, format);
      await config.install();
      assertStringIncludes(await Deno.readTextFile(path), "hook session-start");
      await config.uninstall();
      assert(await Deno.readTextFile(path) === text, "it is not as it was");
    });
  });
}
