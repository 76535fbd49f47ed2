/** Converts the `navigation` setting of docs.json to a tree of divisions. */

import { limits } from "../../base/limits.ts";
import { nearest } from "../../base/nearest.ts";
import { mayRestrictAccess } from "../access-words.ts";
import type { JsonPath } from "../json-positions.ts";
import { isIndexEntry, routeOfEntry } from "../paths.ts";
import { checkSetting, type ReportSetting } from "./check-setting.ts";
import { languageCodes } from "./docs-json-schema.ts";
import { iconSchema } from "./icon-schema.ts";
import { partSchemas } from "./layout-schema.ts";
import type { Division, DivisionKind, NavChild } from "./navigation-types.ts";
import { parseOperationText, readApiSources } from "./openapi-entries.ts";

/**
 * Keys of docs.json that contain lists of divisions. If a level has several of these keys, the first one in
 * this order is used.
 */
const childLists: readonly { key: string; kind: DivisionKind; label: string }[] = [
  { key: "products", kind: "product", label: "product" },
  { key: "languages", kind: "language", label: "language" },
  { key: "versions", kind: "version", label: "version" },
  { key: "tabs", kind: "tab", label: "tab" },
  { key: "dropdowns", kind: "dropdown", label: "dropdown" },
  { key: "anchors", kind: "anchor", label: "anchor" },
  { key: "menu", kind: "item", label: "item" },
  { key: "groups", kind: "group", label: "group" },
];

const knownKeys = new Set([
  ..."icon iconType hidden searchable directory openapi asyncapi graphql sdk global href description name color tag default expanded root public boost align pages banner footer navbar collapsed sourceRef $schema".split(
    " ",
  ),
  ...childLists.flatMap((list) => [list.key, list.label]),
]);

/**
 * Reads the `navigation` setting and reports problems. Omits entries that are invalid. `path`: path of the
 * setting in docs.json.
 */
export function readNavigation(
  raw: Record<string, unknown>,
  path: JsonPath,
  report: ReportSetting,
): Division {
  return readDivision(raw, "root", "", path, report);
}

type Raw = Record<string, unknown>;

/** Keys that are accepted but have no effect, with what to do instead. */
const ineffectiveKeys: Readonly<Record<string, string>> = {
  asyncapi: "AsyncAPI documents aren't rendered. Describe the channels on separate pages.",
  graphql: "GraphQL schemas aren't rendered. Describe the operations on separate pages.",
  sdk: "Octavo doesn't generate pages from this source. Generate Markdown files with another tool, and list them in pages.",
  sourceRef: "Copy the navigation of the other repository to this file, and its pages to this folder.",
};

/** Names of the file or document that a key refers to, for the message. */
function sourceOf(value: unknown): string {
  const first = Array.isArray(value) ? value[0] : value;
  const { source, format } = (typeof first === "object" && first !== null ? first : { source: first }) as {
    source?: unknown;
    format?: unknown;
  };
  const words = [format, source].filter((word) => typeof word === "string");
  return words.length ? ` (${words.join(": ")})` : "";
}

/** Keys of levels in which a setting of some levels has an effect. Elsewhere, it's reported. */
const limitedKeys: Readonly<Record<string, readonly DivisionKind[]>> = {
  default: ["version", "language", "product", "dropdown", "tab", "anchor"],
  align: ["tab"],
  banner: ["language"],
  footer: ["language"],
  navbar: ["language"],
  menu: ["tab", "product"],
};

/**
 * Whether a value is a list of names. In navigation, `groups` with names of reader groups is an access rule.
 */
function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}

function readDivision(
  raw: Raw,
  kind: DivisionKind,
  label: string,
  path: JsonPath,
  report: ReportSetting,
): Division {
  let isClosed = false;
  for (const key of Object.keys(raw)) {
    const hint = Object.hasOwn(ineffectiveKeys, key) ? ineffectiveKeys[key] : undefined;
    if (hint !== undefined)
      report(
        "no-effect",
        [...path, key],
        "key",
        `${JSON.stringify(key)}${sourceOf(raw[key])} has no effect on this ${kind}`,
        hint,
      );
    if (Object.hasOwn(limitedKeys, key) && !limitedKeys[key]!.includes(kind))
      report(
        "no-effect",
        [...path, key],
        "key",
        `${JSON.stringify(key)} has no effect on a ${kind}`,
        `It has an effect on a ${limitedKeys[key]!.join(" or ")}.`,
      );
    const isRule =
      key === "groups" ? isListOfNames(raw.groups) : !knownKeys.has(key) && mayRestrictAccess(key, raw[key]);
    if (knownKeys.has(key) && !isRule) continue;
    if (isRule) {
      isClosed = true;
      report(
        "unknown-access-rule",
        [...path, key],
        "key",
        `${JSON.stringify(key)} isn't an access rule that Octavo supports, so no one can see the pages of this ${kind === "root" ? "site" : kind}`,
      );
      continue;
    }
    const near = nearest(key, knownKeys);
    report(
      "config-unknown-key",
      [...path, key],
      "key",
      `${JSON.stringify(key)} isn't a navigation key and has no effect`,
      near && `Did you mean ${JSON.stringify(near)}?`,
    );
  }

  const division: Division = {
    kind,
    label,
    hidden: raw.hidden === true,
    searchable: raw.searchable === true,
    isDefault: raw.default === true,
    expanded: raw.expanded === true || raw.collapsed === false,
    alignEnd: raw.align === "end",
    openapi: readApiSources(raw.openapi, [...path, "openapi"], report),
    hasOtherReference: ["asyncapi", "graphql", "sdk"].some((key) => raw[key] !== undefined),
    global: readGlobal(raw.global, [...path, "global"], report),
    children: readChildren(raw, kind, path, report),
    path,
  };

  const textKeys = ["name", "description", "tag", "href", "iconType"] as const;
  for (const key of textKeys) if (typeof raw[key] === "string") division[key] = raw[key];
  readIcon(raw.icon, division, path, report);
  if (typeof raw.color === "object" && raw.color !== null) division.color = raw.color as Division["color"];
  if (isClosed) division.isClosed = true;

  if (raw.public !== undefined) {
    division.isPublic = raw.public === true;
    if (typeof raw.public !== "boolean")
      report(
        "unknown-access-rule",
        [...path, "public"],
        "value",
        "public must be true or false, so these pages aren't public",
      );
  }

  if (typeof raw.boost === "number") division.boost = raw.boost;
  if (typeof raw.root === "string") division.root = routeOfEntry(raw.root);
  if (raw.directory === "none" || raw.directory === "accordion" || raw.directory === "card")
    division.directory = raw.directory;
  if (kind !== "version") readVersion(raw.version, division, path, report);

  if (kind === "language") {
    for (const key of ["banner", "footer", "navbar"] as const) {
      if (raw[key] !== undefined)
        Object.assign(division, { [key]: checkSetting(partSchemas[key], raw[key], [...path, key], report) });
    }
  }

  return division;
}

function readIcon(value: unknown, division: Division, path: JsonPath, report: ReportSetting): void {
  if (typeof value === "string" || typeof (value as { name?: unknown } | null | undefined)?.name === "string")
    division.icon = value as Division["icon"];
  else if (typeof value === "object" && value !== null)
    report("config-value", [...path, "icon"], "value", `icon must be ${iconSchema.expected}`);
}

/** Reads the `version` setting of a division that is not itself a version. */
function readVersion(value: unknown, division: Division, path: JsonPath, report: ReportSetting): void {
  if (value === undefined) return;
  if ((typeof value === "string" && value.trim() !== "") || typeof value === "number")
    division.version = String(value).trim();
  else report("config-value", [...path, "version"], "value", "version must be a string in quotes");
}

function readChildren(raw: Raw, kind: DivisionKind, path: JsonPath, report: ReportSetting): NavChild[] {
  const lists = childLists.filter(
    ({ key }) =>
      raw[key] !== undefined &&
      (key !== "menu" || kind === "tab" || kind === "product") &&
      (key !== "groups" || !isListOfNames(raw[key])),
  );

  const present = [...lists.map((list) => list.key), ...(raw.pages !== undefined ? ["pages"] : [])];
  if (present.length > 1) {
    const [used, ...ignored] = present.map((key) => JSON.stringify(key));
    report(
      "nav-mixed",
      [...path, present[1]!],
      "key",
      `${[used, ...ignored].join(" and ")} can't be used at the same level, so only ${used} is used`,
      `Move ${ignored.join(" and ")} into an entry of ${used}.`,
    );
  }

  const list = lists[0];
  if (!list) return readPages(raw.pages, [...path, "pages"], report);
  const at = [...path, list.key];
  const entries = raw[list.key];
  if (!Array.isArray(entries)) {
    report("config-value", at, "value", `${list.key} must be a list in square brackets`);
    return [];
  }

  if (entries.length === 0) report("nav-empty", at, "value", `${list.key} needs at least one entry`);
  return entries.flatMap((entry, index) => readListed(entry, list, [...at, index], report));
}

function readListed(
  entry: unknown,
  list: { kind: DivisionKind; label: string },
  path: JsonPath,
  report: ReportSetting,
): NavChild[] {
  if (
    path.length > limits.nesting_levels ||
    typeof entry !== "object" ||
    entry === null ||
    Array.isArray(entry)
  ) {
    report(
      "config-value",
      path,
      "value",
      `Each ${list.kind} must be an object with ${JSON.stringify(list.label)}`,
    );
    return [];
  }

  const raw = entry as Raw;
  const label = raw[list.label];
  if (typeof label !== "string" || label === "") {
    report(
      "config-required",
      path,
      "value",
      `Missing ${JSON.stringify(list.label)}, the name of this ${list.kind}`,
    );
    return [];
  }

  if (list.kind === "language" && !languageCodes.includes(label)) {
    const near = nearest(label, languageCodes);
    report(
      "config-value",
      [...path, list.label],
      "value",
      `${JSON.stringify(label)} isn't a supported language code`,
      near && `Did you mean ${JSON.stringify(near)}?`,
    );
  }

  return [readDivision(raw, list.kind, label, path, report)];
}

function readPages(pages: unknown, path: JsonPath, report: ReportSetting): NavChild[] {
  if (pages === undefined) return [];

  if (!Array.isArray(pages)) {
    report("config-value", path, "value", "pages must be a list in square brackets");
    return [];
  }

  return pages.flatMap((entry, index): NavChild[] => {
    const at = [...path, index];
    if (typeof entry === "object" && entry !== null && "group" in entry)
      return readListed(entry, { kind: "group", label: "group" }, at, report);

    if (typeof entry !== "string") {
      report("config-value", at, "value", 'Each entry in pages must be a path, or an object with "group"');
      return readPageObject(entry, at);
    }

    const text = entry.trim();
    return [
      parseOperationText(text)
        ? { kind: "operation", text, path: at }
        : {
            kind: "page",
            route: routeOfEntry(text),
            ...(isIndexEntry(text) ? { isIndex: true } : {}),
            path: at,
          },
    ];
  });
}

/**
 * Reads an object with the path of a page, which other platforms allow. An access rule closes the page. Other
 * keys have no effect.
 */
function readPageObject(entry: unknown, path: JsonPath): NavChild[] {
  const { page, href, path: route = page, ...others } = (entry ?? {}) as Raw;
  if (typeof route !== "string" || href !== undefined) return [];
  const isClosed = Object.entries(others).some(
    ([key, value]) => key === "groups" || mayRestrictAccess(key, value),
  );
  return [{ kind: "page", route: routeOfEntry(route), path, ...(isClosed ? { isClosed: true } : {}) }];
}

/** Reads the `global` setting: divisions that are shown as links. */
function readGlobal(raw: unknown, path: JsonPath, report: ReportSetting): Division[] {
  if (raw === undefined) return [];

  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    report("config-value", path, "value", "global must be an object");
    return [];
  }

  return Object.entries(raw).flatMap(([key, entries]) => {
    const list = childLists.find(
      (candidate) => candidate.key === key && candidate.kind !== "group" && candidate.kind !== "item",
    );

    if (!list) {
      report(
        "config-value",
        [...path, key],
        "key",
        `${JSON.stringify(key)} isn't allowed in global`,
        "Allowed: tabs, anchors, dropdowns, languages, versions, products.",
      );
      return [];
    }

    if (!Array.isArray(entries)) {
      report("config-value", [...path, key], "value", `global.${key} must be a list in square brackets`);
      return [];
    }

    return entries.flatMap(
      (entry, index) => readListed(entry, list, [...path, key, index], report) as Division[],
    );
  });
}
