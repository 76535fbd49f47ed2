import { defineConfig } from "vitest/config";

/** What takes its time side by side: it waits for clocks more than it works, or nothing of it is measured. */
const sideBySide = [
  ...["assistant-model", "deploy-workers", "deployments", "late-worker", "queue", "several-processes"].map(
    (name) => `test/service/${name}.test.ts`,
  ),
  "test/service/static-export*.test.ts",
  "test/{output,search/anchors,spec/wrong-types}.test.ts",
  // The one that is left out is measured, under load.
  "test/bundle/!(swaps-under-load).test.ts",
  "test/chart/**/*.test.ts",
];

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a page comes to is waited for: how long it takes there is measured elsewhere.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "one by one",
          include: ["src/**/*.test.ts", "src/**/*.test.tsx", "test/**/*.test.ts"],
          exclude: sideBySide,
          // Tests start browsers and builds of their own: side by side they starve each other on two cores, and a
          // browser that is starved paints half a page and calls the rest a layout shift.
          maxWorkers: 1,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: "side by side", include: sideBySide, maxWorkers: 2, sequence: { groupOrder: 1 } } },
    ],
  },
});
