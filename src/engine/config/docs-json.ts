/** Reads docs.json and the files that its `$ref`s include. */

import { type Files, readText } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { type Problem, problem, type SourcePosition } from "../../base/problem.ts";
import { problemCodes } from "../../base/problem-codes.ts";
import { hasVisibility, mayRestrictAccess, withoutVisibility } from "../access-words.ts";
import { codeFrame, withFrame } from "../code-frame.ts";
import { type JsonPath, JsonPositions, JsonSyntaxError, parseJson } from "../json-positions.ts";
import { folderOf, normalizePath } from "../paths.ts";
import { checkSetting, type ReportSetting } from "./check-setting.ts";
import { type DocsJson, docsJsonSchema } from "./docs-json-schema.ts";
import { fromMintJson } from "./mint-json.ts";
import type { Division } from "./navigation-types.ts";
import { type ApiSource, readApiSources } from "./openapi-entries.ts";
import { readNavigation } from "./read-navigation.ts";

/**
 * Codes of the problems that prevent a deployment: docs.json is missing, or it or a file that it references
 * isn't JSON.
 */
export const unreadableConfig: ReadonlySet<string> = new Set(["config-missing", "config-syntax"]);

export interface DocsConfig {
  settings: DocsJson;
  navigation: Division;
  /** OpenAPI documents from the `api.openapi` setting. */
  apiSources: ApiSource[];
  /** Whether docs.json has a key that configures sign-in on other platforms. */
  requestsSignIn: boolean;
}

/** A file that contains settings: docs.json, or the target of a `$ref`. */
interface Origin {
  /** Path in the settings where the file's content is inserted. Empty for docs.json. */
  path: JsonPath;
  /** Keys next to the `$ref`, which take precedence over the keys of the referenced file. */
  siblingKeys: readonly string[];
  file: string;
  text: string;
  /** Created for the first problem in the file. */
  positions?: JsonPositions;
}

/**
 * Returns the position of a setting in docs.json or in the target of a `$ref`, with a code frame. If
 * docs.json is missing or invalid, the position contains only the file name.
 */
export type PositionOf = (path: JsonPath) => SourcePosition & { frame?: string };

/**
 * Reads docs.json and validates its settings. Required settings that are missing or invalid get defaults,
 * even if docs.json itself is missing or invalid. `hasSignIn`: whether readers must sign in to the site. If
 * `false`, keys that request sign-in are reported.
 */
export function readDocsJson(
  files: Files,
  { hasSignIn }: { hasSignIn: boolean },
): { config: DocsConfig; problems: Problem[]; placeOf: PositionOf } {
  const problems: Problem[] = [];
  const isMint = !files.paths.includes("docs.json") && files.paths.includes("mint.json");
  const file = isMint ? "mint.json" : "docs.json";
  const root = readJsonFile(files, file, problems);
  if (!root) {
    if (problems.length === 0) {
      const near = files.paths.find((path) => path.endsWith("/docs.json"));
      problems.push(
        problem(
          "config-missing",
          { file: "docs.json" },
          "No docs.json in this folder",
          near
            ? `Found one at ${near}. Run the command in that folder, or set the project's folder to it.`
            : "Run `octavo init` to create one.",
        ),
      );
    }
    return {
      config: {
        settings: withDefaults({}),
        navigation: readNavigation({}, [], () => {}),
        apiSources: [],
        requestsSignIn: false,
      },
      problems,
      placeOf: () => ({ file }),
    };
  }

  const mint = isMint ? fromMintJson(root.value as Record<string, unknown>) : undefined;
  if (mint) {
    const without = mint.leftOut.length ? ` Keys without an effect: ${mint.leftOut.join(", ")}.` : "";
    problems.push(
      problem(
        "config-mint",
        { file },
        "There is no docs.json, so mint.json is used",
        `${convertHint}${without}`,
      ),
    );
  }

  const origins: Origin[] = [{ path: [], siblingKeys: [], file: "docs.json", text: root.text }];
  const placeIn = (path: JsonPath, what: "value" | "key") => {
    // The paths of converted settings aren't those of the file.
    if (mint) return { file };
    const origin = origins.findLast(
      (candidate) =>
        candidate.path.length <= path.length &&
        candidate.path.every((step, i) => step === path[i]) &&
        !candidate.siblingKeys.includes(String(path[candidate.path.length])),
    )!;
    origin.positions ??= new JsonPositions(origin.text);
    const span = origin.positions.of(path.slice(origin.path.length), what);
    const place: SourcePosition = { file: origin.file, ...span };
    const frame = codeFrame(origin.text, place);
    return { ...place, ...(frame ? { frame } : {}) };
  };

  const report: ReportSetting = (code, path, what, message, hint) =>
    problems.push(problem(code, placeIn(path, what), message, hint));
  const value = followRefs(
    mint?.settings ?? root.value,
    { files, origins, problems, report, included_chars: 0, isTooLarge: false },
    "docs.json",
    [],
    ["docs.json"],
  );

  const { rest, requested } = withoutSignIn(value);
  if (!hasSignIn)
    for (const key of requested) report("config-sign-in", [key], "key", signInMessage(key), signInHint);
  const mayHaveConditions = origins.some(({ text }) => /visibility/i.test(text));
  const forAllReaders = mayHaveConditions ? withoutConditions(rest, [], report) : rest;
  const settings = withDefaults(
    (checkSetting(docsJsonSchema, forAllReaders, [], report) ?? {}) as Partial<DocsJson>,
  );
  checkRules(settings, report);

  return {
    config: {
      settings,
      navigation: readNavigation(settings.navigation, ["navigation"], report),
      apiSources: readApiSources(settings.api?.openapi, ["api", "openapi"], report),
      requestsSignIn: requested.length > 0,
    },
    problems,
    placeOf: (path) => placeIn(path, "value"),
  };
}

const convertHint = "To convert it to docs.json, run `octavo import-site`.";

/** Keys that configure sign-in on other platforms. In Octavo, sign-in is part of the project's settings. */
const signInKeys = ["auth", "userAuth", "audience", "isPublic", "private", "public"];

function withoutSignIn(value: unknown): { rest: unknown; requested: string[] } {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { rest: value, requested: [] };
  const requested = Object.entries(value).filter(
    ([key, item]) =>
      signInKeys.includes(key) &&
      (key === "auth" || key === "userAuth" ? item !== null && item !== false : mayRestrictAccess(key, item)),
  );
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !signInKeys.includes(key)));
  return { rest, requested: requested.map(([key]) => key) };
}

/**
 * Removes `<Visibility>` elements from texts, except from the description of the not found page, which is
 * MDX.
 */
function withoutConditions(value: unknown, path: JsonPath, report: ReportSetting): unknown {
  if (typeof value === "string") {
    if (!hasVisibility(value) || path.join(".") === "errors.404.description") return value;
    report(
      "unknown-audience",
      path,
      "value",
      "This text is the same for all readers, so <Visibility> is left out",
    );
    return withoutVisibility(value);
  }

  if (Array.isArray(value))
    return value.map((item, index) => withoutConditions(item, [...path, index], report));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutConditions(item, [...path, key], report)]),
  );
}

const signInMessage = (key: string) =>
  `${JSON.stringify(key)} has no effect: sign-in can't be turned on in docs.json, so this site can be read without signing in`;
const signInHint =
  "In the project's settings, set up sign-in or choose Public. Until you do, deployments are rejected. Static builds and exports don't support sign-in.";

/** Fills in defaults for missing required settings, so that the site can still be built. */
function withDefaults(settings: Partial<DocsJson>): DocsJson {
  return {
    ...settings,
    theme: settings.theme ?? "mint",
    name: settings.name ?? "Documentation",
    colors: { ...settings.colors, primary: settings.colors?.primary ?? "#2563eb" },
    navigation: settings.navigation ?? {},
  } as DocsJson;
}

function readJsonFile(
  files: Files,
  file: string,
  problems: Problem[],
): { value: unknown; text: string } | undefined {
  const text = readText(files, file);
  if (text === undefined) return undefined;

  try {
    const value = parseJson(text);
    if (
      (file === "docs.json" || file === "mint.json") &&
      (typeof value !== "object" || value === null || Array.isArray(value))
    ) {
      problems.push(
        withFrame(
          problem(
            "config-value",
            { file, line: 1, column: 1 },
            `${file} must be an object`,
            'Start the file with { "theme": "mint", … }.',
          ),
          text,
        ),
      );
      return undefined;
    }
    return { value, text };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    problems.push(
      withFrame(
        problem("config-syntax", { file, ...error.span }, error.message, problemCodes["config-syntax"].fix),
        text,
      ),
    );
    return undefined;
  }
}

const includes = limits.settingsIncludes;
const megabytes = includes.total_chars / 1_000_000;

interface RefContext {
  files: Files;
  origins: Origin[];
  problems: Problem[];
  report: ReportSetting;
  /** Total length of the files that have been included. A file counts each time. */
  included_chars: number;
  /** Whether a limit was reached. Then the other `$ref`s aren't followed. */
  isTooLarge: boolean;
}

function followRefs(
  value: unknown,
  context: RefContext,
  file: string,
  path: JsonPath,
  open: readonly string[],
): unknown {
  if (path.length > limits.nesting_levels || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map((item, index) => followRefs(item, context, file, [...path, index], open));
  const record = value as Record<string, unknown>;
  if (typeof record.$ref === "string") return followRef(record, record.$ref, context, file, path, open);
  const followed = Object.entries(record).map(
    ([key, item]) => [key, followRefs(item, context, file, [...path, key], open)] as const,
  );
  return Object.fromEntries(followed.filter(([, item]) => item !== undefined));
}

function followRef(
  record: Record<string, unknown>,
  ref: string,
  context: RefContext,
  file: string,
  path: JsonPath,
  open: readonly string[],
): unknown {
  const { $ref: _, ...siblings } = record;
  const reject = (message: string, hint?: string) => {
    context.report("config-ref", [...path, "$ref"], "value", message, hint);
    return Object.keys(siblings).length > 0 ? followRefs(siblings, context, file, path, open) : undefined;
  };

  const target = normalizePath(folderOf(file), ref);
  if (target === undefined)
    return reject(
      `${JSON.stringify(ref)} is outside the documentation folder`,
      "Keep the file inside the folder.",
    );

  if (!target.endsWith(".json")) return reject(`${JSON.stringify(ref)} isn't a .json file`);

  if (open.includes(target))
    return reject(
      `${open.slice(open.indexOf(target)).concat(target).join(" → ")} is circular`,
      "Remove one of these references.",
    );

  if (open.length > includes.levels)
    return reject(
      `${JSON.stringify(ref)} isn't included, because it is more than ${includes.levels} files away from docs.json`,
      "Include the file from docs.json, or from a file that docs.json includes.",
    );

  if (context.isTooLarge) return undefined;

  context.included_chars += readText(context.files, target)?.length ?? 0;
  if (context.included_chars > includes.total_chars || context.origins.length > includes.count) {
    context.isTooLarge = true;
    return reject(
      `${JSON.stringify(ref)} isn't included, because settings can include files up to ${includes.count.toLocaleString("en")} times and ${megabytes} MB in total`,
      "Include each file once, and check for files that include another file many times.",
    );
  }

  const failures = context.problems.length;
  const read = readJsonFile(context.files, target, context.problems);
  if (!read)
    return context.problems.length > failures
      ? followRefs(siblings, context, file, path, open)
      : reject(`File not found: ${target}`);

  context.origins.push({ path, siblingKeys: Object.keys(siblings), file: target, text: read.text });
  const content = followRefs(read.value, context, target, path, [...open, target]);
  if (Object.keys(siblings).length === 0) return content;
  if (typeof content !== "object" || content === null || Array.isArray(content)) return content;

  return { ...content, ...(followRefs(siblings, context, file, path, open) as object) };
}

/** Checks rules that the schema can't express. */
function checkRules(settings: DocsJson, report: ReportSetting): void {
  for (const [key, font] of Object.entries({
    fonts: settings.fonts,
    "fonts.heading": settings.fonts?.heading,
    "fonts.body": settings.fonts?.body,
  })) {
    if (font?.source && !font.format)
      report(
        "config-value",
        key.split("."),
        "value",
        `${key}.source requires a format`,
        'Add "format": "woff2".',
      );
  }

  for (const [index, link] of (settings.navbar?.links ?? []).entries()) {
    if (!link.label && (!link.type || link.type === "button") && !link.icon)
      report(
        "config-required",
        ["navbar", "links", index],
        "value",
        `navbar.links[${index}].label is required`,
        'Add "label", or "type": "github".',
      );
  }

  const primary = settings.navbar?.primary;
  if (primary?.type === "button" && !primary.label)
    report(
      "config-required",
      ["navbar", "primary"],
      "value",
      "navbar.primary.label is required for a button",
      'Add "label".',
    );
}
