/** Search by meaning with a fake endpoint for embeddings. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ask, bodyOf } from "../../../test/service/ask-assistant.ts";
import { firstAdmin, newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs, upload, visit } from "../../../test/service/deploying.ts";
import { type EmbeddingServer, startEmbeddingServer } from "../../../test/service/embedding-server.ts";
import { download, ended, start } from "../../../test/service/exports.ts";
import { send, type TestService } from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { newReader, newSite, type TestSite, trusting } from "../../../test/service/test-sites.ts";
import { until } from "../../../test/service/until.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

const page = (title: string, text: string, settings = "") =>
  `---\ntitle: ${title}\n${settings}---\n\n${text}\n`;
const pets = {
  "cats.mdx": page(
    "Cats",
    "## Meals\n\nGive each cat two bowls of food.\n\n## Sleep\n\nA cat rests on the sofa.",
  ),
  "dogs.mdx": page("Dogs", "## Meals\n\nGive each dog a bone.\n\n## Walks\n\nA dog runs in the park."),
};
const question = "my feline looks hungry";

let server: EmbeddingServer;
let service: TestService;
let site: TestSite;
beforeAll(async () => {
  server = await startEmbeddingServer();
  const env = { OCTAVO_EMBEDDING_BASE_URL: server.url, OCTAVO_EMBEDDING_NAME: "tiny" };
  service = await openTestService({ env: { ...trusting, ...env } });
  site = await newSite(service, docs("Pets live here.", pets));
  await until(async () => (await found()).length > 0);
});
afterEach(() => server.respond(undefined));
afterAll(async () => {
  await service.stop();
  await server.stop();
});

const post = async (path: string, body: object, key = site.key) =>
  send({
    port: service.port,
    path,
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const found = async (query = question, more: object = {}): Promise<string[]> =>
  (await post(`/v1/search/${site.organization.subdomain}`, { query, ...more })).json.map(
    (one: { path: string }) => one.path,
  );
const texts = () => server.requests.flat();

describe("a site with vectors", () => {
  test("finds a section that has none of the question's words", async () => {
    expect((await found())[0]).toBe("cats");
    const answer = await ask({
      port: service.port,
      host: site.host,
      headers: newReader(),
      body: bodyOf(question),
    });
    expect(answer.text).toContain("/cats");
  });

  test("finds the words of a question whose vector is unlike all passages", async () => {
    const embedding = Array.from({ length: 64 }, () => -1);
    server.respond({ body: { data: [{ index: 0, embedding }] } });
    expect((await found("bone of a dog"))[0]).toBe("dogs");
  });

  test("embeds each question once, and none while a reader types", async () => {
    const before = texts().length;
    await ask({ port: service.port, host: site.host, headers: newReader(), body: bodyOf(question) });
    expect(texts().slice(before)).toEqual([question]);
    const headers = {
      host: `${site.host}:${service.port}`,
      origin: site.origin,
      "content-type": "application/json",
    };
    await send({
      port: service.port,
      path: "/_octavo/search",
      method: "POST",
      headers,
      body: JSON.stringify({ query: question }),
    });
    expect(texts()).toHaveLength(before + 1);
  });

  test("no host serves the vectors, and exports don't contain them", async () => {
    for (const path of ["/_octavo/vectors/en/v0.bin", "/_octavo/vectors/en/", "/_octavo/vectors"])
      expect((await visit(service, site.host, path)).status).toBe(404);
    const { json } = await start(site.organization, { domain: site.host });
    await ended(site.organization, json.jobId);
    const { files } = await download(site.organization, json.jobId);
    expect([...files.keys()].filter((name) => name.includes("vectors"))).toEqual([]);
  });

  test("an edit embeds only the passages that changed", async () => {
    const before = texts().length;
    const edited = { ...pets, "dogs.mdx": pets["dogs.mdx"].replace("a bone", "two bones") };
    const deployment = await deploy(site.organization, docs("Pets live here.", edited));
    expect(texts().slice(before)).toEqual(["Dogs › Meals\nGive each dog two bones."]);
    expect(deployment.logs).toContain("Embedded 1 passage");
    expect((await found())[0]).toBe("cats");
  });

  test("passages in languages that aren't listed aren't embedded", async () => {
    const before = texts().length;
    const navigation = {
      languages: [
        { language: "en", pages: ["index"] },
        { language: "de", pages: ["de/katzen"] },
      ],
    };
    await newSite(
      service,
      docs("Birds sing.", { "de/katzen.mdx": page("Katzen", "Katzen schlafen viel.") }, { navigation }),
    );
    expect(texts().slice(before)).toEqual(["Home\nBirds sing."]);
  });
});

describe("if the endpoint fails", () => {
  test("questions are answered by words, and the operator sees the failure", async () => {
    const operator = await firstAdmin(service);
    expect((await operator.get("/dashboard/operator/health")).text).toMatch(
      /Embedding model[\s\S]{0,200}Responded/,
    );
    server.respond({ status: 503 });
    expect(await found("where does a dog run")).toContain("dogs");
    expect(await found()).toEqual([]);
    expect((await operator.get("/dashboard/operator/health")).text).toMatch(
      /Embedding model[\s\S]{0,200}Not responding/,
    );
  });

  test("a deployment succeeds, and the next one computes the missing vectors", async () => {
    server.respond({ status: 503 });
    const more = { "cats.mdx": pets["cats.mdx"], "mice.mdx": page("Mice", "Mice eat cheese.") };
    const failed = await deploy(site.organization, docs("Pets live here.", more));
    expect(failed.status).toBe("success");
    const logsOf = async () =>
      (await site.organization.client(endpoints.getDeployment, { params: { id: failed.id } })).logs.at(-1);
    await until(
      async () =>
        (await logsOf()) ===
        "Search by meaning is incomplete: the embedding model failed. Octavo will try again.",
    );
    server.respond(undefined);
    const before = texts().length;
    await deploy(site.organization, docs("Pets live here.", more));
    expect(texts().slice(before)).toEqual(["Mice\nMice eat cheese."]);
  });
});

test("a deployment is live before its vectors are computed, and keeps those that it has when the job is repeated", async () => {
  const own = await newSite(service, docs("Pets live here.", pets));
  const search = async () =>
    (await post(`/v1/search/${own.organization.subdomain}`, { query: question }, own.key)).json.length;
  await until(async () => (await search()) > 0);
  let release = () => {};
  server.hold(new Promise<void>((resolve) => (release = resolve)));
  const edited = { ...pets, "mice.mdx": page("Mice", "Mice eat cheese.") };
  const { json } = await upload(own.organization, tarOf(docs("Pets live here.", edited)));
  const running = own.organization.runJobs();
  const statusOf = () => own.organization.client(endpoints.getDeployment, { params: { id: json.id } });
  await until(async () => (await statusOf()).status === "success");
  await until(async () => (await visit(service, own.host, "/mice")).status === 200);
  // Known passages have their vectors at once.
  expect(await search()).toBeGreaterThan(0);
  expect((await statusOf()).logs.join()).not.toContain("Embedded");
  release();
  await running;
  expect((await statusOf()).logs.at(-1)).toBe("Embedded 1 passage");
});

test("a passage that the model rejects doesn't stop the others", async () => {
  server.reject("poison");
  const own = await newSite(
    service,
    docs("Pets live here.", { ...pets, "mice.mdx": page("Mice", "Mice eat poison.") }),
  );
  await until(
    async () =>
      (await post(`/v1/search/${own.organization.subdomain}`, { query: question }, own.key)).json[0]?.path ===
      "cats",
  );
  const { deployments } = await own.organization.client(endpoints.listDeployments, {
    params: { projectId: own.organization.projectId },
  });
  const { logs } = await own.organization.client(endpoints.getDeployment, {
    params: { id: deployments[0]!.id },
  });
  expect(logs.slice(-2)).toEqual([
    expect.stringMatching(/^Embedded \d passages$/),
    "The embedding model rejected 1 passage",
  ]);
  server.reject(undefined);
});

test("if another model has the same name, all vectors are computed again", async () => {
  const own = await newSite(service, docs("Pets live here.", pets));
  const before = texts().length;
  server.resize(32);
  await deploy(
    own.organization,
    docs("Pets live here.", { ...pets, "mice.mdx": page("Mice", "Mice eat cheese.") }),
  );
  expect(texts().slice(before)).toContain("Cats › Sleep\nA cat rests on the sofa.");
  const { json } = await post(`/v1/search/${own.organization.subdomain}`, { query: question }, own.key);
  expect(json[0].path).toBe("cats");
  server.resize(64);
});

describe("the list of unanswered questions", () => {
  const asked = async (own: TestSite, text: string) => {
    const answer = await ask({
      port: service.port,
      host: own.host,
      headers: newReader(),
      body: bodyOf(text),
    });
    expect(answer.resolutionStatus).toBe("unanswered");
  };
  const listOf = async (own: TestSite) => {
    const { id, projectId } = own.organization;
    const member = await newMember(service, id, "viewer");
    const { text } = await member.get(`${member.home}/p/${projectId}/questions`);
    return [...text.matchAll(/<tr[\s\S]*?<\/tr>/g)].map(([row]) =>
      row.replace(/<[^>]+>|\s+/g, " ").replace(/ +/g, " "),
    );
  };

  test("shows questions with the same meaning together, and only those of the project", async () => {
    const [one, other] = [await newSite(service), await newSite(service)];
    await asked(other, "feline hungry elsewhere");
    await asked(one, "cats food");
    await asked(one, "printer ink");
    await asked(one, "feline hungry");
    const rows = (await listOf(one)).filter((row) => /ink|food|feline/.test(row));
    expect(rows).toHaveLength(2);
    expect(rows.find((row) => row.includes("feline"))).toMatch(/cats food.* 2 /);
    expect(rows.join()).not.toContain("elsewhere");
    server.respond({ status: 503 });
    expect((await listOf(one)).filter((row) => /ink|food|feline/.test(row))).toHaveLength(3);
  });
});

test("passages of a group never reach readers of other groups", async () => {
  const groups = Array.from({ length: 10 }, (_, number) => `group${number}`);
  const secret = (group: string, number: number) => `Feeding kitty needs food ${group}canary${number}.`;
  const sections = (group: string, from: number, wrap = (text: string) => text) =>
    Array.from({ length: 5 }, (_, place) =>
      wrap(`## Bowl ${from + place} ${group}canary\n\n${secret(group, from + place)}`),
    ).join("\n\n");
  const visible = (group: string) => (text: string) =>
    `<Visibility for={{ groups: ["${group}"] }}>\n\n${text}\n\n</Visibility>`;
  const files = Object.fromEntries(
    groups.flatMap((group) => [
      [`own-${group}.mdx`, page(`Title ${group}canary`, sections(group, 0), `groups: [${group}]\n`)],
      [
        `open-${group}.mdx`,
        page("Open", `Common text.\n\n${sections(group, 5, visible(group))}`, "public: true\n"),
      ],
    ]),
  );
  const restrictedFiles = docs("Pets live here.", files);
  const restricted = await newSite(service, restrictedFiles);
  const { id: organizationId, projectId, subdomain, client } = restricted.organization;
  const signIn = { mode: "password" as const, password: "correct horse", groups: [] };
  await client(endpoints.changeProject, { params: { projectId }, body: { signIn } });
  await deploy(restricted.organization, restrictedFiles);
  const body = { name: "readers", type: "assistant" as const, projectId, groups };
  const { key } = await service.operator(endpoints.createKey, { params: { organizationId }, body });
  const read = async (query: string, own: string[]) => {
    const filter = own.length > 0 ? { filter: { groups: own } } : {};
    const results = await post(`/v1/search/${subdomain}`, { query, pageSize: 50, ...filter }, key);
    const answer = await ask({
      port: service.port,
      path: `/v1/assistant/${subdomain}`,
      headers: { authorization: `Bearer ${key}` },
      body: bodyOf(query, filter),
    });
    expect(results.status).toBe(200);
    return `${JSON.stringify(results.json)} ${JSON.stringify(answer)}`.replaceAll(query, "");
  };
  for (const [place, group] of groups.entries()) {
    const text = await read(question, [group]);
    expect(text, group).toContain(`${group}canary`);
    // The texts of another group's passages are most similar to themselves.
    const other = groups[(place + 1) % groups.length]!;
    const all = `${text} ${await read(secret(other, place), [group])}`;
    expect(
      groups.filter((one) => one !== group && all.includes(`${one}canary`)),
      group,
    ).toEqual([]);
  }
  expect(await read(question, [])).not.toContain("canary");
}, 120_000);
