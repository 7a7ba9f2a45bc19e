// The @std modules come from npm as plain JavaScript (see deno.json), so the
// parts that are used here are declared by hand. Add what you import.

declare module "@std/assert" {
  export function assert(expr: unknown, msg?: string): asserts expr;
  export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertStrictEquals<T>(actual: unknown, expected: T, msg?: string): asserts actual is T;
  export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T>;
  export function assertStringIncludes(actual: string, expected: string, msg?: string): void;
  export function assertMatch(actual: string, expected: RegExp, msg?: string): void;
  export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;
  export function assertArrayIncludes<T>(actual: ArrayLike<T>, expected: ArrayLike<T>, msg?: string): void;
  export function assertGreater<T>(actual: T, expected: T, msg?: string): void;
  export function assertLess<T>(actual: T, expected: T, msg?: string): void;
  export function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void;
  export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void;
  export function assertThrows<E extends Error = Error>(
    fn: () => unknown,
    ErrorClass?: new (...args: never[]) => E,
    msgIncludes?: string,
  ): E;
  export function assertRejects<E extends Error = Error>(
    fn: () => PromiseLike<unknown>,
    ErrorClass?: new (...args: never[]) => E,
    msgIncludes?: string,
  ): Promise<E>;
  export function assertObjectMatch(actual: object, expected: object, msg?: string): void;
  export function fail(msg?: string): never;
}

declare module "@std/cli/parse-args" {
  export interface ParseOptions {
    boolean?: readonly string[];
    string?: readonly string[];
    collect?: readonly string[];
    negatable?: readonly string[];
    default?: Record<string, unknown>;
    alias?: Record<string, string | readonly string[]>;
    stopEarly?: boolean;
    "--"?: boolean;
    unknown?: (arg: string, key?: string, value?: unknown) => unknown;
  }
  export function parseArgs(
    args: readonly string[],
    options?: ParseOptions,
  ): Record<string, unknown> & { _: (string | number)[] };
}

declare module "@std/yaml" {
  export function parse(
    text: string,
    options?: {
      schema?: "core" | "default" | "failsafe" | "json" | "extended";
      allowDuplicateKeys?: boolean;
    },
  ): unknown;
  export function stringify(data: unknown, options?: { indent?: number; lineWidth?: number }): string;
}

declare module "@std/jsonc" {
  export function parse(text: string): unknown;
}

declare module "@std/path" {
  export function join(...paths: string[]): string;
  export function dirname(path: string): string;
  export function basename(path: string, suffix?: string): string;
  export function resolve(...paths: string[]): string;
  export function relative(from: string, to: string): string;
  export function isAbsolute(path: string): boolean;
  export function normalize(path: string): string;
  export function extname(path: string): string;
  export function fromFileUrl(url: string | URL): string;
  export function toFileUrl(path: string): URL;
}

declare module "@std/text" {
  export function closestString(given: string, possible: readonly string[]): string;
  export function levenshteinDistance(a: string, b: string): number;
  export function compareSimilarity(given: string): (a: string, b: string) => number;
}
