import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { privateFolder } from "./private-folder.ts";

const modeOf = (at: string) => (statSync(at).mode & 0o7777).toString(8);

describe("a folder with private content", () => {
  test("is created with access only for its user, including its parents", () => {
    const folder = path.join(temporaryFolder(), "a", "b");
    privateFolder(folder);
    expect([modeOf(path.dirname(folder)), modeOf(folder)]).toEqual(["700", "700"]);
  });

  test("other users lose access to it and its content, and links to other folders are not followed", () => {
    const folder = temporaryFolder();
    const outside = path.join(temporaryFolder(), "outside");
    writeFileSync(outside, "");
    chmodSync(outside, 0o644);
    mkdirSync(path.join(folder, "deep"));
    writeFileSync(path.join(folder, "deep/file"), "");
    symlinkSync(outside, path.join(folder, "link"));
    for (const at of [folder, path.join(folder, "deep"), path.join(folder, "deep/file")])
      chmodSync(at, 0o777);
    privateFolder(folder);
    expect([folder, path.join(folder, "deep"), path.join(folder, "deep/file"), outside].map(modeOf)).toEqual([
      "700",
      "700",
      "700",
      "644",
    ]);
  });

  test("is not a link, unless the operator named it", () => {
    const outside = temporaryFolder();
    const link = path.join(temporaryFolder(), "link");
    symlinkSync(outside, link);
    chmodSync(outside, 0o755);
    expect(() => privateFolder(link)).toThrow(/is a symbolic link/);
    expect(modeOf(outside)).toBe("755");
    privateFolder(link, { isNamed: true });
    expect(modeOf(outside)).toBe("700");
  });

  describe.runIf(process.getuid?.() === 0)("of another user", () => {
    test("is refused with the owner's id", () => {
      const folder = temporaryFolder();
      chownSync(folder, 12_345, 0);
      expect(() => privateFolder(folder)).toThrow(
        /is owned by a different user \(ID 12345\).*or choose a different folder/,
      );
    });
  });
});
