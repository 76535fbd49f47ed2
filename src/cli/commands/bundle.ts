import { existsSync, readFileSync } from "node:fs";
import { plainLine } from "../../base/one-line.ts";
import { plural } from "../../base/plural.ts";
import { BadBundle } from "../../bundle/bundle-manifest.ts";
import { type BundlePlan, planBundle } from "../../bundle/plan-bundle.ts";
import { type Command, UsageError } from "../command.ts";
import { changesSummary, changesText } from "../format-changes.ts";

/** Maximum number of lines of a section of the text. */
const listed_count = 50;
/** Maximum size of an access log. It is read into memory. */
const log_bytes = 256 * 1024 * 1024;

export const bundle: Command = {
  name: "bundle",
  summary: "Show what readers notice when a bundle replaces another.",
  usage: "bundle plan OLD NEW [--access-log FILE] [--strict]",
  example: "octavo bundle plan live.tar.gz next.tar.gz --access-log access.log",
  positionals: 3,
  options: {
    "access-log": {
      type: "string",
      argument: "FILE",
      description: "Log in the common or combined format. Lists requests that will fail.",
    },
    strict: {
      type: "boolean",
      description: "Exit with 1 if URLs of pages will fail, or if a change of an API is breaking.",
    },
    json: { type: "boolean", description: "Print the plan as JSON." },
  },
  async run({ positionals, values }, terminal) {
    const [action, earlier, later] = positionals;
    if (action !== "plan")
      throw new UsageError(action ? `Unknown action: ${action}. Use plan` : "Missing the action: plan");
    if (!earlier || !later) throw new UsageError("Missing OLD and NEW, two bundles");
    for (const file of [earlier, later])
      if (!existsSync(file)) throw new UsageError(`File or folder not found: ${file}`);
    const log = values["access-log"];

    try {
      const plan = await planBundle(earlier, later, typeof log === "string" ? readLog(log) : "");
      terminal.out(values.json ? JSON.stringify(plan) : planText(plan));
      const isBreaking = plan.apis.some(({ changes }) => changes.some(({ level }) => level === "breaking"));
      return values.strict === true && (plan.gone.length > 0 || isBreaking) ? 1 : 0;
    } catch (error) {
      if (!(error instanceof BadBundle)) throw error;
      terminal.note(error.message);
      return 1;
    }
  },
};

function readLog(file: string): string {
  if (!existsSync(file)) throw new UsageError(`File not found: ${file}`);
  const bytes = readFileSync(file);
  if (bytes.length > log_bytes)
    throw new UsageError(`The access log is larger than ${log_bytes / 1024 / 1024} MB. Use a part of it`);
  return bytes.toString("latin1");
}

function planText({ added, changed, moved, gone, anchors, apis, requests }: BundlePlan): string {
  const sections = [
    section(plural(added.length, "new page"), added),
    section(plural(changed.length, "changed page"), changed),
    section(
      `${plural(moved.length, "page")} with a redirect`,
      moved.map(({ path, to }) => `${path} → ${to}`),
    ),
    section(`${plural(gone.length, "page")} without a redirect`, gone),
    section(
      `${plural(anchors.length, "page")} with missing anchors`,
      anchors.map(({ path, ids }) => `${path}: ${ids.map((id) => `#${id}`).join(", ")}`),
    ),
    section(
      "Requests of the access log that will fail",
      requests.map(({ path, count }) => `${path}: ${plural(count, "request")}`),
    ),
    ...apis.map(({ file, changes }) =>
      [`${plainLine(file)}: ${changesSummary(changes)}`, indented(changesText(changes))].join("\n"),
    ),
  ];
  return sections.filter(Boolean).join("\n\n") || "Readers notice no change.";
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const more = lines.length - listed_count;
  return [
    title,
    ...lines.slice(0, listed_count).map((line) => `  ${plainLine(line)}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join("\n");
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
