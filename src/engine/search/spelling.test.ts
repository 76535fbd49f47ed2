import { expect, test } from "vitest";
import { Dictionary } from "./dictionary.ts";
import { correctionsOf } from "./spelling.ts";
import { TermShard } from "./term-shard.ts";

/** A dictionary with one shard for each pair of first letters, and the numbers of the shards that it reads. */
function dictionary() {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  const read: number[] = [];
  const shard = async (number: number) => {
    read.push(number);
    const shard = new TermShard("");
    shard.terms.push(`${pairs[number]}${letters.join("")}`, ...(pairs[number] === "qu" ? ["quantum"] : []));
    shard.frequencies.push(1, 1);
    return shard;
  };
  return { read, terms: new Dictionary(pairs, shard) };
}

test("a word with another start is found in an index with many shards, if that is allowed", async () => {
  const find = async (word: string, isFar: boolean) =>
    (await correctionsOf(word, dictionary().terms, "en", isFar)).map(({ term }) => term);
  expect(await find("quantumm", false)).toEqual(["quantum"]);
  expect(await find("uqantum", false)).toEqual(["quantum"]);
  expect(await find("qantum", true)).toEqual(["quantum"]);
  expect(await find("qantum", false)).toEqual([]);
});

test("few shards are read", async () => {
  for (const word of ["zzzzzzzz", "qqqantum", "xylem"]) {
    const { read, terms } = dictionary();
    expect(await correctionsOf(word, terms, "en", true)).toEqual([]);
    expect(read.length).toBeLessThan(60);
    expect(read.length).toBeGreaterThan(0);
  }
});

test("words with other characters than letters are not corrected", async () => {
  for (const word of ["quantu2", "quant-um", "quantu_", "qu", "q".repeat(1_000)])
    expect(await correctionsOf(word, dictionary().terms, "en", true)).toEqual([]);
});
