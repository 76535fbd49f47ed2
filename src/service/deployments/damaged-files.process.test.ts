/** Stored files that were altered, cut, or deleted are stored again when the same content is deployed. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { verifyLimits } from "../storage/verify-files.ts";

let service: OpenTestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.stop());

const forms = {
  "": { read: (bytes: Buffer) => bytes, write: (bytes: Buffer) => bytes },
  ".br": { read: brotliDecompressSync, write: brotliCompressSync },
  ".gz": { read: gunzipSync, write: gzipSync },
};
type Ending = keyof typeof forms;

/** Returns the stored forms of the page that contains a text. */
function storedForms(text: string): { file: string; ending: Ending }[] {
  const folder = path.join(service.dataFolder, "objects/files");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({
      file: path.join(entry.parentPath, entry.name),
      ending: path.extname(entry.name) as Ending,
    }))
    .filter(({ file, ending }) => {
      const content = forms[ending].read(readFileSync(file)).toString();
      return content.startsWith("<!") && content.includes(`${text}</p>`);
    });
}

const damages: Record<string, (file: string, ending: Ending, text: string) => void> = {
  altered: (file, ending, text) => {
    const content = forms[ending]
      .read(readFileSync(file))
      .toString()
      .replaceAll(text, "Evil".padEnd(text.length));
    writeFileSync(file, forms[ending].write(Buffer.from(content)));
  },
  "altered in one byte": (file) => {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(file, bytes);
  },
  cut: (file) => writeFileSync(file, readFileSync(file).subarray(0, 700)),
  emptied: (file) => writeFileSync(file, ""),
  deleted: (file) => rmSync(file),
};

test.each(
  Object.entries(damages).flatMap(([name, damage]) =>
    [true, false].map((isRead) => [name, isRead, damage] as const),
  ),
)(
  "a page that was %s is right after the same content is deployed again (damaged page read before: %s)",
  async (name, isRead, damage) => {
    const text = `Original text, ${name} ${isRead}`;
    const organization = await newOrganization(service);
    const host = `${organization.subdomain}.localhost`;
    const encodings = ["br", "gzip", "identity"];
    const read = (encoding: string) => visit(service, host, "/", { "accept-encoding": encoding });
    expect((await deploy(organization, docs(text))).status).toBe("success");
    const stored = storedForms(text);
    expect(stored.map(({ ending }) => ending).sort()).toEqual(["", ".br", ".gz"]);
    for (const { file, ending } of stored) damage(file, ending, text);
    // Damaged bytes are never served.
    if (isRead) for (const encoding of encodings) expect((await read(encoding)).status).toBe(503);
    expect((await deploy(organization, docs(text))).status).toBe("success");
    for (const encoding of encodings) expect((await read(encoding)).status).toBe(200);
    expect((await read("identity")).text).toContain(text);
    for (const { file, ending } of storedForms(text))
      expect(forms[ending].read(readFileSync(file)).toString()).toContain(text);
    expect(storedForms(text)).toHaveLength(3);
  },
);

test("the sizes of all reused files are checked, and a file that was found damaged while it was read is stored again", async () => {
  const text = "Original text beyond the limit";
  const organization = await newOrganization(service);
  const host = `${organization.subdomain}.localhost`;
  await deploy(organization, docs(text));
  const { count } = verifyLimits;
  verifyLimits.count = 0;
  try {
    for (const name of ["altered in one byte", "cut"]) {
      for (const { file, ending } of storedForms(text)) damages[name]!(file, ending, text);
      // Nothing has read the page, so it isn't in memory.
      if (name !== "cut") expect((await visit(service, host)).status).toBe(503);
      expect((await deploy(organization, docs(text))).status).toBe("success");
      const { status, text: page } = await visit(service, host);
      expect([status, page]).toEqual([200, expect.stringContaining(text)]);
      expect(storedForms(text)).toHaveLength(3);
    }
  } finally {
    verifyLimits.count = count;
  }
});
