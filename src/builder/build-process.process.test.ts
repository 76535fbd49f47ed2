/** Build processes: environment without secrets, and limited resources. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { buildEnvironment } from "./build-environment.ts";
import { BuildKilled, BuildProcess } from "./build-process.ts";
import { page_descriptor } from "./build-protocol.ts";

/** Code that defines `notePage(file)` in a build process. */
const noting = `const notePage = (file) =>
  require("fs").writeSync(${page_descriptor}, JSON.stringify({ event: "page", file, done: 0, total: 3 }) + "\\n", 0);`;

test("a build process gets the extra certificate authorities, but no secrets", async () => {
  const module = path.join(temporaryFolder(), "child.js");
  writeFileSync(
    module,
    `process.on("message", ({ id }) => process.send({ id, event: "file", bytes: Buffer.from(JSON.stringify(process.env)) }));`,
  );
  const env = buildEnvironment({
    PATH: process.env.PATH,
    NODE_EXTRA_CA_CERTS: "/etc/company-ca.pem",
    OCTAVO_SECRET: "canary",
  });
  const builder = new BuildProcess({ module, env });
  const bytes = await builder.file("");
  builder.end();
  const environment = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>;
  expect(environment).toMatchObject({ NODE_EXTRA_CA_CERTS: "/etc/company-ca.pem", TZ: "UTC" });
  expect(environment.OCTAVO_SECRET).toBeUndefined();
});

test("a build that is ended while it reads a page doesn't start again", async () => {
  const folder = temporaryFolder();
  const module = path.join(folder, "child.js");
  const starts = path.join(folder, "starts");
  writeFileSync(
    module,
    `require("fs").appendFileSync(${JSON.stringify(starts)}, "started ");
    process.on("message", () => process.send({ event: "page", file: "a.mdx", done: 1, total: 2 }));`,
  );
  const builder: BuildProcess = new BuildProcess({ module, env: {}, onProgress: () => builder.end() });
  const build = () => builder.build({ folder: "", output: { kind: "none" } });
  await expect(build()).rejects.toThrow("The build was stopped");
  expect(readFileSync(starts, "utf8")).toBe("started ");
  // A later build isn't affected by the end of the first process.
  await expect(build()).rejects.toThrow("The build was stopped");
  expect(readFileSync(starts, "utf8")).toBe("started started ");
});

test("a build starts again without a page that ends the process", async () => {
  const module = path.join(temporaryFolder(), "child.js");
  writeFileSync(
    module,
    `${noting}
    process.on("message", ({ id, job }) => {
      const crashed = job.crashed.map(([file]) => file);
      for (const file of ["a.mdx", "b.mdx", "c.mdx"]) {
        if (crashed.includes(file)) continue;
        notePage(file);
        if (file !== "b.mdx") process.exit(1);
      }
      process.send({ event: "built", id, result: { crashed } });
    });`,
  );
  const builder = new BuildProcess({ module, env: {} });
  const result = await builder.build({ folder: "", output: { kind: "none" } });
  builder.end();
  expect(result).toEqual({ crashed: ["a.mdx", "c.mdx"] });
});

test("a build with several threads starts again with one before a page is left out", async () => {
  const module = path.join(temporaryFolder(), "child.js");
  writeFileSync(
    module,
    `${noting}
    process.on("message", ({ id, job }) => {
      const crashed = job.crashed.map(([file]) => file);
      // With several threads, another page than the noted one can crash the process.
      notePage(job.threads > 1 ? "a.mdx" : "b.mdx");
      if (crashed.includes("b.mdx")) process.send({ event: "built", id, result: { crashed, threads: job.threads } });
      else process.exit(1);
    });`,
  );
  const builder = new BuildProcess({ module, env: {}, threads: 2 });
  const build = () => builder.build({ folder: "", output: { kind: "none" } });
  expect(await build()).toEqual({ crashed: ["b.mdx"], threads: 1 });
  builder.end();
});

describe("a process that is killed from outside", () => {
  /**
   * Builds with a process that is killed at the given page, as long as `until` starts haven't happened.
   * Returns the pages that are blamed.
   */
  const build = async (signal: string, pageOf: string, until: number) => {
    const folder = temporaryFolder();
    const module = path.join(folder, "child.js");
    writeFileSync(
      module,
      `${noting}
      const { appendFileSync, readFileSync } = require("fs");
      const starts = ${JSON.stringify(path.join(folder, "starts"))};
      appendFileSync(starts, "x");
      const count = readFileSync(starts, "utf8").length;
      process.on("message", ({ id, job }) => {
        const page = ${pageOf};
        if (page) notePage(page);
        const crashed = job.crashed.map(([file]) => file);
        if (count <= ${until} && !crashed.includes(page)) process.kill(process.pid, ${JSON.stringify(signal)});
        else process.send({ event: "built", id, result: { crashed, count } });
        setTimeout(() => {}, 60_000);
      });`,
    );
    const builder = new BuildProcess({ module, env: {} });
    try {
      return await builder.build({ folder: "", output: { kind: "none" } });
    } finally {
      builder.end();
    }
  };

  test.each([
    ["SIGKILL", '"a.mdx"', 1],
    ["SIGTERM", '"a.mdx"', 2],
    ["SIGKILL", "undefined", 2],
    ["SIGTERM", "`${count}.mdx`", 2],
  ])("builds again without blaming a page: %s at %s, %s times", async (signal, page, until) => {
    expect(await build(signal, page, until)).toEqual({ crashed: [], count: until + 1 });
  });

  test("always at the same page: the page is left out", async () => {
    expect(await build("SIGKILL", '"a.mdx"', 100)).toEqual({ crashed: ["a.mdx"], count: 4 });
  });

  test("at different pages: the build can be tried again", async () => {
    await expect(build("SIGKILL", "`${count}.mdx`", 100)).rejects.toThrow(BuildKilled);
  });

  /**
   * Unpacks with a process that is killed after it has written a file, as long as `until` starts haven't
   * happened.
   */
  const unpack = async (until: number) => {
    const folder = temporaryFolder();
    const module = path.join(folder, "child.js");
    const out = path.join(folder, "out");
    writeFileSync(
      module,
      `const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require("fs");
      const starts = ${JSON.stringify(path.join(folder, "starts"))};
      appendFileSync(starts, "x");
      process.on("message", ({ id, folder }) => {
        mkdirSync(folder);
        const count = readFileSync(starts, "utf8").length;
        writeFileSync(folder + "/" + count, "");
        if (count <= ${until}) process.kill(process.pid, "SIGKILL");
        else process.send({ event: "unpacked", id });
        setTimeout(() => {}, 60_000);
      });`,
    );
    const builder = new BuildProcess({ module, env: {} });
    try {
      await builder.unpack("archive", out);
      return readdirSync(out);
    } finally {
      builder.end();
    }
  };

  test("while it unpacks an archive: unpacks again into an empty folder", async () => {
    expect(await unpack(2)).toEqual(["3"]);
  });

  test("each time it unpacks an archive: the build can be tried again", async () => {
    await expect(unpack(100)).rejects.toThrow(BuildKilled);
  });
});

test("a page of an earlier build isn't blamed when the process ends", async () => {
  const module = path.join(temporaryFolder(), "child.js");
  writeFileSync(
    module,
    `${noting}
    let builds = 0;
    process.on("message", ({ id }) => {
      if (++builds > 1) process.exit(1);
      notePage("a.mdx");
      process.send({ event: "built", id, result: {} });
    });`,
  );
  const builder = new BuildProcess({ module, env: {} });
  const build = () => builder.build({ folder: "", output: { kind: "none" } });
  await build();
  await expect(build()).rejects.toThrow("The build process exited unexpectedly (exit code 1)");
});

test("a build works without a folder for temporary files", async () => {
  const module = path.join(temporaryFolder(), "child.js");
  writeFileSync(
    module,
    `${noting}
    process.on("message", ({ id }) => {
      notePage("a.mdx");
      process.send({ event: "built", id, result: { pages: 1 } });
    });`,
  );
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("TMPDIR", path.join(path.dirname(module), "missing"));
  const builder = new BuildProcess({ module, env: {} });
  expect(await builder.build({ folder: "", output: { kind: "none" } })).toEqual({ pages: 1 });
  builder.end();
});

test("a request for a file during a build doesn't hide the page that ends the process", async () => {
  const module = path.join(temporaryFolder(), "child.js");
  writeFileSync(
    module,
    `${noting}
    process.on("message", (request) => {
      if (request.do === "file") process.exit(1);
      const crashed = request.job.crashed.map(([file]) => file);
      if (crashed.length) process.send({ event: "built", id: request.id, result: { crashed } });
      else notePage("a.mdx");
    });`,
  );
  const files: Promise<unknown>[] = [];
  const onProgress = () => files.push(builder.file("a.html").catch(() => undefined));
  const builder: BuildProcess = new BuildProcess({ module, env: {}, onProgress });
  const result = await builder.build({ folder: "", output: { kind: "none" } });
  await Promise.all(files);
  builder.end();
  expect(result).toEqual({ crashed: ["a.mdx"] });
});

test("calls to a process that closes its connection are rejected when it exits", async () => {
  const folder = temporaryFolder();
  const module = path.join(folder, "child.js");
  const closed = path.join(folder, "closed");
  writeFileSync(
    module,
    `process.disconnect(); require("fs").writeFileSync(${JSON.stringify(closed)}, ""); setTimeout(() => process.exit(), 1_000);`,
  );
  const builder = new BuildProcess({ module, env: {} });
  const first = builder.file("a").catch((error: Error) => error.message);
  await expect.poll(() => existsSync(closed)).toBe(true);
  const second = builder.file("b").catch((error: Error) => error.message);
  expect(await Promise.all([first, second])).toEqual(
    Array(2).fill("The build process exited unexpectedly (exit code 0)"),
  );
});

describe.runIf(process.platform === "linux")("a build of a tenant's site", () => {
  const ping = { folder: "", output: { kind: "none" as const } };
  const caps = { cpu_s: 0.6, memory_bytes: 300_000_000 };
  /** A build process that runs `code` when it receives a request. */
  const running = (code: string, own = caps) => {
    const module = path.join(temporaryFolder(), "child.js");
    writeFileSync(module, `process.on("message", ({ id, job }) => { ${code} });`);
    return new BuildProcess({ module, env: {}, caps: own });
  };
  const onPage = 'process.send({ event: "page", file: "heavy.mdx", done: 1, total: 2 }, async () => {';

  test("ends when its processor time is used up, and is not restarted", async () => {
    await expect(running(`${onPage} for (;;); });`).build(ping)).rejects.toThrow(
      /^The build used more than 0.01 minutes of CPU time while reading heavy.mdx/,
    );
  });

  test("shares one limit of processor time with its restarts", async () => {
    const began = performance.now();
    const page = `process.send({ event: "page", file: process.pid + ".mdx", done: 1, total: 9 }, () => {
      const until = Date.now() + 300; while (Date.now() < until); setTimeout(() => process.exit(1), 600); });`;
    await expect(running(page).build(ping)).rejects.toThrow(/CPU time/);
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  test("ends when it needs too much memory outside of its heap, and is restarted without the page", async () => {
    const heavy = `const { crashed } = job;
      if (crashed.length) return process.send({ id, event: "built", result: { problems: crashed } });
      ${onPage} globalThis.kept = Buffer.alloc(400_000_000, 1); });`;
    const result = await running(heavy, { ...caps, cpu_s: 60 }).build(ping);
    expect(result.problems).toMatchObject([
      ["heavy.mdx", { message: "The build process used too much memory while reading heavy.mdx" }],
    ]);
  });

  test("that stops responding is ended, and restarted without the page; one that only waits for the processor isn't", async () => {
    const module = path.join(temporaryFolder(), "child.js");
    const code = (work: string) => `process.on("message", ({ id, job }) => {
      if (job.crashed.length) return process.send({ id, event: "built", result: { problems: job.crashed } });
      ${onPage} ${work} process.send({ id, event: "built", result: { problems: [] } }); }); });`;
    const build = async (work: string, stall: { cpu_s: number; silence_ms: number }) => {
      writeFileSync(module, code(work));
      return (await new BuildProcess({ module, env: {}, stall }).build(ping)).problems;
    };
    const stopped = [
      ["heavy.mdx", { message: "The build process stopped responding while reading heavy.mdx" }],
    ];
    expect(await build("for (;;);", { cpu_s: 1, silence_ms: 60_000 })).toMatchObject(stopped);
    expect(
      await build("await new Promise(() => setInterval(() => {}, 1_000));", { cpu_s: 60, silence_ms: 3_000 }),
    ).toMatchObject(stopped);
    expect(
      await build("await new Promise((done) => setTimeout(done, 3_000));", { cpu_s: 1, silence_ms: 60_000 }),
    ).toEqual([]);
  });

  test("has a limit of the operating system, in case the service that watches it is killed", async () => {
    const limit = `process.send({ id, event: "file", bytes: require("fs").readFileSync("/proc/self/limits") });`;
    expect(new TextDecoder().decode(await running(limit).file(""))).toMatch(/^Max cpu time +2 +2 +seconds/m);
  });

  test("runs at a lower priority in all its threads", async () => {
    const nice = `const { readdirSync, readFileSync } = require("fs");
      const tasks = readdirSync("/proc/self/task").map((task) => readFileSync("/proc/self/task/" + task + "/stat", "utf8").split(") ")[1].split(" ")[16]);
      process.send({ id, event: "file", bytes: Buffer.from(JSON.stringify(tasks)) });`;
    const tasks = JSON.parse(new TextDecoder().decode(await running(nice).file(""))) as string[];
    expect(tasks.length).toBeGreaterThan(1);
    expect(new Set(tasks)).toEqual(new Set(["10"]));
  });
});
