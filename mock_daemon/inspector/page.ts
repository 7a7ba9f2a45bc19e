import { createHash } from "node:crypto";
import shell from "./page.html" with { type: "text" };
import themeCss from "./theme.css" with { type: "text" };
import frameCss from "./frame.css" with { type: "text" };
import lanesCss from "./lanes.css" with { type: "text" };
import listCss from "./list.css" with { type: "text" };
import detailCss from "./detail.css" with { type: "text" };
import viewsCss from "./views.css" with { type: "text" };
import detail from "./detail.js" with { type: "text" };
import dom from "./dom.js" with { type: "text" };
import jsonView from "./json_view.js" with { type: "text" };
import laneLayout from "./lane_layout.js" with { type: "text" };
import lanes from "./lanes.js" with { type: "text" };
import list from "./list.js" with { type: "text" };
import main from "./main.js" with { type: "text" };
import matrix from "./matrix.js" with { type: "text" };
import memories from "./memories.js" with { type: "text" };
import store from "./store.js" with { type: "text" };

// In dependency order. Each file is an ordinary module for editors, the linter and
// tests; the page contains them as one script.
const script = [dom, jsonView, laneLayout, store, list, lanes, detail, memories, matrix, main]
  .map(asPart).join("\n");

const style = [themeCss, frameCss, lanesCss, listCss, detailCss, viewsCss].join("\n");

function asPart(module: string): string {
  const body = module.replace(/^import [^;]*;\n/gm, "").replace(/^export /gm, "");
  // A block scopes each file's private names; a function returns its exports.
  const exported = [...module.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(([, name]) =>
    name
  );
  if (exported.length === 0) return `{\n${body}}`;
  return `const { ${exported.join(", ")} } = (() => {\n${body}return { ${exported.join(", ")} };\n})();`;
}

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** The inspector as a single self-contained page. */
export const PAGE = shell
  .replace("<style></style>", () => `<style>${style}</style>`)
  .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`);

/** Allows only the script and style of this page, and requests to this daemon. */
export const POLICY = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");
