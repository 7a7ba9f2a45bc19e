import { type Browser, chromium } from "playwright-core";

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

function findProgram(): string {
  const wanted = Deno.env.get("SIGNET_CHROMIUM");
  const found = (wanted === undefined ? PROGRAMS : [wanted]).find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
  if (found === undefined) {
    throw new Error(
      "The browser tests need chromium, and none was found; install it (apt-get install chromium) or set SIGNET_CHROMIUM.",
    );
  }
  return found;
}

/** A browser with an empty profile that reaches this machine and nothing else. */
export async function launch(): Promise<Browser> {
  return await chromium.launch({
    executablePath: findProgram(),
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-domain-reliability",
      "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication",
      // Every name but this machine's fails to resolve, whoever asks for it.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
}
