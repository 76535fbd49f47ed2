import { defineConfig } from "vitest/config";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: {
    include: ["src/**/*.test.ts", "src/**/*.test.tsx", "test/**/*.test.ts"],
    // Tests start browsers and builds of their own: side by side they starve each other on two cores, and a
    // browser that is starved paints half a page and calls the rest a layout shift.
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a page comes to is waited for: how long it takes there is measured elsewhere.
    expect: { poll: { timeout: 10_000 } },
  },
});
