import { expect, test } from "vitest";
import { hashPassword, isPassword } from "./password.ts";

test("a password matches its own hash only, and a damaged hash matches nothing", async () => {
  const stored = await hashPassword("open sesame");
  expect(await isPassword("open sesame", stored)).toBe(true);
  expect(await isPassword("open barley", stored)).toBe(false);
  for (const damaged of ["", "scrypt", "scrypt$abc", "scrypt$abc$def", stored.slice(0, -4), `${stored}AAAA`])
    expect(await isPassword("open sesame", damaged), damaged).toBe(false);
});
