/** Parses references to OpenAPI documents and operations in docs.json and frontmatter. */

import { nearest } from "../../base/nearest.ts";
import type { JsonPath } from "../json-positions.ts";
import { normalizePath } from "../paths.ts";
import type { ReportSetting } from "./check-setting.ts";

/**
 * An OpenAPI document in a setting: its path or URL, and the folder for the pages that are generated from it.
 */
export interface ApiSource {
  source: string;
  directory?: string;
  /** Overlays, in the order in which they are applied to the document. */
  overlays?: { file: string; path: JsonPath }[];
  /** Path of the setting in docs.json. */
  path: JsonPath;
}

const expected =
  "a path or URL, a list of them, or an object with source and, optionally, directory and overlays";

/**
 * Reads an `openapi` setting in any of its forms. Reports invalid values, and omits entries without a valid
 * source.
 */
export function readApiSources(value: unknown, path: JsonPath, report: ReportSetting): ApiSource[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return readApiSource(value, path, report);
  if (value.length === 0)
    report("config-value", path, "value", "openapi needs at least one document", `Write ${expected}.`);
  return value.flatMap((entry, index) => readApiSource(entry, [...path, index], report));
}

function readApiSource(value: unknown, path: JsonPath, report: ReportSetting): ApiSource[] {
  if (typeof value === "string") return sourceNamed(value, path, path, report);

  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    report("config-value", path, "value", `openapi must be ${expected}`);
    return [];
  }

  const { source, directory, overlays, ...others } = value as Record<string, unknown>;
  for (const key of Object.keys(others)) {
    const near =
      nearest(key, ["source", "directory", "overlays"]) ?? (key === "dir" ? "directory" : undefined);
    report(
      "config-value",
      [...path, key],
      "key",
      `${JSON.stringify(key)} isn't a supported key in openapi`,
      near ? `Did you mean ${JSON.stringify(near)}?` : "Allowed: source, directory, overlays.",
    );
  }

  if (source === undefined) {
    report(
      "config-required",
      path,
      "value",
      "openapi requires a source",
      'Add "source": the path or URL of an OpenAPI document.',
    );
    return [];
  }

  if (typeof source !== "string") {
    report("config-value", [...path, "source"], "value", "openapi.source must be a path or URL in quotes");
    return [];
  }

  const listed = readOverlays(overlays, [...path, "overlays"], report);
  const named = sourceNamed(source, path, [...path, "source"], report).map((entry) => ({
    ...entry,
    ...(listed.length ? { overlays: listed } : {}),
  }));

  if (directory === undefined) return named;
  if (typeof directory === "string" && normalizePath("", directory) !== undefined)
    return named.map((entry) => ({ ...entry, directory }));

  report(
    "config-value",
    [...path, "directory"],
    "value",
    "openapi.directory must be the path of a folder inside the site",
    "Pages are generated in api-reference instead.",
  );

  return named;
}

function readOverlays(
  value: unknown,
  path: JsonPath,
  report: ReportSetting,
): { file: string; path: JsonPath }[] {
  if (value === undefined) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((entry, index) => {
    const at = Array.isArray(value) ? [...path, index] : path;
    const file =
      typeof entry === "string" && !/^[a-z][a-z\d+.-]*:/i.test(entry)
        ? normalizePath("", entry.trim())
        : undefined;
    if (file) return [{ file, path: at }];
    report("config-value", at, "value", "openapi.overlays must be paths of files inside the folder");
    return [];
  });
}

function sourceNamed(text: string, path: JsonPath, at: JsonPath, report: ReportSetting): ApiSource[] {
  const source = text.trim();
  if (source === "") {
    report("config-value", at, "value", "openapi is empty", `Write ${expected}.`);
    return [];
  }

  if (/^[a-z][a-z\d+.-]*:\/\//i.test(source) && !/^https?:/i.test(source)) {
    report(
      "config-value",
      at,
      "value",
      `${JSON.stringify(source)} isn't an https URL`,
      "Use an https URL, or a path inside the folder.",
    );
    return [];
  }

  return [{ source, path }];
}

/** A parsed reference to an operation or a webhook. */
export interface OperationText {
  /** Path or URL of the document. */
  document?: string;
  /** HTTP method in uppercase; `WEBHOOK` for webhooks. */
  method: string;
  /** Whether the method contains lowercase letters in the source. `false` for webhooks. */
  isLower: boolean;
  /** Path of an operation, or name of a webhook. */
  path: string;
}

const methods = "get|put|post|delete|options|head|patch|trace|query|webhook";
const forms = [
  // In the first form, a document name with spaces must end in .json, .yaml or .yml. In the second form, the
  // path must start with `/`.
  new RegExp(`^(?:(\\S+|\\S.*?\\.(?:json|ya?ml))\\s+)?(${methods})\\s+(\\S.*)$`, "is"),
  new RegExp(`^(\\S.*?)\\s(${methods})\\s+(/.*)$`, "is"),
];

/** Parses `[document] METHOD /path` or `[document] webhook name`. Undefined for other text. */
export function parseOperationText(text: string): OperationText | undefined {
  const trimmed = text.trim();
  const match = forms[0]!.exec(trimmed) ?? forms[1]!.exec(trimmed);
  if (!match) return undefined;
  const method = match[2]!.toUpperCase();
  return {
    ...(match[1] ? { document: match[1].trim() } : {}),
    method,
    isLower: match[2] !== method && method !== "WEBHOOK",
    path: match[3]!.trim(),
  };
}
