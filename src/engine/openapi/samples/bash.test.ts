import { expect, test } from "vitest";
import { bashSample } from "./bash.ts";

const sampleWith = (...headers: [string, string][]) =>
  bashSample({ method: "GET", url: "https://api.example.com/", headers });

test("curl answers the challenge of digest authentication itself", () => {
  expect(sampleWith(["Authorization", "Digest YOUR_CREDENTIALS"])).toContain(
    "--digest --user YOUR_USERNAME:YOUR_PASSWORD",
  );
});

test("a header that a reader entered is sent as it is", () => {
  const entered = 'Digest username="ana", response="1"';
  expect(sampleWith(["Authorization", entered])).toContain(`--header 'Authorization: ${entered}'`);
});
