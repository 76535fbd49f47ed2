/**
 * npm run bench -- --bundle Time from the start of a bundle server until it is ready: with an empty volume,
 * and with the bundle on the volume and a download URL that doesn't work. For comparison: the time to unpack
 * the same archive with tar and to hash it.
 */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { writeLargeBundle } from "../test/bundle/large-bundle.ts";
import { startBundleServer } from "../test/bundle/server.ts";
import { measure } from "./measure.ts";
import { median, sizesBelow, sum, work } from "./workspace.ts";

/** Sizes of the sites. The bundle of each site is about 50 MB. */
const shapes = [
  { name: "pages", pages: 8_400, pictures: 370 },
  { name: "pages and pictures", pages: 1_000, pictures: 480 },
];

const rounds = 3;

export async function benchBundleServer(): Promise<void> {
  console.log(
    `Node ${process.versions.node}, ${availableParallelism()} cores; median of ${rounds} rounds, in seconds\n`,
  );
  console.log(
    "| Bundle | MB | unpacked MB | files | tar xzf + sha256sum | start until ready | restart without download |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  for (const { name, ...shape } of shapes) {
    mkdirSync(work, { recursive: true });
    const folder = mkdtempSync(path.join(work, "bundle-"));
    try {
      const archive = path.join(folder, "bundle.tar.gz");
      const { bytes, files } = await writeLargeBundle(archive, { version: "v1", ...shape });
      const [bare, first, again]: number[][] = [[], [], []];
      let unpacked_bytes = 0;
      for (let round = 0; round < rounds; round++) {
        const out = path.join(folder, "bare");
        mkdirSync(out);
        const { wall_s } = await measure(`sha256sum bundle.tar.gz && tar xzf bundle.tar.gz -C "${out}"`, {
          cwd: folder,
        });
        bare!.push(wall_s);
        unpacked_bytes = sum(sizesBelow(out).values());
        rmSync(out, { recursive: true });
        const volume = path.join(folder, "volume");
        mkdirSync(volume);
        first!.push(await untilReady(archive, volume));
        again!.push(await untilReady("http://127.0.0.1:1/gone", volume));
        rmSync(volume, { recursive: true });
      }
      const base = median(bare!);
      const beside = (list: number[]) => `${median(list).toFixed(2)} (${(median(list) / base).toFixed(1)}×)`;
      console.log(
        `| ${name} | ${(bytes / 1e6).toFixed(0)} | ${(unpacked_bytes / 1e6).toFixed(0)} | ${files} | ${base.toFixed(2)} | ${beside(first!)} | ${beside(again!)} |`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function untilReady(source: string, volume: string): Promise<number> {
  const started = performance.now();
  const server = await startBundleServer({ OCTAVO_BUNDLE_URL: source }, { volume });
  try {
    while ((await server.ready().catch(() => undefined))?.code !== 200)
      await new Promise((resolve) => setTimeout(resolve, 5));
    return (performance.now() - started) / 1_000;
  } finally {
    await server.stop();
  }
}
