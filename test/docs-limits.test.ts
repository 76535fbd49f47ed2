/** Every number in the table of sizes and quotas is that of the code. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { limits } from "../src/base/limits.ts";
import { currentPath_chars, question_chars } from "../src/base/question-limits.ts";
import { startExport } from "../src/service/static-export/contract.ts";
import { root } from "./engine/build.ts";

const page = readFileSync(path.join(root, "docs/service/limits.mdx"), "utf8");

/** Value of a constant that isn't exported, such as `200 * 1024 * 1024`. */
function constant(file: string, name: string): number {
  const source = readFileSync(path.join(root, "src", file), "utf8");
  const written = new RegExp(`\\bconst ${name} = ([\\d_ *]+);`).exec(source)?.[1];
  if (written === undefined) throw new Error(`${file} has no constant ${name} with a number`);
  return written
    .replaceAll("_", "")
    .split("*")
    .reduce((product, factor) => product * Number(factor), 1);
}

const count = (value: number) => value.toLocaleString("en-US");
const words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const word = (value: number) => words[value] ?? count(value);
const kb = (bytes: number) => `${count(bytes / (bytes % 1024 === 0 ? 1024 : 1_000))} KB`;
const mb = (bytes: number) => `${count(bytes / (bytes % 1024 === 0 ? 1024 ** 2 : 1_000_000))} MB`;
const gb = (bytes: number) => `${bytes / 1024 ** 3} GB`;
const [minute_ms, day_ms] = [60_000, 24 * 3_600_000];

const { apiReads, git, manualDeliveries } = limits;
const sourceSize = mb(limits.sourceFile_bytes);
const tokens = readFileSync(path.join(root, "src/service/assistant/models.ts"), "utf8");
const tokensOf = (name: string) =>
  [...new RegExp(`const ${name} = {([^}]*)}`).exec(tokens)![1]!.matchAll(/(\w+): ([\d_]+)/g)].map(
    ([, plan, value]) => [plan!, Number(value!.replaceAll("_", ""))] as const,
  );
const ofMonth = Object.fromEntries(tokensOf("modelTokens"));
const ofDay = Object.fromEntries(tokensOf("modelTokensOfDay"));

/** The phrases of each row's limit and consequence that have a number. */
const rows: Record<string, string[]> = {
  "Queued exports per organization": [
    count(constant("service/static-export/start-export.ts", "waitingExports_count")),
  ],
  "JSON request body": [
    kb(limits.requestBody_bytes),
    `${mb(startExport.body.most_bytes)} to create an export`,
    `${constant("service/http/read-body.ts", "nesting_count")} levels`,
  ],
  "Sources of one deployment": [
    `${count(limits.sourceFiles_count)} files`,
    `${sourceSize} each`,
    `${mb(limits.sources_bytes)} in total`,
    `larger than ${sourceSize}`,
  ],
  Upload: [mb(constant("service/deployments/upload.ts", "upload_bytes"))],
  "Reads of the API, per process": [
    `${word(apiReads.running).replace(/^\w/, (letter) => letter.toUpperCase())} run`,
    `${apiReads.waiting} wait`,
    `${apiReads.waitingOfCaller} can be`,
    `\`Retry-After\` of ${apiReads.retryAfter_s} seconds`,
  ],
  "Queued and running deployments per organization": [
    count(constant("service/deployments/add-deployment.ts", "openDeployments_count")),
  ],
  "Push to a [repository of the service](/service/git)": [
    mb(git.push_bytes),
    `${count(git.objects_count)} objects`,
    `${git.updates_count} branches`,
    `${word(git.previews_count)} get`,
  ],
  "Repository of the service, per project": [mb(git.repository_bytes), `${count(git.refs_count)} branches`],
  "Requests of Git clients, per process": [
    `${word(git.running.running).replace(/^\w/, (letter) => letter.toUpperCase())} run`,
    `${word(git.running.runningOfCaller)} of them`,
    `${git.running.waiting} wait`,
    `${git.running.waitingOfCaller} can be`,
    `\`Retry-After\` of ${git.running.retryAfter_s} seconds`,
  ],
  "Wait of a push for its deployment": [
    `${word(git.deployment_ms / minute_ms).replace(/^\w/, (letter) => letter.toUpperCase())} minutes`,
  ],
  "Repository branch": [
    mb(constant("io/git-process.ts", "gitPack_bytes")),
    `${word(constant("io/read-git-branch.ts", "gitRead_ms") / minute_ms)} minutes`,
  ],
  "Memory and CPU time of Git, for a connected repository or a push": [
    `${constant("io/git-process.ts", "gitMemory_gb")} GB`,
    `${word(constant("io/git-process.ts", "gitCpu_s") / 60)} minutes`,
  ],
  "Stored deployments per project": [
    `last ${word(limits.keptDeployments_count)} successful ones`,
    `last ${constant("service/deployments/sweep-deployments.ts", "keptDeployment_ms") / 3_600_000} hours`,
    `${constant("service/deployments/sweep-deployments.ts", "deploymentHistory_ms") / day_ms} days`,
  ],
  "Memory and CPU time of one build": [
    `${gb(limits.buildMemory_bytes)} of memory`,
    `${limits.buildHeap_mb / 1024} GB of heap`,
    `${limits.buildStall_s} seconds of CPU time`,
  ],
  "Total time of one build": [
    `${limits.buildCpu_s / 60} minutes of CPU time`,
    `${constant("service/deployments/deploy-job.ts", "deploymentBuild_ms") / minute_ms} minutes of elapsed time`,
  ],
  "One line of a conversation import": [
    mb(constant("service/conversations/import-conversations.ts", "importLine_chars")),
  ],
  Question: [
    `${count(question_chars)} characters per text part`,
    `${constant("service/assistant/contract.ts", "messages_count")} messages`,
    `${currentPath_chars} characters for the path`,
  ],
  "Answers streaming at the same time": [
    `${constant("service/assistant/answer-slots.ts", "answersOfProcess_count")} per process`,
    `${constant("service/assistant/answer-slots.ts", "answersOfSite_count")} per site`,
  ],
  "Tokens for the service's model": [
    ...["free", "pro", "enterprise"].map((plan) => `${count(ofMonth[plan]!)} (${plan})`),
    `project's own model: ${count(ofDay["own"]!)} per day`,
  ],
  Answer: [
    `${limits.answer_ms / 1_000} seconds`,
    `${count(constant("io/language-model.ts", "modelAnswer_tokens"))} model tokens`,
    kb(constant("service/assistant/answer-text.ts", "answer_bytes")),
    mb(constant("io/outbound-fetch.ts", "outboundStream_bytes")),
    `${count(constant("io/language-model.ts", "modelResponse_lines"))} lines`,
    `${kb(constant("io/language-model.ts", "modelLine_bytes"))} per line`,
  ],
  "Time to send a request body": [
    `${limits.body_ms / 1_000} seconds, `,
    `${constant("host/playground-proxy.ts", "proxy_ms") / 1_000} seconds through the playground proxy`,
    `${limits.upload_ms / minute_ms} minutes for an upload`,
    `${limits.slowBodies_count} request bodies`,
  ],
  Connections: [
    `${count(limits.connections_count)} per process`,
    `${limits.connectionsOfVisitor_count} per visitor`,
  ],
  "Requests in progress during shutdown": [`${limits.stop_ms / 1_000} seconds`],
  "Webhooks per organization": [count(constant("service/notifications/webhooks.ts", "webhooks_count"))],
  "Response to a webhook request": [
    `${constant("io/outbound-fetch.ts", "outboundFetch_ms") / 1_000} seconds`,
    mb(constant("io/outbound-fetch.ts", "outboundFetch_bytes")),
  ],
  "Test events and resent deliveries per organization": [
    `${manualDeliveries.count} per ${manualDeliveries.window_s === 3_600 ? "hour" : "?"}`,
  ],
  "Stored deliveries per webhook": [
    count(constant("service/notifications/deliveries.ts", "listed_count")),
    `${constant("service/notifications/deliveries.ts", "kept_days")} days`,
  ],
  "Organization logo": [kb(constant("service/organizations/organization-logo.ts", "logo_bytes"))],
  "Previews per project": [
    count(constant("service/deployments/previews.ts", "previews_count")),
    `${limits.preview_ms / day_ms} days`,
  ],
};

const [, table = ""] = page.split("| Item | Limit | If exceeded |");
const written = table
  .split("\n\n")[0]!
  .split("\n")
  .slice(2)
  .map((row) => row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));

test.each(written)("%s", (item, limit = "", consequence = "") => {
  let rest = `${limit} · ${consequence}`;
  for (const phrase of rows[item!] ?? []) {
    expect(rest).toContain(phrase);
    rest = rest.replaceAll(phrase, "");
  }
  // Only statuses of HTTP are left.
  expect(rest.replace(/\b[45]\d\d\b/g, "")).not.toMatch(
    /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten)\b/i,
  );
});

test("the page of the assistant has the same limits", () => {
  const assistant = readFileSync(path.join(root, "docs/service/assistant.mdx"), "utf8");
  const millions = (value: number) => `${value / 1_000_000} million`;
  for (const phrase of [
    `at most ${limits.answer_ms / 1_000} seconds`,
    `${millions(ofMonth["free"]!)} tokens on the free plan`,
    `${millions(ofMonth["pro"]!)} on the pro plan`,
    `${millions(ofMonth["enterprise"]!)} on the enterprise plan`,
    `up to ${millions(ofDay["own"]!)} tokens per day`,
  ])
    expect(assistant).toContain(phrase);
});

test("a site's part of the tokens for a day is a tenth", () => {
  for (const [plan, tokens] of Object.entries(ofMonth))
    expect([plan, ofDay[plan]]).toEqual([plan, tokens / 10]);
});
