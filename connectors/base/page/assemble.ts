import { createHash } from "node:crypto";

export interface Parts {
  /** HTML with an empty `<style></style>` and an empty `<script type="module"></script>`. */
  readonly shell: string;
  readonly styles: readonly string[];
  /** The sources of JavaScript modules, each after those it imports. */
  readonly modules: readonly string[];
}

export interface Page {
  readonly html: string;
  /** A `Content-Security-Policy` that allows this script, this style, and requests to the page's server. */
  readonly policy: string;
}

/**
 * Puts a page together from its parts, as one file. Each module is an ordinary one for editors, the
 * linter and tests; the page contains them as one script.
 */
export function assemble({ shell, styles, modules }: Parts): Page {
  const script = modules.map(asPart).join("\n");
  const style = styles.join("\n");
  return {
    html: shell
      .replace("<style></style>", () => `<style>${style}</style>`)
      .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`),
    policy: [
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      "connect-src 'self'",
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join("; "),
  };
}

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
