import { assert, assertStringIncludes } from "@std/assert";
import { FORMATS, largeConfig, oneConfig } from "../testing/large_configs.ts";
import { withHome } from "../testing/scratch.ts";

// How long it takes, compared with a tenth of the text, is a target of `deno task bench`.
for (const format of FORMATS) {
  Deno.test(`planInstall() edits a megabyte of ${format}, and uninstall brings it back to the byte`, async () => {
    await withHome({}, async (home) => {
      const path = `${home}/large.${format}`;
      const text = largeConfig(format, 1_000_000);
      await Deno.writeTextFile(path, text);
      const config = oneConfig(home, path, format);
      await config.install();
      assertStringIncludes(await Deno.readTextFile(path), "hook session-start");
      await config.uninstall();
      assert(await Deno.readTextFile(path) === text, "it is not as it was");
    });
  });
}
