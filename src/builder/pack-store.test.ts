/** Values are kept between builds, also if builds are killed, run at the same time, or find damaged files. */

import {
  appendFileSync,
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { filesBelow, readFiles, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { numbers } from "../../test/shared/random.ts";
import { DamagedValueError } from "../engine/incremental/store.ts";
import { type FolderStore, openStore } from "./pack-store.ts";

const root = temporaryFolder();
let folder = "";
let rounds = 0;
beforeEach(() => {
  folder = path.join(root, `${rounds++}`, "cache");
});

/** Runs a build with the store of the folder. */
function build<T>(run: (store: FolderStore) => T): T {
  const store = openStore(folder);
  try {
    return run(store);
  } finally {
    store.close();
  }
}

const text = (store: FolderStore, name: string, key = "") => store.get(name, key)?.toString();
const filesIn = (ending: string) => readdirSync(folder).filter((name) => name.endsWith(ending));
const bytesIn = () =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);

describe("values", () => {
  test("are found by name and key, in the same and in later builds", () => {
    build((store) => {
      store.keep("a\nb", "1", [Buffer.from("x\n"), Buffer.from("é")]);
      expect(text(store, "a\nb", "1")).toBe("x\né");
    });
    build((store) => {
      expect(text(store, "a\nb", "1")).toBe("x\né");
      expect(text(store, "a\nb", "2")).toBeUndefined();
      expect(text(store, "a", "1")).toBeUndefined();
      expect([store.has("a\nb", "1"), store.has("a\nb", "2")]).toEqual([true, false]);
    });
  });

  test("with other keys stay available, for example after an edit is undone", () => {
    for (const version of ["one", "two", "three", "four"])
      build((store) => store.keep("page", version, version));
    build((store) => {
      expect(["two", "three", "four"].map((version) => text(store, "page", version))).toEqual([
        "two",
        "three",
        "four",
      ]);
    });
  });

  test("of a build that starts before others are merged stay the last ones", () => {
    build((store) => store.keep("document", "", "one"));
    const other = openStore(folder);
    build((store) => store.keep("document", "", "two"));
    other.keep("other", "", "x");
    other.flush();
    build((store) => expect(text(store, "document")).toBe("two"));
    other.keep("document", "", "three");
    other.close();
    build((store) => expect(text(store, "document")).toBe("three"));
  });

  test("with the same name and key are replaced", () => {
    build((store) => store.keep("record", "", "one"));
    build((store) => {
      store.keep("record", "", "two");
      expect(text(store, "record")).toBe("two");
    });
    build((store) => expect(text(store, "record")).toBe("two"));
  });

  test("can be empty and long", () => {
    const long = "0123456789".repeat(1_000_000);
    build((store) => {
      store.keep("empty", "", "");
      store.keep("long", "", long);
      store.keep("after", "", "x");
    });
    build((store) =>
      expect(["empty", "long", "after"].map((name) => text(store, name))).toEqual(["", long, "x"]),
    );
  });
});

describe("packs", () => {
  test("stay few and small, however many builds there are", () => {
    const next = numbers(3);
    const expected = new Map<string, string>();
    build((store) => {
      for (let page = 0; page < 300; page++) {
        expected.set(`page ${page}`, `first ${page} `.repeat(100));
        store.keep(`page ${page}`, "", expected.get(`page ${page}`)!);
      }
    });
    const first_bytes = bytesIn();
    for (let round = 0; round < 200; round++)
      build((store) => {
        const name = `page ${next(300)}`;
        expected.set(name, `edit ${round} `.repeat(100));
        store.keep(name, "", expected.get(name)!);
      });
    expect(filesIn(".pack").length).toBeLessThan(12);
    expect(bytesIn()).toBeLessThan(2.5 * first_bytes);
    build((store) =>
      expect(new Map([...expected.keys()].map((name) => [name, text(store, name)]))).toEqual(expected),
    );
  });

  test("stay small in a long build that replaces values", () => {
    build((store) => {
      for (let round = 0; round < 100; round++) store.keep("record", "", `${round}`.repeat(10_000));
    });
    build(() => {});
    expect(bytesIn()).toBeLessThan(50_000);
    build((store) => expect(text(store, "record")).toBe("99".repeat(10_000)));
  });

  test("a build that keeps nothing writes nothing", () => {
    build((store) => store.keep("a", "", "x"));
    const before = readdirSync(folder);
    build((store) => store.get("a", ""));
    expect(readdirSync(folder)).toEqual(before);
  });

  test("other files and folders stay", () => {
    const others = ["notes.txt", "x.index", "1.pack.old", "folder/1.pack"];
    writeFiles(folder, Object.fromEntries(others.map((name) => [name, "mine"])));
    build((store) => store.keep("a", "", "x"));
    build((store) => expect(text(store, "a")).toBe("x"));
    expect(filesBelow(folder)).toEqual(expect.arrayContaining(others));
  });

  test("only the user can read them", () => {
    build((store) => store.keep("a", "", "x"));
    for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o077).toBe(0);
  });

  test("links aren't followed", () => {
    const outside = writeFiles(`${folder}-outside`, { "1.pack": "mine", "file.txt": "mine" });
    chmodSync(outside, 0o755);
    symlinkSync(outside, folder);
    build((store) => {
      store.keep("a", "", "x");
      expect(store.isLasting).toBe(false);
    });
    expect([readFiles(outside), statSync(outside).mode & 0o777]).toEqual([
      { "1.pack": "mine", "file.txt": "mine" },
      0o755,
    ]);
  });
});

describe("builds at the same time", () => {
  test("don't see each other's values, and all values are kept", () => {
    build((store) => store.keep("a", "", "before"));
    const one = openStore(folder);
    const other = openStore(folder);
    one.keep("a", "", "one");
    one.keep("b", "", "b");
    one.flush();
    other.keep("c", "", "c");
    expect(text(other, "a")).toBe("before");
    expect(text(one, "c")).toBeUndefined();
    other.close();
    one.close();
    build((store) => expect(["b", "c"].map((name) => text(store, name))).toEqual(["b", "c"]));
  });

  test("keep the values of a build whose pack another build has merged", () => {
    const long = openStore(folder);
    long.keep("a", "", "x");
    long.flush();
    build((store) => store.keep("b", "", "y"));
    build(() => {});
    long.keep("c", "", "z");
    long.close();
    build((store) => expect(["a", "b", "c"].map((name) => text(store, name))).toEqual(["x", "y", "z"]));
  });

  test("can read values whose pack another build has merged", () => {
    for (const name of ["a", "b"]) build((store) => store.keep(name, "", name));
    const packs = filesIn(".pack");
    const reading = openStore(folder);
    for (const name of ["c", "d", "e"]) build((store) => store.keep(name, "", name));
    expect(filesIn(".pack").filter((name) => packs.includes(name))).toEqual([]);
    expect(["a", "b"].map((name) => text(reading, name))).toEqual(["a", "b"]);
    reading.close();
  });
});

describe("a build that is killed", () => {
  test("leaves the values that it has written", () => {
    const killed = openStore(folder);
    killed.keep("a", "", "x");
    killed.flush();
    killed.keep("b", "", "y");
    build((store) => expect(["a", "b"].map((name) => text(store, name))).toEqual(["x", undefined]));
  });

  test.each([
    ["while it writes an index", '["b","",1,'],
    ["while it writes a name", '["b\\'],
  ])("%s leaves the values before", (_, rest) => {
    build((store) => store.keep("a", "", "x"));
    appendFileSync(path.join(folder, filesIn(".index")[0]!), rest);
    build((store) => {
      expect(text(store, "a")).toBe("x");
      store.keep("b", "", "y");
    });
    build((store) => expect(["a", "b"].map((name) => text(store, name))).toEqual(["x", "y"]));
  });

  test("before it has written an index leaves nothing", () => {
    build((store) => store.keep("a", "", "x"));
    writeFileSync(path.join(folder, "7.pack"), "half");
    build((store) => expect(text(store, "a")).toBe("x"));
  });
});

test("if the disk is full, values are kept for this build only", () => {
  const store = openStore(folder);
  store.keep("a", "", "x");
  rmSync(folder, { recursive: true });
  store.flush();
  store.keep("b", "", "y");
  expect(["a", "b"].map((name) => text(store, name))).toEqual(["x", "y"]);
  store.close();
});

describe("damage", () => {
  test.each<[string, (pack: string) => void]>([
    ["a changed byte", (pack) => writeFileSync(pack, readFileSync(pack).fill(1, 2, 3))],
    ["a pack that is cut", (pack) => truncateSync(pack, 3)],
  ])("%s is noticed, and the next build doesn't find the values", (_, damage) => {
    build((store) => store.keep("a", "", "value"));
    damage(path.join(folder, filesIn(".pack")[0]!));
    build((store) => expect(() => store.get("a", "")).toThrow(DamagedValueError));
    build((store) => {
      expect(store.has("a", "")).toBe(false);
      store.keep("a", "", "value");
    });
    build((store) => expect(text(store, "a")).toBe("value"));
  });

  test("a damaged value is left out when packs are merged", () => {
    for (const name of ["a", "b"]) build((store) => store.keep(name, "", `${name} value`));
    const pack = path.join(folder, filesIn(".pack").sort()[0]!);
    writeFileSync(pack, readFileSync(pack).fill(1, 0, 1));
    build((store) => expect(["a", "b"].map((name) => text(store, name))).toEqual([undefined, "b value"]));
  });

  test("an index without a pack is removed", () => {
    build((store) => store.keep("a", "", "x"));
    writeFileSync(path.join(folder, "2.index"), '["a","",0,1,1],\n');
    build((store) => {
      store.keep("b", "", "y");
      expect(["a", "b"].map((name) => text(store, name))).toEqual(["x", "y"]);
    });
    build((store) => expect(["a", "b"].map((name) => text(store, name))).toEqual(["x", "y"]));
  });

  test.each([
    ["other JSON", "5,\n"],
    ["positions outside the pack", '["a","",100,5,1],\n'],
    ["no positions", '["a","",null,null,null],\n'],
  ])("an index with %s doesn't break a build", (_, index) => {
    build((store) => store.keep("a", "", "x"));
    writeFileSync(path.join(folder, filesIn(".index")[0]!), index);
    for (let round = 0; round < 3; round++)
      build((store) => {
        try {
          store.get("a", "");
        } catch (error) {
          expect(error).toBeInstanceOf(DamagedValueError);
        }
      });
    build((store) => store.keep("a", "", "z"));
    build((store) => expect(text(store, "a")).toBe("z"));
  });

  test("an index that isn't JSON is removed with its pack", () => {
    build((store) => store.keep("a", "", "x"));
    for (const name of readdirSync(folder)) writeFileSync(path.join(folder, name), "nonsense,\n");
    build((store) => expect(text(store, "a")).toBeUndefined());
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a file in place of the folder: values are kept for this build only", () => {
    build(() => {});
    const file = path.join(folder, "file");
    writeFileSync(file, "a file");
    const store = openStore(file);
    store.keep("a", "", "x");
    expect([text(store, "a"), store.isLasting]).toEqual(["x", false]);
  });
});
