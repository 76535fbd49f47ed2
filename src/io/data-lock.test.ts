/** The lock of a data folder, across processes, containers and hosts. */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { DataLocked, lockData } from "./data-lock.ts";

const root = temporaryFolder();

function newFolder(name: string): { folder: string; file: string } {
  const folder = path.join(root, name);
  mkdirSync(folder, { mode: 0o700 });
  return { folder, file: path.join(folder, "lock") };
}

const quick = { onLost() {}, silence_ms: 600 };

/** Writes the lock of a process in another container, whose process ID also exists here. */
function lockOfOther(file: string): void {
  writeFileSync(
    file,
    JSON.stringify({ token: "other", pid: process.pid, start: "1", namespace: "other", host: "web-2" }),
  );
}

test("a folder that is in use is refused, with the name of the holder", async () => {
  const { folder } = newFolder("used");
  const unlock = await lockData(folder, quick);
  await expect(lockData(folder, quick)).rejects.toThrow(
    new RegExp(`is in use by process ${process.pid} on \\S+\\. Stop it first`),
  );
  unlock();
  (await lockData(folder, quick))();
});

test.each(["copied", "restored over an earlier folder"])(
  "a folder that was %s while the original is in use can be used",
  async (name) => {
    const original = newFolder(`original, ${name}`);
    const copy = newFolder(name);
    const unlock = await lockData(original.folder, quick);
    if (name !== "copied") writeFileSync(copy.file, "earlier");
    copyFileSync(original.file, copy.file);
    const unlockCopy = await lockData(copy.folder, quick);
    await expect(lockData(original.folder, quick)).rejects.toThrow(DataLocked);
    await expect(lockData(copy.folder, quick)).rejects.toThrow(DataLocked);
    // A folder that was only moved is still in use.
    renameSync(copy.folder, `${copy.folder}, moved`);
    await expect(lockData(`${copy.folder}, moved`, quick)).rejects.toThrow(DataLocked);
    unlockCopy();
    unlock();
  },
);

test("a lock whose file has another inode is respected while it is renewed, as on a folder that is mounted twice", async () => {
  const { folder, file } = newFolder("mounted");
  const unlock = await lockData(folder, quick);
  const lock = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...lock, file: "1:1" }));
  await expect(lockData(folder, { ...quick, silence_ms: 3_000 })).rejects.toThrow(DataLocked);
  unlock();
});

test("the lock of another container is respected while it is renewed", async () => {
  const { folder, file } = newFolder("renewed");
  lockOfOther(file);
  let now = Date.now() / 1_000;
  const renewal = setInterval(() => utimesSync(file, now, ++now), 100);
  await expect(lockData(folder, quick)).rejects.toThrow(DataLocked);
  clearInterval(renewal);
  expect(readFileSync(file, "utf8")).toContain('"other"');
});

test("the lock of another container is replaced when it is no longer renewed", async () => {
  const { folder, file } = newFolder("silent");
  lockOfOther(file);
  const unlock = await lockData(folder, quick);
  expect(readFileSync(file, "utf8")).not.toContain('"other"');
  unlock();
});

test.skipIf(!existsSync("/proc/1/stat"))(
  "the lock of an earlier version is respected while its process is running",
  async () => {
    const { folder, file } = newFolder("earlier");
    const [boot, start] = [
      readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
      readFileSync("/proc/1/stat", "utf8"),
    ];
    writeFileSync(file, `1 ${boot}:${start.replace(/^.*\) /s, "").split(" ")[19]}\n`);
    await expect(lockData(folder, quick)).rejects.toThrow("is in use by process 1 on ");
  },
);

test.each([
  ["is empty", ""],
  ["was written by an earlier version", `${2 ** 22 + 1} boot:1\n`],
  ["is of a process that has ended", undefined],
])("a lock that %s is replaced", async (name, content) => {
  const { folder, file } = newFolder(name);
  const unlock = await lockData(folder, quick);
  const ended = JSON.stringify({
    ...JSON.parse(readFileSync(file, "utf8")),
    token: "ended",
    start: "before",
  });
  unlock();
  writeFileSync(file, content ?? ended);
  (await lockData(folder, quick))();
});

test("a holder renews its lock, and is told when it has lost it", async () => {
  const { folder, file } = newFolder("lost");
  const onLost = vi.fn();
  const unlock = await lockData(folder, { onLost, silence_ms: 600 });
  utimesSync(file, 1, 1);
  await expect.poll(() => statSync(file).mtimeMs, { timeout: 5_000 }).toBeGreaterThan(1_000);
  expect(onLost).not.toHaveBeenCalled();
  lockOfOther(file);
  await expect.poll(() => onLost.mock.calls.length, { timeout: 5_000 }).toBe(1);
  unlock();
  expect(readFileSync(file, "utf8")).toContain('"other"');
});
