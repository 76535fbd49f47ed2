/** `octavo feed` and `octavo verify feed` with a service, or a folder, of somebody who wants to deceive. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { runCli } from "../../../test/engine/run-cli.ts";
import { listen } from "../../../test/shared/listen.ts";
import { canonicalJson } from "../../base/canonical-json.ts";
import { sha256 } from "../../io/sha256.ts";
import { digestAfter, type FeedEvent, firstDigest } from "./feed-file.ts";

type Page = Record<string, unknown>;
let requests = 0;
let answer: (request: number) => Page;
const server = createServer((_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(answer(requests++)));
});
let url: string;
beforeAll(async () => {
  url = await listen(server);
});
afterAll(() => server.close());

let folder: string;
let events: FeedEvent[];
beforeEach(() => {
  requests = 0;
  folder = path.join(temporaryFolder(), "copy");
  let digest = firstDigest;
  events = ["roses", "tulips", "herbs"].map((searchQuery, index) => {
    const data = { day: "2026-01-31", searchQuery, hits: index };
    const about = { id: `E${index}`, sequence: index + 1, timestamp: "2026-01-31T10:00:00.000Z" };
    const record = { kind: "created", recordType: "search", recordId: `R${index}` };
    const contentHash = sha256(canonicalJson(data));
    const event = { ...about, ...record, contentHash, digest, data } as unknown as FeedEvent;
    digest = digestAfter(digest, event);
    return { ...event, digest };
  });
});

const feed = (format = "ndjson") =>
  runCli(["feed", folder, "--project", "p", "--format", format], {
    OCTAVO_URL: url,
    OCTAVO_API_KEY: "oct_x",
  });
const verify = () => runCli(["verify", "feed", folder]);
const all = (): Page => ({ events, startsAfter: 0, nextCursor: "3-x", hasMore: false });
const [name, manifestName] = ["changes-000000000000001.ndjson", "changes-000000000000001.json"];

/** Changes the file with events, and its hash in the manifest. */
function change(edit: (text: string) => string | Uint8Array): void {
  const bytes = edit(readFileSync(path.join(folder, name), "utf8"));
  writeFileSync(path.join(folder, name), bytes);
  const manifest = JSON.parse(readFileSync(path.join(folder, manifestName), "utf8")) as object;
  writeFileSync(path.join(folder, manifestName), JSON.stringify({ ...manifest, sha256: sha256(bytes) }));
}

describe("verify, after somebody changed the folder and the hashes in it", () => {
  beforeEach(async () => {
    answer = all;
    expect((await feed()).code).toBe(0);
    expect((await verify()).code).toBe(0);
  });

  test.each<[string, (text: string) => string | Uint8Array]>([
    ["a forged event at the end, without a line break", (text) => `${text}{"kind":"deleted"}`],
    ["a key twice", (text) => text.replace('"recordId":"R1"', '"recordId":"R9","recordId":"R1"')],
    ["a key twice in the data", (text) => text.replace('"hits":1', '"hits":9,"hits":1')],
    ["a key in another case", (text) => text.replace('"recordId":"R1"', '"recordid":"R9","recordId":"R1"')],
    ["an ID in a list", (text) => text.replace('"recordId":"R1"', '"recordId":["R1"]')],
    ["spaces", (text) => text.replace('"id":"E0"', '"id": "E0"')],
    ["a carriage return", (text) => text.replace("\n", "\r\n")],
    [
      "bytes that aren't UTF-8",
      (text) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
    ],
  ])("names a file with %s", async (_what, edit) => {
    change(edit);
    expect(await verify()).toMatchObject({ code: 1, err: expect.stringContaining(`${name} `) });
  });

  test.each([
    "changes-2.ndjson",
    "changes-000000000000004.parquet",
    "changes-000000000000004.csv",
    "changes-0000000000000004.ndjson",
    "changes-",
  ])("names a file that would be loaded: %s", async (other) => {
    writeFileSync(path.join(folder, other), "{}\n");
    expect(await verify()).toMatchObject({ code: 1, err: expect.stringContaining(`${other} `) });
  });

  test("ignores temporary files, and files with other names", async () => {
    writeFileSync(path.join(folder, `${name}.part`), "");
    writeFileSync(path.join(folder, "notes.txt"), "");
    expect(await verify()).toMatchObject({ code: 0, err: "" });
  });
});

describe("a folder with files that aren't regular files", () => {
  const kinds: [string, (file: string) => void][] = [
    ["a link to a device", (file) => symlinkSync("/dev/zero", file)],
    ["a link to a file", (file) => symlinkSync(__filename, file)],
    ["a pipe", (file) => void execFileSync("mkfifo", [file])],
    ["a folder", (file) => mkdirSync(file)],
  ];
  beforeEach(async () => {
    answer = all;
    await feed();
  });

  test.each(kinds)("verify names %s, whether as a manifest or with events", async (_what, make) => {
    for (const replaced of [name, manifestName]) {
      rmSync(folder, { recursive: true });
      await feed();
      rmSync(path.join(folder, replaced));
      make(path.join(folder, replaced));
      const message = `${replaced} isn't a regular file`;
      expect(await verify()).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    }
  });

  test.each(kinds)("feed doesn't read %s as a manifest", async (_what, make) => {
    rmSync(path.join(folder, manifestName));
    make(path.join(folder, manifestName));
    const message = `${manifestName} isn't a regular file`;
    expect(await feed()).toMatchObject({ code: 1, err: expect.stringContaining(message) });
  });
});

describe("a service", () => {
  test("that always promises more events isn't asked forever", async () => {
    answer = () => ({ events: [], startsAfter: 0, nextCursor: "0-x", hasMore: true });
    expect(await feed()).toMatchObject({
      code: 1,
      err: expect.stringContaining("promises more events, but sends none"),
    });
    expect(readdirSync(path.dirname(folder))).toEqual([]);
  });

  test("that needs a few requests until the next event is asked again", async () => {
    answer = (request) =>
      request < 5 ? { events: [], startsAfter: 0, nextCursor: "0-x", hasMore: true } : all();
    expect(await feed()).toMatchObject({ code: 0, out: expect.stringContaining("3 events copied") });
  });

  test("with fields that this version doesn't know: they're left out", async () => {
    answer = () => ({ ...all(), events: events.map((event) => ({ ...event, color: "red" })) });
    expect((await feed()).code).toBe(0);
    expect(readFileSync(path.join(folder, name), "utf8")).not.toContain("color");
    expect(await verify()).toMatchObject({ code: 0 });
  });
});
