/**
 * Every place that holds a deployment's content: database tables, objects and folders. All of them are
 * cleared when it is purged.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deploy, docs } from "../../../test/service/deploying.ts";
import { ended as exported, start as startExport } from "../../../test/service/exports.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { sweepExports } from "../static-export/sweep-exports.ts";
import { sweepDeployments } from "./sweep-deployments.ts";

let service: OpenTestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.stop());

const word = "Confidential7391";

/**
 * Returns the tables, object prefixes and folders that contain a text, also in their names and in compressed
 * content.
 */
async function placesWith(text: string): Promise<string[]> {
  const { db } = service.service;
  const places = new Set<string>();
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    db,
  );
  expect(rows.length).toBeGreaterThan(20);
  for (const { name } of rows) {
    const found =
      await sql`select from ${sql.table(name)} as row where row::text ilike ${`%${text}%`} limit 1`.execute(
        db,
      );
    if (found.rows.length > 0) places.add(`table ${name}`);
  }
  for (const file of readdirSync(service.dataFolder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const at = path.join(file.parentPath, file.name);
    const name = path.relative(service.dataFolder, at);
    if (name.toLowerCase().includes(text.toLowerCase()) || contains(readFileSync(at), text))
      places.add(name.split("/").slice(0, 2).join("/"));
  }
  return [...places].sort();
}

function contains(bytes: Buffer, text: string): boolean {
  return [(content: Buffer) => content, gunzipSync, brotliDecompressSync].some((read) => {
    try {
      return read(bytes).toString("latin1").toLowerCase().includes(text.toLowerCase());
    } catch {
      return false;
    }
  });
}

test("a purged deployment leaves no content in any table, object or folder", {
  timeout: 240_000,
}, async () => {
  const organization = await newOrganization(service);
  const release = async (files: Record<string, string>) => {
    const deployment = await deploy(organization, files);
    expect(deployment.status).toBe("success");
    const { json } = await startExport(organization, { domain: `${organization.subdomain}.localhost` });
    expect((await exported(organization, json.jobId)).status).toBe("completed");
    return deployment.id;
  };
  await release(docs("Before"));
  const secret = `---\ntitle: ${word}\n---\n\n${word} text, [a broken link](/${word}-missing) and ![an image](/images/${word}.svg).\n`;
  const image = `<svg xmlns="http://www.w3.org/2000/svg"><title>${word}</title></svg>`;
  const id = await release(docs("Between", { [`${word}.mdx`]: secret, [`images/${word}.svg`]: image }));
  // The log of a deployment from Git has the message of the commit.
  await service.service.db
    .updateTable("deployments")
    .set({ logs: JSON.stringify([word]), log_times: JSON.stringify([0]) })
    .where("id", "=", id)
    .execute();
  // A new kind of place must be cleared by `purge`, and listed here.
  expect(await placesWith(word)).toEqual([
    "objects/exports",
    "objects/files",
    "objects/manifests",
    "objects/sources",
    "table deployments",
    "table notification_events",
    "work/cache",
  ]);
  await release(docs("After"));
  expect((await organization.ask(`/v1/deployments/${id}`, { method: "DELETE" })).status).toBe(204);
  // Only files that several deployments can share wait for the sweep, which deletes them after a day.
  expect(await placesWith(word)).toEqual(["objects/files"]);
  await sql`update stored_files set used_at = used_at - interval '3 days'`.execute(service.service.db);
  await sweepDeployments(service.service);
  await sweepExports(service.service);
  expect(await placesWith(word)).toEqual([]);
  expect(existsSync(path.join(service.dataFolder, "objects/files"))).toBe(true);
});
