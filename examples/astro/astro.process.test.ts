/**
 * Builds an Astro site with the integration. Needs the command `astro`, such as from
 * `npm install --global astro@5`, which isn't a development dependency because it has 250 packages.
 */

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readFiles, root, siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";

/** Path of the package with the command on the `PATH`. Undefined if it isn't installed. */
function installedAstro(): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const command = path.join(folder, "astro");
    if (!existsSync(command)) continue;
    const parts = realpathSync(command).split(path.sep);
    const at = parts.lastIndexOf("node_modules");
    if (at >= 0) return parts.slice(0, at + 2).join(path.sep);
  }
  return undefined;
}

const astro = installedAstro();
const skipped = astro === undefined ? " (skipped: the command astro isn't installed)" : "";

test("is at most 150 lines long", () => {
  const lines = readFileSync(path.join(import.meta.dirname, "octavo.js"), "utf8").split("\n");
  expect(lines.length).toBeLessThanOrEqual(150);
});

test.skipIf(astro === undefined)(`an Astro site has the pages in its own layout${skipped}`, () => {
  const folder = temporaryFolder();
  const modules = path.join(folder, "node_modules");
  mkdirSync(modules);
  symlinkSync(root, path.join(modules, "octavo"));
  symlinkSync(astro!, path.join(modules, "astro"));
  mkdirSync(path.join(folder, "src/pages"), { recursive: true });
  cpSync(path.join(import.meta.dirname, "octavo.js"), path.join(folder, "octavo.js"));
  cpSync(path.join(import.meta.dirname, "octavo-page.astro"), path.join(folder, "src/octavo-page.astro"));
  const docs = siteOf({
    "index.mdx":
      "---\ntitle: Home\ndescription: Start here.\n---\n\n[Use it](/guides/use) <Note>Careful.</Note> ![](/logo.svg)\n",
    "guides/use.mdx": "# Use it\n\n[Missing](/nowhere)\n",
    "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  }) as Record<string, string>;
  writeFiles(folder, {
    "package.json": '{ "type": "module" }',
    "astro.config.mjs": `import { defineConfig } from "astro/config";
import octavo from "./octavo.js";
export default defineConfig({ site: "https://example.com", integrations: [octavo()] });`,
    "src/pages/index.astro": "<a href='/docs'>Docs</a>",
    ...Object.fromEntries(Object.entries(docs).map(([file, text]) => [`docs/${file}`, text])),
  });

  const output = execFileSync(process.execPath, [path.join(modules, "astro/astro.js"), "build"], {
    cwd: folder,
    encoding: "utf8",
    stdio: "pipe",
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" },
  });
  expect(output).toContain("guides/use.mdx:3 Page not found: /nowhere");
  const built = readFiles(path.join(folder, "dist"));
  const home = built["docs/index.html"]!;
  expect(home).toContain("<h1>Home</h1>");
  expect(home).toContain('<a href="/docs/guides/use"');
  expect(home).toContain('content="Start here."');
  expect(home).toContain('src="/docs/logo.svg"');
  expect(built["docs/guides/use/index.html"]).toContain("<h1>Use it</h1>");
  expect(built["docs/logo.svg"]).toContain("<svg");

  // All style sheets and scripts of the page exist.
  const files = [...home.matchAll(/(?:href|src)="\/docs\/(_octavo\/[^"]+\.(?:css|js))"/g)].map(
    (match) => match[1]!,
  );
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) expect(built[`docs/${file}`], file).toBeDefined();
});
