import { expect, test } from "vitest";
import type { Objects } from "../../io/objects.ts";
import type { SiteManifest } from "../../layout/site-manifest.ts";
import { putManifest, readAssets, readManifest } from "./manifests.ts";

const built = { id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", attempt: 1 };

function objectsIn(stored: Map<string, Uint8Array>): Objects {
  const put = async (key: string, body: Uint8Array) => void stored.set(key, body);
  return { put, get: async (key: string) => stored.get(key) } as Partial<Objects> as Objects;
}

function manifestOf(paths: readonly string[]): SiteManifest {
  const files = Object.create(null) as SiteManifest["files"];
  for (const [index, path] of paths.entries())
    files[path] = {
      hash: index.toString(16).padStart(64, "0"),
      bytes: index,
      encodings: { br: 1 },
      access: ["a\nb"],
    };
  return { formatVersion: 1, hasSignIn: true, files };
}

test.each([
  ["no files", []],
  ["one file", ["index.html"]],
  ["odd names", ["__proto__", 'a"b,\n}}\u2028', "}}", "ü/€", ","]],
  ["5,000 files", Array.from({ length: 5_000 }, (_, index) => `page-${index}.html`)],
])("a manifest with %s is read as it was written", async (_, paths) => {
  const stored = new Map<string, Uint8Array>();
  const objects = objectsIn(stored);
  const manifest = manifestOf(paths);
  await putManifest(objects, built, manifest);
  expect(await readManifest(objects, built)).toEqual(manifest);
  // Earlier versions wrote manifests on one line.
  for (const key of stored.keys()) stored.set(key, Buffer.from(JSON.stringify(manifest)));
  expect(Object.entries((await readManifest(objects, built)).files)).toEqual(Object.entries(manifest.files));
});

test("the assets are also read separately", async () => {
  const objects = objectsIn(new Map());
  await putManifest(objects, built, manifestOf(["index.html", "_octavo/page-0123456789.js"]));
  expect(Object.keys(await readAssets(objects, built))).toEqual(["_octavo/page-0123456789.js"]);
});

test("other work continues while a manifest of 20,000 files is written and read", async () => {
  const objects = objectsIn(new Map());
  const manifest = manifestOf(Array.from({ length: 20_000 }, (_, index) => `page-${index}.html`));
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await putManifest(objects, built, manifest);
  const written = turns;
  await readManifest(objects, built);
  clearInterval(timer);
  expect(written).toBeGreaterThan(5);
  expect(turns - written).toBeGreaterThan(5);
});
