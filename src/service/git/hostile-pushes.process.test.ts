/**
 * Hostile requests to a project's repository. Each is refused with a reason or has no effect, and afterward
 * the repository is unchanged and valid.
 */

import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { request as httpRequest } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { docs, visit } from "../../../test/service/deploying.ts";
import { repositoryUrl, WorkingCopy } from "../../../test/service/git-client.ts";
import { commitOf, deltaOf, hashOf, packedObject, packet, packOf } from "../../../test/service/git-packs.ts";
import { type OpenTestService, openTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization, send, type TestOrganization } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { limits } from "../../base/limits.ts";
import { endpoints } from "../app/endpoints.ts";

let service: OpenTestService;
let organization: TestOrganization;
let copy: WorkingCopy;
let head: string;

beforeAll(async () => {
  service = await openTestService({ databaseUrl: await createDatabase(), background: true });
  organization = await newOrganization(service);
  copy = await WorkingCopy.create(repositoryUrl(service, organization, organization.key));
  head = await copy.commit(docs("Right words"));
  expect((await copy.push()).output).toContain("remote: Live: ");
});
afterAll(() => service.stop());

/** Checks that the repository has only its first commit, and that it's valid. */
async function expectUnchanged(): Promise<void> {
  const { output } = await copy.git("ls-remote", "origin");
  expect(output.trim().split("\n").sort()).toEqual([`${head}\tHEAD`, `${head}\trefs/heads/main`].sort());
  const clone = await WorkingCopy.clone(repositoryUrl(service, organization, organization.key));
  expect(await clone.git("fsck", "--strict", "--full")).toMatchObject({ code: 0 });
  const stored = path.join(service.dataFolder, `work/repositories/${organization.projectId}.git`);
  expect(await copy.git(`--git-dir=${stored}`, "fsck", "--full")).toMatchObject({ code: 0 });
  expect(readdirSync(path.join(stored, "objects")).filter((name) => name.startsWith("tmp_"))).toEqual([]);
  expect((await visit(service, `${organization.subdomain}.localhost`)).text).toContain("Right words");
}

interface RawAnswer {
  status: number;
  text: string;
}

/** Sends a request with the organization's key. Resolves with status 0 if the connection was closed. */
function raw(
  target: string,
  {
    method = "POST",
    headers = {},
    body,
  }: { method?: string; headers?: object; body?: Buffer | Readable } = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const authorization = `Basic ${Buffer.from(`git:${organization.key}`).toString("base64")}`;
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port: service.port,
        path: target,
        method,
        agent: false,
        headers: { host: `localhost:${service.port}`, authorization, ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        const end = () =>
          resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString("utf8") });
        response.on("end", end);
        response.on("error", end);
      },
    );
    request.on("error", () => resolve({ status: 0, text: "" }));
    if (body instanceof Readable) {
      body.on("close", () => body.readableEnded || request.destroy());
      body.pipe(request);
    } else request.end(body);
  });
}

const pathOf = (rest: string) => `/git/${organization.subdomain}.git/${rest}`;
const none = "0".repeat(40);

/** Pushes refs and a pack without the Git client. */
function rawPush(
  updates: readonly [ref: string, after: string, before?: string][],
  pack: Buffer | undefined,
) {
  const lines = updates.map(([ref, after, before = none], index) =>
    packet(`${before} ${after} ${ref}${index === 0 ? "\0report-status side-band-64k" : ""}`),
  );
  return raw(pathOf("git-receive-pack"), {
    headers: { "content-type": "application/x-git-receive-pack-request" },
    body: Buffer.concat([Buffer.from(`${lines.join("")}0000`), pack ?? Buffer.alloc(0)]),
  });
}

/** Pushes a commit with a tree that has these entries. */
function pushTree(entries: readonly [mode: string, name: string, content: string][]) {
  const blobs = entries.map(([, , content]) => Buffer.from(content));
  const tree = Buffer.concat(
    entries.flatMap(([mode, name], index) => [
      Buffer.from(`${mode} ${name}\0`),
      Buffer.from(hashOf("blob", blobs[index]!), "hex"),
    ]),
  );
  const commit = commitOf(hashOf("tree", tree));
  const pack = packOf([
    packedObject("commit", commit),
    packedObject("tree", tree),
    ...blobs.map((blob) => packedObject("blob", blob)),
  ]);
  return rawPush([["refs/heads/hostile", hashOf("commit", commit)]], pack);
}

const emptyPack = packOf([]);

describe("a push is refused with", () => {
  const trees: [string, [string, string, string][]][] = [
    ["..", [["100644", "..", "x"]]],
    [".", [["100644", ".", "x"]]],
    [".git", [["100644", ".git", "x"]]],
    [".GIT in capitals", [["100644", ".GIT", "x"]]],
    ["git~1", [["100644", "git~1", "x"]]],
    [".git with a character that HFS+ ignores", [["100644", ".g\u200cit", "x"]]],
    ["a slash", [["100644", "a/../../b", "x"]]],
    ["no characters", [["100644", "", "x"]]],
    [
      "the same characters as another one",
      [
        ["100644", "a", "x"],
        ["100644", "a", "x"],
      ],
    ],
    [
      ".gitmodules with an option as its URL",
      [["100644", ".gitmodules", '[submodule "a"]\n\tpath = a\n\turl = --upload-pack=touch x\n']],
    ],
    [
      ".gitmodules with a path outside of the repository",
      [["100644", ".gitmodules", '[submodule "../../a"]\n\tpath = a\n\turl = https://example.com/a\n']],
    ],
    [".gitmodules that is a link", [["120000", ".gitmodules", "/etc/passwd"]]],
  ];
  test.each(trees)("a file name with %s", async (_name, entries) => {
    const { status, text } = await pushTree(entries);
    expect(status).toBe(200);
    expect(text).toMatch(/unpack (?:index-pack abnormal exit|unpacker error)/);
    await expectUnchanged();
  });

  const refs: [string, string][] = [
    ["HEAD", "HEAD"],
    ["no prefix", "main2"],
    ["notes", "refs/notes/commits"],
    ["remote branches", "refs/remotes/origin/main"],
    ["a prefix of ours", "refs/octavo"],
    ["two dots", "refs/heads/a..b"],
    ["a path upward", "refs/heads/../../../escaped"],
    ["a lock file", "refs/heads/main.lock"],
    ["a hyphen first", "refs/heads/-main"],
    ["an @{", "refs/heads/a@{1}"],
    ["a colon", "refs/heads/a:b"],
    ["a control character", "refs/heads/a\u0007b"],
    ["a pull request", "refs/heads/#12"],
    ["other capitals than an existing one", "refs/heads/MAIN"],
    ["a branch as its folder", "refs/heads/main/draft"],
    ["many characters", `refs/heads/${"a".repeat(250)}`],
  ];
  test.each(refs)("a ref with %s", async (_name, ref) => {
    const { status, text } = await rawPush([[ref, head]], emptyPack);
    expect(status).toBe(200);
    expect(text).not.toContain("ok refs/");
    expect(text).toMatch(/ng |fatal|protocol error/);
    await expectUnchanged();
  });

  test.each(["refs/tags/v\xff\xfe", "refs/heads/\xff"])("a ref that isn't UTF-8: %j", async (ref) => {
    const line = Buffer.from(`${none} ${head} ${ref}\0report-status side-band-64k`, "latin1");
    const { text } = await raw(pathOf("git-receive-pack"), {
      headers: { "content-type": "application/x-git-receive-pack-request" },
      body: Buffer.concat([
        Buffer.from((line.length + 4).toString(16).padStart(4, "0")),
        line,
        Buffer.from("0000"),
        emptyPack,
      ]),
    });
    expect(text).not.toContain("ok refs/");
    expect(text).toContain("can't be pushed");
    await expectUnchanged();
  });

  test("too many refs", async () => {
    const updates = Array.from({ length: limits.git.updates_count + 1 }, (_, index) => [
      `refs/heads/many-${index}`,
      head,
    ]);
    const { text } = await rawPush(updates as [string, string][], emptyPack);
    expect(text).toContain("A push can change at most 100 branches and tags");
    await expectUnchanged();
  });

  test("two values for a ref", async () => {
    const { text } = await rawPush(
      [
        ["refs/heads/twice", head],
        ["refs/heads/twice", head],
      ],
      emptyPack,
    );
    expect(text).not.toContain("ok refs/");
    await expectUnchanged();
  });

  const blob = Buffer.from("words");
  const commit = commitOf("2".repeat(40));
  const packs: [string, string, Buffer | undefined][] = [
    ["no pack", "1".repeat(40), undefined],
    ["a pack without the pushed commit", "1".repeat(40), emptyPack],
    ["a branch that is a blob", hashOf("blob", blob), packOf([packedObject("blob", blob)])],
    ["a commit without its tree", hashOf("commit", commit), packOf([packedObject("commit", commit)])],
    ["a pack that is cut", hashOf("blob", blob), packOf([packedObject("blob", blob)]).subarray(0, -25)],
    ["four billion objects", head, packOf([packedObject("blob", blob)], 0xffffffff)],
    ["an object of a petabyte", head, packOf([packedObject("blob", blob, 2 ** 50)])],
    [
      "a delta whose result has an exabyte",
      head,
      packOf([
        packedObject(
          "ref-delta",
          Buffer.from([5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x90, 5]),
          11,
          hashOf("blob", blob),
        ),
        packedObject("blob", blob),
      ]),
    ],
    ["a delta whose result has 1.5 GB", head, packOf(deltaOf(90))],
    ["text instead of a pack", head, Buffer.from("#!/bin/sh\ntouch escaped\n")],
  ];
  test.each(packs)("%s", async (_name, hash, pack) => {
    const { status, text } = await rawPush([["refs/heads/hostile", hash]], pack);
    expect(status).toBe(200);
    expect(text).not.toContain("ok refs/heads/hostile");
    await expectUnchanged();
  });
});

test("hooks, configuration, links, and submodules in a repository have no effect", async () => {
  const other = await newOrganization(service);
  const working = await WorkingCopy.create(repositoryUrl(service, other, other.key));
  const escaped = path.join(service.dataFolder, "escaped");
  const hook = `#!/bin/sh\ntouch ${escaped}\n`;
  await working.commit({
    ...docs("Plain words"),
    config: `[core]\n\thooksPath = hooks\n\tfsmonitor = "touch ${escaped}"\n[uploadpack]\n\tpackObjectsHook = "touch ${escaped}"\n`,
    "hooks/pre-receive": hook,
    "hooks/post-checkout": hook,
    "objects/info/alternates": "/etc\n",
    ".gitattributes": "* filter=evil diff=evil\n",
    ".gitmodules": '[submodule "a"]\n\tpath = a\n\turl = https://example.com/a.git\n',
    "bomb.txt": Buffer.alloc(60_000_000),
  });
  symlinkSync("/etc/passwd", path.join(working.folder, "passwd.txt"));
  symlinkSync("../../..", path.join(working.folder, "up"));
  await working.commit({});
  const { code, output } = await working.push();
  expect(output).toContain("remote: Live: ");
  expect(code).toBe(0);
  const host = `${other.subdomain}.localhost`;
  expect((await visit(service, host)).text).toContain("Plain words");
  expect((await visit(service, host, "/passwd.txt")).status).toBe(404);
  expect((await visit(service, host, "/bomb.txt")).status).toBe(404);
  expect(existsSync(escaped)).toBe(false);
});

describe("a request is refused", () => {
  const upload = { "content-type": "application/x-git-upload-pack-request" };
  const receive = { "content-type": "application/x-git-receive-pack-request" };
  const zeros = (bytes: number) =>
    Readable.from(
      (function* () {
        for (let sent = 0; sent < bytes; sent += 1_000_000) yield Buffer.alloc(1_000_000);
      })(),
    );

  test.each([
    ["HEAD", 404],
    ["config", 404],
    ["objects/info/alternates", 404],
    ["objects/info/packs", 404],
    ["packed-refs", 404],
    ["info/refs", 403],
    ["info/refs?service=git-upload-archive", 403],
    ["info/refs?service=git-upload-pack&service=git-receive-pack", 403],
    ["../../secret/info/refs?service=git-upload-pack", 404],
    ["%2e%2e/info/refs?service=git-upload-pack", 404],
  ])("for the file %s", async (file, status) => {
    expect((await raw(pathOf(file), { method: "GET" })).status).toBe(status);
  });

  test.each(["..", "%2e%2e%2f..", "a%00", "a%0a", "*", "-", `${"a".repeat(300)}.git`])(
    "for the repository %s",
    async (name) => {
      const { status } = await raw(`/git/${name}/info/refs?service=git-upload-pack`, { method: "GET" });
      expect([400, 404, 414]).toContain(status);
    },
  );

  test.each([
    "",
    "version=0",
    "version=1",
    "version=2",
    "version=3",
    "version=2:object-format=x",
    "$(touch x)",
  ])("or answered with the protocol %j", async (protocol) => {
    const headers = protocol === "" ? {} : { "git-protocol": protocol };
    const { status, text } = await raw(pathOf("info/refs?service=git-upload-pack"), {
      method: "GET",
      headers,
    });
    expect(status).toBe(200);
    if (protocol === "version=2") expect(text).toContain("ls-refs");
    else expect(text).toContain(`${head} HEAD`);
  });

  test("with a body that gzip expands", async () => {
    const bomb = gzipSync(Buffer.alloc(500_000_000));
    const headers = { ...upload, "content-encoding": "gzip" };
    expect((await raw(pathOf("git-upload-pack"), { headers, body: bomb })).status).toBe(413);
    const push = { ...receive, "content-encoding": "gzip" };
    expect((await raw(pathOf("git-receive-pack"), { headers: push, body: bomb })).status).toBe(413);
    expect((await raw(pathOf("git-upload-pack"), { headers, body: Buffer.from("no gzip") })).status).toBe(
      400,
    );
    const deflate = { ...upload, "content-encoding": "deflate" };
    expect((await raw(pathOf("git-upload-pack"), { headers: deflate, body: bomb })).status).toBe(415);
  });

  test("with a body that doesn't end", async () => {
    const { status } = await raw(pathOf("git-upload-pack"), { headers: upload, body: zeros(100_000_000) });
    expect([413, 0]).toContain(status);
    const pushed = await raw(pathOf("git-receive-pack"), { headers: receive, body: zeros(300_000_000) });
    expect([413, 0]).toContain(pushed.status);
    const folder = path.join(service.dataFolder, "work/git-requests");
    await expect.poll(() => readdirSync(folder)).toEqual([]);
  });

  test("with another content type, or a body for the other service", async () => {
    const text = { "content-type": "text/plain" };
    expect((await raw(pathOf("git-receive-pack"), { headers: text, body: emptyPack })).status).toBe(415);
    expect((await raw(pathOf("git-upload-pack"), { headers: receive, body: emptyPack })).status).toBe(415);
    await expectUnchanged();
  });

  test("without delaying other organizations if its body never arrives", async () => {
    const ends: (() => void)[] = [];
    const waiting = Array.from({ length: 40 }, () => {
      const body = new Readable({ read() {} });
      body.push("0");
      ends.push(() => body.destroy());
      return raw(pathOf("git-receive-pack"), { headers: receive, body });
    });
    const other = await newOrganization(service);
    const working = await WorkingCopy.create(repositoryUrl(service, other, other.key));
    await working.commit(docs("Words of others"));
    expect((await working.push()).output).toContain("remote: Live: ");
    for (const end of ends) end();
    await Promise.all(waiting);
  });
});

describe("access", () => {
  const refs = (key: string, name: string, service_ = "git-receive-pack") =>
    send({
      port: service.port,
      path: `/git/${name}.git/info/refs?service=${service_}`,
      headers: { authorization: `Basic ${Buffer.from(`x:${key}`).toString("base64")}` },
    });

  test("a wrong key, another organization's key, and a deleted project are refused as by the API", async () => {
    const { subdomain, projectId, key } = organization;
    const stranger = await newOrganization(service);
    expect(await refs("oct_wrong", subdomain)).toMatchObject({
      status: 401,
      headers: { "www-authenticate": 'Basic realm="Octavo"' },
    });
    const [foreign, unknown] = [await refs(stranger.key, projectId), await refs(stranger.key, "nothing")];
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await refs(key, projectId)).status).toBe(200);

    const clone = await copy.git("clone", repositoryUrl(service, organization, "oct_wrong"), "x");
    expect(clone.output).toContain("Authentication failed");
    expect(clone.code).not.toBe(0);
  });

  test("a reading key can clone and not push", async () => {
    const { key } = await service.operator(endpoints.createKey, {
      params: { organizationId: organization.id },
      body: { name: "reader", scopes: ["read"] },
    });
    const reader = await WorkingCopy.clone(repositoryUrl(service, organization, key));
    await reader.commit({ "x.mdx": "x" });
    const { code, output } = await reader.push();
    expect(output).toContain("remote: This key doesn't have the write scope");
    expect(code).not.toBe(0);
    await expectUnchanged();
  });

  test("a project that is connected to a repository has none of its own, and says so", async () => {
    const { id, key } = organization;
    const { id: projectId } = await service.operator(endpoints.createProject, {
      params: { organizationId: id },
      body: {
        name: "Connected",
        subdomain: `${organization.subdomain}-connected`,
        source: { kind: "git", url: "https://git.example.com/acme/docs.git", branch: "main" },
      },
    });
    const url = repositoryUrl(service, { subdomain: projectId }, key);
    const { code, output } = await copy.push(url, "main");
    expect(output).toContain("remote: This project is connected to a repository on another server.");
    expect(code).not.toBe(0);
    await service.operator(endpoints.deleteProject, { params: { projectId } });
    expect((await copy.push(url, "main")).output).toContain("not found");
  });
});
