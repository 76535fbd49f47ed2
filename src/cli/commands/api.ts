import { existsSync, readFileSync } from "node:fs";
import { changeLevels } from "../../base/change-rules.ts";
import { parseUrl } from "../../base/url.ts";
import { readDocsJson } from "../../engine/config/docs-json.ts";
import { type LevelsOfRules, withLevels } from "../../engine/openapi/changes/change-levels.ts";
import { compareDocuments } from "../../engine/openapi/changes/compare-documents.ts";
import { type ApiDocument, readDocument } from "../../engine/openapi/document/api-document.ts";
import { parseAllowedHosts } from "../../io/allowed-hosts.ts";
import { readCheckoutWithGit } from "../../io/checkout-git.ts";
import { docsFolderFiles } from "../../io/docs-folder-files.ts";
import { fetchDocument } from "../../io/fetch-document.ts";
import { type Command, UsageError } from "../command.ts";
import { changesAnnotations, changesMarkdown, changesSummary, changesText } from "../format-changes.ts";
import type { Terminal } from "../terminal.ts";

const formats = ["text", "json", "markdown", "github"];

export const api: Command = {
  name: "api",
  summary: "Compare two versions of an OpenAPI document.",
  usage: "api diff BEFORE AFTER [--fail-on breaking|may-break] [--format FORMAT]",
  example: "octavo api diff main:openapi.yaml openapi.yaml --fail-on breaking",
  positionals: 3,
  options: {
    "fail-on": {
      type: "string",
      argument: "LEVEL",
      description: "Exit with 1 if there are changes of this level or worse: breaking or may-break.",
    },
    format: {
      type: "string",
      argument: "FORMAT",
      description: "Format of the output: text, json, markdown, or github. Default: text.",
    },
  },
  async run({ positionals, values }, terminal) {
    const [action, before, after] = positionals;
    if (action !== "diff")
      throw new UsageError(action ? `Unknown action: ${action}. Use diff` : "Missing the action: diff");
    if (!before || !after) throw new UsageError("Missing BEFORE and AFTER, two OpenAPI documents");
    const { format = "text", "fail-on": failOn } = values;
    if (!formats.includes(String(format)))
      throw new UsageError(`--format must be one of ${formats.join(", ")}`);
    if (failOn !== undefined && failOn !== "breaking" && failOn !== "may-break")
      throw new UsageError("--fail-on must be breaking or may-break");

    const [earlier, later] = [await read(before, terminal), await read(after, terminal)];
    const changes = withLevels(compareDocuments(earlier, later), configuredRules());
    if (format === "json") terminal.out(JSON.stringify({ changes }));
    else if (format === "markdown") terminal.out(changesMarkdown(changes));
    else if (format === "github") terminal.out(changesAnnotations(changes, after));
    else terminal.out(changesText(changes));
    terminal.note(changesSummary(changes));

    const failing = failOn === undefined ? [] : changeLevels.slice(0, changeLevels.indexOf(failOn) + 1);
    return changes.some(({ level }) => failing.includes(level)) ? 1 : 0;
  },
};

/** Returns the levels in the docs.json of the current folder. Empty if there is none. */
function configuredRules(): LevelsOfRules {
  if (!existsSync("docs.json")) return {};
  const { config } = readDocsJson(docsFolderFiles(".").files, { hasSignIn: false });
  return config.settings.api?.changes?.rules ?? {};
}

/** Reads a document: a file, a URL, or a file of a Git revision as `REVISION:PATH`. */
async function read(place: string, terminal: Terminal): Promise<ApiDocument> {
  const { document, problems } = await readDocument(place, await readText(place, terminal), {
    isChecked: false,
  });
  if (document) return document;
  const reason = problems.find(({ severity }) => severity === "error")?.message;
  throw new UsageError(`${place} isn't an OpenAPI document${reason === undefined ? "" : `: ${reason}`}`);
}

async function readText(place: string, terminal: Terminal): Promise<string> {
  if (/^https?:\/\//i.test(place)) {
    if (!parseUrl(place)) throw new UsageError(`Invalid URL: ${place}`);
    const { hosts } = parseAllowedHosts(terminal.outboundAllow);
    return fetchDocument(place, { allowed: hosts }).catch((error: Error) => {
      throw new UsageError(`${place} can't be fetched: ${error.message}`);
    });
  }

  if (existsSync(place)) return readFileSync(place, "utf8");
  const [, revision, path] = /^([^:]+):(.+)$/.exec(place) ?? [];
  if (revision === undefined || revision.startsWith("-")) throw new UsageError(`File not found: ${place}`);
  try {
    // A path in a revision is relative to the repository, and one that starts with ./ to the current folder.
    return readCheckoutWithGit(".", ["cat-file", "blob", `${revision}:${path}`]);
  } catch {
    throw new UsageError(`${place} isn't a file, or a file in a revision of the repository in this folder`);
  }
}
