/** Two built sites are compared in a build process. Needs `npm run build`. */

import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { BuildProcess } from "./build-process.ts";
import type { CompareJob } from "./compare-sites.ts";

const builder = new BuildProcess({ module: path.resolve("dist/build.js"), env: {} });
afterAll(() => builder.end());

/** Builds a site and returns its files. */
async function built(sources: string, origin: string) {
  const folder = path.join(temporaryFolder(), "out");
  const target = { kind: "cloud", links: "clean", origin } as const;
  const { files } = await builder.build({
    folder: sources,
    output: { kind: "folder", path: folder, target, isTemporary: true },
  });
  return { folder, origin, files: files! };
}

function sources(text: string): string {
  const folder = temporaryFolder();
  const groups = [{ group: "Guides", pages: ["index", "keys"] }];
  writeFiles(
    folder,
    siteOf(
      {
        "index.mdx": "---\ntitle: Home\n---\n\nWelcome. See [keys](/keys).\n",
        "keys.mdx": `---\ntitle: Keys\n---\n\n${text}\n`,
      },
      { navigation: { groups } },
    ),
  );
  return folder;
}

const question = { id: "1", text: "How do I rotate a webhook secret?" };
const answer = "## Rotate a webhook secret\n\nTo rotate a webhook secret, open Webhooks and press Rotate.";

test("in a new process after the one that built the site", { timeout: 60_000 }, async () => {
  const [withAnswer, without] = [sources(answer), sources("Keys open doors.")];
  const live = await built(withAnswer, "https://docs.example.com");
  const preview = await built(without, "https://preview.example.org");
  builder.end();
  const job = (sites: Pick<CompareJob, "live" | "preview" | "questions">) =>
    builder.compare({ sources: without, ...sites });
  expect(await job({ live, preview, questions: { answered: [question], open: [] } })).toEqual({
    added: { count: 0, paths: [] },
    changed: { count: 1, paths: ["/keys"] },
    gone: { count: 0, paths: [] },
    broken: { count: 1, paths: ["/keys#rotate-a-webhook-secret"] },
    apis: [],
    answers: { lost: ["1"], gained: [], replayed: 1, left: 0 },
  });
  const back = await job({ live: preview, preview: live, questions: { answered: [], open: [question] } });
  expect(back.answers).toEqual({ lost: [], gained: ["1"], replayed: 1, left: 0 });
});

test("questions aren't answered from pages that only some readers can read", {
  timeout: 60_000,
}, async () => {
  const live = await built(sources(answer), "https://docs.example.com");
  const restricted = {
    ...live,
    files: live.files.map((file) => ({ ...file, access: file.path.includes("/") ? ["staff"] : file.access })),
  };
  const found = await builder.compare({
    sources: live.folder,
    live: restricted,
    preview: restricted,
    questions: { answered: [question], open: [] },
  });
  expect(found.answers).toBeUndefined();
});

test("a comparison that fails doesn't end later ones", { timeout: 60_000 }, async () => {
  const site = await built(sources(answer), "https://docs.example.com");
  const missing = { ...site, folder: path.join(site.folder, "missing") };
  const questions = { answered: [], open: [] };
  await expect(
    builder.compare({ sources: site.folder, live: missing, preview: site, questions }),
  ).rejects.toThrow("No such file");
  const again = await builder.compare({ sources: site.folder, live: site, preview: site, questions });
  expect(again.changed.count).toBe(0);
});
