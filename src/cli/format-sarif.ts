/**
 * Formats problems as a SARIF 2.1.0 log, which code scanning services read.
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */

import path from "node:path";
import { plainLine } from "../base/one-line.ts";
import { plural } from "../base/plural.ts";
import type { Problem } from "../base/problem.ts";
import { type ProblemCode, problemCodes } from "../base/problem-codes.ts";

export interface SarifOptions {
  version: string;
  /** Path of the documentation folder, relative to the repository. */
  folder: string;
  /** URL of a service, whose dashboard explains the problems. Undefined if there is none. */
  serviceUrl: string | undefined;
  /** Number of problems that aren't in the list. */
  omitted: number;
}

export function sarifLog(problems: readonly Problem[], options: SarifOptions): string {
  const codes = [...new Set(problems.map(({ code }) => code))];
  const indexes = new Map(codes.map((code, i) => [code, i]));
  const { omitted } = options;
  const notification = {
    level: "warning",
    message: { text: `${plural(omitted, "more problem")} not listed` },
  };

  return JSON.stringify({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Octavo",
            semanticVersion: options.version,
            rules: codes.map((code) => rule(code, options.serviceUrl)),
          },
        },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: true,
            ...(omitted > 0 ? { toolExecutionNotifications: [notification] } : {}),
          },
        ],
        results: problems.map((found) => result(found, indexes.get(found.code)!, options.folder)),
      },
    ],
  });
}

/** Section 3.49: reportingDescriptor. */
function rule(code: ProblemCode, serviceUrl: string | undefined) {
  const { title, meaning, fix, severity } = problemCodes[code];
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: meaning },
    help: { text: `${meaning} ${fix}`, markdown: `${meaning}\n\n${fix}` },
    ...(serviceUrl ? { helpUri: `${serviceUrl.replace(/\/+$/, "")}/dashboard/problems/${code}` } : {}),
    defaultConfiguration: { level: severity },
  };
}

/** Section 3.27: result. */
function result(
  { code, severity, file, message, hint, ...place }: Problem,
  ruleIndex: number,
  folder: string,
) {
  const { line, column, length } = place;
  const uri = path.posix.join(folder, file).split("/").map(encodeURIComponent).join("/");
  const columns = column === undefined ? {} : { startColumn: column, endColumn: column + (length ?? 1) };
  const region = line === undefined ? {} : { region: { startLine: line, endLine: line, ...columns } };

  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: [message, hint].flatMap((text) => (text ? [plainLine(text)] : [])).join(". ") },
    locations: [{ physicalLocation: { artifactLocation: { uri }, ...region } }],
  };
}
