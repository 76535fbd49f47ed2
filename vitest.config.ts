import { env } from "node:process";
import { defineConfig } from "vitest/config";
import SlowFilesFirst from "./test/shared/slow-files-first.ts";

/** The end of a test file's name determines its project. CONTRIBUTING.md describes what each kind of test needs. */
const sites = ["{src,test}/**/*.sites.test.ts"];
const process = ["{src,test,tools,examples}/**/*.process.test.{ts,tsx}"];
const browser = ["{src,test}/**/*.browser.test.{ts,tsx}"];
const long = ["{src,test}/**/*.long.test.{ts,tsx}"];
const measured = ["{src,test}/**/*.measured.test.{ts,tsx}"];
const cluster = ["{src,test}/**/*.cluster.test.ts"];
const node = ["{src,test}/**/*.node.test.ts"];

/** Files whose tests run on both databases (`onEachDatabase`). */
const eachDatabase = [
  "src/service/{assistant/assistant,conversations/{conversations,dashboard-analytics},deployments/{deployments,previews},keys/dashboard-keys,static-export/static-export,traffic/traffic}.process.test.ts",
];

/** Files that open every page in both color modes at both widths (`isComplete`). In `npm test`, they open one page of each kind. */
const everyPage = [
  "src/{bundle/kinds,engine/frame/gallery,host/pages,service/{app/dashboard-accessibility,traffic/analytics}}.browser.test.ts",
  "test/browser/{large-operation,site}.browser.test.ts",
];

const globalSetup = ["test/shared/start-servers.ts"];

/** Engine modules are loaded once per thread. They don't keep any state between builds. */
const inThreads = { pool: "threads", isolate: false, maxWorkers: 2, sequence: { groupOrder: 0 } } as const;

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: {
    // Even on a busy machine, only a test that hangs reaches these timeouts.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    // In CI, a failed test is retried once. If it then passes, the summary lists it as flaky.
    retry: env.CI ? 1 : 0,
    sequence: { sequencer: SlowFilesFirst },
    reporters: ["default", "./test/shared/summary-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: ["{src,test,tools,examples}/**/*.test.{ts,tsx}"],
          exclude: [...sites, ...process, ...browser, ...long, ...measured, ...cluster, ...node],
          ...inThreads,
        },
      },
      { extends: true, test: { name: "sites", include: sites, ...inThreads } },
      {
        extends: true,
        // More workers than cores, because some of these tests wait for other processes.
        test: {
          name: "main",
          include: [...process, ...browser],
          globalSetup,
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: long,
          globalSetup,
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: "embedded database",
          include: eachDatabase,
          env: { TEST_DATABASE: "embedded" },
          globalSetup,
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: "every page",
          include: everyPage,
          env: { TEST_EVERY_PAGE: "true" },
          globalSetup,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: "control plane",
          include: cluster,
          globalSetup: ["test/cluster/global-control-plane.ts"],
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: { name: "node", include: node, maxWorkers: 1, testTimeout: 600_000, hookTimeout: 900_000 },
      },
      // One file at a time, because tests that run at the same time would affect the measurements.
      {
        extends: true,
        test: {
          name: "measured",
          include: measured,
          globalSetup,
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
