/** A request whose rights end while its body arrives changes nothing. */

import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { docs } from "../../../test/service/deploying.ts";
import { commitOf, hashOf, packedObject, packet, packOf } from "../../../test/service/git-packs.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization, type TestOrganization } from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { until } from "../../../test/service/until.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "./endpoints.ts";

let service: OpenTestService;
let organization: TestOrganization;
beforeAll(async () => {
  service = await openTestService();
  organization = await newOrganization(service);
});
afterAll(() => service?.stop());

interface SlowRequest {
  path: string;
  method?: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Sends the first half of the body, calls `between`, and sends the rest. */
function sendSlowly(
  { path, method = "POST", headers, body }: SlowRequest,
  between: () => Promise<unknown>,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const half = body.length >> 1;
    const length = String(body.length);
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port: service.port,
        path,
        method,
        agent: false,
        headers: {
          host: `localhost:${service.port}`,
          expect: "100-continue",
          "content-length": length,
          ...headers,
        },
      },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
        response.on("end", () => resolve({ status: response.statusCode!, text }));
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.once("continue", () => {
      request.write(body.subarray(0, half));
      between().then(() => request.end(body.subarray(half)), reject);
    });
    request.flushHeaders();
  });
}

async function newKey({ id }: TestOrganization, more: object = {}) {
  return service.operator(endpoints.createKey, {
    params: { organizationId: id },
    body: { name: "slow", scopes: ["write"], ...more },
  });
}

/** Waits until a request has used the key, and revokes it. */
async function revokeUsed({ id: organizationId }: TestOrganization, keyId: string): Promise<void> {
  await until(async () => {
    const { keys } = await service.operator(endpoints.listKeys, { params: { organizationId } });
    return keys.find(({ id }) => id === keyId)!.lastUsedAt !== null;
  });
  await service.operator(endpoints.revokeKey, { params: { organizationId, keyId } });
}

const deploymentsOf = async ({ client, projectId }: TestOrganization) =>
  (await client(endpoints.listDeployments, { params: { projectId } })).deployments;

describe("a key that is revoked", () => {
  const bearer = (key: string, type: string) => ({ authorization: `Bearer ${key}`, "content-type": type });

  test("doesn't deploy an upload", async () => {
    const { key, id } = await newKey(organization);
    const path = `/v1/projects/${organization.projectId}/deployments`;
    const body = tarOf(docs("Late words"));
    const headers = bearer(key, "application/gzip");
    const { status } = await sendSlowly({ path, headers, body }, () => revokeUsed(organization, id));
    expect(status).toBe(401);
    expect(await deploymentsOf(organization)).toEqual([]);
  });

  test("doesn't import conversations", async () => {
    const { key, id } = await newKey(organization);
    const row = {
      id: "01KE5VZ8000000000000000000",
      timestamp: "2026-01-05T00:00:00.000Z",
      query: "Late question",
      response: "Answer",
      sources: [],
      resolutionStatus: "answered",
      queryCategory: null,
      pageUrl: null,
    };
    const list = `/v1/analytics/${organization.projectId}/assistant`;
    const { status } = await sendSlowly(
      {
        path: `${list}/import`,
        headers: bearer(key, "application/x-ndjson"),
        body: Buffer.from(`${JSON.stringify(row)}\n`),
      },
      () => revokeUsed(organization, id),
    );
    expect(status).toBe(401);
    expect((await organization.ask(list)).json.conversations).toEqual([]);
  });

  test("doesn't change settings", async () => {
    const { key, id } = await newKey(organization);
    const path = `/v1/projects/${organization.projectId}`;
    const body = Buffer.from(JSON.stringify({ name: "Late name" }));
    const headers = bearer(key, "application/json");
    const sent = { path, method: "PATCH", headers, body };
    expect((await sendSlowly(sent, () => revokeUsed(organization, id))).status).toBe(401);
    expect((await organization.ask(path)).text).not.toContain("Late name");
  });

  test("doesn't push or fetch, and the terminal of a push says why", async () => {
    const { key, id } = await newKey(organization);
    const { subdomain } = organization;
    const authorization = `Basic ${Buffer.from(`git:${key}`).toString("base64")}`;
    const blob = Buffer.from("x");
    const tree = Buffer.concat([Buffer.from("100644 a\0"), Buffer.from(hashOf("blob", blob), "hex")]);
    const commit = commitOf(hashOf("tree", tree));
    const pack = packOf([
      packedObject("commit", commit),
      packedObject("tree", tree),
      packedObject("blob", blob),
    ]);
    const update = `${"0".repeat(40)} ${hashOf("commit", commit)} refs/heads/main`;
    const push = await sendSlowly(
      {
        path: `/git/${subdomain}.git/git-receive-pack`,
        headers: { authorization, "content-type": "application/x-git-receive-pack-request" },
        body: Buffer.concat([Buffer.from(`${packet(`${update}\0report-status side-band-64k`)}0000`), pack]),
      },
      () => revokeUsed(organization, id),
    );
    expect(push.text).toContain("The API key was revoked or has expired, so the push was refused.");
    expect(push.text).toContain("ng refs/heads/main");
    expect(await deploymentsOf(organization)).toEqual([]);

    const other = await newKey(organization);
    const fetched = await sendSlowly(
      {
        path: `/git/${subdomain}.git/git-upload-pack`,
        headers: {
          authorization: `Basic ${Buffer.from(`git:${other.key}`).toString("base64")}`,
          "content-type": "application/x-git-upload-pack-request",
          "git-protocol": "version=2",
        },
        body: Buffer.from(`${packet("command=ls-refs\n")}0000`),
      },
      () => revokeUsed(organization, other.id),
    );
    expect(fetched.status).toBe(401);
  });
});

test("an upload to a project that is deleted is refused", async () => {
  const { key, projectId } = await newOrganization(service);
  const { status } = await sendSlowly(
    {
      path: `/v1/projects/${projectId}/deployments`,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/gzip" },
      body: tarOf(docs("Late words")),
    },
    () => service.operator(endpoints.deleteProject, { params: { projectId } }),
  );
  expect(status).toBe(404);
});

describe.each<[string, (member: Member, boss: Member) => Promise<unknown>, number]>([
  ["signs out", (member) => member.submit("/dashboard/sign-out", {}, { from: member.home }), 403],
  [
    "becomes a viewer",
    async (member, boss) => {
      const page = await pageOf(boss, member);
      return boss.submit(`${page}/role`, { role: "viewer" }, { from: page });
    },
    403,
  ],
  [
    "is removed",
    async (member, boss) => {
      const page = await pageOf(boss, member);
      return boss.submit(`${page}/remove`, { confirm: member.email }, { from: page });
    },
    404,
  ],
])("when a member %s", (_, loseRights, expected) => {
  test("an upload or a form of the dashboard that is being sent has no effect", async () => {
    const boss = await newMember(service, organization.id, "admin", "Boss");
    for (const kind of ["upload", "form"] as const) {
      const member = await newMember(service, organization.id, "editor", "Member");
      const project = `${member.home}/p/${organization.projectId}`;
      const token = await member.token(`${project}/deployments`);
      const cookie = member.storageState().cookies.map(({ name, value }) => `${name}=${value}`);
      const { type, body } = kind === "upload" ? uploadOf(token) : formOf(token);
      const { status } = await sendSlowly(
        {
          path: `${project}/${kind === "upload" ? "uploads" : "deployments"}`,
          headers: { cookie: cookie.join("; "), "content-type": type },
          body,
        },
        () => loseRights(member, boss),
      );
      expect(status).toBe(expected);
      expect(await deploymentsOf(organization)).toEqual([]);
    }
  });
});

/** Path of a member's page. */
async function pageOf(viewer: Member, { email }: Member): Promise<string> {
  const { text } = await viewer.get(`${viewer.home}/members`);
  const row = text.split("<tr").find((part) => part.includes(email))!;
  return /href="([^"]+\/members\/\w+)"/.exec(row)![1]!;
}

function uploadOf(token: string): { type: string; body: Buffer } {
  const boundary = randomBytes(12).toString("hex");
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part('name="_token"')}${token}\r\n${part('name="archive"; filename="docs.tar.gz"')}`),
    tarOf(docs("Late words")),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

function formOf(token: string): { type: string; body: Buffer } {
  const form = new URLSearchParams({ _token: token }).toString();
  return { type: "application/x-www-form-urlencoded", body: Buffer.from(form) };
}
