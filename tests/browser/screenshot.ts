/** `deno run -A tests/browser/screenshot.ts [light.png dark.png]`: the inspector in an ordinary afternoon. */
import { serve } from "../../mock_daemon/mod.ts";
import { launch } from "./chromium.ts";
import { play } from "./scene.ts";

/** The clock of the picture: it runs faster than the daemon's, so that the lanes have something to show. */
function afternoon(): () => number {
  let now = Date.now() - 24 * 60_000;
  return () => Math.min(Date.now(), now += 11_000);
}

const files = Deno.args.length > 0 ? Deno.args : ["docs/inspector.png"];
const server = serve({ scriptable: true, clock: afternoon() });
const browser = await launch();
try {
  await play(server);
  for (const [index, path] of files.entries()) {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 740 },
      colorScheme: index === 0 ? "light" : "dark",
    });
    await page.goto(server.url);
    await page.locator('#live[data-state="live"]').waitFor();
    await page.locator("#list [role=option]", { hasText: "Which database" }).click();
    await page.locator("#detail .json").first().waitFor();
    await page.screenshot({ path, animations: "disabled" });
  }
} finally {
  await browser.close();
  await server.shutdown();
}
