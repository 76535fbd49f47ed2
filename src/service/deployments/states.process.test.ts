/**
 * The state of a deployment is the same word on the organization's page, the overview, the list, its own
 * page, in the API, and in webhooks, after each way in which a project's deployments can go.
 */

import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../../../test/engine/build.ts";
import { type CliResult, runCli } from "../../../test/engine/run-cli.ts";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { docs, upload } from "../../../test/service/deploying.ts";
import { allowReceivers, startReceiver } from "../../../test/service/event-receiver.ts";
import { commitFiles, startGitServer } from "../../../test/service/git-server.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

const root = temporaryFolder();
const repository = path.join(root, "team-docs");
let git: Awaited<ReturnType<typeof startGitServer>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let service: TestService;
let database: pg.Pool;

beforeAll(async () => {
  const databaseUrl = await createDatabase();
  git = await startGitServer(root);
  receiver = await startReceiver();
  service = await openTestService({
    databaseUrl,
    env: { OCTAVO_GIT_ALLOW: "http private file", ...allowReceivers },
  });
  database = new pg.Pool({ connectionString: databaseUrl });
  commitFiles(repository, docs("Main branch"), { message: "Begin the docs" });
  commitFiles(repository, docs("Draft"), { branch: "draft" });
  commitFiles(repository, faulty(1), { branch: "faulty" });
});
afterAll(async () => {
  await database.end();
  await service.stop();
  await receiver.stop();
  await git.stop();
});

const good = docs("Good");
const unreadable = { "docs.json": "{", "index.mdx": "x" };
/** A site with a number of errors. */
function faulty(count: number): Record<string, string> {
  const pages = Array.from({ length: count }, (_, index) => [
    `broken-${index}.mdx`,
    "---\ntitle: Broken\n---\n\n<Note>\nNever closed",
  ]);
  return docs("Faulty", Object.fromEntries(pages));
}

interface Team {
  organization: TestOrganization;
  member: Member;
  /** IDs of the deployments, oldest first. */
  ids: string[];
}

async function newTeam(): Promise<Team> {
  const organization = await newOrganization(service);
  const member = await newMember(service, organization.id, "editor");
  const events = ["deployment.succeeded", "deployment.failed"] as const;
  await organization.client(endpoints.createWebhook, { body: { url: receiver.url, events: [...events] } });
  return { organization, member, ids: [] };
}

/** Runs the service's jobs until a deployment has ended, again if one is to be tried again later. */
async function untilEnded({ client }: TestOrganization, id: string): Promise<void> {
  await service.until(async () => {
    const { status } = await client(endpoints.getDeployment, { params: { id } });
    return status === "success" || status === "failure";
  });
}

/** Steps of a history. Each adds a deployment, or changes the one with a number. */
const steps = {
  async deploy(team: Team, files = good) {
    await steps.queue(team, files);
    await untilEnded(team.organization, team.ids.at(-1)!);
  },
  async queue({ organization, ids }: Team, files = good) {
    ids.push((await upload(organization, tarOf(files))).json.id);
  },
  async build({ ids }: Team, number: number) {
    await database.query("update deployments set status = 'in_progress', progress = 40 where id = $1", [
      ids[number - 1],
    ]);
  },
  async finish({ organization, ids }: Team, number: number) {
    await untilEnded(organization, ids[number - 1]!);
  },
  async rollBack({ organization, ids }: Team, number: number) {
    await organization.client(endpoints.rollBack, { params: { id: ids[number - 1]! } });
  },
  async cancel({ organization, ids }: Team, number: number) {
    await organization.client(endpoints.cancelDeployment, { params: { id: ids[number - 1]! } });
  },
  async purge({ organization, ids }: Team, number: number) {
    await organization.client(endpoints.purge, { params: { id: ids[number - 1]! } });
  },
  async preview({ organization, ids }: Team, branch: string) {
    const source = {
      kind: "git" as const,
      url: `http://127.0.0.1:${git.port}/team-docs/.git`,
      branch: "main",
    };
    const params = { projectId: organization.projectId };
    await organization.client(endpoints.changeProject, { params, body: { source } });
    const { statusId } = await organization.client(endpoints.preview, { params, body: { branch } });
    ids.push(statusId);
    await untilEnded(organization, statusId);
  },
};

interface History {
  run(team: Team): Promise<void>;
  /** State of each deployment, oldest first. */
  states: string[];
  /** State of the project's site. */
  site: string;
  /** What the first screens say about the latest deployment that didn't go live. */
  note?: string;
  /** A button on the page of the deployment with a number. */
  button?: [number: number, label: string, isPrimary: boolean];
}

const { deploy: add, queue, build, finish, rollBack, cancel, purge, preview } = steps;
const inOrder =
  (...todo: ((team: Team) => Promise<void>)[]) =>
  async (team: Team) => {
    for (const step of todo) await step(team);
  };

const histories: Record<string, History> = {
  "the first one is queued": { run: inOrder(queue), states: ["Queued"], site: "Queued" },
  "the first one is building": {
    run: inOrder(queue, (team) => build(team, 1)),
    states: ["Building"],
    site: "Building",
  },
  "the first one failed": {
    run: inOrder((team) => add(team, unreadable)),
    states: ["Failed"],
    site: "Failed",
    note: "Deployment 1 failed",
  },
  "the first one was canceled": {
    run: inOrder(queue, (team) => cancel(team, 1)),
    states: ["Canceled"],
    site: "Canceled",
  },
  live: { run: inOrder(add), states: ["Live"], site: "Live" },
  "live with errors": {
    run: inOrder((team) => add(team, faulty(2))),
    states: ["Live with errors"],
    site: "Live with errors",
  },
  "failed after live": {
    run: inOrder(add, (team) => add(team, unreadable)),
    states: ["Live", "Failed"],
    site: "Live",
    note: "Deployment 2 failed",
  },
  "failed after live with errors, then queued, canceled, and a preview": {
    run: inOrder(
      (team) => add(team, faulty(1)),
      (team) => add(team, unreadable),
      queue,
      (team) => cancel(team, 3),
      (team) => preview(team, "draft"),
    ),
    states: ["Live with errors", "Failed", "Canceled", "Ready"],
    site: "Live with errors",
    note: "Deployment 2 failed",
  },
  "held after live": {
    run: inOrder(add, (team) => add(team, faulty(1))),
    states: ["Live", "Held"],
    site: "Live",
    note: "Deployment 2 has new errors",
    button: [2, "Publish anyway", false],
  },
  "published although it has new errors": {
    run: inOrder(
      add,
      (team) => add(team, faulty(1)),
      (team) => rollBack(team, 2),
    ),
    states: ["Replaced", "Live with errors"],
    site: "Live with errors",
  },
  "replaced, and the failure before it": {
    run: inOrder(add, (team) => add(team, unreadable), add),
    states: ["Replaced", "Failed", "Live"],
    site: "Live",
    button: [1, "Roll back to this deployment", true],
  },
  "replaced one with errors": {
    run: inOrder((team) => add(team, faulty(1)), add),
    states: ["Replaced", "Live"],
    site: "Live",
    button: [1, "Roll back to this deployment", false],
  },
  "rolled back": {
    run: inOrder(add, add, (team) => rollBack(team, 1)),
    states: ["Live", "Replaced"],
    site: "Live",
  },
  "rolled back to one with errors": {
    run: inOrder(
      (team) => add(team, faulty(1)),
      add,
      (team) => rollBack(team, 1),
    ),
    states: ["Live with errors", "Replaced"],
    site: "Live with errors",
    button: [2, "Make live", true],
  },
  "rolled back while a newer one is queued": {
    run: inOrder(
      add,
      add,
      queue,
      (team) => rollBack(team, 1),
      (team) => finish(team, 3),
    ),
    states: ["Live", "Replaced", "Superseded"],
    site: "Live",
  },
  "queued behind another": {
    run: inOrder(add, queue, queue, (team) => build(team, 2)),
    states: ["Live", "Building", "Queued"],
    site: "Live",
  },
  "previews without and with errors": {
    run: inOrder(
      (team) => preview(team, "draft"),
      (team) => preview(team, "faulty"),
    ),
    states: ["Ready", "Ready with errors"],
    site: "Not deployed",
  },
  deleted: {
    run: inOrder(add, add, (team) => purge(team, 1)),
    states: ["Deleted", "Live"],
    site: "Live",
  },
};

/** Words in the badges of a part of a page, without the progress. */
const badges = (html: string) =>
  [...html.matchAll(/<span class="d-badge [^"]*">([^<]*)<\/span>/g)].map(([, word]) =>
    word!.replace(/ \d+%$/, ""),
  );
const wordsOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
/** A state of the API as a word: `live-with-errors` → `Live with errors`. */
const wordOf = (state: string) => state[0]!.toUpperCase() + state.slice(1).replaceAll("-", " ");
/** The row of the list of deployments with a number. */
const rowOf = (html: string, number: number) =>
  new RegExp(`<tr(?:(?!</tr>).)*>Deployment ${number}</a>.*?</tr>`, "s").exec(html)?.[0] ?? "";

describe.each(Object.entries(histories))("%s", (_name, { run, states, site, note, button }) => {
  let team: Team;
  let project = "";
  let overview = "";
  let card = "";

  beforeAll(async () => {
    team = await newTeam();
    const { member, organization } = team;
    await run(team);
    project = `${member.home}/p/${organization.projectId}`;
    overview = (await member.get(project)).text;
    card = /<ul class="d-cards">.*?<\/ul>/s.exec((await member.get(member.home)).text)![0];
  });

  test("each deployment has one word in the lists, on its page, and in the API", async () => {
    const { member, organization, ids } = team;
    const list = (await member.get(`${project}/deployments`)).text;
    const { deployments } = await organization.client(endpoints.listDeployments, {
      params: { projectId: organization.projectId },
    });
    for (const [index, word] of states.entries()) {
      const id = ids[index]!;
      const page = (await member.get(`${project}/deployments/${id}`)).text;
      const params = { params: { id } };
      const { liveState } = await organization.client(endpoints.getDeployment, params);
      const status = await organization.client(endpoints.updateStatus, { params: { statusId: id } });
      expect({
        overview: badges(rowOf(overview, index + 1))[0],
        list: badges(rowOf(list, index + 1))[0],
        page: badges(/<dt>State<\/dt>\s*<dd>.*?<\/dd>/s.exec(page)?.[0] ?? "")[0],
        api: wordOf(liveState),
        apiList: wordOf(deployments.find((row) => row.id === id)!.liveState),
        apiStatus: wordOf(status.liveState),
      }).toEqual({ overview: word, list: word, page: word, api: word, apiList: word, apiStatus: word });
    }
  });

  test("the site has the same word on the organization's page and the overview", () => {
    const live = /<dt>State<\/dt>\s*<dd>.*?<\/dd>/s.exec(overview)?.[0];
    expect(badges(card)).toEqual([site]);
    if (states.some((word) => word.startsWith("Live"))) expect(badges(live ?? "")).toEqual([site]);
  });

  test("the first screens say whether the latest deployment failed or is held", () => {
    const said = /Deployment \d+ (?:failed|has new errors)/;
    const onOverview = said.exec(wordsOf(overview.split('class="d-table')[0]!))?.[0];
    // The card of a site without a live deployment already has this state.
    const onCard = said.exec(wordsOf(card))?.[0] ?? (site === "Failed" ? note : undefined);
    expect([onOverview, onCard]).toEqual([note, note]);
  });

  if (button)
    test("the button to make another deployment live is primary only if that has no errors", async () => {
      const [number, label, isPrimary] = button;
      const page = (await team.member.get(`${project}/deployments/${team.ids[number - 1]}`)).text;
      const found = new RegExp(`<button[^>]*class="([^"]*)"[^>]*>${label}<`).exec(page)?.[1] ?? "";
      expect(found.split(" ")).toContain(`d-button-${isPrimary ? "primary" : "plain"}`);
    });

  test("webhooks have the word that a deployment had when it ended", async () => {
    const isEnded = (word: string) => !["Queued", "Building", "Canceled"].includes(word);
    const wanted = team.ids.filter((_, index) => isEnded(states[index]!));
    const dataOf = (id: string) =>
      receiver.received.find(({ json }) => json.data.deploymentId === id)?.json.data;
    if (wanted.length) await service.until(async () => wanted.every((id) => dataOf(id) !== undefined));
    // A deployment that is replaced or deleted now was live, and one that was held can be live now.
    const before: Record<string, string[]> = {
      Replaced: ["Live", "Live with errors"],
      Deleted: ["Live"],
      "Live with errors": ["Live with errors", "Held"],
    };
    for (const [index, word] of states.entries())
      if (isEnded(word))
        expect(before[word] ?? [word]).toContain(wordOf(String(dataOf(team.ids[index]!)?.liveState)));
  });
});

test("octavo deploy prints the same words", async () => {
  const { organization, ids } = await newTeam();
  const run = async (files: Record<string, string>, args: string[] = []) => {
    const folder = writeFiles(path.join(root, `cli-${ids.push("")}`), files);
    const settings = { OCTAVO_URL: `http://localhost:${service.port}`, OCTAVO_API_KEY: organization.key };
    let result: CliResult | undefined;
    void runCli(["deploy", folder, "--project", organization.projectId, ...args], settings).then(
      (done) => (result = done),
    );
    await service.until(async () => result !== undefined);
    return /^[\w ]+/.exec(result!.out)?.[0];
  };
  expect(await run(unreadable)).toBe("Failed");
  expect(await run(faulty(1))).toBe("Live with errors");
  expect(await run(faulty(2))).toBe("Held");
  expect(await run(good)).toBe("Live");
  expect(await run(good, ["--no-wait"])).toBe("Queued");
});
