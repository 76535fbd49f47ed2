import { describe, expect, test } from "vitest";
import { limits } from "../../base/limits.ts";
import { TurnQueue } from "./turn-queue.ts";

const { running, waiting, waitingOfCaller } = limits.apiReads;

/** A queue whose reads note their names when they start, and end when they're told. */
function slowReads() {
  const queue = new TurnQueue(limits.apiReads);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const start = (caller: string, name = caller) =>
    queue.run(caller, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  return { queue, started, ends, start };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("reads with keys", () => {
  test("run a few at a time, and organizations take turns", async () => {
    const { started, ends, start } = slowReads();
    const all = Array.from({ length: running + 3 }, (_, i) => start("a", `a${i}`));
    all.push(start("b"));
    await settle();
    expect(started.length).toBe(running);
    ends.shift()!();
    ends.shift()!();
    await settle();
    expect(started.slice(running)).toEqual([`a${running}`, "b"]);

    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await settle();
    }
    await Promise.all(all);
    expect(started.length).toBe(running + 4);
  });

  test("are refused with a time to wait if one organization has too many, and others aren't", async () => {
    const { start } = slowReads();
    for (let i = 0; i < running + waitingOfCaller; i++) void start("a");
    await expect(start("a")).rejects.toMatchObject({
      code: "rate-limited",
      status: 429,
      headers: { "retry-after": String(limits.apiReads.retryAfter_s) },
    });
    const other = start("b");
    expect(await Promise.race([other, settle().then(() => "waits")])).toBe("waits");
  });

  test("are refused if too many wait in total", async () => {
    const { start } = slowReads();
    for (let i = 0; i < running + waiting; i++) void start(`caller ${i}`);
    await expect(start("another")).rejects.toMatchObject({ code: "rate-limited" });
  });

  test("that fail free their place", async () => {
    const queue = new TurnQueue(limits.apiReads);
    const failed = Array.from({ length: running * 3 }, () =>
      queue.run("a", () => Promise.reject(new Error("no"))),
    );
    expect((await Promise.allSettled(failed)).every(({ status }) => status === "rejected")).toBe(true);
    expect(await queue.run("a", async () => 1)).toBe(1);
  });
});
