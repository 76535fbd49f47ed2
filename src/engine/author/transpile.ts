/** Transforms author code with esbuild. */

import { createRequire } from "node:module";
import type * as Esbuild from "esbuild";
import { CodeSyntaxError } from "./javascript-syntax.ts";

const require = createRequire(import.meta.url);

/** Loads esbuild when the first code is transformed, since most sites have none. */
const transformSync: typeof Esbuild.transformSync = (source, options) =>
  (require("esbuild") as typeof Esbuild).transformSync(source, options);

/** The value of `import.meta.env`, as in a build by Vite. */
const environment = JSON.stringify({ DEV: false, MODE: "production", PROD: true, SSR: false });

/** Compiles JSX or TypeScript to a CommonJS module. JSX becomes calls to `$o.h`. Throws `CodeSyntaxError`. */
export function compileModule(path: string, source: string): string {
  return transform(path, source, {
    format: "cjs",
    jsx: "transform",
    jsxFactory: "$o.h",
    jsxFragment: "$o.Fragment",
  });
}

/** Removes types from TypeScript and preserves JSX. Throws `CodeSyntaxError`. */
export function stripTypes(path: string, source: string): string {
  return transform(path, source, { jsx: "preserve" });
}

/** Minifies a classic script for ES2020. Throws esbuild's error if the syntax is invalid. */
export function minifyScript(source: string): string {
  return transformSync(source, { minify: true, target: "es2020", charset: "utf8" }).code;
}

export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path);
}

function transform(path: string, source: string, options: Parameters<typeof transformSync>[1]): string {
  const loader = /\.ts$/.test(path) ? "ts" : /\.tsx$/.test(path) ? "tsx" : "jsx";
  try {
    return transformSync(source, {
      ...options,
      loader,
      define: { "import.meta.env": environment },
      target: "es2020",
      charset: "utf8",
      logLevel: "silent",
      tsconfigRaw: {},
    }).code;
  } catch (error) {
    const [first] =
      (error as { errors?: { text: string; location?: { line: number; column: number } | null }[] }).errors ??
      [];
    if (!first) throw error;
    throw new CodeSyntaxError(
      first.text,
      first.location?.line,
      first.location ? first.location.column + 1 : 1,
    );
  }
}
