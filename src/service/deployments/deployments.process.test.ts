/** Deployments in the API: uploads, failures, rollback, purge and updates. Also `octavo deploy`. */

import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../../../test/engine/build.ts";
import { type CliResult, runCli } from "../../../test/engine/run-cli.ts";
import { onEachDatabase } from "../../../test/service/databases.ts";
import { deploy, docs, ended, upload, visit } from "../../../test/service/deploying.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { tar, tarGz, tarOf } from "../../../test/service/tar.ts";
import { endpoints } from "../app/endpoints.ts";

onEachDatabase("deployments", (start) => {
  let service: TestService;
  let organization: TestOrganization;
  let host = "";

  beforeAll(async () => {
    service = await start({});
    organization = await newOrganization(service);
    host = `${organization.subdomain}.localhost`;
  });
  afterAll(() => service.stop());

  const home = async () => (await visit(service, host)).text;
  const shows = (text: string) => service.until(async () => (await home()).includes(text));
  const get = (id: string) => organization.client(endpoints.getDeployment, { params: { id } });

  test("a site whose docs.json requires sign-in becomes public only by an explicit choice", async () => {
    const own = await newOrganization(service);
    const ownHost = `${own.subdomain}.localhost`;
    const secret = docs("Secret text", {}, { userAuth: { method: "jwt" } });
    const refused = await deploy(own, secret);
    expect(refused).toMatchObject({ status: "failure", isLive: false });
    expect(refused.summary).toMatch(
      /^Not published: docs\.json requires readers to sign in.*Settings > Readers.*choose Public/,
    );
    expect(refused.problems).toMatchObject([{ code: "config-sign-in", file: "docs.json" }]);
    expect((await visit(service, ownHost)).status).toBe(404);
    const params = { projectId: own.projectId };
    // Changing another setting doesn't choose a sign-in mode.
    await own.client(endpoints.changeProject, { params, body: { name: "Renamed" } });
    expect(await deploy(own, secret)).toMatchObject({ status: "failure" });
    await own.client(endpoints.changeProject, {
      params,
      body: { signIn: { mode: "password", password: "correct horse" } },
    });
    expect(await deploy(own, secret)).toMatchObject({ status: "success", isLive: true, problems: [] });
    await service.until(async () => (await visit(service, ownHost)).status === 401);
    const chosen = await own.client(endpoints.changeProject, { params, body: { signIn: { mode: "none" } } });
    expect(chosen.signIn).toEqual({ mode: "none" });
    expect(await deploy(own, secret)).toMatchObject({ status: "success", isLive: true });
    await service.until(async () => (await visit(service, ownHost)).text.includes("Secret text"));
  });

  test("a site shows that its first deployment is missing, queued or failed", async () => {
    const own = await newOrganization(service);
    const ownHost = `${own.subdomain}.localhost`;
    const shown = async () =>
      (await visit(service, ownHost, "/", { accept: "text/html" })).text.match(/<h1>(.*)<\/h1>/)?.[1];
    await service.until(async () => (await shown()) === "No deployment yet");
    const { json } = await upload(own, tarOf({ "docs.json": "{}" }));
    await expect.poll(shown).toBe("Your site is being built");
    expect(await ended(own, json.id)).toMatchObject({ status: "failure" });
    await expect.poll(shown).toBe("The build failed");
    await deploy(own, docs("Now live"));
    await service.until(async () => (await visit(service, ownHost)).text.includes("Now live"));
  });

  test("a site has the scripts of its diagrams, also of those that a later deployment adds", async () => {
    const own = await newOrganization(service);
    const ownHost = `${own.subdomain}.localhost`;
    const scriptsWith = async (diagram: string) => {
      const title = diagram.split("\n")[0];
      const text = diagram && `\`\`\`mermaid\n${diagram}\n\`\`\``;
      const { status } = await deploy(own, docs(`Version with (${title})\n\n${text}`));
      expect(status).toBe("success");
      await service.until(async () =>
        (await visit(service, ownHost)).text.includes(`Version with (${title})`),
      );
      const scripts = (await visit(service, ownHost)).text.match(/_octavo\/mermaid[\w-]*\.js/g) ?? [];
      const replies = await Promise.all(
        [...scripts, "_octavo/mermaid-elk.js"].map((path) => visit(service, ownHost, `/${path}`)),
      );
      return replies.map((reply) => reply.status);
    };
    expect(await scriptsWith("")).toEqual([404]);
    expect(await scriptsWith('pie\n  "A" : 1')).toEqual([200, 404]);
    expect(await scriptsWith("flowchart-elk LR\n  A --> B")).toEqual([200, 200]);
  });

  describe("an upload", () => {
    test("is queued, built, and read at the project's host", async () => {
      expect((await visit(service, host)).status).toBe(404);
      const answer = await upload(organization, tarOf(docs("First text")));
      expect(answer.status).toBe(202);
      expect(answer.headers.location).toBe(`/v1/deployments/${answer.json.id}`);
      expect(answer.json).toMatchObject({
        status: "queued",
        isLive: false,
        trigger: "upload",
        branch: null,
        problems: [],
      });
      const deployment = await ended(organization, answer.json.id);
      expect(deployment).toMatchObject({ status: "success", isLive: true, pageCount: 1, summary: "Live" });
      expect(deployment.logs.length).toBeGreaterThan(2);
      await shows("First text");
      const packed = await visit(service, host, "/", { "accept-encoding": "br" });
      expect(packed.headers["content-encoding"]).toBe("br");
    });

    test("records the trigger that the request names, whatever its User-Agent says", async () => {
      const other = await newOrganization(service);
      const path = `/v1/projects/${other.projectId}/deployments`;
      const headers = { "content-type": "application/gzip", "user-agent": "octavo-cli/1.0.0" };
      const send = (query: string) =>
        other.ask(path + query, { method: "POST", body: tarOf(docs("Triggered")), headers });
      expect((await send("")).json).toMatchObject({ trigger: "upload" });
      expect((await send("?trigger=cli")).json).toMatchObject({ trigger: "cli" });
      expect(await send("?trigger=start")).toMatchObject({
        status: 400,
        json: { details: [{ message: "trigger must be one of upload, cli" }] },
      });
    });

    test("can contain the folder itself", async () => {
      const files = Object.fromEntries(
        Object.entries(docs("In a folder")).map(([name, content]) => [`my-docs/${name}`, content]),
      );
      expect(await deploy(organization, files)).toMatchObject({ status: "success" });
      await shows("In a folder");
    });

    test("shows pages with errors as far as possible, and lists the errors", async () => {
      const params = { projectId: organization.projectId };
      await organization.client(endpoints.changeProject, { params, body: { publishWithErrors: true } });
      const broken = await deploy(
        organization,
        docs("With mistakes", { "broken.mdx": "---\ntitle: B\n---\n\n<Note>\nNever closed" }),
      );
      await organization.client(endpoints.changeProject, { params, body: { publishWithErrors: null } });
      expect(broken).toMatchObject({ status: "success", isLive: true });
      expect(broken.summary).toMatch(/^Live, with \d errors?$/);
      expect(broken.problems.find(({ severity }) => severity === "error")).toMatchObject({
        file: "broken.mdx",
        frame: expect.stringContaining(">"),
      });
      await shows("With mistakes");
      expect((await visit(service, host, "/broken")).status).toBe(200);
    });

    test("with long names and many problems keeps only short texts, errors first, and a list of at most 1 MB", async () => {
      const own = await newOrganization(service);
      const long = "\u{1f419}".repeat(20_000);
      const name = `A${"b".repeat(20_000)}`;
      const links = Array.from(
        { length: 1_500 },
        (_, index) => `[${index}](/missing-${index}-${"x".repeat(2_000)})`,
      ).join("\n\n");
      const quoting = await deploy(
        own,
        docs("Long texts", {
          "z.mdx": `---\ntitle: Z\n---\n\n${links}`,
          "b.mdx": `---\ntitle: B\n---\n\n<${name} />\n\n![Image](/${encodeURI("x")}${long}.png)\n\n<Icon icon="${long}" />`,
          "c.mdx": `---\ntitle: C\n---\n\n${`${long.slice(0, 3_000)}\n`.repeat(3)}<Note>\n${long}`,
        }),
      );
      expect(quoting).toMatchObject({ status: "success" });
      const { problems } = quoting;
      const texts = problems.flatMap(({ message, hint = "", frame = "", file }) => [
        message,
        hint,
        frame,
        file,
      ]);
      expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(500);
      expect(texts.filter((text) => !text.isWellFormed())).toEqual([]);
      const cut = new Set<string>(
        problems.filter(({ message }) => message.endsWith("…")).map(({ code }) => code),
      );
      expect([...cut].sort()).toEqual(
        expect.arrayContaining(["dead-link", "missing-image", "unknown-component"]),
      );
      expect(problems[0]).toMatchObject({ severity: "error" });
      expect(problems.length).toBeLessThanOrEqual(1_000);
      expect(Buffer.byteLength(JSON.stringify(problems))).toBeLessThan(1_000_000);
      expect(quoting.logs.join("\n")).toMatch(/^Too many problems to list: \d+ of 15\d\d are left out$/m);
      const listed = await own.ask(`/v1/projects/${own.projectId}/deployments`);
      expect(listed.json.deployments[0]).toMatchObject({ id: quoting.id, problems: [] });
    });

    test("doesn't become public because its many other problems hide that docs.json requires sign-in", async () => {
      const own = await newOrganization(service);
      const many = Array.from({ length: 1_100 }, (_, index) => `<Unknown${index} />`).join("\n\n");
      const refused = await deploy(
        own,
        docs("Secret text", { "a.mdx": `---\ntitle: A\n---\n\n${many}` }, { userAuth: { method: "jwt" } }),
      );
      expect(refused).toMatchObject({ status: "failure", isLive: false });
      expect(refused.problems[0]).toMatchObject({ code: "config-sign-in" });
    });

    test("with errors fails if the project doesn't publish errors, and the live site stays", async () => {
      const own = await newOrganization(service);
      await deploy(own, docs("Good text"));
      const choose = (publishWithErrors: boolean) =>
        own.client(endpoints.changeProject, {
          params: { projectId: own.projectId },
          body: { publishWithErrors },
        });
      expect(await choose(false)).toMatchObject({ publishWithErrors: false });
      const broken = docs("Bad text", { "broken.mdx": "---\ntitle: B\n---\n\n<Note>\nNever closed" });
      const failed = await deploy(own, broken);
      expect(failed).toMatchObject({ status: "failure", isLive: false });
      expect(failed.summary).toMatch(/^Not published, because the site has 1 error: broken\.mdx:5 /);
      expect(failed.problems.map(({ severity }) => severity)).toContain("error");
      expect((await visit(service, `${own.subdomain}.localhost`)).text).toContain("Good text");
      expect(await deploy(own, docs("Better text"))).toMatchObject({ status: "success", isLive: true });
      await choose(true);
      expect(await deploy(own, broken)).toMatchObject({ status: "success", isLive: true });
    });

    test("is listed newest first, without problems and logs", async () => {
      const first = await organization.ask(`/v1/projects/${organization.projectId}/deployments?limit=2`);
      expect(first.json).toMatchObject({ hasMore: true, nextCursor: first.json.deployments[1].id });
      expect(first.json.deployments[0]).toMatchObject({ isLive: true, problems: [], logs: [] });
      const rest = await organization.ask(
        `/v1/projects/${organization.projectId}/deployments?cursor=${first.json.nextCursor}`,
      );
      expect(rest.json).toMatchObject({ hasMore: false, nextCursor: null });
      expect(rest.json.deployments[0].id < first.json.deployments[1].id).toBe(true);
    });

    test.each([
      ["text", Buffer.from("no archive"), 400],
      ["nothing", Buffer.alloc(0), 400],
      ["one byte", Buffer.from([0x1f]), 400],
    ])("of %s is refused at once", async (_, archive, status) => {
      const answer = await upload(organization, archive);
      expect(answer.status).toBe(status);
      expect(answer.json.details[0].message).toMatch(/tar\.gz/);
    });

    test("above the size limit is refused during the upload", async () => {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const request = httpRequest(
          {
            port: service.port,
            host: "127.0.0.1",
            path: `/v1/projects/${organization.projectId}/deployments`,
            method: "POST",
            headers: {
              host: "localhost",
              authorization: `Bearer ${organization.key}`,
              "content-type": "application/gzip",
            },
          },
          (response) => {
            isAnswered = true;
            response.resume();
            resolve(response.statusCode);
          },
        );
        let isAnswered = false;
        request.on("error", (error) => !isAnswered && reject(error));
        request.write(Buffer.from([0x1f, 0x8b]));
        const chunk = Buffer.alloc(1024 * 1024);
        const more = (left: number): void => {
          if (isAnswered || left === 0) return void request.end();
          if (request.write(chunk)) setImmediate(() => more(left - 1));
          else request.once("drain", () => more(left - 1));
        };
        more(260);
      });
      expect(status).toBe(413);
    });

    test("for an unknown or foreign project is refused", async () => {
      const other = await newOrganization(service);
      for (const projectId of [other.projectId, "01JAAAAAAAAAAAAAAAAAAAAAAA"]) {
        const answer = await upload({ ...organization, projectId }, tarOf(docs("Not mine")));
        expect({ status: answer.status, json: answer.json }).toEqual({
          status: 404,
          json: { error: "Not found" },
        });
      }
    });
  });

  describe("a failed deployment changes nothing", () => {
    const link = { name: "passwd", type: "2", link: "/etc/passwd" };
    const rows: [string, Buffer, RegExp][] = [
      [
        "docs.json is broken",
        tarOf({ ...docs("Bad"), "docs.json": "{ not json" }),
        /docs\.json can't be read/,
      ],
      ["docs.json is missing", tarOf({ "index.mdx": "Bad" }), /docs\.json wasn't found/],
      ["there is no page", tarOf({ "docs.json": docs("")["docs.json"]! }), /no page/],
      [
        "there is a symbolic link",
        tarGz([...Object.entries(docs("Bad")).map(([name, content]) => ({ name, content })), link]),
        /"passwd" is a link/,
      ],
      [
        "a path is outside of the folder",
        tarGz([{ name: "../../evil", content: "x" }]),
        /"\.\.\/\.\.\/evil" points outside the folder/,
      ],
      ["the archive is truncated", tarOf(docs("Bad".repeat(500))).subarray(0, 150), /is incomplete/],
      ["the archive is not a tar", Buffer.concat([tarOf(docs("Bad")), tar([link])]), /damaged|follows/],
    ];
    test.each(rows)("%s", async (_, archive, summary) => {
      const live = await deploy(organization, docs("The last good one"));
      await shows("The last good one");
      const before = await home();
      const failed = await ended(organization, (await upload(organization, archive)).json.id);
      expect(failed).toMatchObject({ status: "failure", isLive: false });
      expect(failed.summary).toMatch(summary);
      expect(await home()).toBe(before);
      expect((await get(live.id)).isLive).toBe(true);
    });

    test("if the build process crashes at a page, the others are shown and the page is reported", async () => {
      const deep = `${"<div>\n".repeat(200)}${"> ".repeat(280)}x`;
      const own = await newOrganization(service);
      const deployment = await deploy(own, docs("Beside it", { "deep.mdx": deep }));
      expect(deployment.status).toBe("success");
      await service.until(async () =>
        (await visit(service, `${own.subdomain}.localhost`)).text.includes("Beside it"),
      );
    });
  });

  describe("rollback", () => {
    test("is immediate, without a build; deployments created before don't go live, the next one does", async () => {
      const [one, two] = [
        await deploy(organization, docs("Version one")),
        await deploy(organization, docs("Version two")),
      ];
      await shows("Version two");
      // During the rollback, the worker is building the first of these deployments.
      const pages = Object.fromEntries(
        Array.from({ length: 60 }, (_, i) => [`page-${i}.mdx`, `---\ntitle: P${i}\n---\n\nText ${i}`]),
      );
      const waiting = [
        await upload(organization, tarOf(docs("Version three", pages))),
        await upload(organization, tarOf(docs("Version four"))),
      ];
      const back = await organization.client(endpoints.rollBack, { params: { id: one.id } });
      expect(back).toMatchObject({ id: one.id, isLive: true });
      await shows("Version one");
      for (const { json } of waiting)
        expect(await ended(organization, json.id)).toMatchObject({
          status: "success",
          isLive: false,
          summary: expect.stringMatching(/^Superseded/),
        });
      expect(await home()).toContain("Version one");
      expect((await get(two.id)).isLive).toBe(false);
      expect(await deploy(organization, docs("Version five"))).toMatchObject({ isLive: true });
      await shows("Version five");
    });

    test("is possible only to existing, successful deployments", async () => {
      const failed = await deploy(organization, { "index.mdx": "x" });
      const ask = (id: string) => organization.ask(`/v1/deployments/${id}/rollback`, { method: "POST" });
      expect(await ask(failed.id)).toMatchObject({
        status: 409,
        json: { error: expect.stringMatching(/didn't succeed/) },
      });
      expect(await ask("01JAAAAAAAAAAAAAAAAAAAAAAA")).toMatchObject({ status: 404 });
      const other = await newOrganization(service);
      const theirs = await deploy(other, docs("Theirs"));
      expect(await ask(theirs.id)).toMatchObject({ status: 404, json: { error: "Not found" } });
    });
  });

  describe("purge", () => {
    const purge = (id: string) => organization.ask(`/v1/deployments/${id}`, { method: "DELETE" });

    test("a live deployment can't be purged; an earlier one can, and can't become live again", async () => {
      const old = await deploy(organization, docs("Secret", {}, { colors: { primary: "#AA0000" } }));
      await shows("Secret");
      const asset = /\/(_octavo\/site-[0-9a-f]{10}\.css)/.exec(await home())![1]!;
      expect(await purge(old.id)).toMatchObject({ status: 409 });
      await deploy(organization, docs("Clean", {}, { colors: { primary: "#00AA00" } }));
      await shows("Clean");
      expect((await home()).includes(asset)).toBe(false);
      // A page that was opened just before the switch can still load its files.
      expect((await visit(service, host, `/${asset}`)).status).toBe(200);
      expect(await purge(old.id)).toMatchObject({ status: 204 });
      await service.until(async () => (await visit(service, host, `/${asset}`)).status === 404);
      expect(await organization.ask(`/v1/deployments/${old.id}/rollback`, { method: "POST" })).toMatchObject({
        status: 409,
      });
      expect((await visit(service, host)).text).toContain("Clean");
    });

    test("a deleted project is not served any more", async () => {
      const other = await newOrganization(service);
      await deploy(other, docs("Soon gone"));
      await service.until(async () => (await visit(service, `${other.subdomain}.localhost`)).status === 200);
      await service.operator(endpoints.deleteProject, { params: { projectId: other.projectId } });
      await service.until(async () => (await visit(service, `${other.subdomain}.localhost`)).status === 404);
    });
  });

  test("an update rebuilds the last successful upload", async () => {
    const other = await newOrganization(service);
    const path = `/v1/project/update/${other.projectId}`;
    expect(await other.ask(path, { method: "POST" })).toMatchObject({ status: 409 });
    await deploy(other, docs("Again"));
    const { status, json } = await other.ask(path, { method: "POST" });
    expect(status).toBe(202);
    expect(await ended(other, json.statusId)).toMatchObject({
      status: "success",
      isLive: true,
      trigger: "api",
    });
    const told = await other.ask(`/v1/project/update-status/${json.statusId}`);
    expect(told.json).toMatchObject({
      _id: json.statusId,
      status: "success",
      subdomain: other.subdomain,
      source: "api",
      commit: null,
      author: null,
    });
  });

  describe("with errors that the live site doesn't have", () => {
    const unclosed = "---\ntitle: Broken\n---\n\n<Note>\nNever closed";
    const broken = (text: string, names: readonly string[], source = unclosed) =>
      docs(text, Object.fromEntries(names.map((name) => [`${name}.mdx`, source])));
    const live = async (own: TestOrganization) => (await visit(service, `${own.subdomain}.localhost`)).text;
    const stateOf = async (own: TestOrganization, id: string) => {
      const { status, isLive, liveState, summary } = await own.client(endpoints.getDeployment, {
        params: { id },
      });
      return { status, isLive, liveState, summary };
    };

    test("is held until someone publishes it; later deployments don't wait for it", async () => {
      const own = await newOrganization(service);
      const first = await deploy(own, docs("Good text"));
      const held = await deploy(own, broken("Bad text", ["a", "b"]));
      expect(held).toMatchObject({
        status: "success",
        isLive: false,
        liveState: "held",
        summary: "Held: 2 new errors",
      });
      expect(await live(own)).toContain("Good text");
      expect(await own.client(endpoints.updateStatus, { params: { statusId: held.id } })).toMatchObject({
        status: "success",
        liveState: "held",
      });
      const better = await deploy(own, docs("Better text"));
      expect(better).toMatchObject({ liveState: "live", summary: "Live" });
      expect(await stateOf(own, first.id)).toMatchObject({ isLive: false, liveState: "replaced" });
      const again = await deploy(own, broken("Worse text", ["a"]));
      expect(again).toMatchObject({ liveState: "held", summary: "Held: 1 new error" });
      const { id } = again;
      const published = await own.client(endpoints.rollBack, { params: { id } });
      expect(published).toMatchObject({
        isLive: true,
        liveState: "live-with-errors",
        summary: "Live, with 1 error",
      });
      expect(await live(own)).toContain("Worse text");
      expect(await stateOf(own, held.id)).toMatchObject({ liveState: "held" });
      // Its errors are now those of the live site, on whatever line.
      const moved = await deploy(
        own,
        broken("Moved text", ["a"], unclosed.replace("<Note>", "Text\n\nMore text\n\n<Note>")),
      );
      expect(moved).toMatchObject({ liveState: "live-with-errors", summary: "Live, with 1 error" });
      expect(
        await deploy(own, broken("Same text", ["a"], `${unclosed}\n</Note>\n\n<Tip>\nNever closed`)),
      ).toMatchObject({
        summary: "Held: 1 new error",
      });
      expect(await live(own)).toContain("Moved text");
    });

    test("doesn't stop newer deployments from going live when it is published", async () => {
      const own = await newOrganization(service);
      await deploy(own, docs("Good text"));
      const held = await deploy(own, broken("Bad text", ["a"]));
      const { json: newer } = await upload(own, tarOf(docs("Newest text")));
      await own.client(endpoints.rollBack, { params: { id: held.id } });
      expect(await ended(own, newer.id)).toMatchObject({ liveState: "live" });
      // A held deployment that is older than the live one is a rollback.
      const old = await deploy(own, broken("Old text", ["a"]));
      await deploy(own, docs("Latest text"));
      await own.client(endpoints.rollBack, { params: { id: old.id } });
      expect(await live(own)).toContain("Old text");
    });

    test("goes live if it's the first one, if the request or the project says so, or as a rebuild of the live site", async () => {
      const own = await newOrganization(service);
      expect(await deploy(own, broken("First text", ["a"]))).toMatchObject({
        liveState: "live-with-errors",
        summary: "Live, with 1 error",
      });
      const path = `/v1/projects/${own.projectId}/deployments?publishWithErrors=true`;
      const headers = { "content-type": "application/gzip" };
      const asked = await own.ask(path, {
        method: "POST",
        body: tarOf(broken("Second text", ["a", "b"])),
        headers,
      });
      expect(await ended(own, asked.json.id)).toMatchObject({
        liveState: "live-with-errors",
        summary: "Live, with 2 errors",
      });
      const params = { projectId: own.projectId };
      const choose = (publishWithErrors: boolean | null) =>
        own.client(endpoints.changeProject, { params, body: { publishWithErrors } });
      expect(await choose(true)).toMatchObject({ publishWithErrors: true });
      expect(await deploy(own, broken("Third text", ["a", "b", "c"]))).toMatchObject({
        liveState: "live-with-errors",
      });
      expect(await choose(null)).toMatchObject({ publishWithErrors: null });
      expect(await deploy(own, broken("Fourth text", ["a", "b", "c", "d"]))).toMatchObject({
        liveState: "held",
      });
    });
  });

  describe("octavo deploy", () => {
    const folder = temporaryFolder();
    /** Runs the command, and meanwhile the service's jobs. */
    const run = async (args: string[], env: Record<string, string> = {}) => {
      const settings = {
        OCTAVO_URL: `http://localhost:${service.port}`,
        OCTAVO_API_KEY: organization.key,
        ...env,
      };
      let result: CliResult | undefined;
      void runCli(["deploy", ...args], settings).then((ended) => (result = ended));
      await service.until(async () => result !== undefined);
      return result!;
    };

    test("uploads, waits and prints the site's URL", async () => {
      const at = writeFiles(`${folder}/good`, {
        ...docs("From the command line"),
        ".octavoignore": "drafts/\n",
        "drafts/big.bin": "x".repeat(1_000),
      });
      const { code, out, err } = await run([at, "--project", organization.projectId]);
      expect({ code, out }).toEqual({
        code: 0,
        out: expect.stringMatching(/^Live: 1 page, no problems → http:\/\/org-.*\n$/),
      });
      expect(err).toMatch(/Built 1 page\b/);
      await shows("From the command line");
      const [last] = (
        await organization.client(endpoints.listDeployments, {
          params: { projectId: organization.projectId },
        })
      ).deployments;
      expect(last).toMatchObject({ trigger: "cli", isLive: true });
    });

    test("prints problems like check, and one JSON object with --json", async () => {
      const at = writeFiles(`${folder}/bad`, docs("Bad", { "broken.mdx": "<Note>\nNever closed" }));
      const { code, out, err } = await run([at, "--project", organization.projectId]);
      expect(code).toBe(1);
      expect(err).toMatch(/broken\.mdx:\d+:\d+ error /);
      expect(out).toMatch(
        /^Held: 1 new error\. The live site doesn't have these errors and didn't change\..*--publish-with-errors/,
      );
      const held = await run([at, "--project", organization.projectId, "--json"]);
      expect([held.code, JSON.parse(held.out)]).toMatchObject([
        1,
        { status: "success", isLive: false, liveState: "held", pages: 2 },
      ]);
      const published = await run([at, "--project", organization.projectId, "--publish-with-errors"]);
      expect(published).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Live with errors: 2 pages, 1 error/),
      });
      expect(published.err).toMatch(/broken\.mdx:\d+:\d+ error /);
      // The errors are those of the live site.
      const same = await run([at, "--project", organization.projectId, "--json"]);
      expect([same.code, JSON.parse(same.out)]).toMatchObject([
        0,
        { status: "success", isLive: true, liveState: "live-with-errors" },
      ]);
    });

    test("reports a failed deployment, a wrong key, a wrong project and an unavailable service", async () => {
      const at = writeFiles(`${folder}/none`, { "index.mdx": "x" });
      expect(await run([at, "--project", organization.projectId])).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^Failed: docs\.json/),
      });
      expect(
        await run([at, "--project", organization.projectId], { OCTAVO_API_KEY: "oct_wrong" }),
      ).toMatchObject({
        code: 2,
        err: expect.stringMatching(/valid API key/),
      });
      expect(await run([at, "--project", "other"])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/has no project with the ID other\. Copy the ID/),
      });
      expect(await run([at, "--project", "p"], { OCTAVO_URL: "http://127.0.0.1:1" })).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^Can.t connect to/),
      });
      expect(await run([at])).toMatchObject({ code: 2, err: expect.stringMatching(/Missing --project/) });
      expect(await run([at, "--project", "p"], { OCTAVO_API_KEY: "" })).toMatchObject({
        code: 2,
        err: expect.stringMatching(/OCTAVO_API_KEY/),
      });
    });
  });
});
