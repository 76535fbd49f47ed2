/** Signatures of webhooks, and the code in our docs that verifies them. */

import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSigningSecret, signatureHeaders } from "./webhook-signature.ts";

const page = readFileSync("docs/dashboard/notifications.mdx", "utf8");
const sample = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(page)![1]!;
const secret = createSigningSecret(randomBytes);
const body = '{"type":"deployment.failed","data":{"projectName":"Größe"}}';
const now_s = Math.floor(Date.now() / 1_000);
const headers = signatureHeaders(secret, "01KAR7W4T3YQ0V6B1N5C8D9EFG", now_s, body);
/** Headers, body, and whether the request is accepted. */
const requests: [Record<string, string>, string, boolean][] = [
  [headers, body, true],
  [{ ...headers, "webhook-signature": `v1,c3BhbQ== ${headers["webhook-signature"]}` }, body, true],
  [headers, `${body} `, false],
  [{ ...headers, "webhook-id": "another" }, body, false],
  [
    signatureHeaders(createSigningSecret(randomBytes), "01KAR7W4T3YQ0V6B1N5C8D9EFG", now_s, body),
    body,
    false,
  ],
  [signatureHeaders(secret, "01KAR7W4T3YQ0V6B1N5C8D9EFG", now_s - 3_600, body), body, false],
  [{}, body, false],
];

test("the signature is that of the specification", () => {
  const given = signatureHeaders(
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "msg_p5jXN8AQM9LWM0D4loKWxJek",
    1_614_265_330,
    '{"test": 2432232314}',
  );
  expect(given["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("the documented Node.js code verifies it", async () => {
  const { isFromOctavo } = await import(`data:text/javascript,${encodeURIComponent(sample("js Node.js"))}`);
  expect(requests.map(([headers, body]) => isFromOctavo(secret, headers, body))).toEqual(
    requests.map(([, , isAccepted]) => isAccepted),
  );
});

test.skipIf(!hasPython())("the documented Python code verifies it", () => {
  const check = `${sample("python Python")}
import json, sys
for headers, body, _ in json.load(sys.stdin): print(is_from_octavo("${secret}", headers, body.encode()))`;
  const output = execFileSync("python3", ["-c", check], {
    input: JSON.stringify(requests),
    encoding: "utf8",
  });
  expect(output.trim().toLowerCase().split("\n")).toEqual(
    requests.map(([, , isAccepted]) => String(isAccepted)),
  );
});

function hasPython(): boolean {
  try {
    execFileSync("python3", ["-c", "str.removeprefix"]);
    return true;
  } catch {
    return false;
  }
}
